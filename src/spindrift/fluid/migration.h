#pragma once
// Particles that have left the leaves of their rank go to the one that owns the place.
//
//   migrate(particles, ranks, [&](const Float4& x) { return cuts.owner(grid.key_at(x.xyz())); }, first_newborn);
//
// Afterwards the concatenation of all ranks' particles has the order that one rank alone would have: what arrives from
// lower ranks stands before what stayed and what comes from higher ones behind it; newborns, with ids from
// first_newborn on, stand behind all others by their ids.

#include <cstdint>
#include <functional>

#include "spindrift/particles/particle_store.h"
#include "spindrift/ranks/ranks.h"

namespace spindrift::fluid {

/// owner(x) is the rank of a place; places that are no numbers stay where they are. A negative first_newborn says that
/// nobody is new.
void migrate(ParticleStore& particles, ranks::Ranks& ranks, const std::function<int(const Float4&)>& owner,
             std::int64_t first_newborn);

}  // namespace spindrift::fluid
