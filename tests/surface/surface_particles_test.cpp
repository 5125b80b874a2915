#include "spindrift/surface/surface_particles.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "surface_shapes.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/near_surface.h"

namespace spindrift::surface {
namespace {

constexpr float spacing = 0.01f;

DetectedSurface detect_in(const std::vector<Vec3f>& points, const SurfaceInput& input = {},
                          const SurfaceState& before = {}) {
    const neighbors::ParticleCells cells({.x = points, .spacing = {spacing}});
    return detect(cells, input, before);
}

/// In lattices, as the solver measures it: radius two spacings, 1 inside.
std::vector<float> solver_density(const std::vector<Vec3f>& points) {
    std::vector<float> density(points.size(), 0);
    const auto weight = [](float r2) { return std::pow(std::max(1 - r2 / (4 * spacing * spacing), 0.f), 3.f); };
    float inside_sum = 0;
    for (const Vec3f& p : lattice({5, 5, 5}, spacing)) {
        const Vec3f r = p - Vec3f{2.5f, 2.5f, 2.5f} * spacing;
        inside_sum += weight(dot(r, r));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (const Vec3f& p : points)
            density[i] += weight(dot(p - points[i], p - points[i])) / inside_sum;
    }
    return density;
}

void expect_outer_layer(const SurfaceParticles& found, Vec3i count) {
    for (std::size_t i = 0; i < found.flag.size(); ++i)
        ASSERT_EQ(found.flag[i], layer(i, count) == 0 ? outer : inside) << i << " D " << found.measure[i];
}

TEST(SurfaceParticles, AreExactlyTheOuterLayerOfABox) {
    const Vec3i count{18, 17, 16};
    std::vector<Vec3f> box = lattice(count, spacing);
    const DetectedSurface found = detect_in(box);
    expect_outer_layer(found.particles, count);
    // Far from edges the normal is an axis; a lattice is symmetric about it.
    const std::size_t top = static_cast<std::size_t>((15 * 17 + 8) * 18 + 9);
    EXPECT_NEAR(found.particles.normal[top].z, 1, 1e-3);

    // Still so when shaken by a tenth of the spacing.
    shake(box, 0.1f * spacing, 3);
    expect_outer_layer(detect_in(box).particles, count);
}

TEST(SurfaceParticles, AreTheOuterLayerWithTheSolversDensityToo) {
    const Vec3i count{12, 12, 11};
    std::vector<Vec3f> box = lattice(count, spacing);
    // Less than above: a solver keeps densities inside within a few percent.
    shake(box, 0.05f * spacing, 4);
    const std::vector<float> density = solver_density(box);
    expect_outer_layer(detect_in(box, {.density = density}).particles, count);
}

TEST(SurfaceParticles, AreAllOfASheet) {
    std::vector<Vec3f> points = lattice({20, 20, 1}, spacing);
    shake(points, 0.05f * spacing, 1);
    const SurfaceParticles found = detect_in(points).particles;
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(found.flag[i], sheet) << i;
        // Shaken by a twentieth of the spacing over a radius of three: the normal turns by a degree or two.
        EXPECT_GT(std::abs(found.normal[i].z), 0.995f) << i;
    }
}

TEST(SurfaceParticles, OfTwoLayersPointApart) {
    const SurfaceParticles found = detect_in(lattice({16, 16, 2}, spacing)).particles;
    for (const int z : {0, 1}) {
        const auto middle = static_cast<std::size_t>(z * 256 + 8 * 16 + 8);
        EXPECT_EQ(found.flag[middle], outer);
        EXPECT_NEAR(found.normal[middle].z, z ? 1 : -1, 0.01);
    }
}

TEST(SurfaceParticles, MayBeNoneOneOrTwo) {
    EXPECT_TRUE(detect_in({}).particles.flag.empty());
    const std::vector<std::int64_t> id = {7, 3};
    std::vector<Vec3f> points = {{0.3f, 0.2f, 0.1f}};
    EXPECT_EQ(detect_in(points).particles.flag, std::vector<std::uint8_t>{sheet});
    points.push_back(points[0] + Vec3f{spacing, 0, 0});
    const DetectedSurface found = detect_in(points, {.id = id});
    EXPECT_EQ(found.particles.flag, (std::vector<std::uint8_t>{sheet, sheet}));
    EXPECT_EQ(found.particles.normal[0], Vec3f{});
    EXPECT_EQ(found.state.id, (std::vector<std::int64_t>{3, 7}));
    // Two in one place must not divide by nothing, and one that is nowhere is left out.
    points[1] = points[0];
    points.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0});
    EXPECT_EQ(detect_in(points).particles.flag, (std::vector<std::uint8_t>{sheet, sheet, inside}));
}

/// Flag changes over 50 frames of a rough surface whose particles tremble by 5 % of the spacing.
int changes(const SurfaceThresholds& thresholds) {
    std::vector<Vec3f> rest = lattice({16, 16, 8}, spacing);
    shake(rest, 0.3f * spacing, 5);
    // Half of the top layer is missing, so that many of the second are neither inside nor outside.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (i < 7 * 256 || hash_counter(6, i, 0) & 1) rest[kept++] = rest[i];
    }
    rest.resize(kept);
    std::vector<std::int64_t> id(kept);
    std::iota(id.rbegin(), id.rend(), 100);
    DetectedSurface found;
    int changed = 0;
    for (int frame = 0; frame < 50; ++frame) {
        std::vector<Vec3f> points = rest;
        shake(points, 0.05f * spacing, 100 + static_cast<std::uint64_t>(frame));
        const std::vector<std::uint8_t> last = found.particles.flag;
        const SurfaceInput input{.id = id, .time = frame / 24.0, .thresholds = thresholds};
        found = detect_in(points, input, found.state);
        for (std::size_t i = 0; i < last.size(); ++i)
            changed += (last[i] == inside) != (found.particles.flag[i] == inside);
    }
    return changed;
}

