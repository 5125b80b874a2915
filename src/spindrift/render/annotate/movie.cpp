#include "spindrift/render/annotate/movie.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/pieces_done.h"

namespace spindrift::render {

namespace {

namespace fs = std::filesystem;

/// Full path of a program on the PATH, empty if it is not there.
fs::path find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
    }
    return {};
}

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file) throw IoError(IoError::Kind::missing, path, "cannot read the picture");
    return bytes.str();
}

/// A running program that reads what we send as its standard input; its complaints go to a file without a name.
///
/// The input is a socket and not a pipe, so that a program that stops early is an error here and not a signal.
class Child {
  public:
    explicit Child(const std::vector<std::string>& command) : errors_(std::tmpfile()) {
        std::array<int, 2> ends{};
        if (!errors_ || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(command[0], errno);
        input_ = ends[0];
        const int code = spawn(command, ends[1]);
        ::close(ends[1]);
        if (code != 0) {
            ::close(input_);
            fail(command[0], code);
        }
    }
    /// A program that is still at work is not wanted any more.
    ~Child() {
        if (input_ >= 0) ::close(input_);
        if (process_ <= 0) return;
        ::kill(process_, SIGTERM);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR)
            continue;
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// False if the program does not listen any more.
    bool send(const std::string& bytes) {
        for (std::size_t sent = 0; sent < bytes.size();) {
            const ssize_t n = ::send(input_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (n < 0 && errno != EINTR) return false;
            if (n > 0) sent += static_cast<std::size_t>(n);
        }
        return true;
    }

    /// Ends the input and waits; true if the program was content. Throws InterruptedError when the user asks to stop.
    bool finish() {
        constexpr std::chrono::milliseconds pause(20);
        ::close(std::exchange(input_, -1));
        int status = 0;
        for (pid_t ended = 0; ended == 0 || (ended < 0 && errno == EINTR);) {
            ended = ::waitpid(process_, &status, WNOHANG);
            if (ended != 0) continue;
            stop_if_interrupted();
            std::this_thread::sleep_for(pause);
        }
        process_ = 0;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    std::string complaints() const {
        std::array<char, 2000> text;
        std::rewind(errors_.get());
        return {text.data(), std::fread(text.data(), 1, text.size(), errors_.get())};
    }

  private:
    struct CloseFile {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    [[noreturn]] static void fail(const fs::path& program, int code) {
        throw IoError(IoError::Kind::other, program, std::strerror(code));
    }

    int spawn(const std::vector<std::string>& command, int input) {
        std::vector<char*> arguments;
        for (const std::string& word : command)
            arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, ::fileno(errors_.get()), STDERR_FILENO);
        const int code = posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }

    std::unique_ptr<std::FILE, CloseFile> errors_;
    pid_t process_ = 0;
    int input_ = -1;
};

/// Odd sizes are stretched by one pixel: players want 4:2:0 colour, which comes in blocks of two by two.
std::vector<std::string> ffmpeg_command(const fs::path& program, double fps, const fs::path& output) {
    return {program,
            "-loglevel",
            "error",
            "-nostats",
            "-y",
            "-f",
            "image2pipe",
            "-c:v",
            "png",
            "-framerate",
            fmt::format("{}", fps),
            "-i",
            "pipe:0",
            "-vf",
            "scale=ceil(iw/2)*2:ceil(ih/2)*2:out_color_matrix=bt709:out_range=tv,format=yuv420p",
            "-c:v",
            "libx264",
            "-crf",
            "18",
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "iec61966-2-1",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
            "file:" + output.string()};
}

}  // namespace

bool encode_mp4(std::span<const fs::path> frames, double fps, const fs::path& output) {
    SPINDRIFT_CHECK(!frames.empty() && fps > 0);
    const fs::path program = find_program("ffmpeg");
    if (program.empty()) {
        log_info(fmt::format("no ffmpeg on the PATH: {} is not written, the pictures are kept", output.string()));
        return false;
    }
    AtomicFile aside(output);
    Child ffmpeg(ffmpeg_command(program, fps, aside.temporary()));
    bool listening = true;
    PiecesDone sent(frames.size(), fmt::format("movie {}", output.filename().string()));
    for (const fs::path& frame : frames) {
        stop_if_interrupted();
        listening = listening && ffmpeg.send(read_file(frame));
        sent.add(1);
    }
    if (!ffmpeg.finish() || !listening) {
        throw IoError(IoError::Kind::other, output, "ffmpeg failed: " + ffmpeg.complaints());
    }
    aside.commit();
    return true;
}

}  // namespace spindrift::render
