#pragma once
// Loops over the leaves of a grid on which leaf 0 is the border.
//
//   for_each_leaf(grid.leaves.size(), [&](std::size_t l) { ... });

#include <cstddef>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

template <class Body>
void for_each_leaf(std::size_t total, const Body& body) {
    parallel_for(total - 1, 16, [&](Range range) {
        for (const std::size_t k : range)
            body(k + 1);
    });
}

}  // namespace spindrift::pbf
