// Levels of detail: what iterations by where the camera looks save, told as Table 1 of Koester and Krueger 2016 does,
// and what they do to the density.

#include <algorithm>
#include <cmath>

#include "bench/bench.h"
#include "bench/commands.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/parallel.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

constexpr const char* default_scenes[] = {"examples/adaptive/dam_break.toml", "examples/adaptive/double_dam_break.toml",
                                          "examples/adaptive/multi_dam_break.toml"};

/// One way to simulate a scene. All of a scene take turns, frame by frame.
struct Way {
    std::string model;
    int fewest, most;
    std::unique_ptr<sim::Simulation> simulation{};
    std::vector<double> seconds{};     ///< of each frame
    std::vector<double> density{};     ///< of each frame: mean of the particles, relative to that at rest
    double iterations = 0;             ///< of a particle in a step, sum over frames
    double iterating = 0, levels = 0;  ///< seconds in iterations, and in choosing levels
    int steps = 0;
    double gain = 0, deviation = 0;

    std::string iterations_text() const {
        return fewest == most ? fmt::format("{}", most) : fmt::format("{}...{}", fewest, most);
    }
};

struct SceneResult {
    std::string name;
    std::size_t particles = 0;
    std::vector<Way> ways;

    const Way& lowest() const { return ways[0]; }
    const Way& highest() const { return ways[1]; }
};

Scene with_levels(Scene scene, lod::Model model, int fewest, int most) {
    // Distances of one model mean nothing to the other.
    if (model != scene.lod.model) scene.lod.near = scene.lod.far = std::nullopt;
    scene.lod.model = model;
    scene.lod.fewest = fewest;
    scene.solver.iterations = most;
    return scene;
}

double mean_density(sim::Simulation& simulation) {
    std::vector<float> densities;
    simulation.solver().measure_density(simulation.particles(), densities);
    double sum = 0;
    for (const float density : densities)
        sum += static_cast<double>(density);
    return sum / static_cast<double>(densities.size());
}

void advance(Way& way, const Terminal& terminal) {
    if (terminal.interrupted()) throw InterruptedError("stopped; a benchmark cannot go on later");
    const SilentProgress quiet;
    way.seconds.push_back(wall_seconds([&] { way.simulation->advance_frame(quiet); }));
    way.simulation->solver().timer().visit([&](std::string_view path, double seconds, long) {
        if (path == "density" || path == "correction") way.iterating += seconds;
        if (path == "levels" || path == "lod") way.levels += seconds;
    });
    way.density.push_back(mean_density(*way.simulation));
    // A run writes a frame here, which brings the particles in order.
    const io::FrameStatistics statistics = way.simulation->statistics();
    way.iterations += statistics.iterations;
    way.steps += statistics.substeps;
}

void compare(Way& way, const Way& highest) {
    std::vector<double> ratios;
    for (std::size_t k = 0; k < way.seconds.size(); ++k) {
        ratios.push_back(highest.seconds[k] / way.seconds[k]);
        way.deviation = std::max(way.deviation, std::abs(way.density[k] - highest.density[k]));
    }
    way.gain = spread_of(ratios).median - 1;
}

SceneResult measure(const std::filesystem::path& path, const AdaptiveCommand& command, Terminal& terminal) {
    const Scene scene = load_scene(path);
    const int most = scene.solver.iterations, fewest = command.fewest.value_or(scene.lod.fewest_of(most));
    if (fewest > most)
        throw UsageError(fmt::format("--fewest {} is more than the {} iterations of {}", fewest, most, path.string()));
    SceneResult result;
    result.name = path.stem().string();
    const auto add = [&](lod::Model model, int least, int top) {
        const Scene changed = with_levels(scene, model, least, top);
        validate_scene(changed);
        Way way{.model = model == lod::Model::none ? "pbf" : std::string(word(model)), .fewest = least, .most = top};
        way.simulation = std::make_unique<sim::Simulation>(changed);
        way.simulation->fill();
        result.ways.push_back(std::move(way));
    };
    add(lod::Model::none, fewest, fewest);
    add(lod::Model::none, most, most);
    add(lod::Model::dtc, fewest, most);
    add(lod::Model::dtvs, fewest, most);
    if (fewest > 1) add(lod::Model::dtvs, 1, most);
    result.particles = result.ways[0].simulation->particle_count();

    for (int frame = 0; frame < command.frames; ++frame) {
        for (Way& way : result.ways)
            advance(way, terminal);
        if (!command.json)
            terminal.report(static_cast<std::size_t>(frame) + 1, static_cast<std::size_t>(command.frames), result.name);
    }
    for (Way& way : result.ways) {
        compare(way, result.highest());
        way.simulation.reset();
    }
    return result;
}

