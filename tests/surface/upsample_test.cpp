#include "spindrift/surface/upsample.h"

#include <cmath>
#include <numbers>

#include "surface_shapes.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/weld.h"

namespace spindrift::surface {
namespace {

constexpr float spacing = 0.01f;
constexpr UpsampleParams once{};
/// Distances are computed in other units than they are tested in: a few roundings.
constexpr float rounding = 1e-5f;

Upsampled upsample_points(const std::vector<Vec3f>& x, const UpsampleParams& params) {
    const neighbors::ParticleView view{.x = x, .spacing = {spacing}};
    const neighbors::ParticleCells cells(view);
    return upsample(view, cells, detect(cells, {}, {}).particles, params);
}

float distance(Vec3f a, Vec3f b) {
    return length(a - b);
}

/// Least distance of the new from each other and from the old.
float least_distance(const std::vector<Vec3f>& old, const std::vector<Vec3f>& fresh) {
    float least = 1;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            least = std::min(least, distance(fresh[i], fresh[j]));
        for (const Vec3f& p : old)
            least = std::min(least, distance(fresh[i], p));
    }
    return least;
}

/// Evenly spread points on a sphere about the origin, about a spacing apart.
std::vector<Vec3f> sphere(double radius) {
    const int n = static_cast<int>(4 * std::numbers::pi * radius * radius / (spacing * spacing));
    std::vector<Vec3f> points;
    for (int i = 0; i < n; ++i) {
        const double y = 1 - (2 * i + 1.0) / n, r = std::sqrt(1 - y * y);
        const double turn = i * std::numbers::pi * (3 - std::sqrt(5.0));
        points.push_back(vec_cast<float>(Vec3d{r * std::cos(turn), y, r * std::sin(turn)} * radius));
    }
    return points;
}

SurfaceParticles exact_normals(const std::vector<Vec3f>& points, float sign) {
    SurfaceParticles out;
    out.flag.assign(points.size(), outer);
    for (const Vec3f& p : points)
        out.normal.push_back(sign * normalize(p));
    return out;
}

TEST(Upsample, PointsOfASphereGivePointsOfIt) {
    const float radius = 8 * spacing;
    const std::vector<Vec3f> x = sphere(radius);
    const neighbors::ParticleView view{.x = x, .spacing = {spacing}};
    const neighbors::ParticleCells cells(view);
    // Seen from inside too: a bubble is concave.
    for (const float sign : {1.f, -1.f}) {
        const Upsampled more = upsample(view, cells, exact_normals(x, sign), once);
        EXPECT_GT(more.x.size(), 2 * x.size());
        for (std::size_t k = 0; k < more.x.size(); ++k) {
            const float a = distance(x[more.parents[k][0]], x[more.parents[k][1]]);
            // The bound of the header, far below spacing^2 / radius, with a margin for higher orders and rounding.
            const float bound = 1.2f * std::pow(a, 4.f) / (128 * radius * radius * radius) + 1e-6f * radius;
            ASSERT_NEAR(length(more.x[k]), radius, bound) << k;
            // The mean of two normals on a circle is the normal of the middle.
            ASSERT_GT(sign * dot(more.normal[k], normalize(more.x[k])), 0.9999f);
        }
    }
}

TEST(Upsample, KeepsAFlatSheetFlat) {
    std::vector<Vec3f> x = lattice({20, 20, 1}, spacing);
    shake(x, 0.15f * spacing, 2);
    for (Vec3f& p : x)
        p.z = 3 * spacing;
    const Upsampled more = upsample_points(x, once);
    EXPECT_GT(more.x.size(), 400u);
    for (const Vec3f& p : more.x)
        ASSERT_NEAR(p.z, 3 * spacing, 1e-4f * spacing);
}

TEST(Upsample, WeldsWhatIsTooClose) {
    std::vector<Vec3f> x = lattice({10, 10, 6}, spacing);
    shake(x, 0.2f * spacing, 3);
    const Upsampled more = upsample_points(x, once);
    EXPECT_GT(more.x.size(), 200u);
    EXPECT_GE(least_distance(x, more.x), 0.4f * spacing * (1 - rounding));
    for (std::size_t k = 0; k < more.x.size(); ++k) {
        const auto [p, q] = more.parents[k];
        EXPECT_LE(distance(x[p], x[q]), 3 * spacing * (1 + rounding));
        EXPECT_LE(distance(x[p], more.x[k]), 2 * spacing);
    }
}

TEST(Upsample, EachTimeMakesASheetFourTimesAsDense) {
    const std::vector<Vec3f> x = lattice({20, 20, 1}, spacing);
    // A lattice gets its edges' and faces' middles: 39 x 39 and 77 x 77 points.
    EXPECT_EQ(x.size() + upsample_points(x, once).x.size(), 39u * 39u);
    const Upsampled twice = upsample_points(x, {.times = 2});
    EXPECT_EQ(x.size() + twice.x.size(), 77u * 77u);
    EXPECT_GE(least_distance(x, twice.x), 0.2f * spacing * (1 - rounding));
    for (std::size_t k = 0; k < twice.x.size(); ++k) {
        for (const std::uint32_t parent : twice.parents[k])
            ASSERT_LT(parent, x.size() + k);
    }
}

TEST(Upsample, ClosesASheetStretchedToTwiceItsSpacing) {
    const std::vector<Vec3f> x = lattice({12, 12, 1}, 2 * spacing);
    const Upsampled more = upsample_points(x, once);
    EXPECT_EQ(x.size() + more.x.size(), 23u * 23u);
}

TEST(Upsample, DoesNotFillASheetOfTwoLayersBetweenThem) {
    const std::vector<Vec3f> x = lattice({14, 14, 2}, spacing);
    for (const Vec3f& p : upsample_points(x, once).x) {
        const Vec3f at = p / spacing;
        const bool at_rim = std::min({at.x, at.y, 14 - at.x, 14 - at.y}) < 2;
        if (!at_rim) {
            EXPECT_GT(std::abs(at.z - 1), 0.45f) << at.x << " " << at.y;
        }
    }
}

TEST(Upsample, StaysWithinALiquid) {
    const std::vector<Vec3f> x = lattice({10, 10, 1}, spacing);
    std::vector<std::uint16_t> liquid(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        liquid[i] = x[i].x > 5 * spacing;
    const neighbors::ParticleView view{.x = x, .liquid = liquid, .spacing = {spacing, spacing}};
    const neighbors::ParticleCells cells(view);
    const Upsampled more = upsample(view, cells, detect(cells, {}, {}).particles, once);
    EXPECT_EQ(more.x.size(), 2u * (19 * 9 - 50));
    for (std::size_t k = 0; k < more.x.size(); ++k) {
        EXPECT_EQ(liquid[more.parents[k][0]], more.liquid[k]);
        EXPECT_EQ(liquid[more.parents[k][1]], more.liquid[k]);
    }
}

TEST(Upsample, MayHaveNothingToDo) {
    EXPECT_TRUE(upsample_points({}, {.times = 3}).x.empty());
    const std::vector<Vec3f> one = {{0, 0, 0}};
    EXPECT_TRUE(upsample_points(one, {.times = 3}).x.empty());
    const std::vector<Vec3f> two = {{0, 0, 0}, {spacing, 0, 0}};
    EXPECT_EQ(upsample_points(two, once).x.size(), 1u);
    EXPECT_EQ(upsample_points(two, {.times = 2}).x.size(), 3u);
    EXPECT_TRUE(upsample_points(two, {.times = 0}).x.empty());
    EXPECT_TRUE(upsample_points(std::vector<Vec3f>(2000, Vec3f{1, 1, 1}), once).x.empty());
}

TEST(Upsample, DoesNotHangOnHeapsInOnePlace) {
    std::vector<Vec3f> x(5000, Vec3f{1, 1, 1});
    x.resize(10000, Vec3f{1 + spacing, 1, 1});
    EXPECT_LE(upsample_points(x, once).x.size(), 1u);
}

TEST(Upsample, GivesTheSameBitsForAnyNumberOfThreads) {
    std::vector<Vec3f> x = lattice({16, 16, 8}, spacing);
    shake(x, 0.3f * spacing, 7);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return upsample_points(x, {.times = 2});
    };
    const Upsampled one = run(1), many = run(2);
    EXPECT_EQ(one.x, many.x);
    EXPECT_EQ(one.parents, many.parents);
}

TEST(Weld, KeepsTheBetterAlongChains) {
    // Each is too close to the next and better than it: every second stays, whatever the number of rounds.
    std::vector<Vec3f> x;
    std::vector<float> rank;
    for (int i = 0; i < 200; ++i) {
        x.push_back({0.006f * static_cast<float>(i), 0, 0});
        rank.push_back(static_cast<float>(i));
    }
    const std::vector<std::uint32_t> kept = weld({.x = x, .spacing = {spacing}}, rank);
    ASSERT_EQ(kept.size(), 100u);
    for (std::size_t k = 0; k < kept.size(); ++k)
        EXPECT_EQ(kept[k], 2 * k);
}

}  // namespace
}  // namespace spindrift::surface
