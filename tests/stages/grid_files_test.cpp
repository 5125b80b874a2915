// Grids of solvers that have one, as the cache holds them.

#include <algorithm>
#include <cmath>
#include <utility>

#include "complaint.h"
#include "playback.h"
#include "temporary_folder.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/grid/vdb_file.h"
#include "spindrift/io/npz.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;
using grid::Volume;

constexpr double g = 9.81, density = 1000, spacing = 0.03, cell = 2 * spacing;
const std::string head = "[output]\ngrids = [\"pressure\", \"vel\", \"surface\"]\n";

/// Water 0.48 m deep in a tank of whole cells.
const std::string tank = head + R"(
    [domain]
    box = [[0, 0, 0], [0.48, 0.96, 0.48]]
    [[liquid]]
    density = 1000
    spacing = 0.03
    fill = { box = [[0, 0, 0], [0.48, 0.48, 0.48]] })";

/// A block that falls without anything below.
const std::string falling = head + R"(
    [[liquid]]
    spacing = 0.03
    fill = { box = [[0, 0, 0], [0.3, 0.3, 0.3]] })";

/// A column that collapses beside a block that moves, around a post.
const std::string busy = head + R"(
    [domain]
    box = [[0, 0, 0], [0.9, 0.6, 0.3]]
    [[liquid]]
    spacing = 0.03
    fill = { box = [[0, 0, 0], [0.3, 0.45, 0.3]] }
    [[collider]]
    sphere = { center = [0.6, 0.1, 0.15], radius = 0.1 }
    position = [[1, [0, 0, 0]], [10, [-0.1, 0, 0]]]
    [[body]]
    box = [[0.36, 0.01, 0.09], [0.48, 0.13, 0.21]]
    density = 500)";

class GridFiles : public ::testing::Test {
  protected:
    Scene scene(const std::string& text, int last, const std::string& method = "apic") {
        Scene made = parse_scene(fmt::format("frames = [1, {}]\nsolver = \"{}\"\n{}", last, method, text), "test.toml");
        made.file = folder / "test.toml";
        return made;
    }
    void run(const std::string& cache, const Scene& from, std::optional<int> first = {}, bool overwrite = false) {
        SilentProgress quiet;
        run_scene(from, {.folder = folder / cache, .from = first, .overwrite = overwrite}, quiet);
    }
    fs::path file(const std::string& cache, int frame) {
        return folder / fmt::format("{}/grids/liquid.{:04}.vdb", cache, frame);
    }
    std::string bytes(const std::string& cache, int frame) { return read_file(file(cache, frame)); }
    Volume read(const std::string& cache, int frame, const std::string& name) {
        return grid::read_vdb_volume(file(cache, frame), name);
    }
    Vec3d middle_of_particles(const std::string& cache, int frame) {
        const ChannelSet channels = io::read_npz(folder / fmt::format("{}/particles/liquid.{:04}.npz", cache, frame));
        const ChannelArray& x = *channels.find("P");
        Vec3d sum{};
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += Vec3d{x.value(i, 0), x.value(i, 1), x.value(i, 2)};
        return sum / static_cast<double>(x.size());
    }
    void expect_same(const std::string& a, const std::string& b, int last) {
        for (int frame = 1; frame <= last; ++frame) {
            EXPECT_EQ(bytes(a, frame), bytes(b, frame)) << a << " and " << b << " at frame " << frame;
            const std::string particles = fmt::format("/particles/liquid.{:04}.npz", frame);
            EXPECT_EQ(read_file(folder / (a + particles)), read_file(folder / (b + particles))) << frame;
        }
    }

    TemporaryFolder folder;
};

