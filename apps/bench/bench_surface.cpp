#include <cmath>
#include <optional>

#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include "bench/openvdb_peer.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/scene/json.h"
#include "spindrift/surface/calibrate.h"
#include "spindrift/surface/reconstruct.h"

namespace spindrift::cli {

namespace {

using surface::Function;
using surface::MeshParams;

/// Particles of a dam as it breaks.
struct Input {
    ChannelSet frame;
    Scene scene;
    collision::Walls walls;

    ConstChannel<Vec3f> x() const { return frame.find("P")->as<Vec3f>(); }
};

Input make_input(const SurfaceCommand& command, const Terminal& terminal) {
    Input input;
    input.scene = dam_break_scene(command.particles, 4);
    BenchRun run(input.scene);
    for (int k = 0; k < command.warmup; ++k)
        run.warm_up(terminal);
    input.frame = std::move(run.snapshot().channels);
    input.walls = collision::make_walls(input.scene.domain, {}, {}, 2 * bench_spacing);
    return input;
}

struct Row {
    std::string name;
    MeshParams params{};
    std::size_t liquids = 1;
    std::optional<PeerSettings> peer{};  ///< by OpenVDB in place of us
    std::vector<double> seconds{};
    std::size_t points = 0, triangles = 0;
    double bytes = 0;
    std::string hash{};
    double ratio = 1;  ///< to the first row
};

/// As OpenVDB's documentation takes them: particles count within twice the spacing.
constexpr double peer_reach = 2;

std::vector<Row> make_rows() {
    std::vector<Row> rows;
    rows.push_back({.name = "normalized d/2"});
    rows.push_back({.name = "normalized d", .params = {.voxel = 1}});
    rows.push_back({.name = "zhu_bridson d/2", .params = {.function = Function::zhu_bridson}});
    rows.push_back({.name = "color_field d/2", .params = {.function = Function::color_field}});
    rows.push_back({.name = "anisotropic d/2", .params = {.function = Function::anisotropic}});
    for (const std::size_t liquids : {2u, 4u, 15u}) {
        MeshParams together;
        together.liquids = surface::Liquids::together;
        rows.push_back({.name = fmt::format("{} liquids d/2", liquids), .params = together, .liquids = liquids});
    }
    const double R = surface::flat_level(Function::zhu_bridson, peer_reach, 0.5).value;
    for (const double voxel : {0.5, 1.0}) {
        const char* size = voxel < 1 ? "d/2" : "d";
        // What OpenVDB does not: no cutting at walls, no smoothing, no normals, no channels.
        MeshParams bare{.function = Function::zhu_bridson, .voxel = voxel, .radius = peer_reach};
        bare.smoothing = 0;
        bare.smallest_drop = 0;
        bare.clip = false;
        rows.push_back({.name = fmt::format("bare zhu_bridson {}", size), .params = bare});
        if (!has_openvdb_peer) continue;
        rows.push_back(
            {.name = fmt::format("openvdb {}", size),
             .peer = PeerSettings{
                 .radius = R * bench_spacing, .reach = peer_reach * bench_spacing, .voxel = voxel * bench_spacing}});
    }
    return rows;
}

/// Liquids as the regions around scattered points.
std::vector<std::uint16_t> paint(const Input& input, std::size_t liquids) {
    std::vector<Vec3f> seeds;
    const Box3d box = input.scene.domain->box;
    for (std::size_t k = 0; k < liquids; ++k) {
        const auto share = [&](std::uint64_t draw) { return uniform(hash_counter(3, k, draw)); };
        seeds.push_back({static_cast<float>(box.hi.x) * share(0), 0.5f * static_cast<float>(box.hi.y) * share(1),
                         static_cast<float>(box.hi.z) * share(2)});
    }
    std::vector<std::uint16_t> liquid(input.x().size());
    parallel_for(liquid.size(), [&](Range range) {
        for (const std::size_t i : range) {
            std::size_t nearest = 0;
            for (std::size_t k = 1; k < liquids; ++k) {
                const Vec3f a = input.x()[i] - seeds[k], b = input.x()[i] - seeds[nearest];
                if (dot(a, a) < dot(b, b)) nearest = k;
            }
            liquid[i] = static_cast<std::uint16_t>(nearest);
        }
    });
    return liquid;
}

std::string hash_of(const geometry::Mesh& mesh) {
    Hash64 hash;
    const auto add = [&](const void* data, std::size_t bytes) {
        hash.add(std::string_view(static_cast<const char*>(data), bytes));
    };
    add(mesh.points.data(), mesh.points.size() * sizeof(Vec3f));
    add(mesh.triangles.data(), mesh.triangles.size() * sizeof(geometry::Triangle));
    return hash.hex();
}

double bytes_of(const geometry::Mesh& mesh) {
    double bytes = static_cast<double>(mesh.points.size() * sizeof(Vec3f)) +
                   static_cast<double>(mesh.triangles.size() * sizeof(geometry::Triangle));
    for (const geometry::Attribute& each : mesh.attributes)
        bytes += static_cast<double>(each.values.size() * sizeof(float));
    return bytes;
}

void measure_ours(Row& row, const Input& input, const SurfaceCommand& command) {
    const std::size_t before = memory_in_use();
    surface::Reconstructor reconstructor;
    const std::vector<std::uint16_t> liquid =
        row.liquids > 1 ? paint(input, row.liquids) : std::vector<std::uint16_t>{};
    const ChannelArray* const channels[] = {input.frame.find("v")};
    const bool bare = !row.params.clip;
    // Once for memory that is then kept from frame to frame.
    for (int k = 0; k <= command.repeats; ++k) {
        surface::Reconstruction frame;
        const double seconds = wall_seconds([&] {
            frame = reconstructor.run({.particles = {.x = input.x(),
                                                     .liquid = liquid,
                                                     .spacing = std::vector<double>(row.liquids, bench_spacing)},
                                       .params = row.params,
                                       .channels = bare ? std::span<const ChannelArray* const>{} : std::span(channels),
                                       .walls = &input.walls});
        });
        if (k > 0) row.seconds.push_back(seconds);
        row.points = frame.surface.mesh.points.size();
        row.triangles = frame.surface.mesh.triangles.size();
        row.bytes = static_cast<double>(memory_in_use() - before) + bytes_of(frame.surface.mesh);
        row.hash = hash_of(frame.surface.mesh);
    }
}

void measure(std::vector<Row>& rows, const Input& input, const SurfaceCommand& command, Terminal& terminal) {
    std::size_t done = 0;
    for (Row& row : rows) {
        if (terminal.interrupted()) throw InterruptedError("the benchmark was interrupted");
        if (row.peer) {
            for (int k = 0; k < std::max(1, command.repeats / 2); ++k) {
                const PeerResult peer = openvdb_surface(input.x(), *row.peer);
                row.seconds.push_back(peer.seconds);
                row.points = peer.points;
                row.triangles = 2 * peer.faces;
            }
        } else {
            measure_ours(row, input, command);
        }
        row.ratio = spread_of(row.seconds).median / spread_of(rows[0].seconds).median;
        if (!command.json) terminal.report(++done, rows.size(), row.name);
    }
}

std::string to_text(const std::vector<Row>& rows, const Input& input, const SurfaceCommand& command) {
    const auto n = static_cast<double>(input.x().size());
    std::string text = fmt::format(
        "surface, {} particles, {} threads, {}, {}; median of {} frames, from unsorted particles to finished meshes\n\n"
        "{:<22} {:>9} {:>9} {:>9} {:>10} {:>8} {:>7}  {}\n",
        input.x().size(), thread_count(), isa_name(active_isa()), cpu_name(), command.repeats, "", "seconds", "best",
        "ns/p", "triangles", "bytes/p", "ratio", "hash");
    for (const Row& row : rows) {
        const Spread s = spread_of(row.seconds);
        text += fmt::format("{:<22} {:>9.3f} {:>9.3f} {:>9.1f} {:>10} {:>8.0f} {:>7.2f}  {}\n", row.name, s.median,
                            s.best, s.median * 1e9 / n, row.triangles, row.bytes / n, row.ratio, row.hash);
    }
    for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
        if (!rows[k + 1].peer) continue;
        text +=
            fmt::format("{}: {:.1f} times as fast as {}\n", rows[k].name,
                        spread_of(rows[k + 1].seconds).median / spread_of(rows[k].seconds).median, rows[k + 1].name);
    }
    if (!has_openvdb_peer) text += "OpenVDB's tools are in builds with tests: scripts/build\n";
    return text;
}

Value to_json(const std::vector<Row>& rows, const Input& input) {
    Value::Array entries;
    for (const Row& row : rows) {
        const Spread s = spread_of(row.seconds);
        entries.push_back(json_table({{"name", Value(row.name)},
                                      {"median_seconds", Value(s.median)},
                                      {"best_seconds", Value(s.best)},
                                      {"triangles", Value(static_cast<double>(row.triangles))},
                                      {"bytes_per_particle", Value(row.bytes / static_cast<double>(input.x().size()))},
                                      {"ratio_to_first", Value(row.ratio)},
                                      {"hash", Value(row.hash)}}));
    }
    return json_table({{"benchmark", Value(std::string("surface"))},
                       {"particles", Value(static_cast<double>(input.x().size()))},
                       {"threads", Value(static_cast<double>(thread_count()))},
                       {"rows", Value(std::move(entries))}});
}

}  // namespace

void bench_surface(const SurfaceCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const Input input = make_input(command, terminal);
    std::vector<Row> rows = make_rows();
    measure(rows, input, command, terminal);
    terminal.print(command.json ? json_text(to_json(rows, input)) : to_text(rows, input, command));
}

}  // namespace spindrift::cli
