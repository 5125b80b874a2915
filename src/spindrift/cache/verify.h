#pragma once
// Whether files of a cache are still what was written, as the manifest remembers it.
//
//   std::string fault = fault_of(cache, entry, Depth::whole);            // "" or "has 12 bytes instead of 4096"
//   CacheCheck found = check_files(cache, progress);
//   for (const FileFault& each : found.faults) print(each.entry.file, each.text);

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/core/progress.h"

namespace spindrift::cache {

/// Quickly: sizes, and of numpy archives the checksums in their directory, which tell one frame from another. Whole:
/// every byte.
enum class Depth { quick, whole };

/// What is wrong with the file of an entry, to be read behind its name; empty if nothing is.
std::string fault_of(const Cache& cache, const io::FrameEntry& entry, Depth depth);

/// Whether a file was made of particles that are not those of its frame any more.
bool is_outdated(const io::Manifest& manifest, const std::string& series, const io::FrameEntry& entry);
/// How many of a series are.
std::size_t count_outdated(const io::Manifest& manifest, const std::string& series);

struct FileFault {
    std::string series;
    io::FrameEntry entry;
    std::string text;
};

struct SeriesCheck {
    std::string series;
    std::size_t files = 0, outdated = 0;
    std::uint64_t bytes = 0;
};

struct CacheCheck {
    std::vector<SeriesCheck> series{};
    std::vector<FileFault> faults{};
    std::vector<std::filesystem::path> strangers{};  ///< in folders of the manifest's files, but not named by it
};

/// Reads every file that the manifest names. Throws InterruptedError.
CacheCheck check_files(const Cache& cache, Progress& progress);

}  // namespace spindrift::cache
