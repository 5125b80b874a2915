#include "spindrift/core/apart.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <fstream>
#include <new>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/descriptor.h"
#include "spindrift/core/interruption.h"

namespace spindrift {

namespace {

using End = Apart::End;
using Clock = std::chrono::steady_clock;

/// Begins what the process hands back; what it says of itself is believed only with a mark in front.
constexpr char done_mark = 'D', failed_mark = 'F', memory_mark = 'M';

std::size_t own_memory() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void limit(decltype(RLIMIT_AS) what, rlim_t most) {
    rlimit now{};
    if (getrlimit(what, &now) != 0) return;
    now.rlim_cur = std::min(most, now.rlim_cur);
    setrlimit(what, &now);
}

void set_limits(std::size_t memory, pid_t parent) {
    // Ctrl-C is for the program, which ends this process; so does its own end.
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    limit(RLIMIT_AS, memory);
    limit(RLIMIT_CORE, 0);
    // Libraries and the system complain there about what the caller says better.
    if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

std::string answer_of(const std::function<std::string()>& work) {
    try {
        return done_mark + work();
    } catch (const std::bad_alloc&) {
        return {memory_mark};
    } catch (const std::exception& error) {
        return failed_mark + std::string(error.what());
    } catch (...) {
        return {failed_mark};
    }
}

/// A process that ends with this object.
class Child {
  public:
    explicit Child(pid_t pid) : pid_(pid) {}
    ~Child() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            wait();
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Whether it ended by itself and well.
    bool wait() {
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR)
            continue;
        pid_ = 0;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

  private:
    pid_t pid_;
};

/// Everything until the other side closes the pipe; false if that takes too long.
bool read_all(int descriptor, Clock::time_point end, std::string& bytes) {
    constexpr int often_ms = 100;
    constexpr std::size_t piece = 1 << 16;
    while (Clock::now() < end) {
        stop_if_interrupted();
        pollfd ready{descriptor, POLLIN, 0};
        if (poll(&ready, 1, often_ms) <= 0) continue;
        const std::size_t before = bytes.size();
        bytes.resize(before + piece);
        const ssize_t got = ::read(descriptor, bytes.data() + before, piece);
        bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got == 0 || (got < 0 && errno != EINTR)) return true;
    }
    return false;
}

End end_of(char mark) {
    return mark == done_mark ? End::done : mark == memory_mark ? End::memory : End::failed;
}

}  // namespace

ApartLimits limits_for(const std::filesystem::path& path) {
    constexpr std::uintmax_t best_packed = 32, largest = std::uintmax_t{1} << 32;
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(path, missing);
    ApartLimits limits;
    if (missing) return limits;
    limits.memory += std::min(size, largest) * best_packed;
    limits.seconds += static_cast<double>(size) * 1e-6;
    return limits;
}

Apart run_apart(const std::function<std::string()>& work, const ApartLimits& limits) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw write_error("a pipe", errno);
    const Descriptor reading(ends[0]);
    const std::size_t memory = own_memory() + limits.memory;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        set_limits(memory, parent);
        const std::string answer = answer_of(work);
        _exit(write_all(ends[1], answer.data(), answer.size()) ? 0 : 1);
    }
    const int error = errno;
    close(ends[1]);
    if (pid < 0) throw write_error("a process of its own", error);
    Child child(pid);
    std::string bytes;
    const auto most = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    if (!read_all(reading.get(), Clock::now() + most, bytes)) return {End::time};
    if (!child.wait() || bytes.empty()) return {End::crash};
    const End end = end_of(bytes.front());
    bytes.erase(0, 1);
    return {end, std::move(bytes)};
}

}  // namespace spindrift
