#pragma once
// manifest.json on the disk, and the journal beside it.
//
// A manifest grows with the frames; writing it anew for each would take a time that grows as well. New entries are
// lines of manifest.journal instead, which counts as long as its first line names the manifest that it goes on from.
// Whoever writes the manifest anew thereby ends the journal, whether the program comes to removing the file or not.
//
//   io::Manifest manifest = load_manifest("dam_cache");              // with what the journal says
//   journal.begin(save_manifest("dam_cache", manifest));
//   journal.add("particles", entry);
//   if (!journal.write("dam_cache")) save_manifest("dam_cache", manifest);         // it has become too long

#include <cstdint>
#include <filesystem>
#include <string>

#include "spindrift/core/atomic_file.h"
#include "spindrift/io/manifest.h"

namespace spindrift::cache {

inline constexpr const char* journal_file = "manifest.journal";

/// Throws IoError: missing, or corrupt with the place and what is wrong there. A journal that breaks off, as killed
/// programs leave it, counts as far as it goes.
io::Manifest load_manifest(const std::filesystem::path& folder);
WrittenFile save_manifest(const std::filesystem::path& folder, const io::Manifest& manifest);

class Journal {
  public:
    /// Goes on from a manifest that was just written.
    void begin(const WrittenFile& manifest);
    void add(const std::string& series, const io::FrameEntry& entry);

    /// Whether entries are in the journal, or wait to be.
    bool empty() const { return lines_ == 0; }
    /// Whether there is something in it, and nothing waits.
    bool is_written() const { return bytes_ > 0 && waiting_.empty(); }
    /// Puts what was added on the disk; false if the manifest is to be written anew instead.
    bool write(const std::filesystem::path& folder);

  private:
    std::string manifest_hash_{}, waiting_{};
    std::uint64_t bytes_ = 0, most_bytes_ = 0;
    std::size_t lines_ = 0;
};

}  // namespace spindrift::cache
