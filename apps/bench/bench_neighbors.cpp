#include <array>
#include <limits>

#include "bench/commands.h"
#include "cli/json.h"
#include "cli/machine.h"
#include <fmt/format.h>
#include <time.h>

#include "spindrift/core/parallel.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/neighbors/reference/neighbor_bench.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/liquids.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

using neighbors::reference::BenchPoints;
using neighbors::reference::NeighborTiming;
using neighbors::reference::SortTiming;

constexpr std::array target_neighbors{2., 5., 10., 20., 30., 45., 60.};
constexpr std::array mover_shares{0.01, 0.02, 0.05, 0.1, 0.2};
constexpr int repeats = 5;

/// Time this thread has run, as the reference searches are timed.
double thread_nanoseconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

/// The points as the solver has them: groups of four floats in support radii, one far away behind the last.
struct SolverPoints {
    explicit SolverPoints(const BenchPoints& points) {
        const std::size_t n = points.x.size();
        for (Buffer<Float4>* buffer : {&x, &v, &x_sorted, &v_sorted})
            buffer->resize(n + ParticleStore::padding);
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3f p = points.x[i] / points.h;
            x[i] = {p.x, p.y, p.z, 0};
            v[i] = {0, 0, 0, 0};
        }
        x_sorted[n] = {3e7f, 0, 0, 0};
    }
    Buffer<Float4> x{"bench"}, v{"bench"}, x_sorted{"bench"}, v_sorted{"bench"};
};

NeighborTiming time_cluster_lists(const BenchPoints& points) {
    const std::size_t n = points.x.size();
    constexpr double never = std::numeric_limits<double>::infinity();
    NeighborTiming timing{"leaf sort + clusters", 0, never, never};
    SolverPoints p(points);
    neighbors::LeafGrid grid;
    neighbors::ClusterLists lists;
    const pbf::LiquidTables tables({{.spacing = 1, .density = 1000}});
    pbf::FluidView fluid{};
    fluid.scales = tables.scales().data();
    fluid.pairs = tables.pairs().data();
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const double start = thread_nanoseconds();
        grid.sort(n, p.x.data(), p.v.data(), p.x_sorted.data(), p.v_sorted.data());
        lists.build(grid, p.x_sorted.data(), n);
        const double built = thread_nanoseconds();
        const auto clusters = static_cast<std::uint32_t>(lists.clusters().size());
        const std::uint64_t pairs = pbf::kernels().count_pairs(lists.view(), fluid, p.x_sorted.data(), 0, clusters);
        const double traversed = thread_nanoseconds();
        const auto count = static_cast<double>(n);
        timing.mean_neighbors = static_cast<double>(pairs) / count;
        timing.build_ns = std::min(timing.build_ns, (built - start) / count);
        timing.traverse_ns = std::min(timing.traverse_ns, (traversed - built) / count);
    }
    return timing;
}

std::vector<NeighborTiming> time_searches(std::size_t particles) {
    std::vector<NeighborTiming> rows;
    for (const double target : target_neighbors) {
        for (NeighborTiming& row : neighbors::reference::time_reference_searches(particles, std::array{target}))
            rows.push_back(std::move(row));
        rows.push_back(time_cluster_lists(neighbors::reference::bench_points(particles, target)));
    }
    return rows;
}

std::string to_text(std::size_t particles, const std::vector<NeighborTiming>& searches,
                    const std::vector<SortTiming>& sorts) {
    std::string text = fmt::format("{} particles, one thread, {}\n\n{:<22} {:>10} {:>14} {:>14} {:>14}\n", particles,
                                   cpu_name(), "search, ns/particle", "neighbours", "build", "traverse", "both");
    for (const NeighborTiming& row : searches)
        text += fmt::format("{:<22} {:>10.1f} {:>14.1f} {:>14.1f} {:>14.1f}\n", row.method, row.mean_neighbors,
                            row.build_ns, row.traverse_ns, row.build_ns + row.traverse_ns);
    text += fmt::format("\n{:<22} {:>10} {:>14} {:>14} {:>14}\n", "sort, ns/particle", "movers", "full", "coherent",
                        "reorder");
    for (const SortTiming& row : sorts)
        text += fmt::format("{:<22} {:>8.1f} % {:>14.1f} {:>14.1f} {:>14.1f}\n", "", 100 * row.mover_share, row.full_ns,
                            row.coherent_ns, row.reorder_ns);
    return text;
}

Value to_json(std::size_t particles, const std::vector<NeighborTiming>& searches,
              const std::vector<SortTiming>& sorts) {
    Value::Array search_rows, sort_rows;
    for (const NeighborTiming& row : searches)
        search_rows.push_back(json_table({{"method", Value(row.method)},
                                          {"neighbors", Value(row.mean_neighbors)},
                                          {"build_ns", Value(row.build_ns)},
                                          {"traverse_ns", Value(row.traverse_ns)}}));
    for (const SortTiming& row : sorts)
        sort_rows.push_back(json_table({{"mover_share", Value(row.mover_share)},
                                        {"full_ns", Value(row.full_ns)},
                                        {"coherent_ns", Value(row.coherent_ns)},
                                        {"reorder_ns", Value(row.reorder_ns)}}));
    return json_table({{"benchmark", Value("neighbors")},
                       {"particles", json_count(particles)},
                       {"searches", Value(std::move(search_rows))},
                       {"sorts", Value(std::move(sort_rows))},
                       {"machine", machine_json()}});
}

}  // namespace

void bench_neighbors(const NeighborsCommand& command, Terminal& terminal) {
    const ThreadLimit one_thread(1);
    const std::vector<NeighborTiming> searches = time_searches(command.particles);
    const std::vector<SortTiming> sorts = neighbors::reference::time_sorts(command.particles, mover_shares);
    terminal.print(command.json ? json_text(to_json(command.particles, searches, sorts))
                                : to_text(command.particles, searches, sorts));
}

}  // namespace spindrift::cli
