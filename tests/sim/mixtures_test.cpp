// What liquids are mixed of, in whole simulations.

#include <cmath>
#include <cstdint>

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {
namespace {

const std::string dyes = R"(
    [[component]]
    name = "red"
    diffusivity = 1e-3
    [[component]]
    name = "green"
    diffusivity = 1e-4
    [[component]]
    name = "blue"
)";

/// A pool of three colours that is stirred, filled by a tap that changes and emptied by a drain.
const std::string pool = R"(
    frames = [1, 12]
    [domain]
    box = [[0, 0, 0], [0.4, 0.4, 0.2]]
    [[force]]
    type = "vortex"
    position = [0.2, 0.1, 0.1]
    axis = [0, 1, 0]
    strength = 30
    radius = 0.2
    [[emitter]]
    disc = { radius = 0.04 }
    position = [0.1, 0.35, 0.1]
    speed = 1.5
)";
const std::string tap_mix = "mix = { red = [[1, 1], [6, 0]], green = 0 }\n";
const std::string drain = R"(
    [[killer]]
    inside = { box = [[0.3, 0, 0], [0.4, 0.02, 0.2]] }
)";
const std::string liquid = R"(
    [[liquid]]
    spacing = 0.02
)";
const std::string three_fills = R"(
    fill = [{ box = [[0, 0, 0], [0.2, 0.2, 0.2]] }, { box = [[0.2, 0, 0], [0.4, 0.2, 0.2]], mix = { blue = 1 } }]
    mix = { red = 0.5, green = 0.5, blue = 0 }
)";
const std::string stirred = pool + tap_mix + dyes + drain + liquid + three_fills;

Scene scene(const std::string& toml) {
    return parse_scene(toml, "test.toml");
}

/// In quanta, of particles that `counts` says.
template <class Counts>
std::int64_t total(const Simulation& simulation, const char* channel, const Counts& counts) {
    const ParticleStore& particles = simulation.particles();
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (!counts(i)) continue;
        const float share = particles.find_channel(channel)->as<float>()[particles.slot(i)];
        sum += static_cast<std::int64_t>(static_cast<double>(share) / static_cast<double>(fluid::share_quantum));
    }
    return sum;
}

bool all_whole(const Simulation& simulation) {
    const ParticleStore& particles = simulation.particles();
    for (std::size_t i = 0; i < particles.size(); ++i) {
        float shares[3];
        for (int k = 0; k < 3; ++k) {
            const char* names[] = {"mix_red", "mix_green", "mix_blue"};
            shares[k] = particles.find_channel(names[k])->as<float>()[particles.slot(i)];
        }
        if (!fluid::are_whole(shares)) return false;
    }
    return true;
}

TEST(Mixtures, sources_give_their_particles_what_they_say) {
    Simulation simulation(scene(stirred));
    simulation.fill();
    const ParticleStore& particles = simulation.particles();
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const auto share = [&](const char* name) {
            return particles.find_channel(name)->as<float>()[particles.slot(i)];
        };
        const bool left = particles.position()[i].x < 0.2f;
        ASSERT_EQ(share("mix_red"), left ? 0.5f : 0.f);
        ASSERT_EQ(share("mix_green"), left ? 0.5f : 0.f);
        ASSERT_EQ(share("mix_blue"), left ? 0.f : 1.f);
    }
}

TEST(Mixtures, a_tap_whose_mix_has_keys_gives_that_of_each_moment) {
    // Nothing spreads here, so what comes keeps what it was born with: red falls from 1 at frame 1 to 0 at frame 6.
    Simulation simulation(scene(pool + tap_mix +
                                "[[component]]\nname = \"red\"\n[[component]]\nname = \"green\"\n[[component]]\nname = "
                                "\"blue\"\n" +
                                liquid + three_fills));
    simulation.fill();
    const std::size_t before = simulation.particle_count();
    run_to(simulation, 5);
    const ParticleStore& particles = simulation.particles();
    std::size_t born = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const std::size_t slot = particles.slot(i);
        if (particles.find_channel("id")->as<std::int64_t>()[slot] < static_cast<std::int64_t>(before)) continue;
        const double frame = 1 + 24 * particles.find_channel("birth")->as<double>()[slot];
        ASSERT_NEAR(static_cast<double>(particles.find_channel("mix_red")->as<float>()[slot]), 1 - (frame - 1) / 5,
                    1e-6);
        ++born;
    }
    EXPECT_GT(born, 50u);
}

