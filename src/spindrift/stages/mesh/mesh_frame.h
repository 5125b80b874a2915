#pragma once
// One frame of the mesh stage: particles read, reconstructed, measured, and the files written.
//
//   FrameMesher mesher(scene, cache, cache.folder());
//   FrameMesh frame = mesher.make(*cache.find(cache::series::particles, 42), nullptr);

#include <filesystem>
#include <optional>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/frame/frame_walls.h"
#include "spindrift/stages/mesh/mesh_files.h"
#include "spindrift/stages/mesh/mesh_particles.h"
#include "spindrift/stages/mesh/mesh_record.h"
#include "spindrift/surface/reconstruct.h"

namespace spindrift::stages {

/// Where the flags of particles at the surface are.
cache::Series flag_series(const Scene& scene);

/// Whether meshes need to know which particles are at the surface, or the user wants to.
bool needs_flags(const Scene& scene);

struct FrameMesh {
    MeshRecord record{};
    std::vector<WrittenFile> files{};  ///< one for each series, in their order
    surface::SurfaceState state{};     ///< for the next frame, if flags are needed
    WrittenFile flags{};               ///< the file with them, if they are needed
};

/// Keeps its memory from frame to frame. Two of them may work at once.
class FrameMesher {
  public:
    /// Reads the colliders if meshes are cut at them.
    FrameMesher(const Scene& scene, const cache::Cache& cache, std::filesystem::path output);

    /// `before` is the state of the frame before, if flags are needed.
    FrameMesh make(const io::FrameEntry& entry, const surface::SurfaceState* before);
    /// The flags alone, the same as make() would write, for a frame whose mesh nobody wants.
    FrameMesh make_flags(const io::FrameEntry& entry, const surface::SurfaceState& before);

  private:
    void measure(const surface::Reconstruction& frame, MeshRecord& record) const;
    void write_files(const surface::Reconstruction& frame, const FrameParticles& particles, const io::FrameEntry& entry,
                     FrameMesh& out) const;
    WrittenFile write_level_sets(const std::filesystem::path& path, const surface::Reconstruction& frame,
                                 const FrameParticles& particles, const io::FrameEntry& entry) const;
    WrittenFile write_flags(const FrameParticles& particles, const std::vector<std::uint8_t>& flags,
                            const surface::SurfaceState& state, int frame) const;

    const Scene& scene_;
    const cache::Cache& cache_;
    std::filesystem::path output_;  ///< folder of the files
    std::vector<MeshSeries> series_;
    FrameWalls walls_;
    surface::Reconstructor reconstructor_;
};

}  // namespace spindrift::stages
