#include "spindrift/flip/mac_grid.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/grid_kernels.h"

namespace spindrift::flip {

namespace {

using grid::leaf_cells;
using grid::leaf_width;

/// First and last cell of a leaf that is set, on each axis.
struct Extent {
    Vec3i lo{8, 8, 8}, hi{-1, -1, -1};
};

Extent extent_of(const LeafMask& mask) {
    Extent extent;
    for (int z = 0; z < leaf_width; ++z) {
        for (int y = 0; y < leaf_width; ++y) {
            const unsigned bits = row_bits(mask, y, z);
            if (bits == 0) continue;
            extent.lo = min(extent.lo, {__builtin_ctz(bits), y, z});
            extent.hi = max(extent.hi, {31 - __builtin_clz(bits), y, z});
        }
    }
    return extent;
}

std::int32_t floor_to_int(float a) {
    const auto truncated = static_cast<std::int32_t>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

}  // namespace

void MacGrid::make_leaves(const neighbors::LeafGrid& sorted_grid, const Cells& cells) {
    // Velocities are wanted as far as they are extended.
    constexpr int margin = extended_layers + 1;
    std::vector<Vec3i> coords;
    for (std::size_t l = 0; l < cells.leaves(); ++l) {
        if (!any(cells.wet(l))) continue;
        const Extent extent = extent_of(cells.wet(l));
        const Vec3i coord = sorted_grid.leaves()[l].coord;
        for (int n = 0; n < 27; ++n) {
            const Vec3i d{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            bool wanted = true;
            for (int a = 0; a < 3; ++a) {
                wanted = wanted && (d[a] >= 0 || extent.lo[a] - margin < 0) &&
                         (d[a] <= 0 || extent.hi[a] + margin >= leaf_width);
            }
            if (wanted) coords.push_back(coord + d);
        }
    }
    leaves.assign(coords);
    sorted.assign(leaves.size(), -1);
    wet.assign(leaves.size(), no_cells);
    for (std::size_t l = 0; l < cells.leaves(); ++l) {
        if (!any(cells.wet(l))) continue;
        const auto own = static_cast<std::size_t>(leaves.find(sorted_grid.leaves()[l].coord));
        sorted[own] = static_cast<std::int32_t>(l);
        wet[own] = cells.wet(l);
    }
    velocity.resize(leaves.size(), 0);
    before.resize(leaves.size(), 0);
    layer.resize(leaves.size(), no_layer);
    phi.resize(leaves.size(), far_outside);
    pressure.resize(leaves.size(), 0);
}

Vec3f MacGrid::velocity_at(Vec3f x) const {
    Vec3f u{};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3f s = x - Vec3f{0.5f, 0.5f, 0.5f};
        s[axis] += 0.5f;
        const Vec3i cell{floor_to_int(s.x), floor_to_int(s.y), floor_to_int(s.z)};
        const std::int32_t leaf = leaves.find({cell.x >> 3, cell.y >> 3, cell.z >> 3});
        if (leaf == 0) continue;
        const Vec3f f = s - vec_cast<float>(cell);
        const Vec3i local{cell.x & 7, cell.y & 7, cell.z & 7};
        for (int k = 0; k < 8; ++k) {
            const Vec3i d{k & 1, k >> 1 & 1, k >> 2};
            const float weight = (d.x ? f.x : 1 - f.x) * (d.y ? f.y : 1 - f.y) * (d.z ? f.z : 1 - f.z);
            u[axis] += weight * velocity[axis].near(leaves, static_cast<std::size_t>(leaf), local + d);
        }
    }
    return u;
}

Vec3f MacGrid::vorticity_at(Vec3f x) const {
    Vec3f along[3];
    for (int a = 0; a < 3; ++a) {
        Vec3f step{};
        step[a] = 0.5f;
        along[a] = velocity_at(x + step) - velocity_at(x - step);
    }
    return {along[1].z - along[2].y, along[2].x - along[0].z, along[0].y - along[1].x};
}

void MacGrid::extend_velocities(int layers) {
    const GridKernels kernels = grid_kernels();
    const std::size_t total = 3 * leaves.size();
    states_.assign(total, {});
    const auto axis_of = [&](std::size_t k) { return static_cast<int>(k / leaves.size()); };
    parallel_for(total, 64, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k % leaves.size();
            if (l > 0) kernels.survey(layer[axis_of(k)].leaf(l), states_[k].spreads, states_[k].done);
        }
    });
    for (int number = 1; number <= layers; ++number) {
        list_reachable();
        // All are read before any is written.
        extended_.resize(reachable_.size() * 2 * leaf_cells);
        reached_.resize(reachable_.size());
        parallel_for(reachable_.size(), 16, [&](Range range) {
            for (std::size_t k : range) {
                const int axis = axis_of(reachable_[k]);
                float* const out = extended_.data() + k * 2 * leaf_cells;
                reached_[k] = kernels.extend({.leaves = &leaves,
                                              .velocity = velocity[axis].leaf(std::size_t{0}),
                                              .layer = layer[axis].leaf(std::size_t{0}),
                                              .number = static_cast<float>(number),
                                              .new_velocity = out,
                                              .new_layer = out + leaf_cells},
                                             reachable_[k] % leaves.size(), states_[reachable_[k]].done);
            }
        });
        for (State& state : states_)
            state.spreads = false;
        parallel_for(reachable_.size(), 64, [&](Range range) {
            for (std::size_t k : range) {
                const std::size_t l = reachable_[k] % leaves.size();
                const int axis = axis_of(reachable_[k]);
                states_[reachable_[k]].spreads = reached_[k] != 0;
                const float* const from = extended_.data() + k * 2 * leaf_cells;
                for (std::uint64_t rows = reached_[k]; rows != 0; rows &= rows - 1) {
                    const int at = leaf_width * __builtin_ctzll(rows);
                    std::copy(from + at, from + at + leaf_width, velocity[axis].leaf(l) + at);
                    std::copy(from + leaf_cells + at, from + leaf_cells + at + leaf_width, layer[axis].leaf(l) + at);
                }
            }
        });
    }
}

/// Leaves with faces to reach from their own faces or from those beside them.
void MacGrid::list_reachable() {
    reachable_.clear();
    for (std::size_t k = 0; k < states_.size(); ++k) {
        const std::size_t first = k / leaves.size() * leaves.size();
        if (states_[k].done) continue;
        const std::int32_t* near = leaves.neighbors(k - first);
        bool reachable = false;
        for (const int n : {4, 10, 12, 13, 14, 16, 22})
            reachable = reachable || states_[first + static_cast<std::size_t>(near[n])].spreads;
        if (reachable) reachable_.push_back(k);
    }
}

}  // namespace spindrift::flip
