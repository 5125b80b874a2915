// Emitters that keep a volume full.

#include <vector>

#include <gtest/gtest.h>

#include "spindrift/emitters/emitter.h"

namespace spindrift::emitters {
namespace {

constexpr double fps = 24, spacing = 0.01;

/// Lengths of substeps, over and over.
const std::vector<double> frames{1 / fps}, thousandths{1e-3}, uneven{0.004, 0.0007, 0.011, 0.0021, 1e-5, 0.03};

EmitterParams box_source() {
    EmitterParams params;
    params.box = Box3d{{0, 0, 0}, {0.05, 0.04, 0.03}};
    params.position = Vec3d{1, 0, 0};
    params.velocity = Vec3d{0, -1, 0};
    return params;
}

void add(ParticleStore& store, const std::vector<Birth>& births) {
    const Range born = store.append(births.size());
    for (std::size_t k = 0; k < births.size(); ++k) {
        const Vec3f x = vec_cast<float>(births[k].position);
        store.position()[born.first + k] = {x.x, x.y, x.z, 0};
    }
}

TEST(VolumeTest, a_volume_fills_once_and_then_only_what_has_left) {
    Emitter emitter(box_source(), 0, spacing, 1);
    ParticleStore store;
    Emission step{.frame = 1, .fps = fps, .dt = 0, .particles = &store};
    const std::vector<Birth> first = emitter.emit(step);
    EXPECT_EQ(first.size(), 5u * 4 * 3);
    EXPECT_EQ(first[0].velocity, (Vec3d{0, -1, 0}));
    EXPECT_GT(first[0].position.x, 1);
    add(store, first);
    EXPECT_TRUE(emitter.emit(step).empty());

    // One layer down: the top layer is free.
    for (Float4& x : store.position())
        x.y -= static_cast<float>(spacing);
    EXPECT_EQ(emitter.emit(step).size(), 5u * 3);
    store.kill(0);
    EXPECT_EQ(emitter.emit(step).size(), 5u * 3 + 0) << "the lowest layer has left the box";
    for (std::size_t i = 0; i < store.size(); ++i)
        store.kill(i);
    EXPECT_EQ(emitter.emit(step).size(), 5u * 4 * 3);
}

TEST(VolumeTest, what_flows_out_of_a_volume_is_area_times_speed_whatever_the_substeps) {
    for (const std::vector<double>& rhythm : {frames, thousandths, uneven}) {
        EmitterParams params = box_source();
        params.rotation_deg = Vec3d{0, 0, 180};  // the flow is upwards in the box's own coordinates
        Emitter emitter(params, 0, spacing, 1);
        ParticleStore store;
        double time = 0;
        add(store, emitter.emit({.frame = 1, .fps = fps, .dt = 0, .particles = &store}));
        for (std::size_t k = 0; time < 0.5; ++k) {
            // No longer than the box is high, or liquid that should have come in was never seen.
            const double dt = std::min(rhythm[k % rhythm.size()], 0.02);
            time += dt;
            for (Float4& x : store.position())
                x.y -= static_cast<float>(dt);
            add(store, emitter.emit({.frame = 1 + time * fps, .fps = fps, .dt = dt, .particles = &store}));
        }
        // The box and half a metre of its section.
        const double expected = 0.05 * 0.03 * (0.04 + time);
        EXPECT_NEAR(static_cast<double>(store.size()) * spacing * spacing * spacing, expected, 0.02 * expected);
    }
}

TEST(VolumeTest, a_turned_volume_finds_its_own_particles) {
    EmitterParams params = box_source();
    params.rotation_deg = Vec3d{20, 30, 40};
    Emitter emitter(params, 0, spacing, 1);
    ParticleStore store;
    Emission step{.frame = 1, .fps = fps, .dt = 0, .particles = &store};
    add(store, emitter.emit(step));
    EXPECT_EQ(store.size(), 60u);
    EXPECT_TRUE(emitter.emit(step).empty());
}

TEST(VolumeTest, the_rate_of_a_volume_limits_it_and_is_not_saved_up) {
    EmitterParams params = box_source();
    params.velocity = Vec3d{};
    params.rate = 240 * spacing * spacing * spacing;
    Emitter emitter(params, 0, spacing, 1);
    ParticleStore store;
    Emission step{.frame = 2, .fps = fps, .dt = 1 / fps, .particles = &store};
    for (int k = 0; k < 6; ++k) {
        const std::vector<Birth> births = emitter.emit(step);
        EXPECT_EQ(births.size(), 10u);
        add(store, births);
    }
    for (int k = 0; k < 5; ++k)
        EXPECT_TRUE(emitter.emit(step).empty());
    for (std::size_t i = 0; i < store.size(); ++i)
        store.kill(i);
    EXPECT_LE(emitter.emit(step).size(), 11u);
}

}  // namespace
}  // namespace spindrift::emitters
