#pragma once
// Frames that do not count any more, and their files: what Cache does when it drops frames.
//
// A file goes only if the manifest named it, and after the manifest on the disk says that it is to go: entries are set
// aside first, as stages `dropped/particles` and so on, so that a program that is killed in between leaves the rest to
// the next one.
//
//   drop_simulated(manifest, 12, Fate::remove);          // frame 12 and all after it
//   save_manifest(folder, manifest);
//   remove_dropped(folder, manifest);

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/io/manifest.h"

namespace spindrift::cache {

/// What becomes of the files of dropped frames. Those that could not be read stay until somebody asks for them to go:
/// the disk may be to blame.
enum class Fate { remove, keep_unreadable };

/// Sets all entries aside that `run` wrote for a frame and those after it: particles, bodies, wet maps, insides, grids.
void drop_simulated(io::Manifest& manifest, int frame, Fate fate);

/// Sets all entries of all stages aside.
void drop_everything(io::Manifest& manifest);

/// Sets entries aside of frames that have no particles any more, in series that `is_meant` says; whether there are any.
bool drop_without_particles(io::Manifest& manifest, const std::function<bool(std::string_view series)>& is_meant);

/// A frame that could not be read has been simulated again; whether there was one.
bool forget_unreadable(io::Manifest& manifest, int frame);

/// Removes the files that were set aside to be removed, but for those that entries name again; whether anything was.
bool remove_dropped(const std::filesystem::path& folder, io::Manifest& manifest);

}  // namespace spindrift::cache
