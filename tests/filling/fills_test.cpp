// Liquid at the start: shapes, the inside of meshes, what containers hold.

#include "spindrift/filling/fills.h"

#include <cmath>
#include <numbers>
#include <string>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/cache/scene_files.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/fluid/liquid.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::filling {
namespace {

Scene scene(const std::string& toml, const std::string& file = "test.toml") {
    return parse_scene(toml, file);
}

collision::Colliders colliders_of(const Scene& scene) {
    const double spacing = scene.liquid[0].spacing;
    return collision::Colliders({.params = scene.collider,
                                 .folder = scene.file.parent_path(),
                                 .spacing = spacing,
                                 .support = fluid::support_ratio * spacing,
                                 .fps = scene.fps});
}

std::vector<Vec3d> particles_of(const Scene& scene, std::size_t liquid = 0) {
    collision::Colliders colliders = colliders_of(scene);
    return Fills(scene, colliders).sample(liquid).positions;
}

/// What is said about a scene that cannot be filled.
std::string complaint(const Scene& scene) {
    try {
        particles_of(scene);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(FillsTest, a_level_cuts_what_is_filled_as_high_as_it_says) {
    const auto wave = particles_of(scene(R"toml(
        [domain]
        box = [[0, 0, 0], [1.2, 1, 0.3]]
        [[liquid]]
        spacing = 0.02
        fill = { level = "0.4 + 0.1 * cos(pi * x / 0.6)" })toml"));
    // A whole wave is as much as a flat surface; layers of particles are cut at whole numbers.
    EXPECT_NEAR(static_cast<double>(wave.size()) * 8e-6, 0.4 * 1.2 * 0.3, 0.01 * 0.4 * 1.2 * 0.3);
    for (const Vec3d p : wave)
        EXPECT_LE(p.y, 0.4 + 0.1 * std::cos(std::numbers::pi * p.x / 0.6));
    // Layers are counted from the ground.
    EXPECT_NEAR(std::min_element(wave.begin(), wave.end(), [](Vec3d a, Vec3d b) { return a.y < b.y; })->y, 0.01, 1e-9);
    const auto ball = particles_of(scene(R"(
        [[liquid]]
        spacing = 0.02
        fill = { sphere = { center = [0, 0.3, 0], radius = 0.2 }, level = "0.3" })"));
    EXPECT_NEAR(static_cast<double>(ball.size()) * 8e-6, 2.0 / 3 * std::numbers::pi * 0.008, 0.03 * 0.0168);
}

TEST(FillsTest, a_flood_knows_containers_that_are_solid_all_around) {
    const auto water = particles_of(scene(R"(
        [[liquid]]
        spacing = 0.02
        fill = { flood = { from = [0.1, 0.1, 0.1], level = 0.2 } }
        [[collider]]
        box = [[0, 0, 0], [0.4, 0.5, 0.3]]
        mode = "solid_outside")"));
    EXPECT_NEAR(static_cast<double>(water.size()) * 8e-6, 0.4 * 0.2 * 0.3, 0.12 * 0.4 * 0.2 * 0.3);
}

TEST(FillsTest, overlapping_fills_make_no_double_particles) {
    const auto once = particles_of(scene(R"(
        [[liquid]]
        spacing = 0.1
        fill = { box = [[0, 0, 0], [1, 1, 1]] })"));
    const auto twice = particles_of(scene(R"(
        [[liquid]]
        spacing = 0.1
        fill = [{ box = [[0, 0, 0], [1, 1, 1]] }, { box = [[0, 0, 0], [1, 1, 1]] }])"));
    EXPECT_EQ(once.size(), 1000u);
    EXPECT_EQ(once, twice);
}

/// A liquid of 0.02 m in one fill of the folder's scene.
Scene filled(const TemporaryFolder& folder, const std::string& fill, const std::string& rest = "") {
    return scene("[[liquid]]\nspacing = 0.02\nfill = { " + fill + " }\n" + rest, (folder / "scene.toml").string());
}

TEST(MeshFillTest, the_liquid_has_the_volume_and_the_place_of_the_mesh) {
    const TemporaryFolder folder;
    geometry::write_obj(folder / "ball.obj", geometry::make_sphere({0.5, 0, 0}, 0.1));
    const Scene s = filled(folder, R"(mesh = "ball.obj", scale = 2, rotation_deg = [0, 0, 90], position = [3, 0, 0])");
    const std::vector<Vec3d> particles = particles_of(s);
    const double volume = 4.0 / 3 * std::numbers::pi * std::pow(0.2, 3);
    // The mesh is 0.2 % smaller than its sphere, and a lattice counts a ball of ten spacings to about a percent.
    EXPECT_NEAR(static_cast<double>(particles.size()) * std::pow(0.02, 3), volume, 0.03 * volume);
    Vec3d middle{};
    for (const Vec3d p : particles) {
        EXPECT_LT(length(p - Vec3d{3, 1, 0}), 0.2);
        middle += p / static_cast<double>(particles.size());
    }
    EXPECT_LT(length(middle - Vec3d{3, 1, 0}), 1e-3) << "the lattice is centred";
}

TEST(MeshFillTest, a_box_holds_the_lattice_of_a_box) {
    const TemporaryFolder folder;
    geometry::write_ply(folder / "box.ply", geometry::make_box({{0, 0, 0}, {0.2, 0.3, 0.4}}));
    const std::vector<Vec3d> by_mesh = particles_of(filled(folder, R"(mesh = "box.ply")"));
    const std::vector<Vec3d> by_numbers = particles_of(filled(folder, "box = [[0, 0, 0], [0.2, 0.3, 0.4]]"));
    ASSERT_EQ(by_mesh.size(), by_numbers.size());
    for (std::size_t i = 0; i < by_mesh.size(); ++i)
        EXPECT_LT(length(by_mesh[i] - by_numbers[i]), 1e-6) << "files hold floats";
}

TEST(MeshFillTest, jitter_keeps_particles_inside_and_threads_change_nothing) {
    const TemporaryFolder folder;
    geometry::write_obj(folder / "ball.obj", geometry::make_sphere({0, 0, 0}, 0.2));
    const Scene s = filled(folder, R"(mesh = "ball.obj", sampling = "jittered")");
    std::vector<Vec3d> runs[2];
    for (int k = 0; k < 2; ++k) {
        const ThreadLimit limit(k == 0 ? 1 : 4);
        runs[k] = particles_of(s);
    }
    EXPECT_EQ(runs[0], runs[1]);
    EXPECT_NE(runs[0], particles_of(filled(folder, R"(mesh = "ball.obj")")));
    for (const Vec3d p : runs[0])
        EXPECT_LT(length(p), 0.2);
}

TEST(MeshFillTest, later_shapes_and_liquids_find_the_mesh_taken) {
    const TemporaryFolder folder;
    geometry::write_obj(folder / "ball.obj", geometry::make_sphere({0, 0, 0}, 0.2));
    const Scene s = scene(R"(
        [[liquid]]
        name = "water"
        spacing = 0.02
        fill = { box = [[-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]] }
        [[liquid]]
        name = "oil"
        spacing = 0.02
        fill = [{ mesh = "ball.obj" }, { sphere = { center = [0, 0, 0], radius = 0.19 } }])",
                          (folder / "scene.toml").string());
    for (const Vec3d p : particles_of(s, 0))
        EXPECT_GT(length(p), 0.195);
    EXPECT_EQ(particles_of(s, 1), particles_of(filled(folder, R"(mesh = "ball.obj")")));
}

TEST(MeshFillTest, a_mesh_that_cannot_be_filled_says_why) {
    const TemporaryFolder folder;
    geometry::Mesh open = geometry::make_sphere({0, 0, 0}, 0.2);
    open.triangles.resize(open.triangles.size() / 2);
    open.uv.clear();
    geometry::write_obj(folder / "open.obj", open);
    const std::string text = complaint(filled(folder, R"(mesh = "open.obj")"));
    EXPECT_TRUE(mentions(text, "open.obj: the mesh is open (") && mentions(text, "edges)")) << text;
    EXPECT_TRUE(mentions(text, "close its holes")) << text;

    geometry::write_obj(folder / "thin.obj", geometry::make_box({{0, 0, 0}, {0.5, 0.004, 0.5}}));
    EXPECT_TRUE(mentions(complaint(filled(folder, R"(mesh = "thin.obj")")), "too thin to hold a particle"));
    EXPECT_TRUE(mentions(complaint(filled(folder, R"(mesh = "thin.obj", scale = 1e6)")), "more than this machine"));
    EXPECT_TRUE(mentions(complaint(filled(folder, R"(mesh = "none.obj")")), "none.obj"));
}

TEST(MeshFillTest, a_cache_finds_the_mesh_again) {
    const TemporaryFolder folder;
    geometry::write_obj(folder / "ball.obj", geometry::make_sphere({0, 0, 0}, 0.2));
    const Scene s = filled(folder, R"(mesh = "ball.obj")");
    const Scene moved = cache::relocated(s, folder / "cache");
    EXPECT_EQ(moved.liquid[0].fill[0].mesh, "../ball.obj");
    EXPECT_EQ(cache::without_folders(moved).liquid[0].fill[0].mesh, "ball.obj");
}

Scene flooded(const std::string& flood, const std::string& walls, const std::string& file = "test.toml") {
    return scene("[[liquid]]\nspacing = 0.02\nfill = { flood = { " + flood + " } }\n" + walls, file);
}

TEST(FloodFillTest, a_box_domain_is_filled_as_by_a_box) {
    const std::string domain = "[domain]\nbox = [[0, 0, 0], [0.4, 0.6, 0.2]]\nopen = [\"top\"]\n";
    const std::vector<Vec3d> flood = particles_of(flooded("from = [0.1, 0.1, 0.1], level = 0.3", domain));
    const std::vector<Vec3d> box =
        particles_of(scene("[[liquid]]\nspacing = 0.02\nfill = { box = [[0, 0, 0], [0.4, 0.3, 0.2]] }\n" + domain));
    ASSERT_EQ(flood.size(), box.size());
    for (std::size_t i = 0; i < box.size(); ++i)
        EXPECT_LT(length(flood[i] - box[i]), 1e-4) << "walls are found to a thousandth of a spacing";
}

/// A cup of five solid walls, 0.3 m wide inside and 0.2 m high.
const std::string cup = R"(
    [[collider]]
    box = [[-0.2, -0.05, -0.2], [0.2, 0, 0.2]]
    [[collider]]
    box = [[-0.2, -0.05, -0.2], [-0.15, 0.2, 0.2]]
    [[collider]]
    box = [[0.15, -0.05, -0.2], [0.2, 0.2, 0.2]]
    [[collider]]
    box = [[-0.2, -0.05, -0.2], [0.2, 0.2, -0.15]]
    [[collider]]
    box = [[-0.2, -0.05, 0.15], [0.2, 0.2, 0.2]]
    )";

TEST(FloodFillTest, an_open_cup_is_filled_up_to_the_level) {
    const std::vector<Vec3d> particles = particles_of(flooded("from = [0, 0.05, 0], level = 0.15", cup));
    // Fifteen layers wide; of the seven and a half layers up to the level seven fit.
    const double volume = 0.3 * 0.3 * 0.15;
    EXPECT_NEAR(static_cast<double>(particles.size()) * std::pow(0.02, 3), volume, 0.1 * volume);
    for (const Vec3d p : particles) {
        EXPECT_TRUE(std::abs(p.x) < 0.146 && std::abs(p.z) < 0.146 && p.y > 0.004);
        EXPECT_LT(p.y, 0.1401) << "half a spacing below the level";
    }
}

TEST(FloodFillTest, what_runs_over_is_an_error_with_a_place) {
    const std::string text = complaint(flooded("from = [0, 0.05, 0], level = 0.25", cup));
    EXPECT_TRUE(mentions(text, "test.toml: flood of liquid 'liquid': the liquid would run out at [")) << text;
    EXPECT_TRUE(mentions(text, "lower 'level' or close the container")) << text;
}

TEST(FloodFillTest, walls_thinner_than_a_particle_hold) {
    const std::string domain = "[domain]\nbox = [[-0.5, 0, -0.5], [0.5, 0.5, 0.5]]\n";
    const std::string wall = "[[collider]]\nbox = [[0, 0, -1], [0.001, 1, 1]]\n";
    for (const Vec3d p : particles_of(flooded("from = [-0.3, 0.1, 0], level = 0.2", domain + wall)))
        ASSERT_LT(p.x, 0);
}

TEST(FloodFillTest, a_bowl_that_is_a_shell_is_filled) {
    const TemporaryFolder folder;
    geometry::Mesh bowl = geometry::make_sphere({0, 0, 0}, 0.3);
    std::erase_if(bowl.triangles, [&](const geometry::Triangle& t) { return bowl.points[t[0]].y > 0.1f; });
    bowl.uv.clear();
    geometry::write_obj(folder / "bowl.obj", bowl);
    const std::string walls = "[[collider]]\nmesh = \"bowl.obj\"\nmode = \"shell\"\n";
    const Scene s = flooded("from = [0, -0.2, 0], level = 0", walls, (folder / "scene.toml").string());
    const std::vector<Vec3d> particles = particles_of(s);
    // The shell is 0.036 m thick, and particles keep a quarter of a spacing off it.
    const double radius = 0.3 - 0.018 - 0.005, volume = 2.0 / 3 * std::numbers::pi * std::pow(radius, 3);
    EXPECT_NEAR(static_cast<double>(particles.size()) * std::pow(0.02, 3), volume, 0.05 * volume);
    for (const Vec3d p : particles)
        ASSERT_LT(length(p), radius + 0.003);
    EXPECT_TRUE(mentions(complaint(flooded("from = [0, -0.2, 0], level = 0.2", walls, s.file.string())), "run out"));
}

TEST(FloodFillTest, jitter_stays_off_the_walls) {
    Scene s = flooded("from = [0, 0.05, 0], level = 0.15", cup);
    const std::vector<Vec3d> lattice = particles_of(s);
    s.liquid[0].fill[0].sampling = emitters::Sampling::jittered;
    const std::vector<Vec3d> moved = particles_of(s);
    ASSERT_EQ(moved.size(), lattice.size());
    EXPECT_NE(moved, lattice);
    for (const Vec3d p : moved)
        EXPECT_TRUE(std::abs(p.x) < 0.146 && std::abs(p.z) < 0.146 && p.y > 0.004);
}

TEST(FloodFillTest, a_later_flood_lies_over_an_earlier_one) {
    const Scene s = scene(R"(
        [domain]
        box = [[0, 0, 0], [0.4, 0.4, 0.4]]
        [[liquid]]
        name = "oil"
        spacing = 0.02
        fill = { flood = { from = [0.1, 0.1, 0.1], level = 0.3 } }
        [[liquid]]
        name = "water"
        spacing = 0.02
        fill = { flood = { from = [0.1, 0.1, 0.1], level = 0.2 } })");
    EXPECT_EQ(particles_of(s, 1).size(), 20u * 20 * 10);
    EXPECT_EQ(particles_of(s, 0).size(), 20u * 20 * 5);
    for (const Vec3d p : particles_of(s, 0))
        EXPECT_GT(p.y, 0.2);
}

TEST(FloodFillTest, a_start_without_room_is_an_error) {
    const TemporaryFolder folder;
    geometry::write_obj(folder / "ball.obj", geometry::make_sphere({0, 0, 0}, 0.2));
    const Scene s = flooded("from = [0, 0, 0], level = 0.1",
                            "[domain]\nbox = [[-1, -1, -1], [1, 1, 1]]\n[[collider]]\nmesh = \"ball.obj\"\n",
                            (folder / "scene.toml").string());
    EXPECT_TRUE(mentions(complaint(s), "there is no room for liquid at 'from', [0, 0, 0]"));
}

}  // namespace
}  // namespace spindrift::filling