TEST(Mixtures, of_each_component_there_is_what_came_in_less_what_went_out) {
    Simulation simulation(scene(stirred));
    simulation.fill();
    const char* names[] = {"mix_red", "mix_green", "mix_blue"};
    std::size_t killed = 0, born = 0;
    for (int step = 0; step < 120; ++step) {
        const ParticleStore& particles = simulation.particles();
        const std::int64_t first_new = particles.next_id;
        std::int64_t before[3];
        for (int k = 0; k < 3; ++k)
            before[k] = total(simulation, names[k], [&](std::size_t i) { return particles.is_alive(i); });
        simulation.advance(simulation.choose_dt());
        const auto is_new = [&](std::size_t i) {
            return particles.find_channel("id")->as<std::int64_t>()[particles.slot(i)] >= first_new;
        };
        for (int k = 0; k < 3; ++k) {
            // Those that were killed are there until the next sort.
            const std::int64_t now = total(simulation, names[k], [&](std::size_t i) { return !is_new(i); });
            ASSERT_EQ(now, before[k]) << names[k] << " in step " << step;
        }
        for (std::size_t i = 0; i < particles.size(); ++i) {
            killed += !particles.is_alive(i);
            born += is_new(i);
        }
        ASSERT_TRUE(all_whole(simulation));
    }
    EXPECT_GT(killed, 10u);
    EXPECT_GT(born, 100u);
}

TEST(Mixtures, go_on_from_a_frame_with_the_same_bits_for_any_number_of_threads) {
    std::string expected;
    for (const int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        Simulation whole(scene(stirred));
        whole.fill();
        run_to(whole, 4);
        const Snapshot halfway = whole.snapshot();
        run_to(whole, 7);
        if (expected.empty()) expected = content_hash(whole.snapshot());
        EXPECT_EQ(content_hash(whole.snapshot()), expected) << threads << " threads";
        std::vector<std::string> said;
        const LogScope listen([&](LogLevel, const std::string& text) { said.push_back(text); });
        Simulation again(scene(stirred));
        again.restore(halfway, "frame");
        run_to(again, 7);
        EXPECT_EQ(content_hash(again.snapshot()), expected) << "resumed";
        EXPECT_TRUE(said.empty()) << said.front();
    }
}

TEST(Mixtures, that_are_dyes_alone_move_as_liquid_without_them) {
    const std::string plain = pool + drain + liquid +
                              "fill = [{ box = [[0, 0, 0], [0.2, 0.2, 0.2]] }, { box = [[0.2, 0, 0], [0.4, 0.2, 0.2]] "
                              "}]\n";
    Simulation with(scene(stirred)), without(scene(plain));
    with.fill();
    without.fill();
    run_to(with, 6);
    run_to(without, 6);
    const Snapshot a = with.snapshot(), b = without.snapshot();
    for (const ChannelArray& channel : b.channels.channels) {
        const ChannelArray* other = a.channels.find(channel.name());
        ASSERT_NE(other, nullptr) << channel.name();
        ASSERT_EQ(other->size_bytes(), channel.size_bytes());
        EXPECT_TRUE(std::equal(channel.data(), channel.data() + channel.size_bytes(), other->data())) << channel.name();
    }
}

TEST(Mixtures, shares_that_a_tool_wrote_are_made_whole_and_that_is_said) {
    Simulation simulation(scene(stirred));
    simulation.fill();
    Snapshot edited = simulation.snapshot();
    const auto red = edited.channels.find("mix_red")->as<float>(), blue = edited.channels.find("mix_blue")->as<float>();
    red[0] = 1, blue[0] = 3;
    red[1] = std::nanf("");
    red[2] = -5;
    red[3] += 1e-5f;
    std::vector<std::string> said;
    const LogScope listen([&](LogLevel, const std::string& text) { said.push_back(text); });
    simulation.restore(edited, "frame");
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0],
              "mix_*: the shares of components of 3 particles did not add up to 1; they were scaled so that they do")
        << "a rounding is not worth a word";
    EXPECT_TRUE(all_whole(simulation));
    run_to(simulation, 2);
    EXPECT_TRUE(all_whole(simulation));
}

