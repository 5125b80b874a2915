#include <cmath>
#include <memory>
#include <vector>

#include "bench/bench.h"
#include "bench/commands.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/json.h"
#include "spindrift/whitewater/mover.h"
#include "spindrift/whitewater/step.h"

namespace spindrift::cli {

namespace {

using namespace spindrift::whitewater;

constexpr double spacing = 0.01;
constexpr float frame_time = 1 / 24.f;

/// A wavy pool that streams and turns.
struct Pool {
    std::vector<Vec3f> x{}, v{};
    std::vector<std::int64_t> id{};
    neighbors::ParticleCells cells{};
    collision::Walls walls{};
    Flow flow{};
    Rates rates{};
    double cells_seconds = 0, flow_seconds = 0, rates_seconds = 0;

    explicit Pool(std::size_t particles) {
        const auto side = static_cast<int>(std::cbrt(4.0 * static_cast<double>(particles)));
        const auto d = static_cast<float>(spacing);
        for (int z = 0; z < side; ++z) {
            for (int a = 0; a < side; ++a) {
                const float wave = 0.04f * static_cast<float>(side) *
                                   std::sin(12.f * static_cast<float>(a) / static_cast<float>(side));
                const int height = static_cast<int>(0.25f * static_cast<float>(side) + wave);
                for (int y = 0; y < height; ++y) {
                    x.push_back({d * static_cast<float>(a), d * static_cast<float>(y), d * static_cast<float>(z)});
                    v.push_back({1 + std::sin(9 * x.back().z), std::cos(7 * x.back().x), std::sin(5 * x.back().y)});
                    id.push_back(static_cast<std::int64_t>(id.size()));
                }
            }
        }
        const float wide = 0.5f * static_cast<float>(side);
        walls.boxes.push_back({{0, 0, 0}, {wide, 2 * wide, wide}, {}, false});
    }

    void look() {
        const WhitewaterParams params;
        cells_seconds = wall_seconds([&] { cells.sort({.x = x, .origin = {}, .liquid = {}, .spacing = {spacing}}); });
        flow_seconds = wall_seconds([&] {
            flow.make({.cells = &cells, .v = v, .walls = &walls, .crest_length = crest_length(params, spacing)});
        });
        const Liquid liquid{.cells = &cells,
                            .x = x,
                            .v = v,
                            .id = id,
                            .phase = {},
                            .walls = &walls,
                            .flow = &flow,
                            .channels = nullptr,
                            .frame = 1};
        rates_seconds = wall_seconds([&] { rates = find_rates(liquid, params); });
    }
};

/// Half foam on the surface, a quarter each of spray and bubbles.
void fill(Whitewater& whitewater, const Pool& pool, std::size_t count) {
    Particles& all = whitewater.particles;
    all.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto u = [&](std::uint64_t draw) { return uniform(hash_counter(1, i, draw)); };
        const auto n = static_cast<std::size_t>(u(0) * static_cast<float>(pool.x.size() - 1));
        Vec3f x = pool.x[n] + Vec3f{u(1), u(2), u(3)} * 0.01f;
        const Kind kind = i % 4 < 2 ? Kind::foam : i % 4 == 2 ? Kind::bubbles : Kind::spray;
        for (int pass = 0; kind == Kind::foam && pass < 60; ++pass) {
            const float phi = pool.flow.at(x).phi;
            if (std::abs(phi) < 1e-3f) break;
            x.y -= phi;
        }
        if (kind == Kind::spray) x.y += 0.3f;
        all.x[i] = x;
        all.v[i] = pool.v[n];
        all.pscale[i] = 1e-3f;
        all.age[i] = 0;
        all.life[i] = endless;
        all.id[i] = static_cast<std::int64_t>(i);
        all.source[i] = 0;
        all.crowd[i] = 0;
        all.kind[i] = kind;
        all.cause[i] = 0;
    }
    whitewater.next_id = static_cast<std::int64_t>(count);
}

}  // namespace

void bench_whitewater(const WhitewaterBenchCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    Pool pool(command.particles);
    pool.look();
    Whitewater whitewater({}, 1);
    fill(whitewater, pool, command.whitewater);
    const auto step = [&](int frame) {
        Interval interval{
            .flow = {pool.flow, pool.flow, frame_time}, .frame = frame, .time = frame * double{frame_time}};
        interval.walls = [&](double, double) -> const collision::Walls& { return pool.walls; };
        interval.forces = [](double) {
            forces::ForceSet set;
            set.gravity = {0, -9.81f, 0};
            return set;
        };
        return whitewater.advance(interval);
    };
    step(1);  // puts it in order
    const std::size_t before = memory_in_use();
    std::vector<double> liquid, moving;
    Counts counts;
    for (int k = 0; k < command.repeats; ++k) {
        if (terminal.interrupted()) throw InterruptedError("stopped before the benchmark was complete");
        liquid.push_back(wall_seconds([&] { pool.look(); }));
        moving.push_back(wall_seconds([&] { counts = step(k + 2); }));
    }
    const double for_liquid = spread_of(liquid).median, for_whitewater = spread_of(moving).median;
    const auto own = memory_by_name()["whitewater"];
    if (command.json) {
        terminal.print(json_text(json_table({{"benchmark", Value(std::string("whitewater"))},
                                             {"particles", json_count(pool.x.size())},
                                             {"whitewater", json_count(counts.total())},
                                             {"threads", Value(std::int64_t{thread_count()})},
                                             {"seconds_liquid", Value(for_liquid)},
                                             {"seconds_whitewater", Value(for_whitewater)},
                                             {"substeps", Value(std::int64_t{counts.substeps})}})) +
                       "\n");
        return;
    }
    terminal.print(fmt::format(
        "{} liquid and {} whitewater particles, {} threads, {} substeps; seconds per frame without disk\n"
        "liquid      {:.3f}   (cells {:.3f}, surface and velocity {:.3f}, potentials {:.3f})\n"
        "whitewater  {:.3f}   ({:.0f} ns per particle and substep)\n"
        "together    {:.3f}\n"
        "memory      {:.0f} bytes per whitewater particle at rest, {:.0f} in the end\n",
        format_count(static_cast<double>(pool.x.size())), format_count(static_cast<double>(counts.total())),
        thread_count(), counts.substeps, for_liquid, pool.cells_seconds, pool.flow_seconds, pool.rates_seconds,
        for_whitewater, 1e9 * for_whitewater / static_cast<double>(counts.total()) / counts.substeps,
        for_liquid + for_whitewater, static_cast<double>(own) / static_cast<double>(counts.total()),
        static_cast<double>(memory_in_use() - before + own) / static_cast<double>(counts.total())));
}

}  // namespace spindrift::cli
