#include "spindrift/neighbors/reference/neighbor_bench.h"

#include <limits>
#include <numbers>

#include <time.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"
#include "spindrift/neighbors/reference/cell_sort.h"
#include "spindrift/neighbors/reference/coherent_sort.h"
#include "spindrift/neighbors/reference/spatial_hash.h"

namespace spindrift::neighbors::reference {
namespace {

constexpr int repeats = 5;
constexpr std::uint64_t seed = 1;
// Of the sorts: the neighbour count of a liquid at h = 2 d.
constexpr double sort_neighbors = 30;

/// Time this thread has run: other programs on the machine do not count.
double thread_nanoseconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

template <class Body>
double nanoseconds(const Body& body) {
    const double start = thread_nanoseconds();
    body();
    return thread_nanoseconds() - start;
}

std::vector<Vec3f> jittered_points(std::size_t n) {
    const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
    const float spacing = 1 / static_cast<float>(side);
    std::vector<Vec3f> x(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3f site = vec_cast<float>(Vec3<std::size_t>{i % side, i / side % side, i / (side * side)});
        const auto jitter = [&](std::uint64_t axis) { return uniform(hash_counter(seed, i, axis)); };
        x[i] = (site + Vec3f{jitter(0), jitter(1), jitter(2)}) * spacing;
    }
    for (std::size_t i = n; i > 1; --i)
        std::swap(x[i - 1], x[hash_counter(seed, i, 3) % i]);
    return x;
}

template <class Search>
NeighborTiming time_search(std::string method, const BenchPoints& points) {
    const auto n = static_cast<double>(points.x.size());
    constexpr double never = std::numeric_limits<double>::infinity();
    NeighborTiming timing{std::move(method), 0, never, never};
    Search search;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        PairSum sum;
        const double build = nanoseconds([&] { search.build(points.x, points.h); });
        const double traverse = nanoseconds([&] { sum = sum_pairs(search); });
        SPINDRIFT_CHECK(sum.r2 <= static_cast<double>(sum.pairs) * static_cast<double>(points.h * points.h));
        timing.mean_neighbors = static_cast<double>(sum.pairs) / n;
        timing.build_ns = std::min(timing.build_ns, build / n);
        timing.traverse_ns = std::min(timing.traverse_ns, traverse / n);
    }
    return timing;
}

/// Particles as a solver keeps them between sorts: in cell order.
struct Particles {
    std::vector<Vec3f> x, v;
};

void reorder(const CellOrder& order, const Particles& from, Particles& to) {
    for (std::size_t p = 0; p < order.size(); ++p) {
        to.x[p] = from.x[order.place(p)];
        to.v[p] = from.v[order.place(p)];
    }
}

/// A share of the particles, by chance, goes one cell further in some direction that stays in the unit cube.
std::vector<Vec3f> move_some(std::vector<Vec3f> x, double share, float h) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (uniform(hash_counter(seed, i, 4)) >= static_cast<float>(share)) continue;
        float& coordinate = x[i][static_cast<int>(hash_counter(seed, i, 5) % 3)];
        const float step = static_cast<float>(cell_edge(h));
        coordinate += coordinate < 0.5f ? step : -step;
    }
    return x;
}

SortTiming time_sort(const std::vector<Vec3f>& at_rest, double share, float h) {
    const auto n = static_cast<double>(at_rest.size());
    const Particles moved{move_some(at_rest, share, h), at_rest};
    Particles sorted = moved;
    constexpr double never = std::numeric_limits<double>::infinity();
    SortTiming timing{0, never, never, never};
    CoherentSort coherent;
    CellOrder full;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        coherent.sort(at_rest, h);
        const double coherent_time = nanoseconds([&] { coherent.sort(moved.x, h); });
        timing.mover_share = static_cast<double>(coherent.movers()) / n;
        const double full_time = nanoseconds([&] { full.sort(coherent.grid(), moved.x); });
        const double reorder_time = nanoseconds([&] { reorder(full, moved, sorted); });
        timing.full_ns = std::min(timing.full_ns, full_time / n);
        timing.coherent_ns = std::min(timing.coherent_ns, coherent_time / n);
        timing.reorder_ns = std::min(timing.reorder_ns, reorder_time / n);
    }
    return timing;
}

}  // namespace

BenchPoints bench_points(std::size_t particles, double target_neighbors) {
    SPINDRIFT_CHECK(particles > 0 && target_neighbors > 0);
    BenchPoints points{jittered_points(particles), 0};
    const auto n = static_cast<double>(particles);
    points.h = static_cast<float>(std::cbrt(target_neighbors / n * 3 / (4 * std::numbers::pi)));

    // Near the faces of the cube neighbours are missing: correct the radius by the count it gives.
    CellSort search;
    for (int correction = 0; correction < 3; ++correction) {
        search.build(points.x, points.h);
        const double mean = std::max(1., static_cast<double>(sum_pairs(search).pairs)) / n;
        points.h *= static_cast<float>(std::cbrt(target_neighbors / mean));
    }
    return points;
}

std::vector<NeighborTiming> time_reference_searches(std::size_t particles, std::span<const double> target_neighbors) {
    std::vector<NeighborTiming> timings;
    for (const double target : target_neighbors) {
        const BenchPoints points = bench_points(particles, target);
        timings.push_back(time_search<SpatialHash>("spatial hash", points));
        timings.push_back(time_search<CellSort>("cell sort", points));
    }
    return timings;
}

std::vector<SortTiming> time_sorts(std::size_t particles, std::span<const double> mover_shares) {
    const BenchPoints points = bench_points(particles, sort_neighbors);
    CoherentSort sorter;
    const CellOrder& order = sorter.sort(points.x, points.h);
    std::vector<Vec3f> at_rest(particles);
    for (std::size_t p = 0; p < particles; ++p)
        at_rest[p] = points.x[order.place(p)];

    std::vector<SortTiming> timings;
    for (const double share : mover_shares)
        timings.push_back(time_sort(at_rest, share, points.h));
    return timings;
}

}  // namespace spindrift::neighbors::reference
