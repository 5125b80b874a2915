#pragma once
// Loops over leaves of a list, and sums whose bits depend neither on the number of threads nor on how the list is cut.
//
//   for_leaves(active.size(), [&](Range r) { kernels.prolong(pass, r.first, r.last); });
//   const double rr = sum_leaves(active.size(), [&](Range r, double* sums) { kernels.advance(pass, r.first, r.last, sums); });

#include <vector>

#include "spindrift/core/exact_sum.h"
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

/// body(range, sums) writes one number for each place of the range to sums[place]; their sum is exact.
template <class Body>
double sum_leaves(std::size_t count, const Body& body) {
    std::vector<double> sums(count);
    for_leaves(count, [&](Range range) { body(range, sums.data()); });
    return exact_total(sums);
}

}  // namespace spindrift::grid
