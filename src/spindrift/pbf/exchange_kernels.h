#pragma once
// What loops share in which pairs exchange components; for files built per instruction set.
//
//   F8 share[4];
//   load_shares<4>(pass.groups, cluster, share);
//   sum[0] = sum[0] + rounded(weight * (other - share[0]));          // both sides of a pair compute the same bits

#include "spindrift/fluid/mixture.h"
#include "spindrift/pbf/pair_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

/// Adding and taking away this leaves a multiple of 2^-24, for numbers up to a quarter: floats from a half to 1 are
/// those.
constexpr float rounding = 0.75f;
static_assert(fluid::share_quantum == 1.f / 16777216);

/// Most that a pair exchanges of what it could, so that rounding is exact.
constexpr float largest_weight = 0.24f;

SPINDRIFT_INLINE F8 rounded(F8 a) {
    return (a + F8(rounding)) - F8(rounding);
}

template <int K>
SPINDRIFT_INLINE void load_shares(const Float4* const* groups, const Cluster& c, F8* share) {
    for (int g = 0; g < (K + 3) / 4; ++g) {
        const F8x4 four = load_groups(&groups[g][c.first].x, static_cast<int>(c.count));
        share[4 * g] = four.x;
        if constexpr (K > 1) share[4 * g + 1] = four.y;
        if constexpr (K > 2) share[4 * g + 2] = four.z;
        if constexpr (K > 3) share[4 * g + 3] = four.w;
    }
}

/// 0 for pairs that have a wall between them: each lies behind the wall that the other is nearest to, and those face
/// away from each other.
SPINDRIFT_INLINE F8 through_walls(const F8x4& x, const F8x4& wall, const float* x_j, const float* wall_j, F8 weight) {
    const F8 dx = x.x - broadcast(x_j), dy = x.y - broadcast(x_j + 1), dz = x.z - broadcast(x_j + 2);
    const F8 nx = broadcast(wall_j), ny = broadcast(wall_j + 1), nz = broadcast(wall_j + 2);
    const F8 facing = fmadd(wall.x, nx, fmadd(wall.y, ny, wall.z * nz));
    const F8 behind_i = fmadd(wall.x, dx, fmadd(wall.y, dy, wall.z * dz)) - wall.w;
    const F8 behind_j = F8(0.f) - fmadd(nx, dx, fmadd(ny, dy, nz * dz)) - broadcast(wall_j + 3);
    const F8 open = select(facing < F8(-0.3f), select(F8(0.f) < min(behind_i, behind_j), F8(0.f), weight), weight);
    return open;
}

/// Weight of a pair by its distance: half of (1/S_i + 1/S_j) 2F_ij V_j and what the coefficient has more.
SPINDRIFT_INLINE F8 exchange_weight(const F8x4& x, F8 inverse_i, const float* x_j, const float* inverse_j, F8 h2,
                                    F8 coefficient) {
    const F8 t = inside(x, x_j, h2);
    const F8 s = max(inverse_i + broadcast(inverse_j), F8(0.f));
    return t * t * (s * coefficient);
}

}  // namespace

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
