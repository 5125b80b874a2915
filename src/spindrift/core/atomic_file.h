#pragma once
// Files that are there whole or not at all: written aside and renamed.
//
//   AtomicFile file(folder / "water.0042.npz", bytes);   // writes .water.0042.npz.<pid>.tmp
//   file.write(header);
//   file.write(values.data(), values.size_bytes());
//   file.commit();                                       // without it the temporary is removed, the old file stays

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"

namespace spindrift {

/// What was written, known without reading it again.
struct WrittenFile {
    std::uint64_t bytes = 0;
    std::string hash{};  ///< of the bytes, as Hash64 makes it
};

class AtomicFile {
  public:
    /// `expected_bytes` only serves the message of a full disk; 0 means not known.
    explicit AtomicFile(std::filesystem::path target, std::uint64_t expected_bytes = 0);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Where the bytes are until the commit.
    const std::filesystem::path& temporary() const { return temporary_; }

    void write(const void* data, std::size_t bytes);
    void write(std::string_view text) { write(text.data(), text.size()); }

    /// Puts everything on the disk and the file in its place.
    WrittenFile commit();

  private:
    void check(bool success) const;

    std::filesystem::path target_, temporary_;
    std::uint64_t expected_bytes_, written_ = 0;
    StreamHash hash_;
    int descriptor_ = -1;
    bool committed_ = false;
};

WrittenFile write_file(const std::filesystem::path& path, std::string_view content);
std::string read_file(const std::filesystem::path& path);

/// Removes what killed programs left in a folder and below; returns how many files. Temporaries of other programs that
/// still run stay, those of this process go: call it before writing.
std::size_t remove_stale_temporaries(const std::filesystem::path& folder);

/// What a failed system call means to a user; `error` is its errno, 0 for `bytes_needed` means not known.
IoError write_error(const std::filesystem::path& path, int error, std::uint64_t bytes_needed = 0);
IoError read_error(const std::filesystem::path& path, int error);

}  // namespace spindrift
