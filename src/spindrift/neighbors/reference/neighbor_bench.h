#pragma once
// How fast the reference searches and sorts are, side by side in one run, on one thread.
//
//   for (const NeighborTiming& row : time_reference_searches(120'000, std::array{2., 10., 30.})) { ... }
//   for (const SortTiming& row : time_sorts(500'000, std::array{0.01, 0.05, 0.2})) { ... }
//
// Source     Onderik, thesis, figures 2 and 4: 120 k random particles, 2 to 300 neighbours; 0.5 to 7.6 % movers
// Equations  none; claims: cell sort 2.2 to 3.2 times as fast as spatial hashing at up to 30 neighbours, coherent sort
//            1.3 to 1.5 times as fast as a full sort
// Differs    Jittered lattice points in shuffled order; time of the thread, best of several runs
// Symbols    none

#include <span>
#include <string>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::neighbors::reference {

/// A jittered lattice in the unit cube, in random order, and the radius that gives a mean number of neighbours.
struct BenchPoints {
    std::vector<Vec3f> x;
    float h = 0;
};

BenchPoints bench_points(std::size_t particles, double target_neighbors);

struct NeighborTiming {
    std::string method;
    double mean_neighbors = 0;
    double build_ns = 0, traverse_ns = 0;  ///< per particle
};

/// "spatial hash" and "cell sort" for every target.
std::vector<NeighborTiming> time_reference_searches(std::size_t particles, std::span<const double> target_neighbors);

struct SortTiming {
    double mover_share = 0;               ///< as found, not as asked for
    double full_ns = 0, coherent_ns = 0;  ///< keys and order, per particle
    double reorder_ns = 0;                ///< moving position and velocity (24 bytes) into either order, per particle
};

std::vector<SortTiming> time_sorts(std::size_t particles, std::span<const double> mover_shares);

}  // namespace spindrift::neighbors::reference
