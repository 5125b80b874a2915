#pragma once
// How much whitewater each particle of the liquid gives at a frame.
//
// Source: Ihmsen et al. 2012; the isolation is that of a thesis on splashes (docs/decisions/0029).
// Equations, over neighbours j within h = 2 spacings, W = 1 - r/h, I(x; a, b) = clamp((x - a) / (b - a), 0, 1):
//   trapped air   sum W |v_ij| (1 - v_ij.x_ij / (|v_ij| |x_ij|)) / sum W                                       [m/s]
//   vorticity     3 |sum W x_ij x v_ij / (|x_ij| q)| / sum W, q = r/h: that of a rigid turn is |curl v| h       [m/s]
//   crest         curvature of the surface smoothed over a length, where the crest runs ahead of what is around [1/m]
//   isolation     P = b_d (a_d - rho/rho0) b_v (|v| - a_v), both factors above 0, at most 1, times I(-A; -0.35, -0.25)
//                 with A = |sum W x_ij / |x_ij|| / sum W, if there are four neighbours
//   rate          I(v^2 / 2) (k_ta I_ta + k_wc I_wc + k_vo I_vo) + k_s P, the share of the volume per second
// Differs: sums are divided by that of the weights, so that they do not count neighbours; energy is per mass; density
// is summed here, with the share of walls, since solvers mean different things by the channel; A tells sheets and
// strings from surfaces, edges and corners of bodies that fly whole; crests are looked for in the motion against the
// liquid around, so that a ball in free flight has none. Symbols: a_d, b_d, a_v, b_v IsolationParams; k rates; A
// one-sidedness.

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/channel.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/whitewater/flow.h"
#include "spindrift/whitewater/params.h"
#include "spindrift/whitewater/rates.h"

namespace spindrift::whitewater {

/// The particles of a frame. All belong to the caller.
struct Liquid {
    const neighbors::ParticleCells* cells = nullptr;
    ConstChannel<Vec3f> x{}, v{};             ///< in the caller's order: m from the cells' origin, m/s
    ConstChannel<std::int64_t> id{};          ///< below 0: fills the inside, and gives nothing
    ConstChannel<std::uint16_t> phase{};      ///< which liquid each is of; empty: all are of the first
    ConstChannel<Vec3f> color{};              ///< linear RGB of the first of them; who has none is white
    const collision::Walls* walls = nullptr;  ///< in units of the cells
    const Flow* flow = nullptr;               ///< made of the same particles
    const ChannelSet* channels = nullptr;     ///< that masks are of
    double frame = 0;
};

/// What a potential is like at a frame, for who tunes it.
struct PotentialRange {
    float typical = 0, high = 0,
          largest = 0;       ///< of particles that were looked at: half, 1 % and none of them are above
    std::size_t giving = 0;  ///< particles that give anything
};

/// Throws UsageError for masks that are no channel of the particles.
Rates find_rates(const Liquid& liquid, const WhitewaterParams& params,
                 std::array<PotentialRange, potential_count>* ranges = nullptr);

}  // namespace spindrift::whitewater