TEST_F(GridFiles, pressure_of_a_still_tank_is_that_of_the_water_above) {
    // The solver's surface is right above full cells to 0.05 cells, and up to half a cell too high in others.
    constexpr double lowest_surface = -0.05 * cell, highest_surface = 0.6 * cell, slope_tolerance = 1e-3;
    for (const char* method : {"flip", "apic", "pic"}) {
        run(method, scene(tank, 12, method));
        const Volume pressure = read(method, 12, "pressure");
        EXPECT_EQ(pressure.unit, "Pa");
        const double depth = 0.48 - pressure.center({0, 0, 0}).y;
        for (int n = 0; n < 64; ++n) {
            const Vec3i bottom{n % 8, 0, n / 8};
            const auto p = static_cast<double>(pressure.at(bottom).x);
            EXPECT_GE(p, density * g * (depth + lowest_surface)) << method;
            EXPECT_LE(p, density * g * (depth + highest_surface)) << method;
            const auto above = static_cast<double>(pressure.at(bottom + Vec3i{0, 1, 0}).x);
            EXPECT_NEAR(p - above, density * g * cell, slope_tolerance * density * g * cell) << method;
        }
        EXPECT_FALSE(pressure.is_active({4, 14, 4})) << "air";
        EXPECT_FALSE(pressure.is_active({4, -1, 4})) << "floor";
        const Volume velocity = read(method, 12, "vel");
        visit_active(velocity, [&](Vec3i at, std::size_t, int) { EXPECT_LT(length(velocity.at(at)), 1e-3) << method; });
    }
}

TEST_F(GridFiles, surface_is_a_distance_in_metres_negative_around_particles) {
    sim::Simulation simulation(scene(busy, 6));
    simulation.fill();
    run_to(simulation, 6);
    simulation.snapshot();
    const std::vector<Volume> all = simulation.volumes();
    const Volume& surface = *std::ranges::find(all, "surface", &Volume::name);
    EXPECT_EQ(surface.kind, Volume::Kind::level_set);
    EXPECT_EQ(surface.unit, "m");
    EXPECT_FLOAT_EQ(surface.background, cell);
    // Spray has no surface, and a particle at the surface may be in a cell whose middle is outside.
    std::size_t inside = 0;
    for (const Float4& x : simulation.particles().position()) {
        const auto place = [&](float a) { return static_cast<int>(std::floor(a / static_cast<float>(cell))); };
        inside += surface.at({place(x.x), place(x.y), place(x.z)}).x < 0;
    }
    EXPECT_GT(inside, simulation.particle_count() * 90 / 100);
    int bands = 0, liquid = 0;
    visit_active(surface, [&](Vec3i at, std::size_t, int) {
        EXPECT_LT(std::abs(surface.at(at).x), surface.background);
        ++bands;
    });
    for (std::size_t l = 1; l < surface.leaves.size(); ++l)
        liquid +=
            static_cast<int>(std::count_if(surface.values[0].leaf(l), surface.values[0].leaf(l) + grid::leaf_cells,
                                           [](float phi) { return phi < 0; }));
    EXPECT_GT(bands, 100);
    // Eight particles fill a cell; the surface rises above them, and goes on into walls.
    EXPECT_GT(liquid, static_cast<int>(simulation.particle_count() / 8));
    EXPECT_LT(liquid, static_cast<int>(simulation.particle_count() / 8) * 4);
}

TEST_F(GridFiles, velocity_of_falling_liquid_is_gravity_times_time_wherever_it_falls) {
    const std::string away =
        head + "[[liquid]]\nspacing = 0.03\nfill = { box = [[1000, 20, -3000], [1000.3, 20.3, -2999.7]] }\n";
    for (const auto& [name, text] : {std::pair{"near", falling}, std::pair{"far", away}}) {
        run(name, scene(text, 7));
        const double t = 6 / 24.0;
        const Volume velocity = read(name, 7, "vel"), surface = read(name, 7, "surface");
        EXPECT_EQ(velocity.kind, Volume::Kind::faces);
        EXPECT_EQ(velocity.unit, "m/s");
        EXPECT_DOUBLE_EQ(velocity.cell, cell);
        Vec3d sum{};
        int count = 0;
        visit_active(velocity, [&](Vec3i at, std::size_t l, int n) {
            EXPECT_NEAR(velocity.values[0].leaf(l)[n], 0, 1e-4);
            const float v = velocity.values[1].leaf(l)[n];
            // A voxel may be there for another of its faces.
            EXPECT_TRUE(v == 0 || std::abs(static_cast<double>(v) + g * t) < 1e-3 * g * t) << v;
            if (surface.at(at).x >= 0) return;
            sum += surface.center(at);
            ++count;
        });
        ASSERT_GT(count, 100);
        // The middle of the block, which does not end where cells do.
        EXPECT_LT(length(sum / count - middle_of_particles(name, 7)), 0.3 * cell) << name;
        const Volume pressure = read(name, 7, "pressure");
        visit_active(pressure, [&](Vec3i at, std::size_t, int) { EXPECT_NEAR(pressure.at(at).x, 0, 5); });
    }
}

