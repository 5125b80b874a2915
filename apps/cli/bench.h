#pragma once
// What the benchmarks have in common.

#include <chrono>
#include <vector>

#include "spindrift/scene/scene.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::cli {

/// Water in a closed box.
Scene bench_scene(const Box3d& domain, const Box3d& liquid, double spacing);

struct Spread {
    double best = 0, median = 0, mean = 0;
};
Spread spread_of(std::vector<double> values);

template <class Body>
double wall_seconds(const Body& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace spindrift::cli
