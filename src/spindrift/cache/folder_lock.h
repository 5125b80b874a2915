#pragma once
// Keeps a second program from writing into the same cache. Whoever writes takes it before it reads, removes or cuts
// anything there. The system releases it however the program ends.
//
//   FolderLock lock(folder);      // throws LockedError if another process holds it
//   io::Manifest manifest = load_manifest(folder);

#include <filesystem>

#include "spindrift/core/errors.h"

namespace spindrift::cache {

/// Somebody else writes there.
class LockedError : public UsageError {
  public:
    using UsageError::UsageError;
};

class FolderLock {
  public:
    /// Makes the folder if there is none; one that it made goes with it if nothing was written there.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    /// False if the file that was locked is not the one that others find by now.
    bool take();

    std::filesystem::path folder_, path_;
    bool made_folder_ = false;
    int descriptor_ = -1;
};

}  // namespace spindrift::cache
