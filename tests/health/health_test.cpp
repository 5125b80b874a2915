#include "spindrift/health/health.h"

#include <cmath>
#include <limits>

#include "playback.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"

namespace spindrift::health {
namespace {

/// A block of 1000 particles, 0.2 m wide, that can fall 0.4 m: 2.8 m/s.
const std::string block = R"(
    frames = [1, 12]
    [domain]
    box = [[0, 0, 0], [0.5, 0.6, 0.2]]
    [[liquid]]
    name = "water"
    spacing = 0.02
    fill = { box = [[0, 0.2, 0], [0.2, 0.4, 0.2]] }
    )";
const std::string crate = R"(
    [[body]]
    name = "crate"
    box = [[-0.04, -0.04, -0.04], [0.04, 0.04, 0.04]]
    position = [0.4, 0.1, 0.1]
    )";

struct Filled : sim::Simulation {
    explicit Filled(const std::string& toml) : Simulation(parse_scene(toml, "test.toml")) { fill(); }
};

void set_speed(sim::Simulation& simulation, std::size_t i, float speed) {
    Float4& v = simulation.particles().velocity()[i];
    v = {0, speed, 0, v.w};
}

/// Events of the frame as it is, without those that solvers tell of their own.
std::vector<std::string> events(sim::Simulation& simulation) {
    simulation.statistics();
    return simulation.verdict().events;
}

TEST(Health, a_jet_is_no_event_and_what_is_far_beyond_tells_its_place_and_what_to_type) {
    Filled simulation(block);
    set_speed(simulation, 7, 12);
    EXPECT_EQ(events(simulation), std::vector<std::string>{});
    set_speed(simulation, 7, 40);
    const Vec3f x = simulation.particles().position()[7].xyz();
    const std::vector<std::string> told = events(simulation);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].find("speed of 'water': it has 40 m/s at"), 0u) << told[0];
    EXPECT_NE(told[0].find(fmt::format("({:.3g}, {:.3g}, {:.3g}) m", x.x, x.y, x.z)), std::string::npos) << told[0];
    EXPECT_NE(told[0].find("--substeps"), std::string::npos) << told[0];
    EXPECT_EQ(simulation.verdict().hopeless, "");
}

TEST(Health, one_particle_far_out_or_many_beyond_their_energy_are_hopeless) {
    Filled one(block);
    set_speed(one, 7, 800);
    events(one);
    EXPECT_NE(one.verdict().hopeless.find("'water' has 800 m/s"), std::string::npos) << one.verdict().hopeless;
    EXPECT_TRUE(one.verdict().finite);
    Filled many(block);
    for (std::size_t i = 0; i < many.particle_count(); ++i)
        set_speed(many, i, 15);
    events(many);
    EXPECT_NE(many.verdict().hopeless, "");
}

TEST(Health, what_is_not_a_number_is_found) {
    Filled simulation(block);
    set_speed(simulation, 3, std::numeric_limits<float>::quiet_NaN());
    events(simulation);
    EXPECT_FALSE(simulation.verdict().finite);
    EXPECT_EQ(simulation.verdict().hopeless, "1 particles have no finite position or velocity");
}

TEST(Health, compressed_liquid_is_told_of_by_name_with_the_place_of_the_crowd) {
    Filled simulation("solver = \"flip\"\n" + block);
    EXPECT_EQ(events(simulation), std::vector<std::string>{});
    for (Float4& x : simulation.particles().position())
        x.y = 0.2f + 0.3f * (x.y - 0.2f);
    simulation.advance(1e-6);
    const std::vector<std::string> told = events(simulation);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(kind_of(told[0]), "density error of 'water'");
    // The middle of the block, within a few of its rows.
    EXPECT_NE(told[0].find("most around (0.1"), std::string::npos) << told[0];
    EXPECT_NE(told[0].find("--set flip.cfl=2"), std::string::npos) << told[0];
}

TEST(Health, a_body_that_is_too_fast_spins_or_left_the_domain_is_told_of) {
    Filled simulation(block + crate);
    EXPECT_EQ(events(simulation), std::vector<std::string>{});
    const auto told_of = [&](Vec3d center, Vec3d velocity, Vec3d spin) {
        bodies::BodiesState state = simulation.bodies().state();
        state.bodies[0].center = center;
        state.bodies[0].velocity = velocity;
        state.bodies[0].spin = spin;
        simulation.bodies().restore(state);
        std::string all;
        for (const std::string& event : events(simulation))
            all += event + "\n";
        return all;
    };
    EXPECT_EQ(told_of({0.4, 0.1, 0.1}, {8, 0, 0}, {}), "");
    EXPECT_EQ(told_of({0.4, 0.1, 0.1}, {60, 0, 0}, {}).find("speed of body 'crate': a point of it has 60 m/s"), 0u);
    // 0.07 m from its centre to a corner.
    EXPECT_EQ(told_of({0.4, 0.1, 0.1}, {}, {0, 1000, 0}).find("speed of body 'crate': a point of it has 69"), 0u);
    EXPECT_EQ(told_of({0.4, -0.3, 0.1}, {}, {}).find("place of body 'crate': it went through"), 0u);
    EXPECT_EQ(simulation.verdict().hopeless, "");
    told_of({0.4, 0.1, 0.1}, {std::numeric_limits<double>::quiet_NaN(), 0, 0}, {});
    EXPECT_FALSE(simulation.verdict().finite);
}

TEST(Health, splashes_of_both_solvers_are_no_events_and_do_not_depend_on_threads) {
    for (const std::string solver : {"pbf", "flip"}) {
        Filled simulation("solver = \"" + solver + "\"\n" + block + crate);
        Filled alone("solver = \"" + solver + "\"\n" + block + crate);
        for (int frame = 2; frame <= 12; ++frame) {
            run_to(simulation, frame);
            const std::vector<std::string> told = events(simulation);
            EXPECT_EQ(told, std::vector<std::string>{}) << solver << " " << frame;
            const ThreadLimit one(1);
            run_to(alone, frame);
            EXPECT_EQ(events(alone), told) << solver << " " << frame;
        }
    }
}

}  // namespace
}  // namespace spindrift::health
