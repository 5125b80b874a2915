#pragma once
// Consecutive particles of a sorted array: what cells give and loops take.
//
//   for (std::uint32_t i = run.first; i < run.last; ++i) ... cells.x()[i] ...

#include <cstdint>

namespace spindrift::surface {

struct Run {
    std::uint32_t first, last;
};

}  // namespace spindrift::surface
