// What a frame holds beside its particles is not believed: whatever is in bodies, in the inside of a narrow band and in
// wet maps, going on from it either works or is refused with words.

#include <cstring>
#include <random>
#include <string>

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"

namespace spindrift::sim {
namespace {

using Random = std::mt19937_64;

std::string tank(const std::string& more) {
    return "frames = [1, 4]\n" + more + R"(
        [domain]
        box = [[0, 0, 0], [0.3, 0.48, 0.3]]
        [[liquid]]
        spacing = 0.03
        fill = { box = [[0, 0, 0], [0.3, 0.24, 0.3]] }
        [[body]]
        box = [[0.1, 0.3, 0.1], [0.2, 0.4, 0.2]]
        density = 500
        [[body]]
        name = "cloth"
        kind = "cloth"
        sheet = { size = [0.1, 0.1], cells = 4 }
        position = [0.15, 0.45, 0.15]
        )";
}

/// Another number, of those that break things.
void change_number(ChannelArray& array, Random& random) {
    if (array.size() == 0) return;
    const std::size_t bytes = scalar_size(array.type().scalar);
    const std::size_t place = random() % (array.size_bytes() / bytes) * bytes;
    // The last two are numbers that bodies may have, and that cells cannot be counted to.
    constexpr double doubles[] = {1e300, -1e300, 1e-300, std::numeric_limits<double>::quiet_NaN(), 1e9, -1e14};
    constexpr float floats[] = {1e38f, -1e38f, 1e-38f, std::numeric_limits<float>::infinity(), 1e9f, -1e14f};
    std::byte odd[8];
    if (array.type().scalar == ScalarType::f64)
        std::memcpy(odd, &doubles[random() % 6], 8);
    else if (array.type().scalar == ScalarType::f32)
        std::memcpy(odd, &floats[random() % 6], 4);
    else
        std::memset(odd, random() % 2 ? 0x7f : 0xff, 8);
    std::memcpy(array.data() + place, odd, bytes);
}

/// Something that a damaged or a foreign file has.
void damage(ChannelSet& arrays, Random& random) {
    if (arrays.channels.empty()) return;
    const std::size_t k = random() % arrays.channels.size();
    ChannelArray& array = arrays.channels[k];
    switch (random() % 5) {
        case 0:
            arrays.channels.erase(arrays.channels.begin() + static_cast<std::ptrdiff_t>(k));
            return;
        case 1: {
            ChannelArray other(array.name(), {random() % 2 ? ScalarType::f32 : ScalarType::i64, 1});
            other.resize(array.size());
            std::memset(other.data(), 1, other.size_bytes());
            array = std::move(other);
            return;
        }
        case 2:
            array.resize(random() % (array.size() + 1));
            return;
        default:
            change_number(array, random);
    }
}

struct DamagedState : testing::TestWithParam<const char*> {};

TEST_P(DamagedState, is_refused_or_gone_on_from) {
    const bool grid = std::string(GetParam()) != "pbf";
    const Scene scene = parse_scene(
        tank("solver = \"" + std::string(GetParam()) + "\"\n" + (grid ? "flip.narrow_band = 3\n" : "")), "tank.toml");
    Simulation whole(scene);
    whole.fill();
    run_to(whole, 2);
    const Snapshot sound = whole.snapshot();
    Random random(7);
    int refused = 0;
    Simulation simulation(scene);
    for (int k = 0; k < 300; ++k) {
        Snapshot damaged{.channels = whole.snapshot().channels, .state = sound.state, .parts = {}};
        for (const std::unique_ptr<StatePart>& part : whole.parts()) {
            if (part->is_state()) damaged.parts[part->name()] = part->save();
        }
        auto part = damaged.parts.begin();
        std::advance(part, static_cast<std::ptrdiff_t>(random() % damaged.parts.size()));
        damage(part->second.arrays, random);
        try {
            simulation.restore(damaged, "frame");
            simulation.advance(simulation.choose_dt());
        } catch (const Error& error) {
            refused += error.code() == ExitCode::input;
        }
    }
    EXPECT_GT(refused, 50);
}

TEST_P(DamagedState, bodies_may_be_as_far_away_as_numbers_go) {
    const Scene scene = parse_scene(tank("solver = \"" + std::string(GetParam()) + "\"\n"), "tank.toml");
    Simulation whole(scene);
    whole.fill();
    run_to(whole, 2);
    Snapshot frame = whole.snapshot();
    for (const double far : {1e7, 1e9, -1e12, 1e15}) {
        frame.parts.at("bodies").arrays.find("center")->as<Vec3d>()[0] = {far, 0.3, 0.1};
        Simulation simulation(scene);
        simulation.restore(frame, "frame");
        simulation.advance(simulation.choose_dt());
        EXPECT_GT(simulation.particle_count(), 0u) << far;
    }
}

INSTANTIATE_TEST_SUITE_P(Solvers, DamagedState, testing::Values("pbf", "flip"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace spindrift::sim