TEST(SurfaceParticles, FlickerTenTimesLessWithTwoThresholds) {
    const SurfaceThresholds two;
    const int with_one = changes({.lower = two.middle(), .upper = two.middle()});
    const int with_two = changes(two);
    EXPECT_GT(with_one, 300);
    EXPECT_LE(10 * with_two, with_one) << with_one;
}

TEST(SurfaceParticles, AreJudgedByTheMiddleInTheEnd) {
    // A corner of the second layer lies between the thresholds, below the middle: it stays what it was for a while.
    const Vec3i count{12, 12, 12};
    const std::vector<Vec3f> box = lattice(count, spacing);
    const std::size_t corner = 1 + 12 + 144;
    std::vector<std::int64_t> id(box.size());
    std::iota(id.begin(), id.end(), 0);
    SurfaceState before{.id = {static_cast<std::int64_t>(corner)}, .flag = {1}, .since = {10}};
    const SurfaceThresholds thresholds{.lower = 0.4f, .upper = 0.8f, .decay = 0.5f};
    const auto at = [&](double time) {
        return detect_in(box, {.id = id, .time = time, .thresholds = thresholds}, before);
    };
    EXPECT_EQ(at(10.1).particles.flag[corner], outer);
    EXPECT_EQ(at(12).particles.flag[corner], inside);
    EXPECT_EQ(at(9).particles.flag[corner], outer) << "time that runs backwards changes nothing";
    const SurfaceState next = at(12).state;
    const auto found = std::lower_bound(next.id.begin(), next.id.end(), static_cast<std::int64_t>(corner));
    EXPECT_EQ(next.since[static_cast<std::size_t>(found - next.id.begin())], 12);
}

/// A box of two liquids, the right half with a spacing half as large.
struct TwoSpacings {
    std::vector<Vec3f> x = lattice({8, 16, 16}, spacing);
    std::vector<std::uint16_t> liquid;

    TwoSpacings() {
        liquid.assign(x.size(), 0);
        for (const Vec3f& p : lattice({16, 32, 32}, 0.5f * spacing))
            x.push_back(p + Vec3f{8 * spacing, 0, 0});
        liquid.resize(x.size(), 1);
    }
    neighbors::ParticleView view() const { return {.x = x, .liquid = liquid, .spacing = {spacing, 0.5 * spacing}}; }
};

TEST(SurfaceParticles, AreNotWhereLiquidsOfTwoSpacingsMeet) {
    const TwoSpacings two;
    const neighbors::ParticleCells cells(two.view());
    const SurfaceParticles found = detect(cells, {}, {}).particles;
    for (std::size_t i = 0; i < two.x.size(); ++i) {
        const Vec3f p = two.x[i] / spacing;
        const float own = two.liquid[i] ? 0.5f : 1.f;
        const float depth = std::min({p.x, p.y, p.z, 16 - p.x, 16 - p.y, 16 - p.z}) / own;
        // Near the border the other liquid's layers are of another thickness, so the first two may count.
        if (depth > 2) {
            ASSERT_EQ(found.flag[i], inside) << p.x << " " << p.y << " " << p.z;
        }
        if (depth < 1) {
            ASSERT_EQ(found.flag[i], outer) << p.x << " " << p.y << " " << p.z;
        }
    }
}

TEST(SurfaceParticles, AreTheSameBitsForAnyNumberOfThreads) {
    TwoSpacings two;
    shake(two.x, 0.1f * spacing, 9);
    const neighbors::ParticleCells cells(two.view());
    std::vector<std::int64_t> id(two.x.size());
    std::iota(id.begin(), id.end(), 0);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return detect(cells, {.id = id}, {});
    };
    const DetectedSurface one = run(1), many = run(2);
    EXPECT_EQ(one.particles.flag, many.particles.flag);
    EXPECT_EQ(one.particles.measure, many.particles.measure);
    EXPECT_EQ(one.particles.normal, many.particles.normal);
    EXPECT_EQ(one.state.id, many.state.id);
    EXPECT_EQ(one.state.flag, many.state.flag);
}

TEST(ParticlesNearSurface, AreNotThoseFarInside) {
    const Vec3i count{40, 40, 40};
    const std::vector<Vec3f> box = lattice(count, spacing);
    const neighbors::ParticleCells cells({.x = box, .spacing = {spacing}});
    std::vector<std::uint8_t> near(box.size(), 0);
    for (const std::uint32_t i : particles_near_surface(cells))
        near[cells.source(i)] = 1;
    for (std::size_t i = 0; i < box.size(); ++i) {
        if (layer(i, count) < 2) {
            ASSERT_TRUE(near[i]) << i;
        }
        if (layer(i, count) >= 4) {
            ASSERT_FALSE(near[i]) << i;
        }
    }
}

}  // namespace
}  // namespace spindrift::surface
