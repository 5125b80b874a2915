#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/isa.h"
#include "spindrift/core/parallel.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

BenchFigures measure(const DamBreakCommand& command, const Terminal& terminal) {
    BenchRun run(dam_break_scene(command.particles, command.iterations));
    for (int k = 0; k < command.warmup; ++k)
        run.warm_up(terminal);
    for (int k = 0; k < command.steps; ++k)
        run.measure(terminal);
    return run.figures();
}

Value to_json(const BenchFigures& figures, const DamBreakCommand& command) {
    Value answer = bench_json("dam_break", command);
    add_figures(answer, figures);
    return answer;
}

std::string to_text(const BenchFigures& f, const DamBreakCommand& command) {
    const Spread ns = spread_of(f.step_ns);
    return fmt::format(
        "dam break    {} particles, {}\n"
        "step         {:.1f} ns/particle (median of {}; best {:.1f}, mean {:.1f})\n"
        "{}"
        "memory       {:.1f} bytes/particle\n"
        "density      {:.3f} % mean error, {:.1f} neighbours\n"
        "coarse       {:.1f} iterations per step\n"
        "substeps     {:.0f} per frame\n"
        "hash         {}\n",
        f.particles, conditions_text(command), ns.median, command.steps, ns.best, ns.mean, phases_text(f),
        f.bytes_per_particle(), 100 * f.mean_density_error, f.neighbors, f.coarse_iterations,
        f.substeps, f.hash);
}

}  // namespace

void bench_dam_break(const DamBreakCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const BenchFigures figures = measure(command, terminal);
    terminal.print(command.json ? json_text(to_json(figures, command)) : to_text(figures, command));
}

}  // namespace spindrift::cli
