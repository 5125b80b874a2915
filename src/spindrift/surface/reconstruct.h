#pragma once
// Particles of a frame to finished meshes. The steps, in order, each a file of its own: sort (cells.h), add particles
// between those at the surface (upsample.h), evaluate the function where a surface can be (band.h, field.h), cut at
// walls (wall_clip.h), contour (march.h, or chromatic.h for several liquids), drop small pieces (pieces.h), smooth
// (smooth.h), take triangles away (simplify.h), normals (normals.h), channels of the particles (carry.h).
//
//   Reconstructor reconstructor;
//   Reconstruction frame = reconstructor.run({.particles = {.x = x, .spacing = {0.01}}, .params = params});
//   write_ply("water.0042.ply", frame.surface.mesh);
//   Lattice lattice = reconstructor.sample({.particles = {.x = x, .spacing = {0.01}}, .params = params});

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/surface/contour/chromatic.h"
#include "spindrift/surface/params.h"
#include "spindrift/surface/samples.h"
#include "spindrift/surface/surface_particles.h"

namespace spindrift::surface {

struct ReconstructInput {
    neighbors::ParticleView particles;
    const MeshParams& params;
    /// What the mesh carries, in the particles' order; `v` among them if it is wanted.
    std::span<const ChannelArray* const> channels{};
    /// What cuts the surface, if params.clip says so: lengths in units of two spacings of the coarsest liquid, from the
    /// particles' origin.
    const collision::Walls* walls = nullptr;
    /// Of the particles, for flags that do not flicker; only asked for if `flags` or params.upsample says so.
    ConstChannel<std::int64_t> id{};
    double time = 0;
    const SurfaceState* before = nullptr;  ///< what the frame before handed on
    bool flags = false;                    ///< tell which particles are at the surface
};

struct Reconstruction {
    /// One liquid: its closed mesh, without sides. Several: all surfaces in one mesh, with the liquids on both sides.
    /// Points in metres of the world, with attributes N and the channels.
    geometry::InterfaceMesh surface{};
    /// Of several liquids, the closed mesh of each, with channels of its own particles; empty unless params.liquids
    /// asks for them.
    std::vector<geometry::Mesh> liquids{};
    std::size_t skipped = 0;           ///< particles that are not finite
    std::size_t dropped = 0;           ///< pieces that were too small
    double particle_volume = 0;        ///< of all particles, m^3
    std::size_t added = 0;             ///< particles between those at the surface
    SurfaceState state{};              ///< for the next frame
    std::vector<std::uint8_t> flag{};  ///< of each particle (SurfaceFlag), if asked for
};

/// Keeps its memory from frame to frame.
class Reconstructor {
  public:
    Reconstruction run(const ReconstructInput& input);
    /// The samples that run() would contour.
    Lattice sample(const ReconstructInput& input);

    /// Cells of the frame run last.
    const neighbors::ParticleCells& cells() const { return cells_; }

  private:
    /// All steps before contouring.
    Lattice sample(const ReconstructInput& input, Reconstruction& out);
    /// Finds the surface's particles and adds those between them; the cells to make the surface of.
    const neighbors::ParticleCells* add_particles(const ReconstructInput& input, Reconstruction& out);
    void finish(const ReconstructInput& input, Reconstruction& out);
    /// Makes the closed meshes of the liquids.
    void split(const ReconstructInput& input, Reconstruction& out);
    double voxel_of(const ReconstructInput& input) const;

    neighbors::ParticleCells cells_, extended_;
    bool has_added_ = false;  ///< whether what was sampled last are the extended cells
    FieldMemory memory_;
};

}  // namespace spindrift::surface
