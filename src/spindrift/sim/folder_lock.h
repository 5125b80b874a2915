#pragma once
// Keeps a second program from writing into the same cache. The system releases it however the program ends.
//
//   FolderLock lock(folder);      // throws UsageError if another process holds it

#include <filesystem>

namespace spindrift::sim {

class FolderLock {
  public:
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int descriptor_;
};

}  // namespace spindrift::sim
