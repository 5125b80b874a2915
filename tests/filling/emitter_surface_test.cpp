// Liquid that leaves the surfaces of meshes and colliders.

#include "spindrift/filling/emitter_surface.h"

#include <cmath>
#include <numbers>
#include <string>

#include "playback.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/cache/scene_files.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/sequence.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/image/png_file.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::filling {
namespace {

const std::string start = "frames = [1, 12]\ngravity = [0, 0, 0]\n[[liquid]]\nspacing = 0.02\n";
const std::string ball = "[[collider]]\nname = \"ball\"\nsphere = { center = [0, 0, 0], radius = 0.2 }\n";
constexpr double ball_area = 4 * std::numbers::pi * 0.2 * 0.2;

Scene scene(const std::string& toml, const std::string& file = "test.toml") {
    return parse_scene(start + toml, file);
}

/// Particles that come in within a second where there are no walls.
std::vector<Vec3f> births(const Scene& scene, std::vector<Vec3f>* uv = nullptr) {
    Sources sources(scene);
    ParticleStore particles;
    particles.add_channel(emitters::uv_channel, {ScalarType::f32, 3});
    sources.emit(particles, {1, 1}, {}, 0.04, {});
    std::vector<Vec3f> all;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        all.push_back(particles.position()[i].xyz());
        if (uv) uv->push_back(particles.find_channel(emitters::uv_channel)->as<Vec3f>()[particles.slot(i)]);
    }
    return all;
}

double volume_of(const std::vector<Vec3f>& particles) {
    return static_cast<double>(particles.size()) * std::pow(0.02, 3);
}

TEST(EmitterSurfaceTest, the_flow_is_the_rate_and_nothing_is_inside) {
    sim::Simulation simulation(scene(ball + "scale = 0.5\n[[emitter]]\ncollider = \"ball\"\nrate = 0.25\n"));
    simulation.fill();
    run_to(simulation, 7);
    // Some 25 sheets; half of one may be missing.
    const double expected = 0.25 * 0.25;
    EXPECT_NEAR(simulation.statistics().volume, expected, 0.03 * expected);
    EXPECT_EQ(simulation.count_leaked(), 0u);
    for (const Float4& x : simulation.particles().position())
        ASSERT_GT(length(x.xyz()), 0.1f);
}

TEST(EmitterSurfaceTest, a_speed_gives_area_times_speed) {
    const TemporaryFolder folder;
    geometry::write_ply(folder / "ball.ply", geometry::make_sphere({0, 0, 0}, 0.1));
    const Scene s = scene("[[emitter]]\nmesh = \"ball.ply\"\nscale = 2\nposition = [1, 0, 0]\nspeed = 1\n",
                          (folder / "scene.toml").string());
    const std::vector<Vec3f> particles = births(s);
    EXPECT_NEAR(volume_of(particles), ball_area, 0.03 * ball_area);
    for (const Vec3f p : particles)
        ASSERT_GT(length(p - Vec3f{1, 0, 0}), 0.205f);
}

TEST(EmitterSurfaceTest, containers_and_shells_give_liquid_on_their_free_side) {
    const std::string emitter = "[[emitter]]\ncollider = \"ball\"\nspeed = 0.5\nactive = [1, 2]\n";
    for (const std::string mode : {"solid_outside", "shell"}) {
        sim::Simulation simulation(scene(ball + "mode = \"" + mode + "\"\n" + emitter));
        simulation.fill();
        run_to(simulation, 2);
        EXPECT_GT(simulation.particle_count(), 1000u) << mode;
        EXPECT_EQ(simulation.count_leaked(), 0u);
        for (const Float4& x : simulation.particles().position())
            ASSERT_EQ(length(x.xyz()) > 0.2f, mode == "shell");
    }
}

