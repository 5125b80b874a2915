#include "bench/command_line.h"

#include "bench/commands.h"
#include "cli/verb_builder.h"
#include <fmt/format.h>

#include "spindrift/core/errors.h"

namespace spindrift::cli {

namespace {

double parse_share(const std::string& text) {
    std::size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text, &used);
    } catch (const std::logic_error&) {
        used = 0;
    }
    const std::string unit = text.substr(used);
    const double share = unit == "%" ? value / 100 : value;
    if (used == 0 || !(unit.empty() || unit == "%") || !(share >= 0 && share <= 1))
        throw UsageError(fmt::format("--error {}: expected a share such as 1% or 0.001", text));
    return share;
}

class BenchBuilder : VerbBuilder {
  public:
    explicit BenchBuilder(CommandLine& line) : VerbBuilder(line) {}

    void build(CLI::App& parent) {
        CLI::App* bench = parent.add_subcommand("bench", "Measure speed and accuracy")->require_subcommand(1);
        add_step_benches(*bench);
        add_frame_benches(*bench);
        add_surface_benches(*bench);
        {
            const auto [app, command] = add_verb<CubeReleaseCommand>(
                *bench, "cube_release", "A released cube of water against DFSPH at a density error",
                bench_cube_release);
            add_number(app, "-n,--particles", command->particles, "104000 or 512000");
            const auto set_error = [c = command.get()](const std::string& text) { c->error = parse_share(text); };
            app->add_option_function<std::string>("--error", set_error, "Mean density error to reach, 1% or 0.1%")
                ->type_name("SHARE");
            app->add_option("--span", command->span, "Simulated seconds; those of the reference if not given")
                ->type_name("SECONDS")
                ->check(CLI::Validator(CLI::PositiveNumber).description(""));
            add_number(app, "--iterations", command->iterations, "Most iterations per step");
            add_threads(app, command->threads);
            add_json(app, command->json);
        }
        const auto [app, command] = add_verb<NeighborsCommand>(
            *bench, "neighbors", "Neighbour searches and sorts side by side, on one thread", bench_neighbors);
        add_number(app, "-n,--particles", command->particles, "Particles");
        add_json(app, command->json);
    }

  private:
    void add_step_benches(CLI::App& bench) {
        {
            const auto [app, command] = add_verb<DamBreakCommand>(
                bench, "dam_break", "Time of a step in a breaking dam, by phases", bench_dam_break);
            add_number(app, "-n,--particles", command->particles, "About this many particles");
            add_steps(app, *command);
        }
        {
            const auto [app, command] = add_verb<FluidsCommand>(
                bench, "fluids", "Steps of all kinds of liquid against those of plain water", bench_fluids);
            add_number(app, "-n,--particles", command->particles, "About this many particles in each row");
            app->add_option("--rows", command->rows, "Rows beside the plain one, as tension,fountain; all if not given")
                ->delimiter(',')
                ->allow_extra_args(false)
                ->type_name("LIST");
            app->add_flag("--phases", command->phases, "Tell the phases of a step");
            add_steps(app, *command);
        }
        {
            const auto [app, command] = add_verb<CollisionsCommand>(
                bench, "collisions", "Steps beside distance fields against those in a box, and the making of fields",
                bench_collisions);
            add_number(app, "-n,--particles", command->particles, "About this many particles in each row");
            app->add_flag("--phases", command->phases, "Tell the phases of a step");
            add_steps(app, *command);
        }
        {
            const auto [app, command] = add_verb<BodiesCommand>(
                bench, "bodies", "Steps with floating bodies against those without", bench_bodies);
            add_number(app, "-n,--particles", command->particles, "About this many particles in each row");
            add_number(app, "--bodies", command->bodies, "Crates that float in the pool");
            app->add_flag("--phases", command->phases, "Tell the phases of a step");
            add_steps(app, *command);
        }
    }

