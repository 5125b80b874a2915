#pragma once
// One frame of the mesh stage: particles read, reconstructed, measured, and the files written.
//
//   FrameMesher mesher(scene, folder);
//   FrameMesh frame = mesher.make(*find_frame(manifest, "particles", 42), nullptr);

#include <filesystem>
#include <optional>
#include <vector>

#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/frame_walls.h"
#include "spindrift/sim/mesh_files.h"
#include "spindrift/sim/mesh_particles.h"
#include "spindrift/sim/mesh_record.h"
#include "spindrift/surface/reconstruct.h"

namespace spindrift::sim {

/// Whether meshes need to know which particles are at the surface, or the user wants to.
bool needs_flags(const Scene& scene);

struct FrameMesh {
    MeshRecord record{};
    std::vector<std::filesystem::path> files{};  ///< one for each series, in their order
    surface::SurfaceState state{};               ///< for the next frame, if flags are needed
    std::string flags_hash{};                    ///< of the file with the flags, if they are needed
};

/// Keeps its memory from frame to frame. Two of them may work at once.
class FrameMesher {
  public:
    /// Reads the colliders if meshes are cut at them.
    FrameMesher(const Scene& scene, std::filesystem::path folder);

    /// `before` is the state of the frame before, if flags are needed.
    FrameMesh make(const io::FrameEntry& entry, const surface::SurfaceState* before);
    /// The flags alone, the same as make() would write, for a frame whose mesh nobody wants.
    FrameMesh make_flags(const io::FrameEntry& entry, const surface::SurfaceState& before);

    std::filesystem::path flags_path(int frame) const;

  private:
    void measure(const surface::Reconstruction& frame, MeshRecord& record) const;
    void write_files(const surface::Reconstruction& frame, const MeshParticles& particles, const io::FrameEntry& entry,
                     FrameMesh& out) const;
    void write_level_sets(const std::filesystem::path& path, const surface::Reconstruction& frame,
                          const MeshParticles& particles, const io::FrameEntry& entry) const;
    std::string write_flags(const MeshParticles& particles, const std::vector<std::uint8_t>& flags,
                            const surface::SurfaceState& state, int frame) const;

    const Scene& scene_;
    std::filesystem::path folder_;
    std::vector<MeshSeries> series_;
    FrameWalls walls_;
    surface::Reconstructor reconstructor_;
};

}  // namespace spindrift::sim