TEST(EmitterSurfaceTest, liquid_comes_from_where_a_moving_collider_is) {
    const std::string moving = ball + "position = [[1, [0, 0, 0]], [13, [1.2, 0, 0]]]\n";
    sim::Simulation simulation(scene(moving + "[[emitter]]\ncollider = \"ball\"\nspeed = 0.5\n"));
    simulation.fill();
    run_to(simulation, 6);
    // The ball moves at 2.4 m/s, five times as fast as the liquid leaves it: what is inherited keeps the liquid around.
    const Vec3f middle{0.5f, 0, 0};
    EXPECT_NEAR(simulation.statistics().volume, ball_area * 0.5 * 5 / 24, 0.05 * ball_area * 0.5 * 5 / 24);
    Vec3f mean{};
    for (const Float4& x : simulation.particles().position()) {
        ASSERT_GT(length(x.xyz() - middle), 0.195f);
        ASSERT_LT(length(x.xyz() - middle), 0.2f + 0.5f * 5 / 24 + 0.03f);
        mean += x.xyz() / static_cast<float>(simulation.particle_count());
    }
    EXPECT_LT(length(mean - middle), 0.01f);
    for (const Float4& v : simulation.particles().velocity())
        EXPECT_NEAR(v.x, 2.4f, 0.75f);
}

/// A ball that grows and moves, a file per frame.
void write_sequence(const TemporaryFolder& folder) {
    for (int frame = 1; frame <= 8; ++frame) {
        geometry::write_ply(geometry::frame_file(folder / "ball.####.ply", frame),
                            geometry::make_sphere({0.05 * frame, 0, 0}, 0.1 + 0.01 * frame));
    }
}

TEST(EmitterSurfaceTest, liquid_comes_from_where_a_sequence_is) {
    const TemporaryFolder folder;
    write_sequence(folder);
    // A burst in the middle of a frame, whose sheets would need long to come at a steady speed.
    sim::Simulation simulation(
        scene("[[emitter]]\nmesh = \"ball.####.ply\"\nrate = { keys = [[3.4, 0], [3.5, 100], "
              "[3.6, 0]] }\ninherit = 0\nlimit = 400\n",
              (folder / "scene.toml").string()));
    simulation.fill();
    run_to(simulation, 4);
    ASSERT_EQ(simulation.particle_count(), 400u);
    const sim::Snapshot now = simulation.snapshot();
    const auto birth = now.channels.find("birth")->as<double>();
    const auto v = now.channels.find("v")->as<Vec3f>();
    for (std::size_t i = 0; i < 400; ++i) {
        const double frame = 1 + 24 * birth[i];
        const Vec3f left = simulation.particles().position()[i].xyz() - v[i] * static_cast<float>((4 - frame) / 24);
        const Vec3d middle{0.05 * frame, 0, 0};
        // Half a spacing off a ball whose radius grows with the frames.
        EXPECT_NEAR(length(vec_cast<double>(left) - middle), 0.1 + 0.01 * frame + 0.01, 2e-3);
    }
}

TEST(EmitterSurfaceTest, a_run_interrupted_in_the_middle_of_a_frame_goes_on_bit_for_bit) {
    const TemporaryFolder folder;
    write_sequence(folder);
    Scene s = scene(
        "[[collider]]\nname = \"ball\"\nmesh = \"ball.####.ply\"\n[[emitter]]\ncollider = \"ball\"\nrate = 0.2\njitter "
        "= "
        "0.1\nspread_deg = 5\n",
        (folder / "scene.toml").string());
    s.liquid[0].spacing = 0.04;
    std::string straight[2];
    for (int k = 0; k < 2; ++k) {
        const ThreadLimit limit(k == 0 ? 1 : 4);
        sim::Simulation whole(s);
        whole.fill();
        run_to(whole, 4);
        straight[k] = content_hash(whole.snapshot());
    }
    EXPECT_EQ(straight[0], straight[1]) << "threads";
    sim::Simulation stopped(s);
    stopped.fill();
    run_to(stopped, 3);
    EXPECT_FALSE(stopped.advance_frame(sim::StopAfter(1)));
    const sim::Snapshot checkpoint = stopped.snapshot();
    ASSERT_GT(checkpoint.channels.size(), 100u);
    sim::Simulation again(s);
    again.restore(checkpoint, "checkpoint");
    run_to(again, 4);
    EXPECT_EQ(content_hash(again.snapshot()), straight[0]);
}

