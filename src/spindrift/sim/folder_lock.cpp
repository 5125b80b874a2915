#include "spindrift/sim/folder_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "spindrift/core/atomic_file.h"

namespace spindrift::sim {

FolderLock::FolderLock(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / ".lock";
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) throw write_error(path, errno);
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor_);
        throw UsageError(fmt::format(
            "{}: another spindrift is writing into this cache; wait for it, or simulate into another folder "
            "with `spindrift run -o FOLDER`",
            folder.string()));
    }
}

FolderLock::~FolderLock() {
    close(descriptor_);
}

}  // namespace spindrift::sim
