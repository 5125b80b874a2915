#include <cmath>
#include <cstdint>
#include <memory>

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/random.h"
#include "spindrift/filling/carried_channels.h"
#include "spindrift/scene/liquid_color.h"
#include "spindrift/sim/simulation.h"
#include "spindrift/stages/pictures/particle_look.h"

namespace spindrift::sim {
namespace {

const std::string declarations = R"(
    frames = [1, 4]
    [[channel]]
    name = "temperature"
    default = 293.5
    [[channel]]
    name = "group"
    type = "int"
    [[channel]]
    name = "tint"
    type = "vec3"
    default = [1, 0.5, 0.25]
)";

const std::string hot_and_cold = declarations + R"(
    [domain]
    box = [[0, 0, 0], [0.4, 0.4, 0.2]]
    [[liquid]]
    name = "hot"
    spacing = 0.02
    viscosity = 0.5
    fill = { box = [[0, 0, 0], [0.2, 0.2, 0.2]] }
    channels = { temperature = 350, group = -7 }
    [[liquid]]
    name = "cold"
    spacing = 0.02
    color = [0.25, 0.5, 0.75]
    fill = { box = [[0.2, 0, 0], [0.4, 0.2, 0.2]] }
    channels = { tint = [0, 0, 1] }
    [output]
    channels = ["age", "vorticity", "uv", "viscosity", "rest"]
)";

Scene scene(const std::string& toml) {
    return parse_scene(toml, "test.toml");
}

template <class T>
ConstChannel<T> values(const Snapshot& snapshot, const char* name) {
    const ChannelArray* channel = snapshot.channels.find(name);
    EXPECT_NE(channel, nullptr) << name;
    return channel->as<T>();
}

/// What the two liquids were given, wherever their particles are by now.
void expect_values_of_birth(const Scene& s, const Snapshot& now) {
    const auto phase = values<std::uint16_t>(now, "phase");
    for (std::size_t i = 0; i < phase.size(); ++i) {
        const bool hot = phase[i] == 0;
        ASSERT_EQ(values<float>(now, "temperature")[i], hot ? 350.f : 293.5f);
        ASSERT_EQ(values<std::int32_t>(now, "group")[i], hot ? -7 : 0);
        ASSERT_EQ(values<Vec3f>(now, "tint")[i], hot ? (Vec3f{1, 0.5f, 0.25f}) : (Vec3f{0, 0, 1}));
        ASSERT_EQ(values<Vec3f>(now, "Cd")[i], liquid_color(s, phase[i]));
        ASSERT_EQ(values<float>(now, "viscosity")[i],
                  hot ? 0.5f : static_cast<float>(s.liquid[1].properties().viscosity));
    }
}

TEST(Channels, liquids_keep_the_values_they_were_given) {
    const Scene s = scene(hot_and_cold);
    Simulation simulation(s);
    simulation.fill();
    expect_values_of_birth(s, simulation.snapshot());
    run_to(simulation, 3);
    expect_values_of_birth(s, simulation.snapshot());
}

TEST(Channels, uv_and_rest_are_those_of_birth) {
    Simulation simulation(scene(hot_and_cold));
    simulation.fill();
    const Snapshot start = simulation.snapshot();
    std::vector<Vec3f> born(start.channels.size());
    for (std::size_t i = 0; i < born.size(); ++i) {
        const Vec3f x = values<Vec3f>(start, "P")[i], uv = values<Vec3f>(start, "uv")[i];
        const Vec3f rest = values<Vec3f>(start, "rest")[i];
        const Vec3f low = values<std::uint16_t>(start, "phase")[i] == 0 ? Vec3f{0, 0, 0} : Vec3f{0.2f, 0, 0};
        // Positions pass through the solver's unit of length, which rounds them in single precision.
        EXPECT_LT(length(rest - x), 1e-7f);
        EXPECT_LT(length(uv - (x - low) / 0.2f), 1e-6f);
        EXPECT_EQ(values<float>(start, "age")[i], 0);
        born[static_cast<std::size_t>(values<std::int64_t>(start, "id")[i])] = rest;
    }
    run_to(simulation, 3);
    const Snapshot later = simulation.snapshot();
    float farthest = 0;
    for (std::size_t i = 0; i < born.size(); ++i) {
        const Vec3f rest = values<Vec3f>(later, "rest")[i];
        EXPECT_EQ(rest, born[static_cast<std::size_t>(values<std::int64_t>(later, "id")[i])]);
        EXPECT_FLOAT_EQ(values<float>(later, "age")[i], 2.f / 24);
        farthest = std::max(farthest, length(values<Vec3f>(later, "P")[i] - rest));
    }
    EXPECT_GT(farthest, 0.002f) << "nobody went anywhere";
}

