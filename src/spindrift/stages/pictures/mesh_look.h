#pragma once
// Surfaces of a frame as pictures take them, in place of its particles or with them: meshes of the cache, or samples
// made for the picture.
//
//   std::optional<MeshLook> mesh = read_mesh_look(scene, cache, frame, sampler);
//   if (mesh) picture.liquids = mesh->bodies(scene, camera.target, 1);

#include <optional>
#include <string>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/geometry/ply_surface.h"
#include "spindrift/io/manifest.h"
#include "spindrift/render/render.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/mesh/frame_lattice.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::stages {

/// A mesh and what colours its points, if it is not drawn clear.
struct SurfaceLook {
    geometry::SurfaceFile file;
    std::vector<float> values{};
    std::vector<Vec3f> colors{};
};

struct MeshLook {
    std::vector<SurfaceLook> surfaces{};
    std::optional<surface::Lattice> lattice{};  ///< in place of meshes

    /// Moved by `-origin`, `clarity` metres of liquids that do not say otherwise having their colour. They name this
    /// look's memory.
    std::vector<render::LiquidBody> bodies(const Scene& scene, Vec3d origin, float clarity) const;
};

/// Hash of the mesh that read_mesh_look() would read; empty if it reads none. Throws IoError if render.show asks for a
/// mesh and there is none of these particles, UsageError for colours that what is shown cannot have.
std::string mesh_hash(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles);

/// What render.show and the cache have it; nothing if particles are to be drawn. Throws UsageError for a channel that
/// the mesh does not carry, else as mesh_hash() does.
std::optional<MeshLook> read_mesh_look(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles,
                                       FrameSampler& sampler);

}  // namespace spindrift::stages
