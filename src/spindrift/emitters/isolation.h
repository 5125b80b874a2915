#pragma once
// Which particles have few others around them. A plain cell hash over all particles, for what looks at them once per
// frame; the solver's own lists are faster and gone when particles have moved.
//
//   std::vector<bool> alone = find_isolated(particles, 0.02, 3);      // at most three others within 2 cm

#include <cstddef>
#include <vector>

#include "spindrift/particles/particle_store.h"

namespace spindrift::emitters {

/// For every particle, whether at most `most` other living ones lie within `radius` metres.
std::vector<bool> find_isolated(const ParticleStore& particles, double radius, std::size_t most);

}  // namespace spindrift::emitters
