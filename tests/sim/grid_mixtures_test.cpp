// What liquids on a grid are mixed of: spreading and settling from cell to cell, and reseeding that keeps totals.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "playback.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {
namespace {

Scene scene(const std::string& toml) {
    return parse_scene(toml, "test.toml");
}

float share(const Simulation& simulation, const char* channel, std::size_t i) {
    const ParticleStore& particles = simulation.particles();
    return particles.find_channel(channel)->as<float>()[particles.slot(i)];
}

/// In quanta, of living particles.
std::int64_t total(const Simulation& simulation, const char* channel) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < simulation.particles().size(); ++i) {
        if (!simulation.particles().is_alive(i)) continue;
        sum += static_cast<std::int64_t>(static_cast<double>(share(simulation, channel, i)) /
                                         static_cast<double>(fluid::share_quantum));
    }
    return sum;
}

bool all_whole(const Simulation& simulation, std::initializer_list<const char*> channels) {
    for (std::size_t i = 0; i < simulation.particles().size(); ++i) {
        std::vector<float> shares;
        for (const char* channel : channels)
            shares.push_back(share(simulation, channel, i));
        if (!fluid::are_whole(shares)) return false;
    }
    return true;
}

double height(const Simulation& simulation, std::size_t i) {
    return static_cast<double>(simulation.particles().position()[i].y);
}

void advance(Simulation& simulation, double seconds) {
    for (double time = 0; time < seconds;) {
        const double dt = std::min(simulation.choose_dt(), seconds - time);
        simulation.advance(dt);
        time += dt;
    }
}

/// A column of particles that has fallen together, clumpy as those of flip are.
std::string column(const std::string& components, const std::string& mix, const std::string& method = "flip") {
    return fmt::format(R"(
        solver = "{}"
        frames = [1, 100]
        [domain]
        box = [[0, 0, 0], [0.16, 0.6, 0.16]]
        {}
        [[liquid]]
        spacing = 0.01
        {}
    )",
                       method, components, mix);
}

TEST(GridMixtures, layers_spread_at_the_diffusivity_that_was_asked_for) {
    const double diffusivity = 5e-4;
    Simulation simulation(scene(column(
        fmt::format("[[component]]\nname = \"a\"\ndiffusivity = {0}\n[[component]]\nname = \"b\"\ndiffusivity = {0}\n",
                    diffusivity),
        "fill = [{ box = [[0, 0, 0], [0.16, 0.2, 0.16]], mix = { a = 1 } }, { box = [[0, 0.2, 0], [0.16, 0.4, 0.16]], "
        "mix = { b = 1 } }]")));
    simulation.fill();
    const auto mode = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < simulation.particles().size(); ++i)
            sum += static_cast<double>(share(simulation, "mix_a", i)) *
                   std::cos(std::numbers::pi * height(simulation, i) / 0.4);
        return sum;
    };
    advance(simulation, 0.3);
    const double before = mode();
    const std::int64_t there = total(simulation, "mix_a");
    advance(simulation, 2);
    const double fitted = std::log(before / mode()) / 2 / std::pow(std::numbers::pi / 0.4, 2) / diffusivity;
    fmt::print("flip: D {:.4f} of what was asked\n", fitted);
    // Cells are two spacings wide: within them everything is even, which is a few percent of a column of 20 cells.
    EXPECT_NEAR(fitted, 1, 0.08);
    EXPECT_EQ(total(simulation, "mix_a"), there) << "to the last bit";
    EXPECT_TRUE(all_whole(simulation, {"mix_a", "mix_b"}));
}

TEST(GridMixtures, clear_water_comes_down_as_Richardson_and_Zaki_say) {
    const double speed = 0.05;
    for (const double part : {0.1, 0.3}) {
        Simulation simulation(scene(
            column(fmt::format("[mixture]\nsuspension = false\n[[component]]\nname = \"sand\"\nsettling_speed = {}\n"
                               "[[component]]\nname = \"water\"\n",
                               speed),
                   fmt::format("mix = {{ sand = {} }}\nfill = {{ box = [[0, 0, 0], [0.16, 0.4, 0.16]] }}", part))));
        simulation.fill();
        const std::int64_t there = total(simulation, "mix_sand");
        const auto above = [&] {
            double sum = 0;
            for (std::size_t i = 0; i < simulation.particles().size(); ++i)
                sum += height(simulation, i) > 0.2 ? static_cast<double>(share(simulation, "mix_sand", i)) : 0;
            return sum / (static_cast<double>(simulation.particles().size()) / 0.4 * part);
        };
        const double theory = std::pow(1 - part, 4.65), seconds = 0.06 / (speed * theory), before = above();
        advance(simulation, seconds);
        const double measured = (before - above()) / (speed * seconds);
        fmt::print("flip V10, C {:.1f}: {:+.2f} % of w0 (1 - C)^n\n", part, 100 * (measured / theory - 1));
        EXPECT_NEAR(measured, theory, 0.05 * theory) << part;
        EXPECT_EQ(total(simulation, "mix_sand"), there);
        EXPECT_TRUE(all_whole(simulation, {"mix_sand", "mix_water"}));
    }
}

