#include <cmath>

#include "bench.h"
#include "commands.h"
#include "json.h"
#include "machine.h"
#include <fmt/format.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

struct DamBreakResult {
    std::size_t particles = 0;
    Spread ns_per_step;                                  ///< per particle
    std::vector<std::pair<std::string, double>> phases;  ///< ns per particle and step
    double bytes_per_particle = 0, neighbors = 0, mean_density_error = 0, substeps = 0;
    std::string hash;
};

/// A cube of water in the corner of a box 2.5 times as long and twice as high.
Scene dam_break_scene(std::size_t particles, int iterations) {
    constexpr double spacing = 0.01;
    const double a = spacing * std::round(std::cbrt(static_cast<double>(particles)));
    Scene scene = bench_scene({{0, 0, 0}, {2.5 * a, 2 * a, a}}, {{0, 0, 0}, {a, a, a}}, spacing);
    scene.solver.iterations = iterations;
    return scene;
}

std::string state_hash(sim::Simulation& simulation) {
    const sim::Snapshot snapshot = simulation.snapshot();
    Hash64 hash;
    for (const char* name : {"P", "v"}) {
        const ChannelArray* channel = snapshot.channels.find(name);
        hash.add(channel->data(), channel->size_bytes());
    }
    return hash.hex();
}

DamBreakResult measure(const DamBreakCommand& command, Terminal& terminal) {
    const Scene scene = dam_break_scene(command.particles, command.iterations);
    sim::Simulation simulation(scene);
    simulation.fill();
    const auto total = static_cast<std::size_t>(command.warmup + command.steps);
    std::vector<double> step_ns;
    std::vector<float> densities;
    DamBreakResult result;
    for (std::size_t k = 0; k < total; ++k) {
        if (terminal.interrupted()) throw InterruptedError("stopped; a benchmark cannot go on later");
        const bool measured = k >= static_cast<std::size_t>(command.warmup);
        if (k == static_cast<std::size_t>(command.warmup)) simulation.solver().timer().reset();
        const double dt = simulation.choose_dt();
        const double seconds = wall_seconds([&] { simulation.advance(dt); });
        if (!measured) continue;
        step_ns.push_back(seconds * 1e9 / static_cast<double>(simulation.particle_count()));
        const pbf::DensityReport density = simulation.solver().measure_density(densities);
        result.mean_density_error += density.mean_error / command.steps;
        result.neighbors = density.neighbors;
        result.substeps = 1 / (scene.fps * dt);
    }
    result.particles = simulation.particle_count();
    const auto n = static_cast<double>(result.particles);
    result.ns_per_step = spread_of(step_ns);
    simulation.solver().timer().visit([&](std::string_view path, double seconds, long) {
        if (!path.starts_with("measure")) result.phases.emplace_back(path, seconds * 1e9 / (n * command.steps));
    });
    result.bytes_per_particle = static_cast<double>(memory_in_use()) / n;
    result.hash = state_hash(simulation);
    return result;
}

Value to_json(const DamBreakResult& r, const DamBreakCommand& command) {
    Value phases = Value::table();
    for (const auto& [name, ns] : r.phases)
        phases.set(name, Value(ns));
    return json_table({{"benchmark", Value("dam_break")},
                       {"particles", json_count(r.particles)},
                       {"threads", Value(std::int64_t{thread_count()})},
                       {"iterations", Value(std::int64_t{command.iterations})},
                       {"ns_per_particle_step", Value(r.ns_per_step.median)},
                       {"ns_best", Value(r.ns_per_step.best)},
                       {"ns_mean", Value(r.ns_per_step.mean)},
                       {"phases", std::move(phases)},
                       {"bytes_per_particle", Value(r.bytes_per_particle)},
                       {"neighbors", Value(r.neighbors)},
                       {"mean_density_error", Value(r.mean_density_error)},
                       {"substeps", Value(r.substeps)},
                       {"warmup", Value(std::int64_t{command.warmup})},
                       {"steps", Value(std::int64_t{command.steps})},
                       {"hash", Value(r.hash)},
                       {"machine", machine_json()}});
}

std::string to_text(const DamBreakResult& r, const DamBreakCommand& command) {
    std::string text = fmt::format(
        "dam break    {} particles, {} iterations, {} threads, {} ({})\n"
        "step         {:.1f} ns/particle (median of {}; best {:.1f}, mean {:.1f})\n",
        r.particles, command.iterations, thread_count(), cpu_name(), isa_name(active_isa()), r.ns_per_step.median,
        command.steps, r.ns_per_step.best, r.ns_per_step.mean);
    for (const auto& [name, ns] : r.phases)
        text += fmt::format("  {:<10} {:6.1f}\n", name, ns);
    return text + fmt::format(
                      "memory       {:.1f} bytes/particle\n"
                      "density      {:.3f} % mean error, {:.1f} neighbours\n"
                      "substeps     {:.0f} per frame\n"
                      "hash         {}\n",
                      r.bytes_per_particle, 100 * r.mean_density_error, r.neighbors, r.substeps, r.hash);
}

}  // namespace

void bench_dam_break(const DamBreakCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const DamBreakResult result = measure(command, terminal);
    terminal.print(command.json ? json_text(to_json(result, command)) : to_text(result, command));
}

}  // namespace spindrift::cli
