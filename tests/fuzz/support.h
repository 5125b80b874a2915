#pragma once
// What the fuzz targets have in common. Readers may refuse whatever they like, with an error of ours; anything else
// that they do with a file (another exception, a crash, gigabytes, minutes) is a finding.
//
//   extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
//       return may_refuse([&] { io::manifest_from_json(as_text(data, size)); });
//   }

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace spindrift::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// A file in memory with the input in it, for readers that take paths. The same for all inputs of a process.
class InputFile {
  public:
    explicit InputFile(const char* name)
        : path_(std::filesystem::path("/dev/shm") / (std::to_string(getpid()) + "." + name)) {}
    ~InputFile() { unlink(path_.c_str()); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::filesystem::path& with(const std::uint8_t* data, std::size_t size) const {
        const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) __builtin_trap();
        close(file);
        return path_;
    }

  private:
    std::filesystem::path path_;
};

template <class Read>
int may_refuse(const Read& read) {
    const LogScope silence({});
    try {
        read();
    } catch (const Error&) {
        // Refused, with words for the user.
    }
    return 0;
}

}  // namespace spindrift::fuzz
