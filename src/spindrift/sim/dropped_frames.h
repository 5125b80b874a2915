#pragma once
// Frames that do not count any more, and their files.
//
// A file goes only if the manifest named it, and after the manifest on the disk says that it is to go: entries are set
// aside first, as stages `dropped/particles` and so on, so that a program that is killed in between leaves the rest to
// the next one.
//
//   drop_simulated(manifest, 12, Fate::remove);          // frame 12 and all after it
//   io::save_manifest(folder, manifest);
//   remove_dropped(folder, manifest);

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "spindrift/io/manifest.h"

namespace spindrift::sim {

/// What becomes of the files of dropped frames. Those that could not be read stay until somebody asks for them to go:
/// the disk may be to blame.
enum class Fate { remove, keep_unreadable };

/// Sets all entries aside that `run` wrote for a frame and those after it: particles, bodies, wet maps, insides, grids.
void drop_simulated(io::Manifest& manifest, int frame, Fate fate);

/// Sets all entries of all stages aside.
void drop_everything(io::Manifest& manifest);

/// A frame that could not be read has been simulated again.
void forget_unreadable(io::Manifest& manifest, int frame);

/// Removes the files that were set aside to be removed, but for those that entries name again.
void remove_dropped(const std::filesystem::path& folder, io::Manifest& manifest);

/// Removes the files of a checkpoint, which but for the first are in no manifest; `name` is what they begin with.
void remove_checkpoint(const std::filesystem::path& folder, const std::string& name);

/// Removes entries and files of frames that have no particles any more, in stages that `is_meant` says: they would mix
/// with those that are made now. Saves the manifest if there are any.
void remove_without_particles(const std::filesystem::path& folder, io::Manifest& manifest,
                              const std::function<bool(std::string_view stage)>& is_meant);

}  // namespace spindrift::sim
