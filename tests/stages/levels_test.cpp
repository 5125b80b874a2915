// Levels of detail in simulations: by where cameras look, carried with the particles, part of what a restart needs.

#include <algorithm>
#include <string>

#include "body_caches.h"
#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/cache/simulation_hash.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/io/npz.h"
#include "spindrift/pbf/step.h"
#include "spindrift/sim/simulation.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

/// Water in a box that one camera sees from the left.
std::string tank(const std::string& lod, const std::string& more = "") {
    return "frames = [1, 4]\n"
           "fps = 50\n"
           "[domain]\nbox = [[0, 0, 0], [0.6, 0.4, 0.3]]\n"
           "[solver]\niterations = 6\nsubsteps = 4\n"
           "[[liquid]]\nspacing = 0.02\nfill = { box = [[0, 0, 0], [0.4, 0.3, 0.3]] }\n"
           "[[camera]]\nname = \"left\"\nposition = [-2, 0.2, 0.15]\ntarget = [0.3, 0.1, 0.15]\n" +
           more + "[lod]\n" + lod;
}

struct Started : sim::Simulation {
    explicit Started(const std::string& toml) : sim::Simulation(parse_scene(toml, "test.toml")) { fill(); }
};

struct Sides {
    double left = 0, right = 0;  ///< mean levels of the outermost particles
};

Sides levels_at_the_sides(const sim::Snapshot& snapshot) {
    const auto x = snapshot.channels.find("P")->as<Vec3f>();
    const auto level = snapshot.channels.find("lod")->as<std::uint8_t>();
    Vec3f sums[2]{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i].x > 0.06f && x[i].x < 0.34f) continue;
        sums[x[i].x > 0.2f] += Vec3f{static_cast<float>(level[i]), 1, 0};
    }
    return {static_cast<double>(sums[0].x / sums[0].y), static_cast<double>(sums[1].x / sums[1].y)};
}

TEST(SimulationLevels, are_a_channel_of_frames_from_the_first_on) {
    Started simulation(tank("model = \"dtvs\"\nfewest = 2\n"));
    const sim::Snapshot first = simulation.snapshot();
    ASSERT_NE(first.channels.find("lod"), nullptr);
    EXPECT_EQ(first.channels.find("lod")->type(), pbf::level_type);
    const Sides sides = levels_at_the_sides(first);
    EXPECT_GT(sides.left, 5);
    EXPECT_LT(sides.right, 2.5);
    SilentProgress progress;
    ASSERT_TRUE(simulation.advance_frame(progress));
    const double iterations = simulation.statistics().iterations;
    EXPECT_GT(iterations, 2);
    EXPECT_LT(iterations, 5) << "statistics tell the mean over the particles";
    EXPECT_EQ(Started(tank("")).snapshot().channels.find("lod"), nullptr);
}

TEST(SimulationLevels, follow_a_moving_camera) {
    const std::string other = "position = { keys = [[1, [-2, 0.2, 0.15]], [3, [3, 0.2, 0.15]]] }";
    std::string scene = tank("model = \"dtc\"\nfewest = 1\nnear = 2\nfar = 3\n");
    const std::string standing = "position = [-2, 0.2, 0.15]";
    scene.replace(scene.find(standing), standing.size(), other);
    Started simulation(scene);
    SilentProgress progress;
    for (int frame = 0; frame < 2; ++frame)
        ASSERT_TRUE(simulation.advance_frame(progress));
    // On the way to frame 3 levels were those of its camera, which stands on the right.
    const Sides sides = levels_at_the_sides(simulation.snapshot());
    EXPECT_LT(sides.left, 1.5);
    EXPECT_GT(sides.right, 2.5);
}

