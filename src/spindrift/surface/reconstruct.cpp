#include "spindrift/surface/reconstruct.h"

#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/finish/normals.h"
#include "spindrift/geometry/finish/pieces.h"
#include "spindrift/geometry/finish/simplify.h"
#include "spindrift/geometry/finish/smooth.h"
#include "spindrift/surface/contour/march.h"
#include "spindrift/surface/contour/particle_tetrahedra.h"
#include "spindrift/surface/contour/split_liquids.h"
#include "spindrift/surface/mesh_channels.h"
#include "spindrift/surface/upsample.h"
#include "spindrift/surface/wall_clip.h"

namespace spindrift::surface {

namespace {

/// Points of the mesh this close to a wall, in voxels, lie on it.
constexpr float on_wall = 0.35f;

/// What holds the points of a mesh: walls that they lie on.
struct WallHold {
    std::vector<std::uint8_t> kind;
    std::vector<Vec3f> normals;

    geometry::HeldPoints held() const { return {.kind = kind, .wall_normals = normals}; }
};

class WallSnap {
  public:
    WallSnap(const collision::Walls& walls, const neighbors::ParticleCells& cells, const MeshParams& params,
             double voxel)
        : walls_(walls),
          shift_(vec_cast<float>(cells.origin() / cells.unit())),
          unit_(static_cast<float>(cells.unit())),
          reach_(static_cast<float>(on_wall * voxel / cells.unit())),
          gap_(static_cast<float>(params.wall_gap * cells.spacing(cells.classes() - 1) / cells.unit())) {}

    /// Moves points that are near walls onto them, and tells which they are.
    WallHold hold(geometry::Mesh& mesh) const {
        WallHold out;
        out.kind.assign(mesh.points.size(), geometry::HeldPoints::free);
        out.normals.resize(mesh.points.size());
        parallel_for(mesh.points.size(), [&](Range range) {
            for (const std::size_t i : range) {
                const WallPlace place = wall_place(walls_, in_units(mesh.points[i]), reach_);
                if (std::abs(place.distance - gap_) > reach_ || dot(place.normal, place.normal) == 0) continue;
                mesh.points[i] += place.normal * ((gap_ - place.distance) * unit_);
                out.kind[i] = place.walls > 1 ? geometry::HeldPoints::fixed : 1;
                out.normals[i] = place.normal;
            }
        });
        return out;
    }

    /// Brings points that slid along curved walls back to them.
    void restore(geometry::Mesh& mesh, const WallHold& hold) const {
        parallel_for(mesh.points.size(), [&](Range range) {
            for (const std::size_t i : range) {
                if (hold.kind[i] == geometry::HeldPoints::free || hold.kind[i] == geometry::HeldPoints::fixed) continue;
                const WallPlace place = wall_place(walls_, in_units(mesh.points[i]), reach_);
                mesh.points[i] += place.normal * ((gap_ - place.distance) * unit_);
            }
        });
    }

  private:
    Vec3f in_units(Vec3f p) const { return p / unit_ - shift_; }

