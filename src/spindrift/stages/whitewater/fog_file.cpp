#include "spindrift/stages/whitewater/fog_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "spindrift/grid/vdb_file.h"
#include "spindrift/stages/whitewater/birth_places.h"
#include "spindrift/whitewater/motion.h"

namespace spindrift::stages {

namespace {

using grid::cell_index;
using grid::leaf_cells;

/// Calls f(cell, weight) for the eight cells around a place in cells.
template <class F>
void for_corners(Vec3d p, const F& f) {
    const Vec3d low{std::floor(p.x - 0.5), std::floor(p.y - 0.5), std::floor(p.z - 0.5)},
        t = p - low - Vec3d{0.5, 0.5, 0.5};
    const Vec3i cell{static_cast<int>(low.x), static_cast<int>(low.y), static_cast<int>(low.z)};
    for (int k = 0; k < 8; ++k) {
        const double w = (k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z);
        f(cell + Vec3i{k & 1, k >> 1 & 1, k >> 2}, w);
    }
}

Vec3i leaf_of(Vec3i cell) {
    return {cell.x >> 3, cell.y >> 3, cell.z >> 3};
}

/// Places where a particle's velocity along an axis is known: faces lie half a cell before the middles.
Vec3d on_faces(Vec3d p, int axis) {
    p[axis] += 0.5;
    return p;
}

/// A particle of mist, in cells of the fog.
struct Puff {
    Vec3d p{};
    Vec3f v{};
};

std::vector<Puff> puffs_of(const whitewater::Particles& all, double cell) {
    std::vector<Puff> puffs;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all.kind[i] == whitewater::Kind::mist) puffs.push_back({vec_cast<double>(all.x[i]) / cell, all.v[i]});
    }
    return puffs;
}

/// All cells and faces that one of them reaches.
grid::LeafSet leaves_of(const std::vector<Puff>& puffs) {
    std::vector<Vec3i> coords;
    for (const Puff& puff : puffs) {
        const auto add = [&](Vec3i cell, double) { coords.push_back(leaf_of(cell)); };
        for_corners(puff.p, add);
        for (int axis = 0; axis < 3; ++axis)
            for_corners(on_faces(puff.p, axis), add);
    }
    grid::LeafSet leaves;
    leaves.assign(coords);
    return leaves;
}

/// Where the fog's voxels are.
struct Voxels {
    double cell = 1;
    Vec3d origin{};
    grid::LeafSet leaves{};
};

grid::Volume empty_volume(const Voxels& voxels, std::size_t components) {
    grid::Volume volume;
    volume.cell = voxels.cell;
    volume.origin = voxels.origin;
    volume.leaves = voxels.leaves;
    volume.active.assign(volume.leaves.size(), {});
    for (std::size_t c = 0; c < components; ++c) {
        volume.values.emplace_back("fog");
        volume.values[c].resize(volume.leaves.size(), 0);
        volume.values[c].fill(0);
    }
    return volume;
}

/// Adds to one component at the cells around a place.
void scatter(grid::Volume& to, std::size_t component, Vec3d p, double value) {
    for_corners(p, [&](Vec3i cell, double w) {
        const std::int32_t leaf = to.leaves.find(leaf_of(cell));
        const int n = cell_index(cell.x & 7, cell.y & 7, cell.z & 7);
        to.values[component].leaf(leaf)[n] += static_cast<float>(w * value);
        to.active[static_cast<std::size_t>(leaf)][static_cast<std::size_t>(n / 64)] |= std::uint64_t{1} << (n % 64);
    });
}

/// Means of the velocities around each face.
grid::Volume velocity_of(const std::vector<Puff>& puffs, const Voxels& voxels) {
    grid::Volume sums = empty_volume(voxels, 3), weights = empty_volume(voxels, 3);
    sums.name = "vel";
    sums.kind = grid::Volume::Kind::faces;
    sums.unit = "m/s";
    for (const Puff& puff : puffs) {
        for (int axis = 0; axis < 3; ++axis) {
            scatter(sums, static_cast<std::size_t>(axis), on_faces(puff.p, axis), static_cast<double>(puff.v[axis]));
            scatter(weights, static_cast<std::size_t>(axis), on_faces(puff.p, axis), 1);
        }
    }
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t l = 1; l < sums.leaves.size(); ++l) {
            for (int n = 0; n < leaf_cells; ++n) {
                const float weight = weights.values[c].leaf(l)[n];
                if (weight > 0) sums.values[c].leaf(l)[n] /= weight;
            }
        }
    }
    return sums;
}

}  // namespace

cache::Series fog_series(const Scene& scene) {
    return {.key = cache::series::mist, .folder = cache::series::mist, .name = scene.output.name, .extension = "vdb"};
}

WrittenFile write_fog(const std::filesystem::path& path, const Scene& scene, const whitewater::Particles& all,
                      const FogTime& time) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    Voxels voxels{.cell = params.mist.voxel.value_or(2 * scene.liquid.front().spacing), .origin = time.origin};
    const std::vector<Puff> puffs = puffs_of(all, voxels.cell);
    voxels.leaves = leaves_of(puffs);
    grid::Volume fog = empty_volume(voxels, 1);
    fog.name = "density";
    fog.unit = "kg/m^3";
    const double mass = static_cast<double>(whitewater::water_density) * params.mist.water * whitewater_volume(scene);
    const double density = mass / (fog.cell * fog.cell * fog.cell);
    for (const Puff& puff : puffs)
        scatter(fog, 0, puff.p, density);
    const std::array<grid::Volume, 2> volumes{std::move(fog), velocity_of(puffs, voxels)};
    return write_file(
        path, grid::vdb_content(volumes, {.frame = time.frame.frame, .time = time.frame.time, .fps = scene.fps}));
}

}  // namespace spindrift::stages
