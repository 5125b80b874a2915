#pragma once
// Rows of eight cells in the lanes, and the rows around them; for files built per instruction set.
//
//   LeafRows<const float> p(field_values, neighbors);        // of one leaf and those around it
//   F8 here = load(p.row(y, z)), left = p.lower_x(y, z), below = load(p.row(y - 1, z));

#include "spindrift/core/simd.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::grid::SPINDRIFT_ISA_NAMESPACE {

using namespace spindrift::simd::SPINDRIFT_ISA_NAMESPACE;

#ifdef __AVX2__
/// {a, r0, ..., r6} and {r1, ..., r7, a}, given the row loaded one cell lower or higher.
SPINDRIFT_INLINE F8 with_first(F8 row, float a) {
    return _mm256_blend_ps(row.v, _mm256_set1_ps(a), 0x01);
}
SPINDRIFT_INLINE F8 with_last(F8 row, float a) {
    return _mm256_blend_ps(row.v, _mm256_set1_ps(a), 0x80);
}
#else
SPINDRIFT_INLINE F8 with_first(F8 row, float a) {
    return {_mm_blend_ps(row.lo, _mm_set1_ps(a), 0x1), row.hi};
}
SPINDRIFT_INLINE F8 with_last(F8 row, float a) {
    return {row.lo, _mm_blend_ps(row.hi, _mm_set1_ps(a), 0x8)};
}
#endif

/// Over the lanes; the largest of values that are not negative.
SPINDRIFT_INLINE double sum_of(F8 a) {
    alignas(32) float lane[8];
    store(lane, a);
    double sum = 0;
    for (const float value : lane)
        sum += double{value};
    return sum;
}

SPINDRIFT_INLINE float largest_of(F8 a) {
    alignas(32) float lane[8];
    store(lane, a);
    float most = 0;
    for (const float value : lane)
        most = value > most ? value : most;
    return most;
}

/// The rows of a leaf and of the six leaves beside it.
struct LeafRows {
    const float *own, *low_x, *high_x, *low_y, *high_y, *low_z, *high_z;

    /// `values` are those of leaf 0.
    SPINDRIFT_INLINE LeafRows(const float* values, std::size_t leaf, const std::int32_t* neighbors) {
        const auto at = [&](int n) { return values + static_cast<std::size_t>(neighbors[n]) * leaf_cells; };
        own = values + leaf * leaf_cells;
        low_x = at(12), high_x = at(14);
        low_y = at(10), high_y = at(16);
        low_z = at(4), high_z = at(22);
    }
    SPINDRIFT_INLINE const float* row(int y, int z) const { return own + cell_index(0, y, z); }
    SPINDRIFT_INLINE F8 here(int y, int z) const { return load(row(y, z)); }
    /// The value of each cell's lower or upper neighbour on an axis.
    SPINDRIFT_INLINE F8 lower_x(int y, int z) const {
        return with_first(load(row(y, z) - 1), low_x[cell_index(7, y, z)]);
    }
    SPINDRIFT_INLINE F8 upper_x(int y, int z) const {
        return with_last(load(row(y, z) + 1), high_x[cell_index(0, y, z)]);
    }
    SPINDRIFT_INLINE F8 lower_y(int y, int z) const {
        return load(y > 0 ? row(y - 1, z) : low_y + cell_index(0, 7, z));
    }
    SPINDRIFT_INLINE F8 upper_y(int y, int z) const {
        return load(y < 7 ? row(y + 1, z) : high_y + cell_index(0, 0, z));
    }
    SPINDRIFT_INLINE F8 lower_z(int y, int z) const {
        return load(z > 0 ? row(y, z - 1) : low_z + cell_index(0, y, 7));
    }
    SPINDRIFT_INLINE F8 upper_z(int y, int z) const {
        return load(z < 7 ? row(y, z + 1) : high_z + cell_index(0, y, 0));
    }
};

}  // namespace spindrift::grid::SPINDRIFT_ISA_NAMESPACE