TEST(Mixtures, frames_without_shares_are_refused) {
    Simulation plain(scene(liquid + "fill = { box = [[0, 0, 0], [0.2, 0.2, 0.2]] }\n")), mixed(scene(stirred));
    plain.fill();
    EXPECT_THROW(mixed.restore(plain.snapshot(), "frame"), UsageError);
}

const std::string paints = R"(
    frames = [1, 3]
    [output]
    channels = ["rest_density", "viscosity"]
    [[component]]
    name = "blue"
    color = [0.05, 0.3, 0.9]
    density = 1200
    viscosity = 1e-4
    [[component]]
    name = "yellow"
    color = [0.9, 0.8, 0.05]
    density = 1000
    viscosity = 1e-6
    [[liquid]]
    spacing = 0.05
    mix = { blue = 0.5, yellow = 0.5 }
    fill = [{ box = [[0, 0, 0], [0.2, 0.2, 0.2]] }, { box = [[0.2, 0, 0], [0.4, 0.2, 0.2]], mix = { yellow = 1 } }]
)";

TEST(Mixtures, frames_tell_what_particles_are_like) {
    Simulation simulation(scene(paints));
    simulation.fill();
    const Snapshot snapshot = simulation.snapshot();
    const auto at = [&](const char* name, std::size_t i, int c = 0) {
        return snapshot.channels.find(name)->value(i, c);
    };
    std::size_t mixed = 0;
    for (std::size_t i = 0; i < snapshot.channels.size(); ++i) {
        const bool green = at("mix_blue", i) == 0.5;
        mixed += green;
        EXPECT_NEAR(at("rest_density", i), green ? 1100 : 1000, 1e-3);
        EXPECT_NEAR(at("viscosity", i) / (green ? 1e-5 : 1e-6), 1, 1e-4);
        EXPECT_NEAR(at("density", i) / at("rest_density", i), 1, 0.7);
        EXPECT_NEAR(at("Cd", i, 0), green ? std::sqrt(0.05 * 0.9) : 0.9, 1e-5);
        EXPECT_NEAR(at("Cd", i, 1), green ? std::sqrt(0.3 * 0.8) : 0.8, 1e-5);
    }
    EXPECT_EQ(mixed, 64u);
    // Colours are made of shares: a resume does not carry them along.
    Simulation again(scene(paints));
    again.restore(snapshot, "frame");
    run_to(again, 2);
    run_to(simulation, 2);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(simulation.snapshot()));
    EXPECT_NEAR(simulation.statistics().volume, 128 * 0.05 * 0.05 * 0.05, 1e-9);
}

TEST(Mixtures, that_settle_go_on_from_a_frame_and_lose_nothing) {
    const std::string muddy = pool + "mix = { sand = 0.3, oil = 0 }\n" + drain + R"(
        [[component]]
        name = "sand"
        grain = 4e-4
        density = 2650
        [[component]]
        name = "oil"
        grain = 3e-4
        density = 800
        [[component]]
        name = "water"
        [[liquid]]
        spacing = 0.02
        mix = { sand = 0.1, oil = 0.1 }
        fill = { box = [[0, 0, 0], [0.4, 0.2, 0.2]] }
    )";
    std::string expected;
    for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        Simulation whole(scene(muddy));
        whole.fill();
        run_to(whole, 4);
        const Snapshot halfway = whole.snapshot();
        std::int64_t before[3], after[3];
        const char* names[] = {"mix_sand", "mix_oil", "mix_water"};
        const auto all = [](std::size_t) { return true; };
        const std::int64_t first_new = whole.particles().next_id;
        for (int k = 0; k < 3; ++k)
            before[k] = total(whole, names[k], all);
        whole.advance(1e-3);
        for (int k = 0; k < 3; ++k) {
            after[k] = total(whole, names[k], [&](std::size_t i) {
                return whole.particles().find_channel("id")->as<std::int64_t>()[whole.particles().slot(i)] < first_new;
            });
            EXPECT_EQ(after[k], before[k]) << names[k];
        }
        Simulation again(scene(muddy));
        again.restore(halfway, "frame");
        run_to(again, 7);
        Simulation straight(scene(muddy));
        straight.fill();
        run_to(straight, 7);
        if (expected.empty()) expected = content_hash(straight.snapshot());
        EXPECT_EQ(content_hash(straight.snapshot()), expected) << threads << " threads";
        EXPECT_EQ(content_hash(again.snapshot()), expected) << "resumed";
    }
}

}  // namespace
}  // namespace spindrift::sim