    const collision::Walls& walls_;
    Vec3f shift_;
    float unit_, reach_, gap_;
};

double particle_volume(const neighbors::ParticleCells& cells) {
    double volume = 0;
    for (const neighbors::Leaf& leaf : cells.grid().leaves())
        volume += leaf.count * std::pow(cells.spacing(static_cast<int>(leaf.resolution)), 3);
    return volume;
}

/// The particles of a frame and those added between them.
struct Extended {
    std::vector<Vec3f> x;
    std::vector<std::uint16_t> liquid;
};

Extended extend(const neighbors::ParticleView& particles, const Upsampled& more) {
    Extended all;
    all.x.assign(particles.x.begin(), particles.x.end());
    all.x.insert(all.x.end(), more.x.begin(), more.x.end());
    if (particles.liquid.empty()) return all;
    all.liquid.assign(particles.liquid.begin(), particles.liquid.end());
    all.liquid.insert(all.liquid.end(), more.liquid.begin(), more.liquid.end());
    return all;
}

/// What cuts the surface, nullptr if nothing does.
const collision::Walls* clipping_walls(const ReconstructInput& input) {
    const bool clips = input.params.clip && input.walls && !input.walls->empty();
    return clips ? input.walls : nullptr;
}

/// Sides of the triangles that are left.
void keep_sides(geometry::InterfaceMesh& surface, std::span<const std::uint32_t> left) {
    if (surface.sides.empty()) return;
    for (std::size_t t = 0; t < left.size(); ++t)
        surface.sides[t] = surface.sides[left[t]];
    surface.sides.resize(left.size());
}

}  // namespace

Lattice Reconstructor::sample(const ReconstructInput& input) {
    Reconstruction unused;
    return sample(input, unused);
}

Lattice Reconstructor::sample(const ReconstructInput& input, Reconstruction& out) {
    cells_.sort(input.particles);
    out.skipped = cells_.skipped();
    out.particle_volume = particle_volume(cells_);
    const neighbors::ParticleCells* cells = &cells_;
    if (input.flags || input.params.upsample > 0) cells = add_particles(input, out);
    has_added_ = cells == &extended_;
    return evaluate({.cells = *cells,
                     .params = input.params,
                     .voxel = voxel_of(input),
                     .labels = input.particles.spacing.size() > 1,
                     .walls = clipping_walls(input)},
                    memory_);
}

double Reconstructor::voxel_of(const ReconstructInput& input) const {
    return input.params.voxel * cells_.spacing(cells_.classes() - 1);
}

Reconstruction Reconstructor::run(const ReconstructInput& input) {
    Reconstruction out;
    Lattice lattice = sample(input, out);
    if (input.particles.spacing.size() < 2)
        out.surface.mesh = march(lattice);
    else if (input.params.tetrahedra == Tetrahedra::delaunay)
        out.surface = contour_particles(has_added_ ? extended_ : cells_, lattice);
    else
        out.surface = contour_liquids(lattice);
    memory_.take_back(lattice);
    finish(input, out);
    return out;
}

const neighbors::ParticleCells* Reconstructor::add_particles(const ReconstructInput& input, Reconstruction& out) {
    const SurfaceState none;
    DetectedSurface found = detect(cells_, {.id = input.id, .time = input.time}, input.before ? *input.before : none);
    out.state = std::move(found.state);
    const Upsampled more = input.params.upsample > 0
                               ? upsample(input.particles, cells_, found.particles, {.times = input.params.upsample})
                               : Upsampled{};
    if (input.flags) out.flag = std::move(found.particles.flag);
    out.added = more.x.size();
    if (more.x.empty()) return &cells_;
    const Extended all = extend(input.particles, more);
    neighbors::ParticleView view = input.particles;
    view.x = all.x;
    view.liquid = all.liquid;
    extended_.sort(view);
    return &extended_;
}

void Reconstructor::finish(const ReconstructInput& input, Reconstruction& out) {
    const collision::Walls* walls = clipping_walls(input);
    const double voxel = voxel_of(input);
    geometry::Mesh& mesh = out.surface.mesh;
    const double spacing = cells_.spacing(cells_.classes() - 1);
    geometry::Pieces pieces;
    out.dropped = geometry::drop_small_pieces(out.surface, input.params.smallest_drop * std::pow(spacing, 3), &pieces);
    WallHold hold;
    if (walls) hold = WallSnap(*walls, cells_, input.params, voxel).hold(mesh);
    geometry::Fans fans = geometry::make_fans(mesh.triangles, mesh.points.size());
    if (input.params.smoothing > 0)
        geometry::smooth(mesh, fans,
                         {.passes = input.params.smoothing, .held = hold.held(), .pieces = std::move(pieces)});
    if (walls) WallSnap(*walls, cells_, input.params, voxel).restore(mesh, hold);
    if (input.params.simplify > 0) {
        keep_sides(out.surface, geometry::simplify(mesh, input.params.simplify * spacing, hold.held()));
        fans = geometry::make_fans(mesh.triangles, mesh.points.size());
    }
    // Before the mesh has attributes, as those of a liquid's points are other means than those of the points it shares.
    split(input, out);
    geometry::add_normals(mesh, fans);
    carry_channels(cells_, input.channels, mesh, {});
}

void Reconstructor::split(const ReconstructInput& input, Reconstruction& out) {
    if (out.surface.sides.empty() || input.params.liquids == Liquids::together) return;
    out.liquids = split_liquids(out.surface, input.particles.spacing.size());
    for (std::size_t i = 0; i < out.liquids.size(); ++i) {
        geometry::add_normals(out.liquids[i]);
        carry_channels(cells_, input.channels, out.liquids[i], {}, static_cast<std::uint16_t>(i));
    }
}

}  // namespace spindrift::surface
