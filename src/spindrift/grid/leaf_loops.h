#pragma once
// Loops over leaves of a list, and sums whose bits depend neither on the number of threads nor on how the list is cut.
//
//   for_leaves(active.size(), [&](Range r) { kernels.prolong(pass, r.first, r.last); });
//   const double rr = sum_leaves(leaves.ranks(), active.size(), [&](Range r, double* sums) { ... sums[k] = ... });

#include <span>
#include <vector>

#include "spindrift/core/exact_sum.h"
#include "spindrift/core/parallel.h"
#include "spindrift/ranks/ranks.h"

namespace spindrift::grid {

/// So few leaves are done sooner than other threads wake up.
inline constexpr std::size_t serial_leaves = 24;
inline constexpr std::size_t leaf_chunk = 16;

template <class Body>
void for_leaves(std::size_t count, const Body& body) {
    if (count < serial_leaves) return body(Range{0, count});
    parallel_for(count, leaf_chunk, body);
}

/// The sum of these numbers and those that other ranks have.
inline double sum_numbers(ranks::Ranks& ranks, std::span<const double> numbers) {
    ExactSum sum;
    add_exactly(numbers, sum);
    ranks.sum({&sum, 1});
    return sum.value();
}

/// body(range, sums) writes one number for each place of the range to sums[place]; their sum is exact, over all ranks.
template <class Body>
double sum_leaves(ranks::Ranks& ranks, std::size_t count, const Body& body) {
    std::vector<double> sums(count);
    for_leaves(count, [&](Range range) { body(range, sums.data()); });
    return sum_numbers(ranks, sums);
}

}  // namespace spindrift::grid
