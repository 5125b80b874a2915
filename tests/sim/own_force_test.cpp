// Forces: of a program, of one liquid, by a channel.

#include <memory>
#include <string>

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/fluid/liquid_of.h"
#include "spindrift/forces/force.h"

namespace spindrift::sim {
namespace {

/// Two drops without gravity.
std::string drops(const std::string& solver, const std::string& more) {
    return "solver = \"" + solver + R"("
        frames = [1, 4]
        gravity = [0, 0, 0]
        [[channel]]
        name = "charge"
        [[liquid]]
        name = "left"
        spacing = 0.02
        channels = { charge = 1.0 }
        fill = { box = [[0, 0, 0], [0.2, 0.2, 0.2]] }
        [[liquid]]
        name = "right"
        spacing = 0.02
        fill = { box = [[0.6, 0, 0], [0.8, 0.2, 0.2]] }
        )" +
           more;
}

/// Mean velocities along y of the two.
std::array<double, 2> rise(Simulation& simulation) {
    std::array<double, 2> sum{}, particles{};
    const fluid::LiquidOf liquid_of(simulation.particles());
    for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
        sum[liquid_of(i)] += static_cast<double>(simulation.particles().velocity()[i].y);
        particles[liquid_of(i)] += 1;
    }
    return {sum[0] / particles[0], sum[1] / particles[1]};
}

class OwnForce : public testing::TestWithParam<const char*> {
  protected:
    std::array<double, 2> run(const std::string& more, const std::shared_ptr<const forces::Force>& own = {}) {
        Simulation simulation(parse_scene(drops(GetParam(), more), "test.toml"));
        simulation.fill();
        if (own) simulation.add_force(own);
        run_to(simulation, 4);
        return rise(simulation);
    }
};

/// Lifts what carries a charge.
class Lift final : public forces::Force {
  public:
    void apply(const forces::Pushed& on) const override {
        const ChannelArray* const charge = on.particles ? on.particles->find_channel("charge") : nullptr;
        for (std::size_t k = 0; charge && k < on.count; ++k)
            on.v[k].y += 2 * charge->as<float>()[ParticleStore::slot_of(on.v[k])] * on.dt;
    }
    float largest_acceleration() const override { return 2; }
};

// Three frames of 1/24 s at 2 m/s^2. Nothing else pushes: what differs is rounding and, on a grid, its edges.
constexpr double expected = 2 * 3 / 24.0, tolerance = 0.01;

TEST_P(OwnForce, of_a_program_reads_the_channels_of_particles) {
    const auto [left, right] = run("", std::make_shared<Lift>());
    EXPECT_NEAR(left, expected, tolerance);
    EXPECT_NEAR(right, 0, tolerance);
}

TEST_P(OwnForce, of_a_scene_acts_on_the_liquid_that_it_names) {
    const auto [left, right] = run("[[force]]\ntype = \"constant\"\nacceleration = [0, 2, 0]\nliquid = \"right\"\n");
    EXPECT_NEAR(left, 0, tolerance);
    EXPECT_NEAR(right, expected, tolerance);
}

TEST_P(OwnForce, of_a_scene_acts_by_the_share_of_a_channel) {
    const auto [left, right] = run("[[force]]\ntype = \"constant\"\nacceleration = [0, 2, 0]\nmask = \"charge\"\n");
    EXPECT_NEAR(left, expected, tolerance);
    EXPECT_NEAR(right, 0, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Solvers, OwnForce, testing::Values("pbf", "flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

TEST(OwnForceErrors, tell_what_is_wrong_and_where) {
    const auto complaint = [](const std::string& more) {
        try {
            parse_scene(drops("pbf", "[[force]]\ntype = \"constant\"\nacceleration = [0, 2, 0]\n" + more), "test.toml");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(complaint("liquid = \"lefd\"\n").find("there is no liquid 'lefd'; did you mean 'left'?"),
              std::string::npos)
        << complaint("liquid = \"lefd\"\n");
    EXPECT_NE(complaint("mask = \"charg\"\n").find("unknown channel 'charg'; did you mean 'charge'?"),
              std::string::npos)
        << complaint("mask = \"charg\"\n");
    Simulation simulation(parse_scene(drops("pbf", ""), "test.toml"));
    EXPECT_THROW(simulation.add_force(nullptr), UsageError);
}

}  // namespace
}  // namespace spindrift::sim
