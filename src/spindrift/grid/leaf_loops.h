#pragma once
// Loops over leaves of a list, and sums whose bits do not depend on the number of threads.
//
//   for_leaves(active.size(), [&](Range r) { kernels.prolong(pass, r.first, r.last); });
//   const double rr = sum_leaves(active.size(), [&](Range r) { return kernels.advance(pass, r.first, r.last); });

#include "spindrift/core/parallel.h"

namespace spindrift::grid {

/// So few leaves are done sooner than other threads wake up.
inline constexpr std::size_t serial_leaves = 24;
inline constexpr std::size_t leaf_chunk = 16;

template <class Body>
void for_leaves(std::size_t count, const Body& body) {
    if (count < serial_leaves) return body(Range{0, count});
    parallel_for(count, leaf_chunk, body);
}

template <class Body>
double sum_leaves(std::size_t count, const Body& body) {
    if (count < serial_leaves) return body(Range{0, count});
    return parallel_reduce(count, leaf_chunk, 0.0, body, [](double a, double b) { return a + b; });
}

}  // namespace spindrift::grid
