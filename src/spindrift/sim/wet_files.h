#pragma once
// Wet maps in the cache: wet/rock.0042.exr holds the exact values, wet/rock.0042.png the same for the eye, each a stage
// of the manifest.
//
//   write_wet_maps(folder, manifest, 42, 1.75, snapshot.wet);
//   snapshot.wet = read_wet_maps(scene, folder, manifest, 42);

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/image/image.h"
#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/wet_maps.h"

namespace spindrift::sim {

inline constexpr const char* wet_stage = "wet";

/// Writes the files of a frame and names them in the manifest.
void write_wet_maps(const std::filesystem::path& folder, io::Manifest& manifest, int frame, double time,
                    const std::vector<WetState>& states);

/// The states of a frame. A collider without any map in the cache up to then is left out. Throws IoError if a file is
/// missing or not what was written.
std::vector<WetState> read_wet_maps(const Scene& scene, const std::filesystem::path& folder,
                                    const io::Manifest& manifest, int frame);

/// The same for a checkpoint, whose files lie beside it and are in no manifest.
void write_checkpoint_wet_maps(const std::filesystem::path& checkpoint, const std::vector<WetState>& states);
std::vector<WetState> read_checkpoint_wet_maps(const Scene& scene, const std::filesystem::path& checkpoint);

/// Whether a stage of the manifest holds wet maps.
bool is_wet_stage(std::string_view stage);

/// Pictures of wet maps, by index of the collider.
using WetImages = std::map<std::size_t, image::Image>;

WetImages read_wet_images(const Scene& scene, const std::filesystem::path& folder, const io::Manifest& manifest,
                          int frame);

/// Hash of a frame's wet maps; empty if there are none.
std::string wet_hash(const Scene& scene, const io::Manifest& manifest, int frame);

}  // namespace spindrift::sim
