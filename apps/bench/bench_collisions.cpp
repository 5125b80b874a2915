#include <cmath>
#include <filesystem>
#include <numbers>

#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include <fmt/format.h>
#include <unistd.h>

#include "spindrift/collision/fields/make_field.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;
using geometry::Mesh;

/// A folder for the mesh that scenes read, gone with this object.
class ScratchFolder {
  public:
    ScratchFolder() : path_(fs::temp_directory_path() / fmt::format("spindrift-bench-{}", getpid())) {
        fs::create_directories(path_);
    }
    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// A grid of (rows + 1) x columns points, closed around and by a point at either end.
template <class Point>
void add_tube(Mesh& mesh, std::uint32_t rows, std::uint32_t columns, const Point& point, Vec3f low_end,
              Vec3f high_end) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (std::uint32_t r = 0; r <= rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c)
            mesh.points.push_back(point(static_cast<double>(r) / rows, static_cast<double>(c) / columns));
    }
    const auto low = static_cast<std::uint32_t>(mesh.points.size()), high = low + 1;
    mesh.points.push_back(low_end);
    mesh.points.push_back(high_end);
    for (std::uint32_t c = 0; c < columns; ++c) {
        const std::uint32_t next = (c + 1) % columns;
        mesh.triangles.push_back({low, first + c, first + next});
        mesh.triangles.push_back({high, first + rows * columns + next, first + rows * columns + c});
        for (std::uint32_t r = 0; r < rows; ++r) {
            const std::uint32_t a = first + r * columns + c, b = first + r * columns + next;
            mesh.triangles.push_back({a, a + columns, b + columns});
            mesh.triangles.push_back({a, b + columns, b});
        }
    }
}

/// Pillars of three spacings' radius, rough, sixteen spacings apart: a fifth of the liquid between them is within a
/// support radius of one.
Mesh pillars(const Box3d& box, double spacing) {
    Mesh mesh;
    const double apart = 16 * spacing;
    for (double z = apart / 2; z < box.hi.z; z += apart) {
        for (double x = apart / 2; x < box.hi.x; x += apart) {
            const auto point = [&](double v, double u) {
                const double angle = 2 * std::numbers::pi * u, y = box.hi.y * (1.1 * v - 0.05);
                const double r = spacing * (3 + 0.5 * std::sin(5 * angle + 40 * v) * std::cos(60 * v));
                return vec_cast<float>(Vec3d{x + r * std::cos(angle), y, z + r * std::sin(angle)});
            };
            add_tube(mesh, 60, 24, point, vec_cast<float>(Vec3d{x, -0.05 * box.hi.y, z}),
                     vec_cast<float>(Vec3d{x, 1.05 * box.hi.y, z}));
        }
    }
    return mesh;
}

/// A ball of unit radius with bumps.
Mesh bumpy_ball(std::uint32_t rows) {
    Mesh mesh;
    const auto point = [](double v, double u) {
        const double polar = std::numbers::pi * (0.01 + 0.98 * v), angle = 2 * std::numbers::pi * u;
        const double r = 1 + 0.05 * std::sin(9 * polar) * std::cos(8 * angle);
        return vec_cast<float>(
            Vec3d{r * std::sin(polar) * std::cos(angle), -r * std::cos(polar), r * std::sin(polar) * std::sin(angle)});
    };
    add_tube(mesh, rows, 2 * rows, point, {0, -1, 0}, {0, 1, 0});
    return mesh;
}

/// The making of one field.
struct Making {
    std::string name;
    std::size_t triangles = 0, bytes = 0, dense_bytes = 0;
    double seconds = 0;
};

Making make(const std::string& name, std::uint32_t rows, int cells) {
    const Mesh ball = bumpy_ball(rows);
    collision::FieldSettings settings{.cell = 2.0 / cells, .name = name};
    settings.band = settings.depth = 3 * settings.cell;
    Making best{.name = name, .triangles = ball.triangles.size(), .seconds = 1e30};
    for (int repeat = 0; repeat < 3; ++repeat) {
        collision::Field field;
        best.seconds = std::min(best.seconds, wall_seconds([&] { field = make_field(ball, settings); }));
        best.bytes = field.bytes();
        best.dense_bytes = static_cast<std::size_t>(field.bricks.x) * static_cast<std::size_t>(field.bricks.y) *
                           static_cast<std::size_t>(field.bricks.z) * 512 * 4;
    }
    return best;
}

