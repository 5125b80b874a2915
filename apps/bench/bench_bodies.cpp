// Bodies in a pool: what the coupling adds to the liquid's step, beside the paper's scenes with bodies.

#include <cmath>

#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

/// Alduan et al. 2017, Table 1: ns per particle and step.
constexpr double paper_rigid = 3200e6 / 3.5e6, paper_deformable = 980e6 / 750e3;

/// A pool twice as wide as deep, with a hand's breadth of air above.
Scene pool_scene(const BodiesCommand& command) {
    const double deep = bench_spacing * std::floor(std::cbrt(static_cast<double>(command.particles) / 4));
    Scene scene = bench_scene({{0, 0, 0}, {2 * deep, 2 * deep, 2 * deep}}, {{0, 0, 0}, {2 * deep, deep, 2 * deep}},
                              bench_spacing);
    scene.solver.iterations = command.iterations;
    return scene;
}

/// Cubes half under water on a square grid.
void add_cubes(Scene& scene, int count, bodies::BodyParams cube) {
    const Box3d room = scene.domain->box;
    const int side = std::max(1, static_cast<int>(std::ceil(std::sqrt(count))));
    const double apart = room.hi.x / side, half = std::min(0.04, 0.3 * apart);
    cube.box = Box3d{{-half, -half, -half}, {half, half, half}};
    for (int k = 0; k < count; ++k) {
        cube.name = fmt::format("cube_{}", k);
        cube.position = Vec3d{(k % side + 0.5) * apart, room.hi.y / 2, (k / side + 0.5) * apart};
        scene.body.push_back(cube);
    }
}

std::vector<BenchRow> make_rows(const BodiesCommand& command) {
    const Scene pool = pool_scene(command);
    std::vector<BenchRow> rows;
    rows.push_back({"pool", pool});
    bodies::BodyParams crate;
    crate.density = 500;
    add_cubes(rows.emplace_back(BenchRow{"crates", pool}).scene, command.bodies, crate);
    bodies::BodyParams jelly;
    jelly.kind = bodies::Kind::soft;
    jelly.density = 700;
    jelly.soft.young = 3e4;
    add_cubes(rows.emplace_back(BenchRow{"jelly", pool}).scene, std::max(1, command.bodies / 10), jelly);
    return rows;
}

double paper_of(const BenchRow& row) {
    return row.name == "crates" ? paper_rigid : row.name == "jelly" ? paper_deformable : 0;
}

std::string to_text(const std::vector<BenchRow>& rows, const BodiesCommand& command) {
    std::string text =
        fmt::format("bodies, {}; median of {} steps in turn\n\n{:<12} {:>10} {:>8} {:>12} {:>8} {:>8} {:>14}\n",
                    conditions_text(command), command.steps, "", "particles", "bodies", "ns/particle", "best", "ratio",
                    "ns of the paper");
    for (const BenchRow& row : rows) {
        const Spread ns = spread_of(row.figures.step_ns);
        const std::string paper = paper_of(row) > 0 ? fmt::format("{:.0f}", paper_of(row)) : "";
        text += fmt::format("{:<12} {:>10} {:>8} {:>12.1f} {:>8.1f} {:>8.2f} {:>14}\n", row.name, row.figures.particles,
                            row.scene.body.size(), ns.median, ns.best, row.ratio, paper);
        if (command.phases) text += phases_text(row.figures);
    }
    return text;
}

Value to_json(const std::vector<BenchRow>& rows, const BodiesCommand& command) {
    Value answer = bench_json("bodies", command);
    Value::Array steps;
    for (const BenchRow& row : rows) {
        Value entry = json_table({{"name", Value(row.name)},
                                  {"bodies", Value(static_cast<double>(row.scene.body.size()))},
                                  {"ratio_to_pool", Value(row.ratio)},
                                  {"paper_ns", Value(paper_of(row))}});
        add_figures(entry, row.figures);
        steps.push_back(std::move(entry));
    }
    answer.set("rows", Value(std::move(steps)));
    return answer;
}

}  // namespace

void bench_bodies(const BodiesCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    std::vector<BenchRow> rows = make_rows(command);
    measure_in_turn(rows, command, terminal);
    terminal.print(command.json ? json_text(to_json(rows, command)) : to_text(rows, command));
}

}  // namespace spindrift::cli