TEST(GridMixtures, beds_are_no_fuller_than_they_may_be) {
    Simulation simulation(scene(
        column("[mixture]\nsuspension = false\n[[component]]\nname = \"sand\"\nsettling_speed = 0.3\nhindrance = 2\n"
               "[[component]]\nname = \"oil\"\nsettling_speed = -0.2\nmost = 0.8\n[[component]]\nname = \"water\"\n",
               "mix = { sand = 0.25, oil = 0.2 }\nfill = { box = [[0, 0, 0], [0.16, 0.2, 0.16]] }")));
    simulation.fill();
    advance(simulation, 2);
    double sand_below = 0, oil_above = 0, sand = 0, oil = 0;
    for (std::size_t i = 0; i < simulation.particles().size(); ++i) {
        const auto s = static_cast<double>(share(simulation, "mix_sand", i)),
                   o = static_cast<double>(share(simulation, "mix_oil", i));
        ASSERT_LT(s / 0.6 + o / 0.8, 1.001);
        sand += s, oil += o;
        if (height(simulation, i) < 0.1) sand_below += s;
        if (height(simulation, i) > 0.1) oil_above += o;
    }
    EXPECT_GT(sand_below, 0.97 * sand);
    // Some of the oil is shut in by the bed, which has no room above it.
    EXPECT_GT(oil_above, 0.8 * oil);
}

/// A pool of two colours that is stirred hard, so that cells are reseeded.
std::string stirred(const std::string& method) {
    return fmt::format(R"(
        solver = "{}"
        frames = [1, 30]
        [domain]
        box = [[0, 0, 0], [0.4, 0.4, 0.2]]
        [[force]]
        type = "vortex"
        position = [0.2, 0.1, 0.1]
        axis = [0, 1, 0]
        strength = 40
        radius = 0.2
        [[component]]
        name = "red"
        diffusivity = 1e-5
        settling_speed = 0.02
        [[component]]
        name = "blue"
        diffusivity = 1e-5
        [[liquid]]
        spacing = 0.015
        fill = [{{ box = [[0, 0, 0], [0.2, 0.25, 0.2]], mix = {{ red = 0.4 }} }},
                {{ box = [[0.2, 0, 0], [0.4, 0.25, 0.2]], mix = {{ blue = 1 }} }}]
    )",
                       method);
}

TEST(GridMixtures, reseeding_keeps_what_there_is_of_each_component) {
    for (const char* method : {"flip", "apic"}) {
        Simulation simulation(scene(stirred(method)));
        simulation.fill();
        const std::int64_t red = total(simulation, "mix_red"), blue = total(simulation, "mix_blue");
        std::int64_t first_new = simulation.particles().next_id;
        run_to(simulation, 8);
        EXPECT_GT(simulation.particles().next_id, first_new + 20) << "particles were reseeded";
        EXPECT_EQ(total(simulation, "mix_red"), red) << method;
        EXPECT_EQ(total(simulation, "mix_blue"), blue) << method;
        EXPECT_TRUE(all_whole(simulation, {"mix_red", "mix_blue"}));
    }
}

TEST(GridMixtures, go_on_from_a_frame_with_the_same_bits_for_any_number_of_threads) {
    std::string expected;
    for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        Simulation whole(scene(stirred("flip")));
        whole.fill();
        run_to(whole, 3);
        const Snapshot halfway = whole.snapshot();
        run_to(whole, 5);
        if (expected.empty()) expected = content_hash(whole.snapshot());
        EXPECT_EQ(content_hash(whole.snapshot()), expected) << threads << " threads";
        Simulation again(scene(stirred("flip")));
        again.restore(halfway, "frame");
        run_to(again, 5);
        EXPECT_EQ(content_hash(again.snapshot()), expected) << "resumed";
    }
}

TEST(GridMixtures, that_are_dyes_alone_move_as_liquid_without_them) {
    std::string plain = stirred("flip");
    plain.erase(plain.find("[[component]]"), plain.find("[[liquid]]") - plain.find("[[component]]"));
    for (const char* mix : {", mix = { red = 0.4 }", ", mix = { blue = 1 }"})
        plain.erase(plain.find(mix), std::string(mix).size());
    std::string dyes = stirred("flip");
    dyes.erase(dyes.find("settling_speed = 0.02"), std::string("settling_speed = 0.02").size());
    Simulation with(scene(dyes)), without(scene(plain));
    with.fill();
    without.fill();
    run_to(with, 4);
    run_to(without, 4);
    const Snapshot a = with.snapshot(), b = without.snapshot();
    for (const ChannelArray& channel : b.channels.channels) {
        const ChannelArray* other = a.channels.find(channel.name());
        ASSERT_NE(other, nullptr) << channel.name();
        ASSERT_EQ(other->size_bytes(), channel.size_bytes());
        EXPECT_TRUE(std::equal(channel.data(), channel.data() + channel.size_bytes(), other->data())) << channel.name();
    }
}

}  // namespace
}  // namespace spindrift::sim
