// Whitewater in motion: bubbles rise, drops meet walls, lives end; the same bits for any number of threads.

#include "spindrift/whitewater/step.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "figures.h"
#include "pools.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/whitewater/order.h"

namespace spindrift::whitewater {
namespace {

double differing(const Buffer<Vec3f>& a, const Buffer<Vec3f>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += std::memcmp(&a[i], &b[i], sizeof(Vec3f)) != 0;
    return sum;
}

TEST(StepTest, whitewater_is_in_the_order_of_kinds_and_leaves) {
    Particles all;
    all.resize(5000);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto u = [&](std::uint64_t draw) { return uniform(hash_counter(3, i, draw)) * 4 - 2; };
        all.x[i] = {u(0), u(1), u(2)};
        all.kind[i] = static_cast<Kind>(i % 4);
        all.age[i] = 0;
        all.life[i] = i % 5 == 0 ? -1.f : 1.f;
    }
    const Buffer<std::uint32_t> order = order_of(all, h);
    ASSERT_EQ(order.size(), 4000u);
    std::set<std::array<int, 4>> seen;
    std::array<int, 4> last{-1, 0, 0, 0};
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t i = order[k];
        EXPECT_GT(all.life[i], 0);
        const auto leaf = [&](float a) { return static_cast<int>(std::floor(a / (8 * h))); };
        const std::array<int, 4> now{static_cast<int>(all.kind[i]), leaf(all.x[i].x), leaf(all.x[i].y),
                                     leaf(all.x[i].z)};
        EXPECT_GE(now[0], last[0]);
        const bool is_new = now == last || seen.insert(now).second;
        EXPECT_TRUE(is_new) << "a leaf's particles lie behind each other";
        last = now;
    }
}

TEST(StepTest, bubbles_rise_at_their_speed_and_become_foam) {
    const auto pool = pool_of();
    for (const float span : {1 / 24.f, 1 / 96.f}) {
        WhitewaterParams params;
        params.foam.half_life = 1e5;
        Whitewater whitewater(params, 1);
        Interval first = still(*pool, 2, span);
        first.births.push_back(born(Kind::bubbles, {0, 0.05f, 0}));
        whitewater.advance(first);
        for (float t = 0; t < 0.5f; t += span)
            whitewater.advance(still(*pool, 3, span));
        ASSERT_EQ(whitewater.particles.size(), 1u);
        EXPECT_NEAR(whitewater.particles.v[0].y / 0.297f, 1, 0.005) << span;
        EXPECT_EQ(whitewater.particles.kind[0], Kind::bubbles);
        for (float t = 0; t < 1; t += span)
            whitewater.advance(still(*pool, 4, span));
        ASSERT_EQ(whitewater.particles.size(), 1u);
        EXPECT_EQ(whitewater.particles.kind[0], Kind::foam);
        EXPECT_NEAR(whitewater.particles.x[0].y, 0.4f, h / 8);
        EXPECT_EQ(whitewater.particles.id[0], 0) << "it stays itself";
    }
}

TEST(StepTest, drops_fall_back_and_become_foam_or_plunge) {
    const auto pool = pool_of();
    WhitewaterParams params;
    params.foam.half_life = 1e5;
    Whitewater whitewater(params, 1);
    Interval first = still(*pool, 2);
    first.births.push_back(born(Kind::spray, {0, 0.45f, 0}));
    first.births.push_back(born(Kind::spray, {0.1f, 2.4f, 0}, {0, -6, 0}));
    whitewater.advance(first);
    bool plunged = false;
    for (int frame = 3; frame < 60; ++frame) {
        whitewater.advance(still(*pool, frame));
        for (std::size_t i = 0; i < whitewater.particles.size(); ++i)
            plunged |= whitewater.particles.id[i] == 1 && whitewater.particles.kind[i] == Kind::bubbles;
    }
    EXPECT_TRUE(plunged) << "it struck the surface at more than 2 m/s";
    ASSERT_EQ(whitewater.particles.size(), 2u);
    EXPECT_EQ(whitewater.particles.kind[0], Kind::foam);
    EXPECT_EQ(whitewater.particles.kind[1], Kind::foam);
}

