#pragma once
// A leaf's cells in registers of four floats, as the coarse projection scatters to them and gathers from them.

#include <smmintrin.h>

#include "spindrift/core/vec.h"

namespace spindrift::pbf {

/// Four floats that the compiler keeps in one register.
using Quad = float __attribute__((vector_size(16)));

/// Where a particle is among a leaf's cells: the cell, and products of two axes' hats at the four corners of a cell's
/// side. The derivative of a hat along one axis is the product of the other two, with the sign of the corner.
struct CellPosition {
    int cell;         ///< x fastest
    float x;          ///< hat of the upper node along x
    Quad yz, xz, xy;  ///< corners in the order 00, 10, 01, 11

    CellPosition(const Float4& p, Quad corner, int cells, float node_spacing) {
        const Quad local = (_mm_load_ps(&p.x) - corner) * (1 / node_spacing);
        const __m128i limit = _mm_set1_epi32(cells - 1);
        const __m128i c = _mm_min_epi32(_mm_max_epi32(_mm_cvttps_epi32(local), _mm_setzero_si128()), limit);
        cell = (_mm_extract_epi32(c, 2) * cells + _mm_extract_epi32(c, 1)) * cells + _mm_extract_epi32(c, 0);
        const Quad high = local - _mm_cvtepi32_ps(c), low = 1 - high;
        x = high[0];
        const Quad xy_pairs = _mm_unpacklo_ps(low, high), z_pair = _mm_unpackhi_ps(low, high);
        const Quad x_pair = _mm_movelh_ps(xy_pairs, xy_pairs), y_pair = _mm_movehl_ps(xy_pairs, xy_pairs);
        const Quad y_rows = _mm_unpackhi_ps(xy_pairs, xy_pairs), z_rows = _mm_unpacklo_ps(z_pair, z_pair);
        yz = y_pair * z_rows;
        xz = x_pair * z_rows;
        xy = x_pair * y_rows;
    }
};

/// Sums over the particles of one cell.
struct CellSums {
    Quad momentum_x, momentum_y, momentum_z;  ///< velocities weighted with yz, xz, xy
    Quad fill[2];                             ///< weights of the four lower and four upper nodes along x
    Quad velocity;                            ///< and the number of particles
    float lightness;                          ///< of 1 / rho
};

/// Derivatives of phi along each axis on the four edges of a cell that run that way.
struct CellGradient {
    Quad x, y, z;
};

/// The sums of three quads, and zero.
inline Quad sums(Quad a, Quad b, Quad c) {
    Quad zero{};
    _MM_TRANSPOSE4_PS(a, b, c, zero);
    return (a + b) + (c + zero);
}

inline Quad corner_of(Vec3i origin, float node_spacing) {
    const Vec3f corner = vec_cast<float>(origin) * node_spacing;
    return Quad{corner.x, corner.y, corner.z, 0};
}

inline Quad load(const Float4& value) {
    return _mm_load_ps(&value.x);
}

inline void store(Float4& to, Quad value) {
    _mm_store_ps(&to.x, value);
}

inline Quad all(float value) {
    return _mm_set1_ps(value);
}

inline Quad largest(Quad a, Quad b) {
    return _mm_max_ps(a, b);
}

/// Between -most and most.
inline Quad clamped(Quad value, Quad most) {
    return _mm_min_ps(_mm_max_ps(value, -most), most);
}

/// The first three of one, the fourth of another.
inline Quad with_fourth_of(Quad xyz, Quad w) {
    return _mm_blend_ps(xyz, w, 8);
}

}  // namespace spindrift::pbf
