#pragma once
// One bit for each cell of a leaf, and what the cells around it are.
//
//   LeafMask wet = ...;
//   HaloMask around = halo(leaves, l, masks);          // the leaf and one layer of cells around it
//   LeafMask inner = eroded(around);                   // cells whose 26 neighbours are set as well

#include <array>
#include <cstdint>
#include <span>

#include "spindrift/grid/leaf_set.h"

namespace spindrift::mac {

using grid::LeafMask;

inline constexpr LeafMask no_cells{};
inline constexpr LeafMask all_cells = [] {
    LeafMask mask{};
    for (std::uint64_t& word : mask)
        word = ~std::uint64_t{0};
    return mask;
}();

inline bool is_set(const LeafMask& mask, int cell) {
    return mask[static_cast<std::size_t>(cell >> 6)] >> (cell & 63) & 1;
}
inline void set(LeafMask& mask, int cell) {
    mask[static_cast<std::size_t>(cell >> 6)] |= std::uint64_t{1} << (cell & 63);
}
inline unsigned row_bits(const LeafMask& mask, int y, int z) {
    return static_cast<unsigned>(mask[static_cast<std::size_t>(z)] >> (8 * y)) & 0xffu;
}
inline bool any(const LeafMask& mask) {
    std::uint64_t all = 0;
    for (const std::uint64_t word : mask)
        all |= word;
    return all != 0;
}
inline LeafMask without(const LeafMask& a, const LeafMask& b) {
    LeafMask out;
    for (std::size_t z = 0; z < a.size(); ++z)
        out[z] = a[z] & ~b[z];
    return out;
}
inline LeafMask both(const LeafMask& a, const LeafMask& b) {
    LeafMask out;
    for (std::size_t z = 0; z < a.size(); ++z)
        out[z] = a[z] & b[z];
    return out;
}
inline LeafMask either(const LeafMask& a, const LeafMask& b) {
    LeafMask out;
    for (std::size_t z = 0; z < a.size(); ++z)
        out[z] = a[z] | b[z];
    return out;
}

/// Calls f(cell) for each that is set.
template <class F>
void for_each_set(const LeafMask& mask, const F& f) {
    for (std::size_t z = 0; z < mask.size(); ++z) {
        for (std::uint64_t left = mask[z]; left != 0; left &= left - 1)
            f(static_cast<int>(64 * z) + __builtin_ctzll(left));
    }
}

/// Cells of a leaf that are not set and have one across a face that is.
inline LeafMask beside(const std::int32_t* near, std::span<const LeafMask> masks) {
    constexpr std::uint64_t first_x = 0x0101010101010101u, last_x = first_x << 7;
    const auto mask = [&](int dx, int dy, int dz) -> const LeafMask& {
        return masks[static_cast<std::size_t>(near[grid::neighbor_index(dx, dy, dz)])];
    };
    const LeafMask &own = mask(0, 0, 0), &low_x = mask(-1, 0, 0), &high_x = mask(1, 0, 0), &low_y = mask(0, -1, 0),
                   &high_y = mask(0, 1, 0);
    LeafMask out;
    for (std::size_t z = 0; z < own.size(); ++z) {
        const std::uint64_t word = own[z];
        const std::uint64_t along_x =
            (word & ~last_x) << 1 | (low_x[z] & last_x) >> 7 | (word & ~first_x) >> 1 | (high_x[z] & first_x) << 7;
        const std::uint64_t along_y = word << 8 | low_y[z] >> 56 | word >> 8 | high_y[z] << 56;
        const std::uint64_t along_z =
            (z > 0 ? own[z - 1] : mask(0, 0, -1)[7]) | (z < 7 ? own[z + 1] : mask(0, 0, 1)[0]);
        out[z] = (along_x | along_y | along_z) & ~word;
    }
    return out;
}

/// Rows of a leaf with one cell more on each side: bit x + 1 of row (y + 1, z + 1).
struct HaloMask {
    std::array<std::array<std::uint16_t, 10>, 10> rows;  ///< [z][y]
};

/// `masks` of all leaves; that of leaf 0 says what is beyond the set.
inline HaloMask halo(const grid::LeafSet& leaves, std::size_t leaf, std::span<const LeafMask> masks) {
    const std::int32_t* near = leaves.neighbors(leaf);
    HaloMask out;
    for (int z = -1; z < 9; ++z) {
        for (int y = -1; y < 9; ++y) {
            const std::int32_t* row = near + grid::neighbor_index(-1, y >> 3, z >> 3);
            const auto bits = [&](int n) { return row_bits(masks[static_cast<std::size_t>(row[n])], y & 7, z & 7); };
            out.rows[static_cast<std::size_t>(z + 1)][static_cast<std::size_t>(y + 1)] =
                static_cast<std::uint16_t>(bits(0) >> 7 | bits(1) << 1 | (bits(2) & 1) << 9);
        }
    }
    return out;
}

/// Combines each cell with its 26 neighbours by `f`, an operation on rows of bits.
template <class F>
LeafMask over_neighbors(const HaloMask& in, const F& f) {
    std::array<std::array<unsigned, 8>, 10> by_xy;
    for (std::size_t z = 0; z < 10; ++z) {
        std::array<unsigned, 10> by_x;
        for (std::size_t y = 0; y < 10; ++y) {
            const unsigned row = in.rows[z][y];
            by_x[y] = f(f(row, row << 1), row >> 1);
        }
        for (std::size_t y = 0; y < 8; ++y)
            by_xy[z][y] = f(f(by_x[y], by_x[y + 1]), by_x[y + 2]);
    }
    LeafMask out{};
    for (std::size_t z = 0; z < 8; ++z) {
        for (std::size_t y = 0; y < 8; ++y) {
            const unsigned row = f(f(by_xy[z][y], by_xy[z + 1][y]), by_xy[z + 2][y]);
            out[z] |= static_cast<std::uint64_t>(row >> 1 & 0xffu) << (8 * y);
        }
    }
    return out;
}

inline LeafMask eroded(const HaloMask& in) {
    return over_neighbors(in, [](unsigned a, unsigned b) { return a & b; });
}
inline LeafMask dilated(const HaloMask& in) {
    return over_neighbors(in, [](unsigned a, unsigned b) { return a | b; });
}

/// Cells whose lower neighbour on an axis is set, and those that are.
inline LeafMask with_upper(const HaloMask& in, int axis) {
    LeafMask out{};
    for (std::size_t z = 0; z < 8; ++z) {
        for (std::size_t y = 0; y < 8; ++y) {
            const unsigned own = in.rows[z + 1][y + 1];
            const unsigned low = axis == 0   ? own << 1
                                 : axis == 1 ? unsigned{in.rows[z + 1][y]}
                                             : unsigned{in.rows[z][y + 1]};
            out[z] |= static_cast<std::uint64_t>((own | low) >> 1 & 0xffu) << (8 * y);
        }
    }
    return out;
}

/// Cells that are not set and have at least `least` of their 26 neighbours set.
inline LeafMask holes(const HaloMask& in, int least) {
    LeafMask out{};
    for (std::size_t z = 1; z < 9; ++z) {
        for (std::size_t y = 1; y < 9; ++y) {
            const auto& r = in.rows;
            const unsigned row = r[z][y];
            // Whoever has that many has two that face each other.
            const unsigned between = (row << 1 & row >> 1) | (r[z][y - 1] & r[z][y + 1]) | (r[z - 1][y] & r[z + 1][y]);
            for (unsigned left = between & ~row & 0x1feu; left != 0; left &= left - 1) {
                const int x = __builtin_ctz(left) - 1;
                int count = 0;
                for (std::size_t k = 0; k < 9; ++k)
                    count += __builtin_popcount(static_cast<unsigned>(r[z - 1 + k / 3][y - 1 + k % 3]) >> x & 7u);
                if (count >= least) set(out, static_cast<int>(((z - 1) * 8 + y - 1) * 8) + x);
            }
        }
    }
    return out;
}

}  // namespace spindrift::mac
