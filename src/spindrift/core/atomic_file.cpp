#include "spindrift/core/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spindrift/core/descriptor.h"
#include "spindrift/core/text.h"

namespace spindrift {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view temporary_ending = ".tmp";

fs::path temporary_path(const fs::path& target) {
    const std::string name = fmt::format(".{}.{}{}", target.filename().string(), getpid(), temporary_ending);
    return target.parent_path() / name;
}

/// The process that wrote `.name.<pid>.tmp`, nothing if the name has another form.
std::optional<pid_t> temporary_owner(std::string_view name) {
    if (!name.starts_with('.') || !name.ends_with(temporary_ending)) return {};
    name.remove_suffix(temporary_ending.size());
    const std::size_t dot = name.rfind('.');
    if (dot < 2) return {};

    pid_t pid = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + dot + 1, end, pid);
    if (parsed.ec != std::errc() || parsed.ptr != end || pid <= 0) return {};
    return pid;
}

bool runs_elsewhere(pid_t pid) {
    return pid != getpid() && (kill(pid, 0) == 0 || errno == EPERM);
}

std::string system_text(int error) {
    return std::generic_category().message(error);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target, std::uint64_t expected_bytes)
    : target_(std::move(target)), temporary_(temporary_path(target_)), expected_bytes_(expected_bytes) {
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    check(descriptor_ >= 0);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!committed_) unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
    check(write_all(descriptor_, data, bytes));
    hash_.add(data, bytes);
    written_ += bytes;
}

WrittenFile AtomicFile::commit() {
    check(fsync(descriptor_) == 0);
    check(close(std::exchange(descriptor_, -1)) == 0);
    check(rename(temporary_.c_str(), target_.c_str()) == 0);
    committed_ = true;
    check(sync_folder(target_.parent_path().c_str()));
    return {written_, hash_.hex()};
}

void AtomicFile::check(bool success) const {
    if (!success) throw write_error(target_, errno, expected_bytes_);
}

WrittenFile write_file(const fs::path& path, std::string_view content) {
    AtomicFile file(path, content.size());
    file.write(content);
    return file.commit();
}

std::string read_file(const fs::path& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0) throw read_error(path, errno);
    if (S_ISDIR(status.st_mode)) throw read_error(path, EISDIR);

    // The size is a hint only: pipes and files of the system say 0.
    std::string content(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1, '\0');
    std::size_t filled = 0;
    while (true) {
        if (filled == content.size()) content.resize(2 * content.size());
        const ssize_t got = ::read(file.get(), content.data() + filled, content.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw read_error(path, errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    content.resize(filled);
    return content;
}

std::size_t remove_stale_temporaries(const fs::path& folder) {
    // Folders may lie on other disks behind links, and links may lead round in circles.
    constexpr int deepest = 2;
    constexpr auto links =
        fs::directory_options::skip_permission_denied | fs::directory_options::follow_directory_symlink;
    // Collected first: removing entries while walking over them is not defined.
    std::vector<fs::path> stale;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, links, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (entry.depth() == deepest) entry.disable_recursion_pending();
        const std::optional<pid_t> owner = temporary_owner(entry->path().filename().string());
        std::error_code ignored;
        if (owner && !runs_elsewhere(*owner) && entry->is_regular_file(ignored)) stale.push_back(entry->path());
    }
    return static_cast<std::size_t>(std::ranges::count_if(stale, [&](const fs::path& path) {
        std::error_code ignored;
        return fs::remove(path, ignored);
    }));
}

IoError write_error(const fs::path& path, int error, std::uint64_t bytes_needed) {
    using Kind = IoError::Kind;
    switch (error) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG: {
            const std::string needed =
                bytes_needed ? fmt::format(" {} were needed;", format_bytes(static_cast<double>(bytes_needed))) : "";
            return {Kind::disk_full, path,
                    fmt::format("no space left on the disk;{} earlier frames are intact", needed)};
        }
        case EACCES:
        case EROFS:
        case EPERM:
            return {Kind::permission, path, "no permission to write here; choose another folder with -o"};
        case ENOENT:
            return {Kind::missing, path, "cannot write: the folder does not exist"};
        case ENOTDIR:
            return {Kind::other, path, "cannot write: a part of this path is a file, not a folder"};
        case EEXIST:
            return {Kind::other, path, "cannot make this folder: a file of that name is in the way"};
        case EISDIR:
            return {Kind::other, path, "cannot write: a folder of that name is in the way"};
        case EMFILE:
        case ENFILE:
            return {Kind::other, path, "cannot write: too many files are open; raise the limit with `ulimit -n`"};
        default:
            return {Kind::other, path, fmt::format("cannot write: {}", system_text(error))};
    }
}

IoError read_error(const fs::path& path, int error) {
    using Kind = IoError::Kind;
    switch (error) {
        case ENOENT:
            return {Kind::missing, path, "there is no such file"};
        case ENOTDIR:
            return {Kind::missing, path, "there is no such file: a part of this path is not a folder"};
        case EACCES:
        case EPERM:
            return {Kind::missing, path, "no permission to read it"};
        case EISDIR:
            return {Kind::missing, path, "this is a folder; a file is needed"};
        default:
            return {Kind::missing, path, fmt::format("cannot read: {}", system_text(error))};
    }
}

}  // namespace spindrift