double share_not_iterating(const Way& way) {
    double all = 0;
    for (const double seconds : way.seconds)
        all += seconds;
    return 1 - way.iterating / all;
}

std::string to_text(const SceneResult& r) {
    const double frames = static_cast<double>(r.highest().seconds.size());
    std::string text = fmt::format(
        "\n{}: {} particles, {:.1f} steps per frame\n{:<6} {:>10} {:>6} {:>9} {:>10} {:>7} {:>8} {:>9} {:>12}\n",
        r.name, r.particles, r.highest().steps / frames, "", "iterations", "mean", "ms/frame", "ms levels", "gain",
        "ceiling", "density", "from pbf max");
    for (const Way& way : r.ways) {
        const bool adaptive = way.model != "pbf";
        const double ceiling = way.fewest == r.lowest().fewest ? r.lowest().gain : 0;
        text +=
            fmt::format("{:<6} {:>10} {:>6.2f} {:>9.1f} {:>10.1f} {:>7} {:>8} {:>7.2f} % {:>10.2f} %\n", way.model,
                        way.iterations_text(), way.iterations / frames, 1e3 * spread_of(way.seconds).median,
                        1e3 * way.levels / frames, &way == &r.highest() ? "" : fmt::format("{:.0f} %", 100 * way.gain),
                        adaptive && ceiling > 0 ? fmt::format("{:.0f} %", 100 * way.gain / ceiling) : "",
                        100 * spread_of(way.density).mean, 100 * way.deviation);
    }
    text += fmt::format("not iterations: {:.0f} % of the time with {}, {:.0f} % with {}\n",
                        100 * share_not_iterating(r.highest()), r.highest().most, 100 * share_not_iterating(r.lowest()),
                        r.lowest().most);
    return text;
}

Value to_json(const SceneResult& r) {
    Value::Array ways;
    const double frames = static_cast<double>(r.highest().seconds.size());
    for (const Way& way : r.ways) {
        ways.push_back(json_table({{"model", Value(way.model)},
                                   {"fewest", Value(std::int64_t{way.fewest})},
                                   {"most", Value(std::int64_t{way.most})},
                                   {"mean_iterations", Value(way.iterations / frames)},
                                   {"ms_per_frame", Value(1e3 * spread_of(way.seconds).median)},
                                   {"ms_levels", Value(1e3 * way.levels / frames)},
                                   {"gain", Value(way.gain)},
                                   {"not_iterations", Value(share_not_iterating(way))},
                                   {"mean_density", Value(spread_of(way.density).mean)},
                                   {"density_deviation", Value(way.deviation)}}));
    }
    return json_table(
        {{"scene", Value(r.name)}, {"particles", json_count(r.particles)}, {"ways", Value(std::move(ways))}});
}

}  // namespace

void bench_adaptive(const AdaptiveCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    std::vector<std::filesystem::path> scenes = command.scenes;
    if (scenes.empty()) {
        scenes.assign(std::begin(default_scenes), std::end(default_scenes));
        if (!std::filesystem::exists(scenes[0]))
            throw UsageError(
                "there is no folder examples/adaptive here; name the scenes, or go where Spindrift's examples are");
    }
    Value::Array results;
    if (!command.json) {
        terminal.print(fmt::format("adaptive, {} threads, {} ({}); median of {} frames, all ways in turn\n",
                                   thread_count(), cpu_name(), isa_name(active_isa()), command.frames));
    }
    for (const std::filesystem::path& path : scenes) {
        const SceneResult result = measure(path, command, terminal);
        if (command.json)
            results.push_back(to_json(result));
        else
            terminal.print(to_text(result));
    }
    if (!command.json) return;
    terminal.print(json_text(json_table({{"benchmark", Value("adaptive")},
                                         {"threads", Value(std::int64_t{thread_count()})},
                                         {"frames", Value(std::int64_t{command.frames})},
                                         {"machine", machine_json()},
                                         {"scenes", Value(std::move(results))}})));
}

}  // namespace spindrift::cli
