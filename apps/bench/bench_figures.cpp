#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include <fmt/format.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

/// A row of Table 1 of Alduan et al. 2017, measured there on 6 cores and a GPU.
struct PaperFigure {
    const char *name, *text;
    std::size_t particles;
    double ms_per_step, megabytes;
    Scene (*make)(std::size_t particles, int iterations);

    double ns_per_particle() const { return ms_per_step * 1e6 / static_cast<double>(particles); }
};

/// A jet of 4 m/s; a particle lives for some thousand steps.
Scene paper_fountain(std::size_t particles, int iterations) {
    return fountain_scene({.particles = particles, .iterations = iterations, .births = 0.001, .speed = 4});
}

constexpr PaperFigure paper_figures[] = {{"fig2", "Rayleigh-Taylor, 10:1", 500'000, 364, 574, rayleigh_taylor_scene},
                                         {"fig18", "fountain", 947'000, 649, 465, paper_fountain}};

struct Measured {
    const PaperFigure* paper;
    BenchFigures figures;
    double peak_bytes;  ///< of the process so far

    double ms_per_step() const {
        return spread_of(figures.step_ns).median * static_cast<double>(figures.particles) * 1e-6;
    }
};

Measured measure(const PaperFigure& paper, const FiguresCommand& command, Terminal& terminal) {
    BenchRun run(paper.make(command.particles.value_or(paper.particles), command.iterations));
    const auto steps = static_cast<std::size_t>(command.warmup + command.steps);
    for (std::size_t k = 0; k < steps; ++k) {
        k < static_cast<std::size_t>(command.warmup) ? run.warm_up(terminal) : run.measure(terminal);
        if (!command.json) terminal.report(k + 1, steps, paper.text);
    }
    const auto peak = static_cast<double>(peak_resident_bytes());
    return {&paper, run.figures(), peak};
}

Value to_json(const std::vector<Measured>& all, const FiguresCommand& command) {
    Value answer = bench_json("figures", command);
    Value::Array rows;
    for (const Measured& m : all) {
        Value row = json_table({{"name", Value(m.paper->name)},
                                {"ms_per_step", Value(m.ms_per_step())},
                                {"megabytes", Value(m.figures.bytes * 1e-6)},
                                {"peak_resident_megabytes", Value(m.peak_bytes * 1e-6)},
                                {"births_per_step", Value(m.figures.births)},
                                {"paper", json_table({{"particles", json_count(m.paper->particles)},
                                                      {"ms_per_step", Value(m.paper->ms_per_step)},
                                                      {"ns_per_particle_step", Value(m.paper->ns_per_particle())},
                                                      {"megabytes", Value(m.paper->megabytes)}})}});
        add_figures(row, m.figures);
        rows.push_back(std::move(row));
    }
    answer.set("rows", Value(std::move(rows)));
    return answer;
}

std::string to_text(const std::vector<Measured>& all, const FiguresCommand& command) {
    constexpr const char* line = "{:<30} {:>10} {:>10} {:>13} {:>8}\n";
    std::string text = fmt::format("figures of Alduan et al. 2017, {}; median of {} steps\n\n",
                                   conditions_text(command), command.steps);
    text += fmt::format(line, "", "particles", "ms/step", "ns/particle", "MB");
    const auto number = [](double value) { return fmt::format("{:.1f}", value); };
    for (const Measured& m : all) {
        text += fmt::format(line, fmt::format("{} {}", m.paper->name, m.paper->text), m.figures.particles,
                            number(m.ms_per_step()), number(spread_of(m.figures.step_ns).median),
                            number(m.figures.bytes * 1e-6));
        text += fmt::format(line, "  the paper, 6 cores and a GPU", m.paper->particles, number(m.paper->ms_per_step),
                            number(m.paper->ns_per_particle()), number(m.paper->megabytes));
    }
    return text + fmt::format("\nThe process had {:.0f} MB at its largest.\n", all.back().peak_bytes * 1e-6);
}

}  // namespace

void bench_figures(const FiguresCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    std::vector<Measured> all;
    for (const PaperFigure& paper : paper_figures)
        all.push_back(measure(paper, command, terminal));
    terminal.print(command.json ? json_text(to_json(all, command)) : to_text(all, command));
}

}  // namespace spindrift::cli
