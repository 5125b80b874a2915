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

}  // namespace

cache::Series fog_series(const Scene& scene) {
    return {.key = cache::series::mist, .folder = cache::series::mist, .name = scene.output.name, .extension = "vdb"};
}

WrittenFile write_fog(const std::filesystem::path& path, const Scene& scene, const whitewater::Particles& all,
                      const FogTime& time) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    grid::Volume fog{.name = "density", .kind = grid::Volume::Kind::scalar, .unit = "kg/m^3"};
    fog.cell = params.mist.voxel.value_or(2 * scene.liquid.front().spacing);
    fog.origin = time.origin;
    std::vector<Vec3d> places;
    std::vector<Vec3i> coords;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all.kind[i] != whitewater::Kind::mist) continue;
        places.push_back(vec_cast<double>(all.x[i]) / fog.cell);
        for_corners(places.back(), [&](Vec3i cell, double) { coords.push_back(leaf_of(cell)); });
    }
    fog.leaves.assign(coords);
    fog.active.assign(fog.leaves.size(), {});
    fog.values.emplace_back("fog");
    fog.values[0].resize(fog.leaves.size(), 0);
    fog.values[0].fill(0);
    const double mass = static_cast<double>(whitewater::water_density) * params.mist.water * whitewater_volume(scene);
    const double density = mass / (fog.cell * fog.cell * fog.cell);
    for (const Vec3d& place : places) {
        for_corners(place, [&](Vec3i cell, double w) {
            const std::int32_t leaf = fog.leaves.find(leaf_of(cell));
            const int n = cell_index(cell.x & 7, cell.y & 7, cell.z & 7);
            fog.values[0].leaf(leaf)[n] += static_cast<float>(w * density);
            fog.active[static_cast<std::size_t>(leaf)][static_cast<std::size_t>(n / 64)] |= std::uint64_t{1}
                                                                                            << (n % 64);
        });
    }
    const std::array<grid::Volume, 1> volumes{std::move(fog)};
    return write_file(
        path, grid::vdb_content(volumes, {.frame = time.frame.frame, .time = time.frame.time, .fps = scene.fps}));
}

}  // namespace spindrift::stages
