#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/bench_rays.h"
#include "bench/bench_water.h"
#include "bench/commands.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/parallel.h"
#include "spindrift/render/render.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

using render::Quality;
using render::RenderParams;
using render::RenderScene;
using render::RenderStatistics;

/// Share of the ray tracer's best that our rays are to reach.
constexpr double ray_goal = 0.6;

struct Row {
    std::string name;
    const RenderScene* scene;
    Quality quality = Quality::draft;
    double goal = 0;  ///< s
    std::vector<double> seconds{};
    RenderStatistics statistics{};  ///< of the fastest
    std::string hash{};

    double rays_per_second() const {
        return static_cast<double>(statistics.rays) / (statistics.trace_seconds + statistics.photon_seconds);
    }
};

geometry::Camera bench_camera() {
    return {.position = {1.2, 1.9, 4.2}, .target = {0, 0.35, 0}};
}

RenderParams bench_params(const RenderBenchCommand& command, Quality quality) {
    RenderParams params;
    params.resolution = {command.width, std::max(1, command.width * 9 / 16)};
    params.quality = quality;
    return params;
}

/// What is drawn, and its scenes.
struct Input {
    geometry::Mesh water;
    double spacing = 0;
    std::vector<Vec3f> x;
    std::vector<float> values;
    RenderScene mesh{}, particles{};

    explicit Input(const RenderBenchCommand& command)
        : water(wavy_water(command.triangles)), x(wavy_particles(command.particles, spacing)) {
        for (const Vec3f& each : x)
            values.push_back(each.y);
        mesh.radius = 0.005f;
        mesh.ground = particles.ground = 0.0;
        mesh.floor.tiles = 0.25;
        mesh.liquids = {{.mesh = &water}};
        particles.positions = x;
        particles.radius = static_cast<float>(0.5 * spacing);
        particles.values = values;
    }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
};

void measure(Row& row, const RenderBenchCommand& command, const Terminal& terminal) {
    for (int k = 0; k < command.repeats; ++k) {
        if (terminal.interrupted()) throw InterruptedError("stopped; a benchmark cannot go on later");
        RenderStatistics statistics;
        render::Picture picture;
        const double seconds = wall_seconds([&] {
            picture = render::render(*row.scene, bench_camera(), bench_params(command, row.quality),
                                     {.statistics = &statistics});
        });
        if (row.seconds.empty() || seconds < spread_of(row.seconds).best) row.statistics = statistics;
        row.seconds.push_back(seconds);
        row.hash = Hash64().add(picture.image.pixels.data(), picture.image.pixels.size() * sizeof(Vec3f)).hex();
    }
}

std::vector<RayFigures> measure_all_rays(const Input& input, const RenderBenchCommand& command) {
    const geometry::View view(bench_camera(), bench_params(command, Quality::preview).resolution);
    const render::RayScene stage(input.mesh, view, {.ground = input.mesh.ground});
    std::vector<RayFigures> figures{measure_rays(stage, view, command.repeats, 1)};
    if (thread_count() > 1) figures.push_back(measure_rays(stage, view, command.repeats, thread_count()));
    return figures;
}

std::string to_text(const std::vector<Row>& rows, const std::vector<RayFigures>& rays, const Input& input,
                    const RenderBenchCommand& command) {
    const auto [width, height] = bench_params(command, Quality::draft).resolution;
    std::string text = fmt::format(
        "render, {} x {}, {} triangles, {} particles, {} threads, {}, {}; median of {}, phases of the best\n\n"
        "{:<20} {:>8} {:>6} {:>7} {:>8} {:>8} {:>7} {:>8}  {}\n",
        width, height, input.water.triangles.size(), input.x.size(), thread_count(), isa_name(active_isa()), cpu_name(),
        command.repeats, "", "seconds", "goal", "build", "photons", "tracing", "finish", "Mrays/s", "hash");
    for (const Row& row : rows) {
        const RenderStatistics& s = row.statistics;
        text += fmt::format("{:<20} {:>8.3f} {:>6.1f} {:>7.3f} {:>8.3f} {:>8.3f} {:>7.3f} {:>8.2f}  {}\n", row.name,
                            spread_of(row.seconds).median, row.goal, s.build_seconds, s.photon_seconds, s.trace_seconds,
                            s.finish_seconds, 1e-6 * row.rays_per_second(), row.hash);
    }
    text += fmt::format("\n{:<20} {:>8} {:>12} {:>12} {:>7} {:>6}\n", "first rays, Mrays/s", "ours", "intersect8",
                        "intersect1", "share", "goal");
    for (const RayFigures& r : rays) {
        text += fmt::format("{:<20} {:>8.2f} {:>12.2f} {:>12.2f} {:>6.0f}% {:>5.0f}%\n",
                            fmt::format("{} thread{}", r.threads, r.threads == 1 ? "" : "s"), 1e-6 * r.ours,
                            1e-6 * r.packets, 1e-6 * r.single, 100 * r.share(), 100 * ray_goal);
    }
    return text;
}

Value to_json(const std::vector<Row>& rows, const std::vector<RayFigures>& rays, const Input& input) {
    Value::Array entries, rates;
    for (const Row& row : rows) {
        entries.push_back(json_table({{"name", Value(row.name)},
                                      {"median_seconds", Value(spread_of(row.seconds).median)},
                                      {"best_seconds", Value(spread_of(row.seconds).best)},
                                      {"goal_seconds", Value(row.goal)},
                                      {"build_seconds", Value(row.statistics.build_seconds)},
                                      {"photon_seconds", Value(row.statistics.photon_seconds)},
                                      {"trace_seconds", Value(row.statistics.trace_seconds)},
                                      {"finish_seconds", Value(row.statistics.finish_seconds)},
                                      {"rays", Value(static_cast<double>(row.statistics.rays))},
                                      {"rays_per_second", Value(row.rays_per_second())},
                                      {"hash", Value(row.hash)}}));
    }
    for (const RayFigures& r : rays) {
        rates.push_back(json_table({{"threads", Value(std::int64_t{r.threads})},
                                    {"rays_per_second", Value(r.ours)},
                                    {"embree_packets", Value(r.packets)},
                                    {"embree_single", Value(r.single)},
                                    {"share", Value(r.share())},
                                    {"goal", Value(ray_goal)}}));
    }
    return json_table({{"benchmark", Value(std::string("render"))},
                       {"triangles", json_count(input.water.triangles.size())},
                       {"particles", json_count(input.x.size())},
                       {"threads", Value(std::int64_t{thread_count()})},
                       {"machine", machine_json()},
                       {"rows", Value(std::move(entries))},
                       {"first_rays", Value(std::move(rates))}});
}

}  // namespace

void bench_render(const RenderBenchCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const Input input(command);
    std::vector<Row> rows{{.name = "draft, water", .scene = &input.mesh, .goal = 1.5},
                          {.name = "preview, water", .scene = &input.mesh, .quality = Quality::preview, .goal = 10},
                          {.name = "draft, particles", .scene = &input.particles, .goal = 2}};
    std::size_t done = 0;
    for (Row& row : rows) {
        measure(row, command, terminal);
        if (!command.json) terminal.report(++done, rows.size(), row.name);
    }
    const std::vector<RayFigures> rays = measure_all_rays(input, command);
    terminal.print(command.json ? json_text(to_json(rows, rays, input)) : to_text(rows, rays, input, command));
}

}  // namespace spindrift::cli
