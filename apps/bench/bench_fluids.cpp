#include <algorithm>
#include <cmath>

#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

constexpr const char *plain = "plain", *fountain = "fountain";

/// A liquid that is measured beside the others.
struct Row {
    std::string name;
    Scene scene;
    std::unique_ptr<BenchRun> run{};
    BenchFigures figures{};
    double ratio = 1;  ///< to a plain step, by particle
};

/// Bytes of the fountain: filled, at work, and after everything was killed.
struct FountainMemory {
    double start = 0, running = 0, all_killed = 0;
};

/// One row for each way of diffusing velocities, and one of a liquid so thick that only an implicit way will do.
void add_viscous_rows(std::vector<Row>& rows, const Scene& dam) {
    const auto words = pbf::enum_words(pbf::Viscosity{});
    Row thick{"viscosity", dam};
    thick.scene.liquid[0].viscosity = 0.1;
    for (std::size_t k = 0; k < words.size(); ++k) {
        Row& row = rows.emplace_back(Row{std::string(words[k]), dam});
        row.scene.liquid[0].viscosity = 1e-3;
        row.scene.solver.viscosity = static_cast<pbf::Viscosity>(k);
        if (words[k] == "implicit") thick.scene.solver.viscosity = static_cast<pbf::Viscosity>(k);
    }
    rows.push_back(std::move(thick));
}

/// A liquid of four components whose shares change from layer to layer, so that no particle is like those above it.
Scene mixed_scene(const Scene& dam) {
    Scene scene = dam;
    LiquidParams& liquid = scene.liquid[0];
    for (const char* name : {"a", "b", "c", "d"})
        scene.component.push_back({.name = name});
    const emitters::FillParams whole = liquid.fill[0];
    const Box3d box = *whole.box;
    const int layers = std::max(1, static_cast<int>(std::lround((box.hi.y - box.lo.y) / liquid.spacing)));
    liquid.fill.clear();
    for (int k = 0; k < layers; ++k) {
        emitters::FillParams& layer = liquid.fill.emplace_back(whole);
        const double height = (box.hi.y - box.lo.y) / layers, share = (k + 0.5) / layers;
        layer.box->lo.y = box.lo.y + k * height;
        layer.box->hi.y = layer.box->lo.y + height;
        layer.mix.entries = {{"a", 0.6 * (1 - share)}, {"b", 0.6 * share}, {"c", 0.25}};
    }
    return scene;
}

/// Mixtures: dyes that spread in every step, besides that all densities and viscosities, besides that grains.
void add_mixed_rows(std::vector<Row>& rows, const Scene& dam) {
    const double spacing = dam.liquid[0].spacing, step = std::sqrt(dam.solver.fall * spacing / 9.81);
    Scene scene = mixed_scene(dam);
    for (ComponentParams& component : scene.component)
        component.diffusivity = 0.03 * spacing * spacing / step;
    rows.push_back({"dyes", scene});
    scene.component[0].density = 3000;
    scene.component[0].viscosity = 1e-5;
    rows.push_back({"mixed_densities", scene});
    scene.component[0].settling_speed = 0.2 * spacing / step;
    rows.push_back({"sediment", scene});
}

std::vector<Row> all_rows(const FluidsCommand& command) {
    const std::size_t n = command.particles;
    const int iterations = command.iterations;
    const Scene dam = dam_break_scene(n, iterations);
    std::vector<Row> rows;
    rows.push_back({plain, dam});
    rows.push_back({"two_phase", two_phase_scene(n, iterations)});
    rows.push_back({"two_resolutions", two_resolutions_scene(n, iterations)});
    rows.push_back({"portable", dam});
    rows.back().scene.solver.bits = pbf::Bits::portable;
    rows.push_back({"tension", dam});
    rows.back().scene.liquid[0].tension = 0.5;
    add_viscous_rows(rows, dam);
    add_mixed_rows(rows, dam);
    // As fast as a jet may be without making steps shorter than gravity does.
    rows.push_back({fountain, fountain_scene({.particles = n, .iterations = iterations, .births = 0.01, .speed = -2})});
    return rows;
}

/// Those asked for, and the plain one that they are compared with.
std::vector<Row> chosen_rows(const FluidsCommand& command) {
    std::vector<Row> rows = all_rows(command);
    std::vector<std::string> names;
    for (const Row& row : rows)
        names.push_back(row.name);
    for (const std::string& name : command.rows) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string guess = suggestion(name, names);
        throw UsageError(fmt::format("--rows: there is no row '{}'{}", name,
                                     guess.empty() ? fmt::format("; choose from {}", fmt::join(names, ", ")) : guess));
    }
    const auto is_left_out = [&](const Row& row) {
        const bool asked = std::find(command.rows.begin(), command.rows.end(), row.name) != command.rows.end();
        return !command.rows.empty() && !asked && row.name != plain;
    };
    std::erase_if(rows, is_left_out);
    return rows;
}

