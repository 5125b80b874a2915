#pragma once
// An open file of the system.

#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <unistd.h>

namespace spindrift {

/// Closes what it was given; errno of the failed opening is left alone.
class Descriptor {
  public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return descriptor_; }

  private:
    int descriptor_;
};

/// Writes all bytes in as many calls as the system wants; false leaves the reason in errno.
inline bool write_all(int descriptor, const void* data, std::size_t bytes) {
    const auto* next = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t done = ::write(descriptor, next, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        next += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

/// Puts the names in a folder on the disk: a file that was renamed is found there after the power fails. False leaves
/// the reason in errno; file systems that cannot do it have nothing to say.
inline bool sync_folder(const char* folder) {
    const Descriptor opened(open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.get() < 0) return errno == EACCES;  // may be written and not listed
    return fsync(opened.get()) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace spindrift
