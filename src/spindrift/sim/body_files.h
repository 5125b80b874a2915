#pragma once
// Bodies in the cache: bodies/name.0042.npz beside each frame of particles, a stage of the manifest.
//
//   write_bodies(scene, folder, manifest, {42, 1.75}, look_at(simulation.bodies()));
//   snapshot.bodies = read_bodies(scene, folder, manifest, 42).state;

#include <filesystem>
#include <string>

#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/body_frame.h"

namespace spindrift::sim {

inline constexpr const char* body_stage = "bodies";

struct FrameTime {
    int frame = 0;
    double time = 0;  ///< s
};

/// Writes the file of a frame and names it in the manifest; nothing happens if the scene has no bodies.
void write_bodies(const Scene& scene, const std::filesystem::path& folder, io::Manifest& manifest, const FrameTime& at,
                  const BodyFrame& bodies);

/// The bodies of a frame; empty if the scene has none. Throws IoError if the file is missing or not what was written,
/// UsageError if the cache was made without bodies or with others.
BodyFrame read_bodies(const Scene& scene, const std::filesystem::path& folder, const io::Manifest& manifest, int frame);

/// The same for a checkpoint, whose file lies beside it and is in no manifest.
void write_checkpoint_bodies(const Scene& scene, const std::filesystem::path& checkpoint, const BodyFrame& bodies);
BodyFrame read_checkpoint_bodies(const Scene& scene, const std::filesystem::path& checkpoint);

/// Hash of a frame's bodies; empty if the scene or the cache has none.
std::string body_hash(const Scene& scene, const io::Manifest& manifest, int frame);

}  // namespace spindrift::sim