TEST(Channels, frames_hold_what_was_asked_for_and_no_more) {
    Simulation simulation(scene(R"(
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] })"));
    simulation.fill();
    std::vector<std::string> names;
    const Snapshot snapshot = simulation.snapshot();
    for (const ChannelArray& channel : snapshot.channels.channels)
        names.push_back(channel.name());
    EXPECT_EQ(names, (std::vector<std::string>{"P", "v", "density", "pscale", "id"}));
}

TEST(Channels, color_is_there_if_asked_for_or_if_a_liquid_has_one) {
    const std::string plain = "[[liquid]]\nspacing = 0.02\nfill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }\n";
    EXPECT_FALSE(filling::has_built_in(scene(plain), BuiltInChannel::color));
    EXPECT_TRUE(filling::has_built_in(scene(plain + "color = [1, 0, 0]"), BuiltInChannel::color));
    EXPECT_TRUE(filling::has_built_in(scene(plain + "[output]\nchannels = \"Cd\""), BuiltInChannel::color));
    EXPECT_TRUE(filling::has_built_in(scene(hot_and_cold), BuiltInChannel::color));
}

TEST(Channels, a_source_goes_before_its_liquid_and_that_before_the_default) {
    const Scene s = scene(hot_and_cold);
    const filling::ChannelValues values = filling::birth_values(s, 0, {{{"temperature", {{400}}}}}, Vec3d{0, 1, 0});
    ASSERT_EQ(values.size(), 4u);
    EXPECT_EQ(values[0].channel, "Cd");
    EXPECT_EQ(values[0].value, (std::array<double, 3>{0, 1, 0}));
    EXPECT_EQ(values[1].value[0], 400);
    EXPECT_EQ(values[2].value[0], -7);
    EXPECT_EQ(values[3].value, (std::array<double, 3>{1, 0.5, 0.25}));
}

TEST(Channels, a_resumed_run_gives_the_same_bits_in_every_channel) {
    Simulation whole(scene(hot_and_cold));
    whole.fill();
    run_to(whole, 2);
    const Snapshot halfway = whole.snapshot();
    run_to(whole, 4);
    Simulation again(scene(hot_and_cold));
    again.restore(halfway, "frame");
    run_to(again, 4);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
}

TEST(Channels, what_a_tool_wrote_into_a_frame_is_carried_on) {
    Simulation simulation(scene(hot_and_cold));
    simulation.fill();
    Snapshot edited = simulation.snapshot();
    const auto id = edited.channels.find("id")->as<std::int64_t>();
    for (std::size_t i = 0; i < id.size(); ++i)
        edited.channels.find("Cd")->as<Vec3f>()[i] = {static_cast<float>(id[i]), 0, 0};
    ChannelArray& extra = edited.channels.add("made_elsewhere", {ScalarType::f64, 1}, id.size());
    std::fill(extra.as<double>().begin(), extra.as<double>().end(), 0.125);
    simulation.restore(edited, "frame");
    run_to(simulation, 2);
    const Snapshot later = simulation.snapshot();
    for (std::size_t i = 0; i < later.channels.size(); ++i) {
        ASSERT_EQ(values<Vec3f>(later, "Cd")[i].x, static_cast<float>(values<std::int64_t>(later, "id")[i]));
        ASSERT_EQ(values<double>(later, "made_elsewhere")[i], 0.125);
    }
}

const std::string tap = declarations + R"(
    [domain]
    box = [[0, 0, 0], [0.4, 0.4, 0.2]]
    [[liquid]]
    spacing = 0.02
    fill = { box = [[0, 0, 0], [0.2, 0.1, 0.2]] }
    channels = { temperature = 350, group = -7 }
    [[emitter]]
    disc = { radius = 0.04 }
    position = [0.3, 0.3, 0.1]
    speed = 3
    color = [0, 1, 0]
    channels = { temperature = 400, tint = [0, 0, 1] }
    [[killer]]
    inside = { box = [[0, 0, 0], [0.05, 0.4, 0.2]] }
    [output]
    channels = ["vorticity", "uv", "rest"]
)";

