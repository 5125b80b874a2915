#include "spindrift/surface/lattice.h"

#include <algorithm>
#include <bit>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::surface {

namespace {

std::uint64_t key_of(Vec3i c) {
    const auto bits = [](std::int32_t a) { return static_cast<std::uint64_t>(a) & 0x1fffff; };
    return mix_bits(bits(c.x) | bits(c.y) << 21 | bits(c.z) << 42);
}

/// Eight values, or one at the end of a row. Sizes the compiler knows copy much faster.
template <class T>
void copy_row(const T* from, bool end, T* to) {
    if (end) {
        *to = *from;
    } else {
        std::copy_n(from, 8, to);
    }
}

}  // namespace

void link_leaves(Lattice& lattice) {
    const std::size_t n = lattice.leaves.size();
    std::vector<std::int32_t> table(std::bit_ceil(2 * n + 2), -1);
    const std::size_t mask = table.size() - 1;
    for (std::size_t leaf = 0; leaf < n; ++leaf) {
        std::size_t at = key_of(lattice.leaves[leaf]) & mask;
        while (table[at] >= 0)
            at = (at + 1) & mask;
        table[at] = static_cast<std::int32_t>(leaf);
    }
    const auto find = [&](Vec3i coord) {
        std::size_t at = key_of(coord) & mask;
        while (table[at] >= 0 && lattice.leaves[static_cast<std::size_t>(table[at])] != coord)
            at = (at + 1) & mask;
        return table[at];
    };
    lattice.neighbors.resize(27 * n);
    parallel_for(n, 256, [&](Range range) {
        for (const std::size_t leaf : range) {
            for (int k = 0; k < 27; ++k) {
                const Vec3i step{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                lattice.neighbors[27 * leaf + static_cast<std::size_t>(k)] = find(lattice.leaves[leaf] + step);
            }
        }
    });
}

void gather_corners(const Lattice& lattice, std::size_t leaf, CellCorners& out) {
    constexpr int width = CellCorners::width;
    const bool has_labels = lattice.has_labels();
    for (int z = 0; z < width; ++z) {
        for (int y = 0; y < width; ++y) {
            // Along x: eight points of one leaf, then one of the next.
            for (int end = 0; end < 2; ++end) {
                const int side = end + (y == 8 ? 3 : 0) + (z == 8 ? 9 : 0);
                const std::int32_t other = lattice.neighbors[27 * leaf + 13 + static_cast<std::size_t>(side)];
                Vec3i p{0, y & 7, z & 7};
                std::size_t from = static_cast<std::size_t>(other);
                if (other < 0) {
                    from = leaf;
                    p = {end ? 7 : 0, std::min(y, 7), std::min(z, 7)};
                }
                const std::size_t source = leaf_points * from + static_cast<std::size_t>(point_index(p));
                const auto target = static_cast<std::size_t>((z * width + y) * width + 8 * end);
                copy_row(&lattice.phi[source], end, out.phi + target);
                if (!has_labels) continue;
                copy_row(&lattice.label[source], end, out.label + target);
                copy_row(&lattice.lead[source], end, out.lead + target);
            }
        }
    }
}

}  // namespace spindrift::surface
