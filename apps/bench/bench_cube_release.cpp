#include <algorithm>
#include <cmath>

#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include "cli/json.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

/// The scene of the comparison with DFSPH (SPlisHSPlasH) and what that took on two threads of a similar machine, in
/// another run: wall seconds per simulated second over the span.
struct CubeCase {
    int edge;  ///< particles
    double radius, span, dfsph_seconds;
};
constexpr CubeCase cases[] = {{47, 0.0104, 0.21, 68}, {80, 0.0062, 0.06, 223}};

const CubeCase& nearest_case(std::size_t particles) {
    return particles < 250'000 ? cases[0] : cases[1];
}

/// A cube of about a metre in the low corner of a box of 4 x 3 x 1.5 m, one particle diameter off its walls.
Scene cube_scene(const CubeCase& c, const CubeReleaseCommand& command) {
    const double d = 2 * c.radius, high = d + c.edge * d;
    Scene scene = bench_scene({{0, 0, 0}, {4, 3, 1.5}}, {{d, d, d}, {high, high, high}}, d);
    scene.solver.tolerance = command.error;
    // A tolerance of a percent has room for steps in which gravity moves a particle farther.
    if (command.error >= 0.01) scene.solver.fall *= 2;
    scene.solver.iterations = command.iterations;
    return scene;
}

struct CubeResult {
    std::size_t particles = 0;
    double span = 0, wall_seconds = 0, mean_density_error = 0;
    int steps = 0, missed = 0;
    double iterations = 0;

    double seconds_per_second() const { return wall_seconds / span; }
};

CubeResult measure(const Scene& scene, double span, Terminal& terminal) {
    sim::Simulation simulation(scene);
    simulation.fill();
    CubeResult r;
    std::vector<float> densities;
    while (r.span < span * (1 - 1e-9)) {
        if (terminal.interrupted()) throw InterruptedError("stopped; a benchmark cannot go on later");
        const double dt = std::min(simulation.choose_dt(), span - r.span);
        fluid::StepReport report;
        r.wall_seconds += wall_seconds([&] { report = simulation.advance(dt); });
        r.span += dt;
        r.steps += 1;
        r.missed += report.flags.has(fluid::StepFlag::not_converged) ? 1 : 0;
        r.iterations += report.iterations;
        r.mean_density_error += simulation.solver().measure_density(simulation.particles(), densities).mean_error;
    }
    r.particles = simulation.particle_count();
    r.iterations /= r.steps;
    r.mean_density_error /= r.steps;
    return r;
}

}  // namespace

void bench_cube_release(const CubeReleaseCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const CubeCase& c = nearest_case(command.particles);
    const CubeResult r = measure(cube_scene(c, command), command.span.value_or(c.span), terminal);
    const double ratio = c.dfsph_seconds / r.seconds_per_second();
    if (command.json) {
        return terminal.print(json_text(json_table({{"benchmark", Value("cube_release")},
                                                    {"particles", json_count(r.particles)},
                                                    {"threads", Value(std::int64_t{thread_count()})},
                                                    {"tolerance", Value(command.error)},
                                                    {"span", Value(r.span)},
                                                    {"seconds_per_second", Value(r.seconds_per_second())},
                                                    {"mean_density_error", Value(r.mean_density_error)},
                                                    {"steps", Value(std::int64_t{r.steps})},
                                                    {"iterations", Value(r.iterations)},
                                                    {"steps_not_converged", Value(std::int64_t{r.missed})},
                                                    {"dfsph_seconds_per_second", Value(c.dfsph_seconds)},
                                                    {"times_as_fast_as_dfsph", Value(ratio)},
                                                    {"machine", machine_json()}})));
    }
    terminal.print(fmt::format(
        "cube release  {} particles, first {:.3g} s, tolerance {:.3g} %, {} threads, {}\n"
        "speed         {:.2f} wall seconds per simulated second\n"
        "density       {:.3f} % mean error over the run\n"
        "steps         {} of {:.1f} iterations, {} of them not within the tolerance\n"
        "DFSPH         {:.0f} s/s, measured in another run on a similar machine with 2 threads: {:.1f} times as fast\n",
        r.particles, r.span, 100 * command.error, thread_count(), cpu_name(), r.seconds_per_second(),
        100 * r.mean_density_error, r.steps, r.iterations, r.missed, c.dfsph_seconds, ratio));
}

}  // namespace spindrift::cli