/// The machine's pace changes within seconds: the rows take turns step by step, and a ratio is that of two neighbours.
void measure(std::vector<Row>& rows, const FluidsCommand& command, Terminal& terminal) {
    const auto rounds = static_cast<std::size_t>(command.warmup + command.steps);
    for (std::size_t round = 0; round < rounds; ++round) {
        const bool counts = round >= static_cast<std::size_t>(command.warmup);
        for (Row& row : rows)
            counts ? row.run->measure(terminal) : row.run->warm_up(terminal);
        if (!command.json) terminal.report(round + 1, rounds, counts ? "measuring" : "warming up");
    }
    for (Row& row : rows)
        row.figures = row.run->figures();
    const std::vector<double>& base = rows[0].figures.step_ns;
    for (Row& row : rows) {
        std::vector<double> ratios;
        for (std::size_t k = 0; k < base.size(); ++k)
            ratios.push_back(row.figures.step_ns[k] / base[k]);
        row.ratio = spread_of(ratios).median;
    }
}

/// Goes on with the fountain under a killer that leaves nothing, as a user would by changing the scene.
double drain(const Row& row, const Terminal& terminal) {
    Scene scene = row.scene;
    scene.killer[0].most = 0;
    scene.emitter[0].limit = 1;
    BenchRun run(scene, row.run->snapshot());
    // The first step kills, the second sorts the dead out, and memory goes back where a frame is written.
    for (int k = 0; k < 2; ++k)
        run.warm_up(terminal);
    run.snapshot();
    run.warm_up(terminal);
    SPINDRIFT_CHECK(run.count_alive() == 0);
    return run.bytes();
}

Value to_json(const std::vector<Row>& rows, const std::optional<FountainMemory>& memory, const FluidsCommand& command) {
    Value answer = bench_json("fluids", command);
    Value::Array list;
    for (const Row& row : rows) {
        Value entry = json_table({{"name", Value(row.name)}, {"ratio_to_plain", Value(row.ratio)}});
        add_figures(entry, row.figures);
        entry.set("births_per_step", Value(row.figures.births));
        list.push_back(std::move(entry));
    }
    answer.set("rows", Value(std::move(list)));
    if (memory)
        answer.set("fountain_bytes", json_table({{"start", Value(memory->start)},
                                                 {"running", Value(memory->running)},
                                                 {"all_killed", Value(memory->all_killed)}}));
    return answer;
}

std::string to_text(const std::vector<Row>& rows, const std::optional<FountainMemory>& memory,
                    const FluidsCommand& command) {
    std::string text =
        fmt::format("fluids, {}; median of {} steps in turn\n\n{:<16} {:>10} {:>12} {:>8} {:>8} {:>15} {:>10}\n",
                    conditions_text(command), command.steps, "", "particles", "ns/particle", "best", "ratio",
                    "bytes/particle", "density");
    for (const Row& row : rows) {
        const Spread ns = spread_of(row.figures.step_ns);
        text += fmt::format("{:<16} {:>10} {:>12.1f} {:>8.1f} {:>8.2f} {:>15.1f} {:>8.3f} %\n", row.name,
                            row.figures.particles, ns.median, ns.best, row.ratio, row.figures.bytes_per_particle(),
                            100 * row.figures.mean_density_error);
        if (command.phases) text += phases_text(row.figures);
    }
    if (!memory) return text;
    const double births = rows.back().figures.births;
    return text + fmt::format(
                      "\nfountain: {:.2f} % of the particles are new in each step; {:.1f} MB filled, {:.1f} MB "
                      "running, {:.1f} MB after all were killed\n",
                      100 * births, memory->start * 1e-6, memory->running * 1e-6, memory->all_killed * 1e-6);
}

}  // namespace

void bench_fluids(const FluidsCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    std::vector<Row> rows = chosen_rows(command);
    for (Row& row : rows)
        row.run = std::make_unique<BenchRun>(row.scene);
    Row& last = rows.back();
    const double start = last.run->bytes();
    measure(rows, command, terminal);
    std::optional<FountainMemory> memory;
    if (last.name == fountain)
        memory = FountainMemory{.start = start, .running = last.figures.bytes, .all_killed = drain(last, terminal)};
    terminal.print(command.json ? json_text(to_json(rows, memory, command)) : to_text(rows, memory, command));
}

}  // namespace spindrift::cli
