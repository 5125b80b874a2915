#pragma once
// A file that appears under its name only when it is whole.
//
//   AsideFile file("shots/dam.0042.png");
//   write(file.temporary());
//   file.commit();                          // left out, for example by an exception: the temporary file goes away

#include <cstddef>
#include <filesystem>
#include <span>

namespace spindrift::preview {

class AsideFile {
  public:
    explicit AsideFile(std::filesystem::path target);
    ~AsideFile();
    AsideFile(const AsideFile&) = delete;
    AsideFile& operator=(const AsideFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    /// Writes all bytes to the temporary file; throws IoError.
    void write(std::span<const std::byte> bytes) const;
    /// Gives the file its name, in place of one that may be there; throws IoError.
    void commit();

  private:
    std::filesystem::path target_, temporary_;
    bool committed_ = false;
};

}  // namespace spindrift::preview
