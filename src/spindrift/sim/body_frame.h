#pragma once
// Bodies at a frame: what a run goes on from, what others see of them, and both as arrays of a numpy archive.
//
//   BodyFrame frame = frame_of(simulation.bodies());
//   write_npz("bodies/water.0042.npz", body_arrays(scene, frame), io::Lengths::any);
//   BodyFrame again = body_frame(scene, read_npz(path, io::Lengths::any), path);         // same bits

#include <filesystem>
#include <string>
#include <vector>

#include "spindrift/bodies/bodies.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/pose.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

/// Vectors have one entry for each body of the scene.
struct BodyFrame {
    bodies::BodiesState state{};
    std::vector<geometry::Pose> poses{};         ///< of the shapes' own spaces, if they are rigid
    std::vector<std::vector<Vec3f>> surfaces{};  ///< points in the world, if they deform
    std::vector<std::vector<Vec3f>> surface_velocities{};

    bool empty() const { return poses.empty(); }
};

/// As they are now.
BodyFrame frame_of(const bodies::Bodies& bodies);

/// See docs/bodies.md for what the arrays are called.
ChannelSet body_arrays(const Scene& scene, const BodyFrame& frame);

/// Throws IoError corrupt, in the name of `source`, if these are not arrays of bodies, and UsageError if they are of
/// others than the scene's.
BodyFrame body_frame(const Scene& scene, const ChannelSet& arrays, const std::filesystem::path& source);

/// A body's surface in the world, with the velocities of its points as the attribute `v`. `shape` is its mesh in its
/// own space. Throws IoError corrupt, in the name of `source`, if the frame has another number of points.
geometry::Mesh body_surface(const BodyFrame& frame, std::size_t body, const geometry::Mesh& shape,
                            const std::filesystem::path& source);

}  // namespace spindrift::sim
