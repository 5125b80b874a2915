#include "spindrift/cache/folder_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/core/atomic_file.h"

namespace spindrift::cache {

namespace fs = std::filesystem;

namespace {

bool is_same_file(int descriptor, const fs::path& path) {
    struct stat held {
    }, there{};
    return fstat(descriptor, &held) == 0 && stat(path.c_str(), &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

bool holds_only(const fs::path& folder, const fs::path& file) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path() != file) return false;
    }
    return !error;
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : folder_(folder), path_(folder / ".lock") {
    while (!take())
        continue;
}

bool FolderLock::take() {
    std::error_code error;
    made_folder_ = !fs::exists(folder_, error);
    cache::create_folder(folder_);
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0 && errno == ENOENT) return false;  // its maker took the folder away again
    if (descriptor_ < 0) throw write_error(path_, errno);
    const bool locked = flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    if (locked && is_same_file(descriptor_, path_)) return true;
    close(descriptor_);
    if (locked) return false;
    throw LockedError(
        fmt::format("{}: another spindrift is writing into this cache, which stays as it is; wait until it is done, "
                    "or simulate into another folder with `spindrift run -o FOLDER`",
                    folder_.string()));
}

FolderLock::~FolderLock() {
    if (made_folder_ && holds_only(folder_, path_)) {
        std::error_code ignored;
        fs::remove(path_, ignored);
        fs::remove(folder_, ignored);
    }
    close(descriptor_);
}

}  // namespace spindrift::cache
