#pragma once
// Ranks as threads of one program, to see that results do not depend on their number.
//
//   ranks::run_as_threads(3, [&](ranks::Ranks& ranks) { solvers[ranks.rank()].step(ranks, ...); });

#include <functional>

#include "spindrift/ranks/ranks.h"

namespace spindrift::ranks {

/// Calls work once for each of so many ranks, each in a thread of its own, in the context of this one. If one throws,
/// the others' exchanges end with an error, and the first one's is thrown here.
void run_as_threads(int count, const std::function<void(Ranks&)>& work);

}  // namespace spindrift::ranks
