#include "spindrift/mac/mac_grid.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/grid_kernels.h"

namespace spindrift::mac {

namespace {

using grid::leaf_cells;
using grid::leaf_width;

/// Layers of faces beside the liquid that move as it does, though they have particles.
constexpr int reach_of_pressure = 2;

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

/// One bit for each row with a cell in it.
std::uint64_t rows_of(const LeafMask& mask) {
    std::uint64_t rows = 0;
    for (std::size_t z = 0; z < mask.size(); ++z) {
        std::uint64_t word = mask[z];
        word |= word >> 4;
        word |= word >> 2;
        word |= word >> 1;
        // The lowest bit of each byte, side by side in the highest byte.
        rows |= ((word & 0x0101010101010101u) * 0x0102040810204080u >> 56) << (8 * z);
    }
    return rows;
}

std::int32_t floor_to_int(float a) {
    const auto truncated = static_cast<std::int32_t>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

}  // namespace

void MacGrid::assign(std::span<const Vec3i> coords) {
    leaves.assign(coords);
    sorted.assign(leaves.size(), -1);
    for (std::vector<LeafMask>* masks : {&wet, &core, &near_core})
        masks->assign(leaves.size(), no_cells);
    velocity.resize(leaves.size(), 0);
    before.resize(leaves.size(), 0);
    layer.resize(leaves.size(), no_layer);
    crowd.resize(leaves.size(), 0);
    phi.resize(leaves.size(), far_outside);
    pressure.resize(leaves.size(), 0);
}

void MacGrid::make_leaves(const neighbors::LeafGrid& sorted_grid, const Cells& cells, std::span<const Vec3i> more) {
    // Velocities are wanted as far as they are extended.
    constexpr int margin = extended_layers + 1;
    std::vector<Vec3i> coords;
    for (const Vec3i& coord : more) {
        for (int n = 0; n < 27; ++n)
            coords.push_back(coord + Vec3i{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1});
    }
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
    assign(coords);
    for (std::size_t l = 0; l < cells.leaves(); ++l) {
        if (!any(cells.wet(l))) continue;
        const auto own = static_cast<std::size_t>(leaves.find(sorted_grid.leaves()[l].coord));
        sorted[own] = static_cast<std::int32_t>(l);
        wet[own] = cells.wet(l);
    }
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

void MacGrid::extrapolate_velocities(int layers) {
    const GridKernels kernels = grid_kernels();
    const std::size_t total = leaves.size();
    refresh(leaves, velocity);
    refresh(leaves, layer);
    const auto axis_of = [&](const Reached& reached) { return static_cast<int>(reached.index / total); };
    known_.resize(3 * total);
    grows_.assign(3 * total, 0);
    parallel_for(3 * total, 64, [&](Range range) {
        for (std::size_t k : range) {
            kernels.find_known(layer[static_cast<int>(k / total)].leaf(k % total), known_[k]);
            grows_[k] = any(known_[k]);
        }
    });
    for (int number = 1; number <= layers; ++number) {
        list_reached();
        // All are read before any is written.
        parallel_for(reached_.size(), 16, [&](Range range) {
            for (std::size_t k : range) {
                const Reached& reached = reached_[k];
                kernels.extend({.leaves = &leaves,
                                .velocity = velocity[axis_of(reached)].leaf(std::size_t{0}),
                                .layer = layer[axis_of(reached)].leaf(std::size_t{0}),
                                .number = static_cast<float>(number)},
                               reached.index % total, reached.rows, extended_.data() + reached.first * extended_row);
            }
        });
        std::fill(grows_.begin(), grows_.end(), std::uint8_t{0});
        parallel_for(reached_.size(), 64, [&](Range range) {
            for (std::size_t k : range) {
                const Reached& reached = reached_[k];
                float* const u = velocity[axis_of(reached)].leaf(reached.index % total);
                float* const l = layer[axis_of(reached)].leaf(reached.index % total);
                const float* from = extended_.data() + reached.first * extended_row;
                for (std::uint64_t rows = reached.rows; rows != 0; rows &= rows - 1, from += extended_row) {
                    const int at = leaf_width * __builtin_ctzll(rows);
                    std::copy(from, from + leaf_width, u + at);
                    std::copy(from + leaf_width, from + extended_row, l + at);
                }
                known_[reached.index] = either(known_[reached.index], reached.faces);
                grows_[reached.index] = 1;
            }
        });
        if (number == reach_of_pressure) keep_own(reach_of_pressure);
    }
}

void MacGrid::keep_own(float number) {
    const std::size_t total = leaves.size();
    parallel_for(3 * total, 64, [&](Range range) {
        for (std::size_t k : range) {
            float* const l = layer[static_cast<int>(k / total)].leaf(k % total);
            int own = 0;
            for (int face = 0; face < leaf_cells; ++face)
                own |= l[face] == own_layer;
            for (int face = 0; own && face < leaf_cells; ++face) {
                if (l[face] != own_layer) continue;
                l[face] = number;
                set(known_[k], face);
                grows_[k] = 1;
            }
        }
    });
}

/// Faces beside those that have a velocity, and where their rows go.
void MacGrid::list_reached() {
    const std::size_t total = leaves.size();
    reached_.resize(known_.size());
    parallel_for(known_.size(), 64, [&](Range range) {
        for (const std::size_t k : range) {
            const std::size_t l = k % total, first = k - l;
            const std::int32_t* near = leaves.neighbors(l);
            bool near_growth = false;
            for (const int n : {4, 10, 12, 13, 14, 16, 22})
                near_growth = near_growth || grows_[first + static_cast<std::size_t>(near[n])];
            Reached& reached = reached_[k];
            reached.rows = 0;
            if (l == 0 || !near_growth) continue;
            reached.index = k;
            reached.faces = beside(near, {known_.data() + first, total});
            reached.rows = rows_of(reached.faces);
        }
    });
    std::erase_if(reached_, [](const Reached& reached) { return reached.rows == 0; });
    std::size_t rows = 0;
    for (Reached& reached : reached_) {
        reached.first = rows;
        rows += static_cast<std::size_t>(__builtin_popcountll(reached.rows));
    }
    extended_.renew(rows * extended_row);
}

}  // namespace spindrift::mac
