#pragma once
// What all phases of a step share: the clock that measures them, and the ranks that work on it together.
//
//   const auto scope = context_.timer.scope("pressure");
//   context_.ranks->most({&fastest, 1});

#include "spindrift/core/timer.h"
#include "spindrift/ranks/ranks.h"

namespace spindrift::fluid {

struct StepContext {
    PhaseTimer timer{};
    ranks::Ranks* ranks = &ranks::alone();
};

}  // namespace spindrift::fluid
