// Whitewater in motion: foam rides, bubbles rise, drops meet walls, lives end; the same bits for any number of threads.

#include "spindrift/whitewater/step.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/made_liquid.h"

namespace spindrift::whitewater {
namespace {

constexpr double d = 0.02;
constexpr float h = 0.04f, frame_time = 1 / 24.f;

bool everywhere(Vec3f) {
    return true;
}

forces::ForceSet gravity(double) {
    forces::ForceSet set;
    set.gravity = {0, -9.81f, 0};
    return set;
}

Birth born(Kind kind, Vec3f x, Vec3f v = {}) {
    Birth birth{.from = x, .x = x, .v = v};
    birth.cause = cause::source;
    birth.has_kind = true;
    birth.kind = kind;
    birth.diameter = 2e-3f;
    return birth;
}

/// One frame in a liquid that stays as it is.
Interval still(const MadeLiquid& liquid, int frame, float span = frame_time) {
    Interval interval{.flow = {liquid.flow, liquid.flow, span}, .frame = frame, .time = frame * span};
    interval.forces = gravity;
    return interval;
}

std::unique_ptr<MadeLiquid> pool_of(const MadeLiquid::Velocity& velocity = [](Vec3f) { return Vec3f{}; }) {
    auto pool = std::make_unique<MadeLiquid>(d, Box3f{{-0.4f, 0, -0.4f}, {0.4f, 0.4f, 0.4f}}, everywhere, velocity);
    pool->look({});
    return pool;
}

TEST(StepTest, foam_stays_on_a_rotating_pool_at_its_radius) {
    const auto pool = pool_of([](Vec3f x) { return cross(Vec3f{0, 3, 0}, Vec3f{x.x, 0, x.z}); });
    WhitewaterParams params;
    params.foam.half_life = 1e5;
    params.foam.spread = 0;
    Whitewater whitewater(params, 1);
    Interval first = still(*pool, 2);
    for (int k = 0; k < 200; ++k) {
        const float angle = 0.1f * static_cast<float>(k), r = 0.1f + 0.001f * static_cast<float>(k % 100);
        first.births.push_back(born(Kind::foam, {r * std::cos(angle), 0.4f, r * std::sin(angle)}));
    }
    const std::vector<Birth> births = first.births;
    whitewater.advance(first);
    const int frames = static_cast<int>(std::lround(3 * 2 * std::numbers::pi / 3 * 24));
    for (int frame = 3; frame < 3 + frames; ++frame)
        whitewater.advance(still(*pool, frame));
    ASSERT_EQ(whitewater.particles.size(), 200u);
    double worst = 0;
    std::size_t off = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const Vec3f x = whitewater.particles.x[i];
        const Vec3f start = births[static_cast<std::size_t>(whitewater.particles.id[i])].x;
        worst = std::max(worst, std::abs(std::hypot(x.x, x.z) / std::hypot(start.x, start.z) - 1.0));
        off += std::abs(x.y - 0.4f) > h / 8;
    }
    RecordProperty("radius", std::to_string(worst));
    EXPECT_LT(worst, 0.005) << "three turns; third order in time, velocities linear in space";
    EXPECT_LE(off, 2u) << "farther than an eighth of a cell from the surface";
}

TEST(StepTest, after_two_half_lives_a_quarter_of_the_foam_is_left) {
    const auto pool = pool_of();
    WhitewaterParams params;
    params.foam = {.half_life = 0.5, .keep = 0, .spread = 0};
    Whitewater whitewater(params, 1);
    Interval first = still(*pool, 2);
    constexpr int count = 20000;
    for (int k = 0; k < count; ++k)
        first.births.push_back(born(Kind::foam, {0.003f * static_cast<float>(k % 200) - 0.3f, 0.4f,
                                                 0.006f * static_cast<float>(k / 200) - 0.3f}));
    for (Birth& birth : first.births)
        birth.share = 1;
    whitewater.advance(first);
    for (int frame = 3; frame < 27; ++frame)
        whitewater.advance(still(*pool, frame));
    // Chance makes a standard deviation of 1.2 % of 5000.
    EXPECT_NEAR(static_cast<double>(whitewater.particles.size()) / count, 0.25, 0.0125);
}

TEST(StepTest, dense_foam_lives_longer) {
    const auto pool = pool_of();
    const auto left = [&](double keep) {
        WhitewaterParams params;
        params.foam = {.half_life = 0.25, .keep = keep, .crowd = {20, 45}, .spread = 0};
        Whitewater whitewater(params, 1);
        Interval first = still(*pool, 2);
        for (int k = 0; k < 4000; ++k)
            first.births.push_back(
                born(Kind::foam, {0.001f * static_cast<float>(k % 60), 0.4f, 0.001f * static_cast<float>(k / 60)}));
        whitewater.advance(first);
        for (int frame = 3; frame < 15; ++frame)
            whitewater.advance(still(*pool, frame));
        return whitewater.particles.size();
    };
    EXPECT_GT(left(0.75), 2 * left(0));
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
    for (std::size_t i = 0; i < 1000; ++i)
        EXPECT_LE(whitewater.particles.x[i].x, 0.5f) << i;
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
