#pragma once
// An open file of the system.

#include <cerrno>
#include <cstddef>

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

}  // namespace spindrift