TEST(Channels, emitters_set_values_of_their_particles) {
    const Scene s = scene(tap);
    Simulation simulation(s);
    simulation.fill();
    const auto filled = static_cast<std::int64_t>(simulation.particle_count());
    run_to(simulation, 4);
    const Snapshot now = simulation.snapshot();
    std::size_t emitted = 0;
    for (std::size_t i = 0; i < now.channels.size(); ++i) {
        const bool born = values<float>(now, "age")[i] < 2.99f / 24;
        emitted += born;
        ASSERT_EQ(values<float>(now, "temperature")[i], born ? 400.f : 350.f);
        ASSERT_EQ(values<std::int32_t>(now, "group")[i], -7);
        ASSERT_EQ(values<Vec3f>(now, "tint")[i], born ? (Vec3f{0, 0, 1}) : (Vec3f{1, 0.5f, 0.25f}));
        ASSERT_EQ(values<Vec3f>(now, "Cd")[i], born ? (Vec3f{0, 1, 0}) : liquid_color(s, 0));
        if (!born) continue;
        ASSERT_GE(values<std::int64_t>(now, "id")[i], filled);
        // The nozzle's plane, and its axis in the middle.
        const Vec3f rest = values<Vec3f>(now, "rest")[i], uv = values<Vec3f>(now, "uv")[i];
        ASSERT_NEAR(rest.y, 0.3f, 1e-6f);
        ASSERT_LT(std::hypot(rest.x - 0.3f, rest.z - 0.1f), 0.04f);
        ASSERT_TRUE(uv.x > 0 && uv.x < 1 && uv.y > 0 && uv.y < 1);
    }
    EXPECT_GT(emitted, 100u);
}

TEST(Channels, a_resumed_tap_gives_the_same_bits_in_every_channel) {
    Simulation whole(scene(tap));
    whole.fill();
    run_to(whole, 2);
    const Snapshot halfway = whole.snapshot();
    run_to(whole, 4);
    Simulation again(scene(tap));
    again.restore(halfway, "frame");
    run_to(again, 4);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
}

std::string refusal(const std::string& toml, const Snapshot& snapshot) {
    Simulation simulation(scene(toml));
    try {
        simulation.restore(snapshot, "water.0002.npz");
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Channels, frames_without_the_channels_of_the_scene_are_refused) {
    const std::string liquid = "[[liquid]]\nspacing = 0.02\nfill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }\n";
    Simulation simulation(scene(declarations + liquid));
    simulation.fill();
    Snapshot frame = simulation.snapshot();
    EXPECT_EQ(refusal(declarations + liquid, frame), "");
    EXPECT_EQ(refusal("[[channel]]\nname = \"age_of_ice\"\n" + liquid, frame),
              "water.0002.npz: cannot go on from this frame: it has no channel 'age_of_ice', which the scene asks for; "
              "simulate from the first frame with `spindrift run --overwrite`, or take the channel out of the scene");
    EXPECT_EQ(refusal("[[channel]]\nname = \"tint\"\ntype = \"int\"\n" + liquid, frame),
              "water.0002.npz: cannot go on from this frame: its channel 'tint' holds float32 x 3, and the scene asks "
              "for int32; simulate from the first frame with `spindrift run --overwrite`, or give the channel the "
              "scene's type");
    EXPECT_NE(refusal(liquid + "color = [1, 0, 0]", frame).find("no channel 'Cd'"), std::string::npos);
}

TEST(Channels, frames_whose_own_channels_have_another_type_are_refused) {
    const std::string liquid = "[[liquid]]\nspacing = 0.02\nfill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }\n";
    for (const std::string solver : {"pbf", "apic"}) {
        Simulation simulation(scene("solver = \"" + solver + "\"\n" + liquid));
        simulation.fill();
        const Snapshot frame = simulation.snapshot();
        for (const char* name : {"affine", "birth", "phase", "lod"}) {
            Snapshot edited = simulation.snapshot();
            std::erase_if(edited.channels.channels, [&](const ChannelArray& each) { return each.name() == name; });
            edited.channels.add(name, {ScalarType::i32, 2}, frame.channels.size());
            try {
                simulation.restore(edited, "water.0002.npz");
                ADD_FAILURE() << name << " was taken";
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ExitCode::input);
                EXPECT_EQ(std::string(error.what())
                              .find(std::string("water.0002.npz: cannot go on from this frame: its channel '") + name +
                                    "' holds int32 x 2, expected "),
                          0u)
                    << error.what();
            }
        }
        simulation.restore(frame, "water.0002.npz");
        EXPECT_EQ(content_hash(simulation.snapshot()), content_hash(frame));
    }
}