TEST(EmitterSurfaceTest, a_map_masks_and_thins) {
    const TemporaryFolder folder;
    geometry::write_obj(folder / "ball.obj", geometry::make_sphere({0, 0, 0}, 0.2));
    image::Image half(64, 4), grey(2, 2, {0.5f, 0.5f, 0.5f});
    for (int y = 0; y < 4; ++y) {
        for (int x = 32; x < 64; ++x)
            half.at(x, y) = {1, 1, 1};
    }
    image::write_png(folder / "half.png", half);
    image::write_exr(folder / "grey.exr", grey);
    const auto with = [&](const std::string& keys) {
        return scene("[[emitter]]\nmesh = \"ball.obj\"\n" + keys, (folder / "scene.toml").string());
    };
    std::vector<Vec3f> uv;
    // The map decides where a point lies; with a share of points between the pixels of the edge.
    EXPECT_NEAR(volume_of(births(with("speed = 1\nemission_map = \"half.png\"\n"), &uv)), 0.5 * ball_area,
                0.05 * ball_area);
    for (const Vec3f at : uv)
        EXPECT_TRUE(at.x > 0.48f || at.x < 0.02f);
    // The rate is what leaves in all.
    EXPECT_NEAR(volume_of(births(with("rate = 0.5\nemission_map = \"half.png\"\n"))), 0.5, 0.03 * 0.5);
    // A hundred thousand throws of a coin.
    EXPECT_NEAR(volume_of(births(with("speed = 1\nemission_map = \"grey.exr\"\n"))), 0.5 * ball_area, 0.03 * ball_area);
}

/// What is said about an emitter that cannot be used.
std::string complaint(const TemporaryFolder& folder, const std::string& keys) {
    try {
        const Scene s = scene("[[emitter]]\nspeed = 1\n" + keys, (folder / "scene.toml").string());
        const Sources sources(s);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(EmitterSurfaceTest, files_that_cannot_be_used_say_why) {
    const TemporaryFolder folder;
    geometry::Mesh bare = geometry::make_sphere({0, 0, 0}, 0.2);
    geometry::write_obj(folder / "good.obj", bare);
    bare.uv.clear();
    geometry::write_obj(folder / "bare.obj", bare);
    image::write_png(folder / "black.png", image::Image(4, 4));
    const auto expect = [&](const std::string& keys, const std::string& part) {
        const std::string text = complaint(folder, keys);
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    expect("mesh = \"none.obj\"", "none.obj");
    expect("mesh = \"none.####.ply\"", "there is no file of this sequence");
    expect("mesh = \"bare.obj\"\nemission_map = \"black.png\"",
           "bare.obj: has no texture coordinates, so black.png cannot be laid over it");
    expect("mesh = \"good.obj\"\nemission_map = \"white.png\"", "white.png");
    expect("mesh = \"good.obj\"\nemission_map = \"black.png\"", "black.png: is black all over the surface");
    expect("mesh = \"good.obj\"\nscale = 1e6", "and emitters may have 4 M");
    EXPECT_EQ(complaint(folder, "mesh = \"good.obj\""), "");
}

TEST(EmitterSurfaceTest, a_cache_finds_the_files_again) {
    const TemporaryFolder folder;
    const Scene s =
        scene("[[emitter]]\nmesh = \"a.obj\"\nemission_map = \"b.png\"\nspeed = 1\n", (folder / "scene.toml").string());
    const Scene moved = cache::relocated(s, folder / "cache");
    EXPECT_EQ(moved.emitter[0].mesh, "../a.obj");
    EXPECT_EQ(moved.emitter[0].emission_map, "../b.png");
}

}  // namespace
}  // namespace spindrift::filling