TEST(SimulationLevels, only_the_cameras_named_count) {
    const std::string right = "[[camera]]\nname = \"right\"\nposition = [3, 0.2, 0.15]\ntarget = [0.3, 0.1, 0.15]\n";
    const Sides both = levels_at_the_sides(Started(tank("model = \"dtvs\"\nfewest = 1\n", right)).snapshot());
    EXPECT_GT(std::min(both.left, both.right), 5);
    const Sides one =
        levels_at_the_sides(Started(tank("model = \"dtvs\"\nfewest = 1\ncameras = [\"right\"]\n", right)).snapshot());
    EXPECT_LT(one.left, 1.5);
    EXPECT_GT(one.right, 5);
}

TEST(SimulationLevels, particles_that_come_in_have_all_iterations_until_a_camera_looks) {
    const std::string nozzle =
        "[[emitter]]\ndisc = { radius = 0.05 }\nposition = [0.5, 0.35, 0.15]\ndirection = [0, -1, 0]\nspeed = 1\n";
    Started simulation(tank("model = \"dtvs\"\nfewest = 1\n", nozzle));
    SilentProgress progress;
    ASSERT_TRUE(simulation.advance_frame(progress));
    const sim::Snapshot snapshot = simulation.snapshot();
    const auto id = snapshot.channels.find("id")->as<std::int64_t>();
    const auto level = snapshot.channels.find("lod")->as<std::uint8_t>();
    int born = 0;
    for (std::size_t i = 0; i < id.size(); ++i) {
        EXPECT_GE(level[i], 1);
        if (id[i] < 20 * 15 * 15) continue;
        EXPECT_EQ(level[i], 6);
        ++born;
    }
    EXPECT_GT(born, 0);
}

TEST(SimulationLevels, cameras_are_part_of_the_simulation_only_where_they_choose_levels) {
    const std::string moved = "position = [-2.5, 0.2, 0.15]";
    const auto hash = [&](const std::string& lod, bool other_camera, const std::string& more = "") {
        std::string scene = tank(lod, more);
        const std::string standing = "position = [-2, 0.2, 0.15]";
        if (other_camera) scene.replace(scene.find(standing), standing.size(), moved);
        return cache::simulation_hash(parse_scene(scene, "test.toml"));
    };
    EXPECT_EQ(hash("", false), hash("", true));
    EXPECT_EQ(hash("", false), hash("fewest = 2\n", false)) << "nobody looks";
    EXPECT_NE(hash("", false), hash("model = \"dtc\"\n", false));
    EXPECT_NE(hash("model = \"dtc\"\n", false), hash("model = \"dtc\"\n", true));
    const std::string extra = "[[camera]]\nname = \"extra\"\nposition = [3, 0.2, 0.15]\ntarget = [0.3, 0.1, 0.15]\n";
    EXPECT_EQ(hash("model = \"dtc\"\ncameras = [\"left\"]\n", false),
              hash("model = \"dtc\"\ncameras = [\"left\"]\n", false, extra));
}

class LevelsResume : public BodyCacheTest {};

TEST_F(LevelsResume, has_the_same_bits_after_interruptions_and_on_one_thread) {
    const Scene scene = parse_scene(tank("model = \"dtvs\"\nfewest = 1\n"), "test.toml");
    run("whole", scene);
    {
        sim::StopAfter soon(6);
        RunOptions options;
        options.folder = folder / "parts";
        options.patience = endless_patience;
        EXPECT_THROW(run_scene(scene, options, soon), InterruptedError);
    }
    run("parts", scene);
    const ThreadLimit one(1);
    run("alone", scene);
    for (const char* other : {"parts", "alone"}) {
        const auto expected = io::read_npz(folder / "whole/particles/liquid.0004.npz");
        const auto found = io::read_npz(folder / other / "particles/liquid.0004.npz");
        for (const char* name : {"P", "v", "lod", "density"}) {
            const ChannelArray *a = expected.find(name), *b = found.find(name);
            ASSERT_EQ(a->size_bytes(), b->size_bytes());
            EXPECT_TRUE(std::equal(a->data(), a->data() + a->size_bytes(), b->data())) << other << " " << name;
        }
    }
}

}  // namespace
}  // namespace spindrift::stages
