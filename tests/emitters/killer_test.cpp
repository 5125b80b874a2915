#include "spindrift/emitters/killer.h"

#include <gtest/gtest.h>

#include "spindrift/emitters/emitter.h"

namespace spindrift::emitters {
namespace {

/// Ten particles in a row along x, 1 m apart, each as fast in m/s as its place is in m, born a second after the one
/// before.
ParticleStore row() {
    ParticleStore store;
    store.add_channel(birth_channel, {ScalarType::f64, 1});
    store.append(10);
    for (std::size_t i = 0; i < 10; ++i) {
        const auto k = static_cast<float>(i);
        store.position()[i] = {k, 0, 0, 0};
        store.velocity()[i] = {0, k, 0, store.velocity()[i].w};
        store.find_channel(birth_channel)->as<double>()[i] = static_cast<double>(i);
    }
    return store;
}

/// Places of the particles that are left.
std::string survivors(const KillerParams& params, const Inspection& now, double radius = 1.5) {
    ParticleStore store = row();
    const std::size_t killed = Killer(params, {}, radius).apply(store, now);
    std::string left;
    for (std::size_t i = 0; i < store.size(); ++i) {
        if (store.is_alive(i)) left += std::to_string(static_cast<int>(store.position()[i].x));
    }
    EXPECT_EQ(left.size() + killed, 10u);
    return left;
}

const Inspection now{.frame = 1, .time = 10};

TEST(KillerTest, the_old_die) {
    KillerParams killer;
    killer.age = 4.5;
    EXPECT_EQ(survivors(killer, now), "6789");
    using Keys = std::vector<Animated<double>::Key>;
    killer.age = Animated<double>(Keys{{0, 0.0}, {10, 100.0}});
    EXPECT_EQ(survivors(killer, now), "0123456789");
}

TEST(KillerTest, the_fast_and_the_slow_die) {
    KillerParams fast, slow;
    fast.speed = 6.5;
    slow.slower = 2.5;
    EXPECT_EQ(survivors(fast, now), "0123456");
    EXPECT_EQ(survivors(slow, now), "3456789");
}

TEST(KillerTest, the_misplaced_die) {
    KillerParams inside, outside;
    inside.inside = RegionParams{.box = Box3d{{2.5, -1, -1}, {5.5, 1, 1}}};
    EXPECT_EQ(survivors(inside, now), "0126789");
    outside.outside = RegionParams{.sphere = SphereShape{{4, 0, 0}, 2.5}};
    EXPECT_EQ(survivors(outside, now), "23456");
    KillerParams ring;
    ring.inside = RegionParams{.cylinder = CylinderShape{{-1, 0, 0}, {7.5, 0, 0}, 1}};
    ring.outside = outside.outside;
    EXPECT_EQ(survivors(ring, now), "2345689");
}

TEST(KillerTest, conditions_must_all_hold) {
    KillerParams killer;
    killer.age = 4.5;
    killer.speed = 2.5;
    EXPECT_EQ(survivors(killer, now), "0126789");
}

TEST(KillerTest, the_oldest_beyond_the_most_die_whatever_else_holds) {
    KillerParams killer;
    killer.most = 3;
    EXPECT_EQ(survivors(killer, now), "789");
    killer.speed = 8.5;
    EXPECT_EQ(survivors(killer, now), "678");
    killer.most = 0;
    EXPECT_EQ(survivors(killer, now), "");
}

TEST(KillerTest, the_lonely_die_at_the_end_of_a_frame) {
    KillerParams killer;
    killer.isolated = 1;
    EXPECT_EQ(survivors(killer, now), "0123456789");
    Inspection frame_end = now;
    frame_end.whole_frame = true;
    EXPECT_EQ(survivors(killer, frame_end), "12345678") << "the ends have one neighbour each";
    killer.isolated = 0;
    EXPECT_EQ(survivors(killer, frame_end), "0123456789");
    EXPECT_EQ(survivors(killer, frame_end, 0.5), "");
    killer.isolated = 3;
    EXPECT_EQ(survivors(killer, frame_end, 2.5), "234567") << "four neighbours in the middle";
}

TEST(KillerTest, a_killer_rests_outside_its_window_and_leaves_other_liquids_alone) {
    KillerParams killer;
    killer.slower = 100;
    killer.active = {5, 6};
    EXPECT_EQ(survivors(killer, now), "0123456789");
    killer.active = {1, 6};
    EXPECT_EQ(survivors(killer, now), "");

    ParticleStore store = row();
    Inspection two = now;
    two.liquid_of = [](std::size_t i) { return i % 2; };
    EXPECT_EQ(Killer(killer, 1, 1).apply(store, two), 5u);
    EXPECT_TRUE(store.is_alive(0));
    EXPECT_FALSE(store.is_alive(1));
}

}  // namespace
}  // namespace spindrift::emitters
