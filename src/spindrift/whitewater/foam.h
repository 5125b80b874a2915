#pragma once
// Foam among foam: how crowded it is, and how it lies side by side.
//
// Source: docs/decisions/0029. Equations: two Jacobi passes of x_i += sum_j t_ij (r_i + r_j - |x_ij|) / 4 over others
// that overlap, t_ij the direction away from j along the surface; nobody moves farther than its own radius.

#include <cstdint>
#include <span>

#include "spindrift/whitewater/flow.h"
#include "spindrift/whitewater/particles.h"

namespace spindrift::whitewater {

/// Fills `crowd` of the foam: how many others share its cell.
void count_crowds(Particles& all, std::span<const std::uint32_t> foam, float cell);

struct Spread {
    const Flow& flow;
    const collision::Walls* walls = nullptr;  ///< that nobody is pushed through
    float share = 1;                          ///< of what would let them lie side by side
};
/// Pushes foam particles apart along the surface.
void spread_foam(Particles& all, std::span<const std::uint32_t> foam, const Spread& how);

}  // namespace spindrift::whitewater