std::vector<BenchRow> make_rows(const CollisionsCommand& command, const fs::path& folder) {
    const Scene dam = dam_break_scene(command.particles, command.iterations);
    std::vector<BenchRow> rows;
    rows.push_back({"box", dam});
    BenchRow& tank = rows.emplace_back(BenchRow{"field_box", dam});
    collision::ColliderParams container;
    container.name = "tank";
    container.box = dam.domain->box;
    container.mode = collision::Mode::solid_outside;
    tank.scene.collider = {container};
    tank.scene.domain.reset();
    BenchRow& forest = rows.emplace_back(BenchRow{"pillars", dam});
    geometry::write_ply(folder / "pillars.ply", pillars(dam.domain->box, bench_spacing));
    collision::ColliderParams collider;
    collider.name = "pillars";
    collider.mesh = "pillars.ply";
    forest.scene.collider = {collider};
    forest.scene.file = folder / "bench.toml";
    return rows;
}

std::string to_text(const std::vector<BenchRow>& rows, const std::vector<Making>& makings,
                    const CollisionsCommand& command) {
    std::string text = fmt::format(
        "collisions, {}; median of {} steps in turn\n\n{:<12} {:>10} {:>12} {:>8} {:>8} {:>10}\n",
        conditions_text(command), command.steps, "", "particles", "ns/particle", "best", "ratio", "density");
    for (const BenchRow& row : rows) {
        const Spread ns = spread_of(row.figures.step_ns);
        text += fmt::format("{:<12} {:>10} {:>12.1f} {:>8.1f} {:>8.2f} {:>8.3f} %\n", row.name, row.figures.particles,
                            ns.median, ns.best, row.ratio, 100 * row.figures.mean_density_error);
        if (command.phases) text += phases_text(row.figures);
    }
    text += fmt::format("\n{:<12} {:>10} {:>12} {:>12} {:>12}\n", "field", "triangles", "seconds", "MB", "MB dense");
    for (const Making& each : makings) {
        text += fmt::format("{:<12} {:>10} {:>12.3f} {:>12.1f} {:>12.1f}\n", each.name, each.triangles, each.seconds,
                            static_cast<double>(each.bytes) * 1e-6, static_cast<double>(each.dense_bytes) * 1e-6);
    }
    return text;
}

Value to_json(const std::vector<BenchRow>& rows, const std::vector<Making>& makings, const CollisionsCommand& command) {
    Value answer = bench_json("collisions", command);
    Value::Array steps, fields;
    for (const BenchRow& row : rows) {
        Value entry = json_table({{"name", Value(row.name)}, {"ratio_to_box", Value(row.ratio)}});
        add_figures(entry, row.figures);
        steps.push_back(std::move(entry));
    }
    for (const Making& each : makings) {
        fields.push_back(json_table({{"name", Value(each.name)},
                                     {"triangles", Value(static_cast<double>(each.triangles))},
                                     {"seconds", Value(each.seconds)},
                                     {"bytes", Value(static_cast<double>(each.bytes))},
                                     {"dense_bytes", Value(static_cast<double>(each.dense_bytes))}}));
    }
    answer.set("rows", Value(std::move(steps)));
    answer.set("fields", Value(std::move(fields)));
    return answer;
}

}  // namespace

void bench_collisions(const CollisionsCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const ScratchFolder folder;
    const std::vector<Making> makings = {make("ball_256", 158, 256), make("ball_128", 71, 128)};
    std::vector<BenchRow> rows = make_rows(command, folder.path());
    measure_in_turn(rows, command, terminal);
    terminal.print(command.json ? json_text(to_json(rows, makings, command)) : to_text(rows, makings, command));
}

}  // namespace spindrift::cli