TEST(Channels, a_frame_that_turns_out_to_be_broken_leaves_the_particles_alone) {
    const std::string liquid = "[[liquid]]\nspacing = 0.02\nfill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }\n";
    Simulation simulation(scene(liquid));
    simulation.fill();
    Snapshot broken = simulation.snapshot();
    broken.state = "{}";
    Simulation fresh(scene(liquid));
    EXPECT_THROW(fresh.restore(broken, "water.0002.npz"), IoError);
    fresh.fill();
    EXPECT_EQ(fresh.particle_count(), simulation.particle_count());
}

/// Channels that follow from a particle's id.
float heat_of(std::int64_t id) {
    return 300 + 0.25f * static_cast<float>(id);
}
Vec3f tint_of(std::int64_t id) {
    return {static_cast<float>(id), -static_cast<float>(id % 17), 0.5f};
}

/// Kills some particles, and adds as many in a sparse layer above the rest.
void replace_some(ParticleStore& particles, std::uint64_t step) {
    constexpr std::size_t count = 3;
    for (std::size_t k = 0; k < count; ++k)
        particles.kill(hash_counter(3, step, k) % particles.size());
    const Range born = particles.append(count);
    for (const std::size_t i : born) {
        const auto at = [&](std::uint64_t draw) {
            return 0.19f * uniform(hash_counter(5, step, 3 * (i - born.first) + draw));
        };
        particles.position()[i] = {at(0), 0.25f + at(1), at(2), 0};
        const std::size_t slot = particles.slot(i);
        const std::int64_t id = particles.find_channel("id")->as<std::int64_t>()[slot];
        particles.find_channel("temperature")->as<float>()[slot] = heat_of(id);
        particles.find_channel("group")->as<std::int32_t>()[slot] = static_cast<std::int32_t>(id);
        particles.find_channel("tint")->as<Vec3f>()[slot] = tint_of(id);
    }
}

std::size_t count_wrong(const Snapshot& now) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < now.channels.size(); ++i) {
        const std::int64_t id = values<std::int64_t>(now, "id")[i];
        wrong += values<float>(now, "temperature")[i] != heat_of(id);
        wrong += values<std::int32_t>(now, "group")[i] != id;
        wrong += !(values<Vec3f>(now, "tint")[i] == tint_of(id));
    }
    return wrong;
}

TEST(Channels, values_stay_with_their_particle_for_a_thousand_steps_of_births_and_deaths) {
    const Scene s = scene(declarations + R"(
        [domain]
        box = [[0, 0, 0], [0.2, 0.5, 0.2]]
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.2, 0.06, 0.2]] })");
    auto simulation = std::make_unique<Simulation>(s);
    simulation->fill();
    Snapshot start = simulation->snapshot();
    for (std::size_t i = 0; i < start.channels.size(); ++i) {
        const std::int64_t id = values<std::int64_t>(start, "id")[i];
        start.channels.find("temperature")->as<float>()[i] = heat_of(id);
        start.channels.find("group")->as<std::int32_t>()[i] = static_cast<std::int32_t>(id);
        start.channels.find("tint")->as<Vec3f>()[i] = tint_of(id);
    }
    simulation->restore(start, "start");
    for (std::uint64_t step = 0; step < 1000; ++step) {
        replace_some(simulation->particles(), step);
        simulation->advance(1.0 / 500);
        if (step % 250 != 100) continue;
        const Snapshot now = simulation->snapshot();
        ASSERT_EQ(count_wrong(now), 0u) << "after step " << step;
        simulation = std::make_unique<Simulation>(s);
        simulation->restore(now, "snapshot");
    }
    const Snapshot end = simulation->snapshot();
    EXPECT_EQ(count_wrong(end), 0u);
    EXPECT_GT(end.channels.size(), 200u);
    EXPECT_GT(simulation->particles().next_id, 3000);
}

TEST(Channels, pictures_take_their_colors_from_any_channel) {
    Scene s = scene(hot_and_cold);
    Simulation simulation(s);
    simulation.fill();
    const Snapshot frame = simulation.snapshot();
    s.render.color = "group";
    const std::vector<float> groups = stages::particle_colors(s, frame.channels).values;
    s.render.color = "tint";
    const std::vector<float> lengths = stages::particle_colors(s, frame.channels).values;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const bool hot = values<std::uint16_t>(frame, "phase")[i] == 0;
        ASSERT_EQ(groups[i], hot ? -7 : 0);
        ASSERT_FLOAT_EQ(lengths[i], hot ? std::sqrt(1.3125f) : 1.f);
    }
}

}  // namespace
}  // namespace spindrift::sim
