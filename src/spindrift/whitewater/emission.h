#pragma once
// What is born between two frames.
//
// Source: Ihmsen et al. 2012, section 4; docs/decisions/0029.
// Equations: a particle of liquid gives n = amount (V_i / V_w) int r dt between two frames, N = floor(n + u) of them, u
// from a hash of its id and the frame: counts follow volumes and time, whatever the frame rate, and small rates are not
// lost. r follows from potentials that are straight lines between the frames. Each is born at a moment of its own, by
// how r goes on, where the liquid particle is then, on the cubic through both places and velocities, within half a
// spacing of it across its velocity.
// Differs: moments within the frame take the place of substeps. A particle that one of the frames does not have gives
// half as much and flies by its velocity.
// Symbols: V_i volume of a particle of liquid, V_w of whitewater, D time between the frames, r rates (potentials.h).

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/whitewater/potentials.h"

namespace spindrift::whitewater {

struct Birth {
    Vec3f from{};  ///< where the particle of liquid is then; walls between here and there stop it
    Vec3f x{}, v{};
    float share = 0;  ///< of the time between the frames that has passed
    std::int64_t source = -1;
    std::uint8_t cause = 0;
    bool has_kind = false;  ///< else its depth tells
    Kind kind = Kind::spray;
    float diameter = 0;  ///< m; 0: its kind's
    Vec3f color{1, 1, 1};
};

/// A frame of liquid and what its particles give.
struct Giving {
    Liquid liquid{};
    const Rates* rates = nullptr;
};

struct EmissionSetup {
    Giving before{}, after{};
    double span = 0;    ///< seconds between the two
    double volume = 0;  ///< V_w, m^3
    std::uint64_t seed = 0;
    std::function<bool(Vec3f x)> is_allowed{};  ///< whether anything may be born there; everywhere if empty
};

/// Expected number of births, by cause: a matter of milliseconds.
std::array<double, potential_count> expected_births(const EmissionSetup& setup, const WhitewaterParams& params);

/// In the order of the liquid's particles that give at the frame before, and behind them the others.
std::vector<Birth> emit(const EmissionSetup& setup, const WhitewaterParams& params);

}  // namespace spindrift::whitewater
