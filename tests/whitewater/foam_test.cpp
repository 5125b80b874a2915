// Foam: it stays on the surface, lives as long as it should, lies side by side and opens to lace.

#include "spindrift/whitewater/foam.h"

#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "figures.h"
#include "pools.h"
#include <gtest/gtest.h>

namespace spindrift::whitewater {
namespace {

TEST(FoamTest, foam_stays_on_a_rotating_pool_at_its_radius) {
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
    tell({"W7", "radius of foam after three turns off by", worst, 0.02, 0.005});
    tell({"W7", "share of it farther than h/8 from the surface", static_cast<double>(off) / 200, 0.01, 0.01});
    EXPECT_LT(worst, 0.005) << "three turns; third order in time, velocities linear in space";
    EXPECT_LE(off, 2u) << "farther than an eighth of a cell from the surface";
}

TEST(FoamTest, after_two_half_lives_a_quarter_of_the_foam_is_left) {
    const auto pool = pool_of();
    WhitewaterParams params;
    params.foam = {.half_life = 0.5, .keep = 0, .pile = 1e9, .spread = 0};
    Whitewater whitewater(params, 1);
    Interval first = still(*pool, 2);
    constexpr int count = 200000;
    for (int k = 0; k < count; ++k)
        first.births.push_back(born(Kind::foam, {0.003f * static_cast<float>(k % 200) - 0.3f, 0.4f,
                                                 0.0006f * static_cast<float>(k / 200) - 0.3f}));
    for (Birth& birth : first.births)
        birth.share = 1;
    whitewater.advance(first);
    for (int frame = 3; frame < 27; ++frame)
        whitewater.advance(still(*pool, frame));
    // Chance makes a standard deviation of 0.4 % of 50000.
    const double left = static_cast<double>(whitewater.particles.size()) / count;
    tell({"W10", "foam after two half-lives off by", std::abs(left / 0.25 - 1), 0.05, 0.02});
    EXPECT_NEAR(left / 0.25, 1, 0.02);
}

TEST(FoamTest, dense_foam_lives_longer) {
    const auto pool = pool_of();
    const auto left = [&](double keep) {
        WhitewaterParams params;
        params.foam = {.half_life = 0.25, .keep = keep, .crowd = {20, 45}, .pile = 1e9, .spread = 0};
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

/// Foam in a square of the pool's surface, as regular as a lattice.
std::vector<Birth> square_of_foam(int side, float apart) {
    std::vector<Birth> births;
    for (int k = 0; k < side * side; ++k) {
        const Vec3f place{static_cast<float>(k % side - side / 2), 0, static_cast<float>(k / side - side / 2)};
        births.push_back(born(Kind::foam, place * apart + Vec3f{0, 0.4f, 0}));
        births.back().share = 1;
    }
    return births;
}

/// Bins of `width` in the square of 0.2 m around the middle that hold any foam.
std::size_t bins_with_foam(const Whitewater& whitewater, float width) {
    std::set<std::pair<int, int>> bins;
    for (std::size_t i = 0; i < whitewater.particles.size(); ++i) {
        const Vec3f x = whitewater.particles.x[i];
        if (std::max(std::abs(x.x), std::abs(x.z)) < 0.1f)
            bins.emplace(static_cast<int>(std::floor(x.x / width)), static_cast<int>(std::floor(x.z / width)));
    }
    return bins.size();
}

TEST(FoamTest, foam_that_is_piled_up_bursts_and_a_layer_stays) {
    const auto pool = pool_of();
    const auto left = [&](float apart) {
        WhitewaterParams params;
        params.foam = {.half_life = 1e5, .pile = 180, .spread = 0};
        Whitewater whitewater(params, 1);
        Interval first = still(*pool, 2);
        first.births = square_of_foam(100, apart);
        whitewater.advance(first);
        for (int frame = 3; frame < 51; ++frame)
            whitewater.advance(still(*pool, frame));
        std::uint16_t most = 0;
        for (std::size_t i = 0; i < whitewater.particles.size(); ++i)
            most = std::max(most, whitewater.particles.crowd[i]);
        return std::pair{whitewater.particles.size(), most};
    };
    // Two seconds are twenty times as long as it takes; the last few go slowly.
    EXPECT_LT(left(0.001f).second, 200) << "1600 in a cell";
    EXPECT_EQ(left(0.004f).first, 10000u) << "100 in a cell";
}

TEST(FoamTest, foam_lies_side_by_side) {
    const auto pool = pool_of();
    WhitewaterParams params;
    params.foam.half_life = 1e5;
    params.foam.pile = 1e9;
    Whitewater whitewater(params, 1);
    Interval first = still(*pool, 2);
    // Twenty by twenty of 2 mm each, in a square of 10 mm: it takes 40 mm.
    first.births = square_of_foam(20, 0.0005f);
    whitewater.advance(first);
    const std::size_t before = bins_with_foam(whitewater, 0.002f);
    for (int frame = 3; frame < 60; ++frame)
        whitewater.advance(still(*pool, frame));
    ASSERT_EQ(whitewater.particles.size(), 400u);
    EXPECT_GT(bins_with_foam(whitewater, 0.002f), 4 * before);
}

TEST(FoamTest, holes_open_in_foam_that_has_cells) {
    const auto pool = pool_of();
    const auto covered = [&](std::optional<double> cells) {
        WhitewaterParams params;
        params.foam = {.half_life = 1e5, .spread = 0, .cells = cells, .opening = 4};
        params.foam.pile = 1e9;
        Whitewater whitewater(params, 1);
        Interval first = still(*pool, 2);
        first.births = square_of_foam(120, 0.0025f);
        whitewater.advance(first);
        for (int frame = 3; frame < 30; ++frame)
            whitewater.advance(still(*pool, frame));
        EXPECT_EQ(whitewater.particles.size(), first.births.size());
        return bins_with_foam(whitewater, 0.01f);
    };
    const std::size_t closed = covered({}), open = covered(0.06);
    std::cout << "foam with cells covers " << open << " of " << closed << " bins\n";
    EXPECT_LT(open, closed * 4 / 5) << "a fifth of the area at least is open";
    EXPECT_GT(open, closed / 4) << "and lace is left";
}

}  // namespace
}  // namespace spindrift::whitewater
