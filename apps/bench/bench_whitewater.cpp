#include <cmath>
#include <ctime>
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
#include "spindrift/whitewater/made_liquid.h"
#include "spindrift/whitewater/mover.h"
#include "spindrift/whitewater/step.h"

namespace spindrift::cli {

namespace {

using namespace spindrift::whitewater;

constexpr double spacing = 0.01;
constexpr float frame_time = 1 / 24.f;

/// A wavy pool that streams and turns, with as many particles.
std::unique_ptr<MadeLiquid> wavy_pool(std::size_t particles) {
    const auto side = static_cast<float>(spacing * std::cbrt(4.0 * static_cast<double>(particles)));
    auto pool = std::make_unique<MadeLiquid>(
        spacing, Box3f{{0, 0, 0}, {side, 0.3f * side, side}},
        [side](Vec3f x) { return x.y < side * (0.25f + 0.04f * std::sin(12 * x.x / side)); },
        [side](Vec3f x) {
            // Along the surface, which stands still.
            const float height = side * (0.25f + 0.04f * std::sin(12 * x.x / side)), forward = 1 + std::sin(9 * x.z);
            return Vec3f{forward, forward * 0.48f * std::cos(12 * x.x / side) * x.y / height, std::sin(7 * x.x)};
        });
    const auto wide = static_cast<float>(0.5 * static_cast<double>(side) / spacing);
    pool->walls.boxes.push_back({{0, 0, 0}, {wide, 2 * wide, wide}, {}, false});
    return pool;
}

/// Seconds by a clock and by processors.
struct Times {
    std::vector<double> wall{}, processor{};

    template <class F>
    void add(const F& f) {
        const double before = processor_seconds();
        wall.push_back(wall_seconds(f));
        processor.push_back(processor_seconds() - before);
    }
    double seconds() const { return spread_of(wall).median; }
    double processors() const { return spread_of(processor).median; }

  private:
    static double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
};

/// Half foam on the surface, a quarter each of spray and bubbles.
void fill(Whitewater& whitewater, const MadeLiquid& pool, std::size_t count) {
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
    WhitewaterParams params;
    params.foam.pile = 1e9;  // the number of particles stays what was asked for
    const std::unique_ptr<MadeLiquid> made = wavy_pool(command.particles);
    MadeLiquid& pool = *made;
    pool.look(params);
    Whitewater whitewater(params, 1);
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
    Times sorting, flow, potentials, moving;
    Counts counts;
    for (int k = 0; k < command.repeats; ++k) {
        if (terminal.interrupted()) throw InterruptedError("stopped before the benchmark was complete");
        sorting.add([&] { pool.sort(); });
        flow.add([&] { pool.find_flow(params); });
        potentials.add([&] { pool.find_what_it_gives(params, 1); });
        moving.add([&] { counts = step(k + 2); });
    }
    const double for_liquid = sorting.seconds() + flow.seconds() + potentials.seconds();
    const double processors = sorting.processors() + flow.processors() + potentials.processors() + moving.processors();
    const auto own = memory_by_name()["whitewater"];
    if (command.json) {
        terminal.print(json_text(json_table({{"benchmark", Value(std::string("whitewater"))},
                                             {"particles", json_count(pool.x.size())},
                                             {"whitewater", json_count(counts.total())},
                                             {"threads", Value(std::int64_t{thread_count()})},
                                             {"seconds_liquid", Value(for_liquid)},
                                             {"seconds_whitewater", Value(moving.seconds())},
                                             {"processor_seconds", Value(processors)},
                                             {"substeps", Value(std::int64_t{counts.substeps})}})) +
                       "\n");
        return;
    }
    const auto total = static_cast<double>(counts.total());
    terminal.print(fmt::format(
        "{} liquid and {} whitewater particles, {} threads, up to {} substeps; seconds per frame without disk\n"
        "liquid      {:.3f}   (cells {:.3f}, surface and velocity {:.3f}, potentials {:.3f})\n"
        "whitewater  {:.3f}   ({:.0f} ns per particle)\n"
        "together    {:.3f}   ({:.3f} of processors)\n"
        "memory      {:.0f} bytes per whitewater particle at rest, {:.0f} in the end\n",
        format_count(static_cast<double>(pool.x.size())), format_count(total), thread_count(), counts.substeps,
        for_liquid, sorting.seconds(), flow.seconds(), potentials.seconds(), moving.seconds(),
        1e9 * moving.seconds() / total, for_liquid + moving.seconds(), processors, static_cast<double>(own) / total,
        static_cast<double>(memory_in_use() - before + own) / total));
}

}  // namespace spindrift::cli