TEST(StepTest, a_kind_that_is_switched_off_ends_what_enters_it) {
    const auto pool = pool_of();
    WhitewaterParams params;
    params.kinds = {Kind::spray};
    Whitewater whitewater(params, 1);
    Interval first = still(*pool, 2);
    first.births.push_back(born(Kind::spray, {0, 0.45f, 0}));
    EXPECT_EQ(whitewater.advance(first).total(), 1u);
    for (int frame = 3; frame < 30; ++frame)
        whitewater.advance(still(*pool, frame));
    EXPECT_EQ(whitewater.particles.size(), 0u);
}

TEST(StepTest, fast_drops_do_not_pass_a_wall_of_two_millimetres) {
    MadeLiquid pool(d, {{-1, -1, -1}, {-0.9f, -0.9f, -0.9f}}, everywhere, [](Vec3f) { return Vec3f{}; });
    pool.look({});
    collision::Walls walls;
    walls.boxes.push_back({{0.5f / h, -10 / h, -10 / h}, {0.502f / h, 10 / h, 10 / h}, {}, true});
    Whitewater whitewater({}, 1);
    Interval first = still(pool, 2);
    for (int k = 0; k < 1000; ++k)
        first.births.push_back(born(Kind::spray, {0.0004f * static_cast<float>(k), 0.001f * static_cast<float>(k), 0},
                                    {10, 0.002f * static_cast<float>(k), 0}));
    first.walls = [&](double, double) -> const collision::Walls& { return walls; };
    whitewater.advance(first);
    for (int frame = 3; frame < 9; ++frame) {
        Interval next = still(pool, frame);
        next.walls = first.walls;
        whitewater.advance(next);
    }
    ASSERT_EQ(whitewater.particles.size(), 1000u);
    std::size_t beyond = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        EXPECT_LE(whitewater.particles.x[i].x, 0.5f) << i;
        beyond += whitewater.particles.x[i].x > 0.5f;
    }
    tell({"W9", "drops of 1000 that pass a wall of 2 mm", static_cast<double>(beyond), 1, 0});
}

TEST(StepTest, the_same_bits_for_any_number_of_threads_and_however_loops_are_cut) {
    const auto pool = pool_of([](Vec3f x) { return cross(Vec3f{0, 3, 0}, x); });
    WhitewaterParams params;
    params.kinds = {Kind::spray, Kind::foam, Kind::bubbles, Kind::mist};
    params.spray.wind = Vec3d{20, 0, 0};
    const auto run = [&] {
        Whitewater whitewater(params, 5);
        for (int frame = 2; frame < 8; ++frame) {
            Interval interval = still(*pool, frame);
            for (int k = 0; k < 3000; ++k) {
                const float u = static_cast<float>(k) / 3000;
                interval.births.push_back(born(static_cast<Kind>(k % 3),
                                               {0.3f * std::cos(40 * u), 0.35f + 0.1f * u, 0.3f * std::sin(9 * u)},
                                               {1, 2 * u, 0}));
                interval.births.back().share = u;
            }
            whitewater.advance(interval);
        }
        return whitewater;
    };
    const Whitewater one = [&] {
        const ThreadLimit limit(1);
        return run();
    }();
    const auto expect_same = [&](const Whitewater& other) {
        ASSERT_EQ(other.particles.size(), one.particles.size());
        EXPECT_EQ(std::memcmp(other.particles.x.data(), one.particles.x.data(), one.particles.size() * sizeof(Vec3f)),
                  0);
        EXPECT_EQ(
            std::memcmp(other.particles.life.data(), one.particles.life.data(), one.particles.size() * sizeof(float)),
            0);
        EXPECT_EQ(other.next_id, one.next_id);
        tell({"W5", "places that other threads or cuts change", differing(other.particles.x, one.particles.x), 0, 0});
    };
    for (const int threads : {2, 3}) {
        const ThreadLimit limit(threads);
        expect_same(run());
    }
    const VariedChunks varied(3);
    expect_same(run());
    std::size_t mist = 0;
    for (std::size_t i = 0; i < one.particles.size(); ++i)
        mist += one.particles.kind[i] == Kind::mist;
    EXPECT_GT(mist, 0u) << "a wind of 20 m/s breaks drops up";
}

}  // namespace
}  // namespace spindrift::whitewater