TEST_F(GridFiles, the_first_frame_has_no_pressure_yet) {
    run("a", scene(tank, 1));
    EXPECT_TRUE(read("a", 1, "pressure").leaves.empty());
    EXPECT_LT(read("a", 1, "surface").at({4, 4, 4}).x, 0);
    EXPECT_TRUE(read("a", 1, "vel").is_active({4, 4, 4}));
}

TEST_F(GridFiles, hold_what_was_asked_for_and_leave_the_particles_as_they_are) {
    Scene one = scene(busy, 6);
    one.output.grids = {OutputGrid::pressure, OutputGrid::pressure};
    run("one", one);
    const std::vector<Volume> volumes = grid::read_vdb_volumes(file("one", 4));
    ASSERT_EQ(volumes.size(), 1u);
    EXPECT_EQ(volumes[0].name, "pressure");
    one.output.grids.clear();
    run("none", one);
    EXPECT_FALSE(fs::exists(folder / "none/grids"));
    for (const char* part : {"particles", "bodies"}) {
        const std::string name = fmt::format("{}/liquid.0006.npz", part);
        EXPECT_EQ(read_file(folder / "one" / name), read_file(folder / "none" / name));
    }
}

TEST_F(GridFiles, are_the_same_after_a_resume_and_for_any_number_of_threads) {
    Scene short_steps = scene(busy, 6), shorter = short_steps;
    short_steps.solver.substeps = shorter.solver.substeps = {3, 64};
    shorter.frames[1] = 3;
    run("whole", short_steps);
    EXPECT_EQ(cache::load_manifest(folder / "whole").series.at(cache::series::grids).frames.size(), 6u);
    run("parts", shorter);
    sim::StopAfter soon(4);
    EXPECT_THROW(run_scene(short_steps, {.folder = folder / "parts", .from = {}, .patience = endless_patience}, soon),
                 InterruptedError);
    EXPECT_FALSE(fs::is_empty(folder / "parts/checkpoint")) << "stopped between two frames";
    run("parts", short_steps);
    const ThreadLimit one(1);
    run("alone", short_steps);
    expect_same("parts", "whole", 6);
    expect_same("alone", "whole", 6);
}

TEST_F(GridFiles, that_are_missing_or_damaged_cost_a_frame_and_no_more) {
    std::string said;
    const LogSink sink = set_log_sink([&](LogLevel, const std::string& text) { said += text; });
    run("whole", scene(busy, 6));
    run("a", scene(busy, 4));
    fs::remove(file("a", 4));
    fs::resize_file(file("a", 3), fs::file_size(file("a", 3)) / 2);
    run("a", scene(busy, 6));
    set_log_sink(sink);
    EXPECT_NE(said.find("going back to the frame before"), std::string::npos);
    EXPECT_NE(said.find("not what was written"), std::string::npos);
    expect_same("a", "whole", 6);
}

TEST_F(GridFiles, begin_where_they_are_asked_for) {
    Scene plain = scene(busy, 5);
    plain.output.grids.clear();
    run("a", plain);
    EXPECT_NE(complaint([&] { run("a", scene(busy, 5)); }).find("--from N"), std::string::npos);
    run("a", scene(busy, 5), 3);
    EXPECT_FALSE(fs::exists(file("a", 3)));
    EXPECT_TRUE(fs::exists(file("a", 4)));
    EXPECT_EQ(cache::load_manifest(folder / "a").series.at(cache::series::grids).frames.size(), 2u);
    run("a", scene(busy, 4), 3);
    EXPECT_EQ(cache::load_manifest(folder / "a").series.at(cache::series::grids).frames.size(), 1u);
    run("a", scene(busy, 2), {}, true);
    EXPECT_FALSE(fs::exists(file("a", 4)));
    EXPECT_EQ(cache::load_manifest(folder / "a").series.at(cache::series::grids).frames.size(), 2u);
}

TEST_F(GridFiles, a_solver_without_a_grid_has_none) {
    Scene points = scene("[[liquid]]\nspacing = 0.03\nfill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }\n", 1, "pbf");
    sim::Simulation simulation(points);
    simulation.fill();
    EXPECT_TRUE(simulation.volumes().empty());
}

}  // namespace
}  // namespace spindrift::stages