    void add_frame_benches(CLI::App& bench) {
        {
            const auto [app, command] = add_verb<AdaptiveCommand>(
                bench, "adaptive", "Frames with levels of detail against those with all iterations everywhere",
                bench_adaptive);
            app->add_option("SCENE", command->scenes, "Scene files; the three of examples/adaptive if not given");
            add_number(app, "--frames", command->frames, "Frames to simulate");
            app->add_option("--fewest", command->fewest, "Iterations of the lowest level, if other than the scene's")
                ->type_name("N")
                ->check(from_to(1, 100));
            add_threads(app, command->threads);
            add_json(app, command->json);
        }
        {
            const auto [app, command] = add_verb<FlipCommand>(
                bench, "flip", "Frames of a breaking dam on a grid beside their goals, by phases", bench_flip);
            app->add_option("--resolution", command->resolution, "Cells along the box, of 8 particles: 8 to 512")
                ->type_name("N")
                ->check(from_to(8, 512))
                ->capture_default_str();
            app->add_option("--solver", command->solver, "flip, apic or pic")->type_name("WORD")->capture_default_str();
            app->add_option("--frames", command->frames, "Frames to measure; 24, or 5 above a resolution of 64")
                ->type_name("N")
                ->check(from_to(1, 100000));
            add_threads(app, command->threads);
            add_json(app, command->json);
        }
        {
            const auto [app, command] = add_verb<FiguresCommand>(
                bench, "figures", "Scenes of Alduan et al. 2017 beside the times and sizes of their Table 1",
                bench_figures);
            add_number(app, "-n,--particles", command->particles, "Particles; those of the paper if not given");
            add_steps(app, *command);
        }
    }

    void add_surface_benches(CLI::App& bench) {
        {
            const auto [app, command] = add_verb<SurfaceCommand>(
                bench, "surface", "Meshes of a breaking dam by all functions, and by OpenVDB's own tools",
                bench_surface);
            add_number(app, "-n,--particles", command->particles, "About this many particles");
            add_number(app, "--warmup", command->warmup, "Steps before measuring", 0);
            add_number(app, "--repeats", command->repeats, "Frames to measure");
            add_threads(app, command->threads);
            add_json(app, command->json);
        }
        {
            const auto [app, command] = add_verb<WhitewaterBenchCommand>(
                bench, "whitewater", "Frames of spray, foam and bubbles over a wavy pool", bench_whitewater);
            add_number(app, "-n,--particles", command->particles, "About this many particles of liquid");
            add_number(app, "--whitewater", command->whitewater, "Particles of whitewater");
            add_number(app, "--repeats", command->repeats, "Frames to measure");
            add_threads(app, command->threads);
            add_json(app, command->json);
        }
        {
            const auto [app, command] = add_verb<RenderBenchCommand>(
                bench, "render", "Pictures of wavy water and of particles, and rays beside the ray tracer's best",
                bench_render);
            add_number(app, "--triangles", command->triangles, "About this many triangles of water", 2000);
            add_number(app, "-n,--particles", command->particles, "Particles");
            app->add_option("--width", command->width, "Of the pictures, 16:9, in pixels")
                ->type_name("N")
                ->check(from_to(16, 16384))
                ->capture_default_str();
            add_number(app, "--repeats", command->repeats, "Pictures of each kind to measure");
            add_threads(app, command->threads);
            add_json(app, command->json);
        }
    }

    void add_steps(CLI::App* app, StepsCommand& command) {
        add_number(app, "--iterations", command.iterations, "Iterations per step");
        add_number(app, "--warmup", command.warmup, "Steps before measuring", 0);
        add_number(app, "--steps", command.steps, "Steps to measure");
        add_threads(app, command.threads);
        add_json(app, command.json);
    }
};

}  // namespace

void add_benchmarks(CLI::App& app, CommandLine& line) {
    BenchBuilder(line).build(app);
}

}  // namespace spindrift::cli
