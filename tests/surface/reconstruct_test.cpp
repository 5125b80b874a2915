#include "spindrift/surface/reconstruct.h"

#include <cmath>
#include <limits>

#include "clouds.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"

namespace spindrift::surface {
namespace {

TEST(Reconstruct, BallsKeepTheirVolumeAreaAndShape) {
    for (const Layout kind : {Layout::straight, Layout::turned, Layout::jittered}) {
        const double d = radius / 20;
        const Mesh mesh = reconstruct({.x = ball(d, kind), .spacing = {d}}).surface.mesh;
        const MeshQuality quality = geometry::measure(mesh, kind == Layout::straight);
        const Sphericity ball = sphericity(mesh, d);
        const auto what = static_cast<int>(kind);
        EXPECT_TRUE(quality.watertight() && quality.manifold() && quality.oriented()) << what;
        EXPECT_EQ(quality.pieces, 1u) << what;
        EXPECT_EQ(quality.genus, 0) << what;
        EXPECT_LE(quality.crossings, 0) << what;
        // A lattice cut by a sphere has steps of up to a spacing: these are what reconstructions of this kind reach.
        EXPECT_LT(ball.volume_error, kind == Layout::jittered ? 0.015 : 0.01) << what;
        EXPECT_LT(ball.area_error, 0.03) << what;
        EXPECT_LT(ball.farthest, 0.6) << what;
        EXPECT_LT(ball.roughness, 0.15) << what;
    }
}

TEST(Reconstruct, BallsGetBetterWithTheResolution) {
    const auto error = [](double d) {
        return sphericity(reconstruct({.x = ball(d, Layout::turned), .spacing = {d}}).surface.mesh, d).volume_error;
    };
    // From 10 to 30 spacings in a radius an error of first order falls to a third; half says that it falls.
    EXPECT_LT(error(radius / 30), 0.5 * error(radius / 10) + 0.001);
}

TEST(Reconstruct, EveryFunctionClosesItsSurfaceAroundAnyCloud) {
    // Clumps, strings and single particles, some on top of each other.
    Cloud cloud{.spacing = {0.05}};
    for (std::size_t i = 0; i < 4000; ++i) {
        Vec3f p{noise(i, 0), noise(i, 1), noise(i, 2)};
        if (i % 3 == 0) p = p * 0.3f;
        if (i % 5 == 0) p = {0.2f * p.x, 2 * p.y, 0.1f * p.z};
        cloud.x.push_back(p);
    }
    cloud.x.insert(cloud.x.end(), 50, Vec3f{0.7f, 0.7f, 0.7f});
    for (const Function function :
         {Function::normalized, Function::zhu_bridson, Function::color_field, Function::anisotropic}) {
        for (const double voxel : {0.35, 0.5, 1.0}) {
            MeshParams params{.function = function, .voxel = voxel, .smallest_drop = 0};
            const Reconstruction frame = reconstruct(cloud, params);
            EXPECT_GT(frame.surface.mesh.triangles.size(), 1000u);
            expect_sound(frame.surface.mesh, fmt::format("function {} voxel {}", static_cast<int>(function), voxel));
        }
    }
}

TEST(Reconstruct, FewParticlesMakeRoundDropsOrNothing) {
    const double d = 0.01;
    EXPECT_TRUE(reconstruct({.x = {}, .spacing = {d}}).surface.mesh.triangles.empty());
    const Mesh one = reconstruct({.x = {{1, 2, 3}}, .spacing = {d}}).surface.mesh;
    expect_sound(one, "one");
    const MeshQuality drop = geometry::measure(one, false);
    EXPECT_EQ(drop.pieces, 1u);
    EXPECT_EQ(drop.genus, 0);
    // A lone drop is a ball of the surface's distance from the outermost centres in bulk, 0.62 to 0.7 spacings.
    EXPECT_GT(drop.volume, 0.8 * d * d * d);
    EXPECT_LT(drop.volume, 1.6 * d * d * d);
    const Mesh two = reconstruct({.x = {{1, 2, 3}, {1.005f, 2, 3}}, .spacing = {d}}).surface.mesh;
    expect_sound(two, "two");
    EXPECT_EQ(geometry::measure(two, false).pieces, 1u);
}

TEST(Reconstruct, ParticlesThatAreNotFiniteAreSkippedAndCounted) {
    Cloud cloud{.x = ball(radius / 8, Layout::straight), .spacing = {radius / 8}};
    const std::string clean = hash_of(reconstruct(cloud).surface.mesh);
    cloud.x.push_back({NAN, 0, 0});
    cloud.x.insert(cloud.x.begin(), Vec3f{0, std::numeric_limits<float>::infinity(), 0});
    const Reconstruction frame = reconstruct(cloud);
    EXPECT_EQ(frame.skipped, 2u);
    EXPECT_EQ(hash_of(frame.surface.mesh), clean);
}

TEST(Reconstruct, IsTheSameForAnyNumberOfThreadsAndAfterOtherFrames) {
    const Cloud cloud{.x = ball(radius / 12, Layout::jittered), .spacing = {radius / 12}};
    const Cloud other{.x = ball(radius / 7, Layout::turned), .spacing = {radius / 7}};
    for (const double voxel : {0.5, 1.0}) {
        std::map<std::string, int> seen;
        const MeshParams params{.voxel = voxel};
        for (const int threads : {1, 2, 5}) {
            const ThreadLimit limit(threads);
            Reconstructor reconstructor;
            // What other frames left in memory must not matter.
            if (threads == 5) reconstructor.run({.particles = other.view(), .params = params});
            seen[hash_of(reconstructor.run({.particles = cloud.view(), .params = params}).surface.mesh)] += 1;
        }
        EXPECT_EQ(seen.size(), 1u) << voxel;
    }
}

TEST(Reconstruct, FarFromTheOriginTheMeshIsTheSame) {
    const double d = 0.02;
    Cloud near{.x = fill(d, Layout::jittered, [](Vec3d p) { return length(p) < 0.2; }), .spacing = {d}};
    Reconstructor reconstructor;
    const MeshParams params;
    neighbors::ParticleView far = near.view();
    // A multiple of a leaf, 8 voxels of half a spacing, so that the lattice lies the same way.
    far.origin = {80 * 4 * d * 100, 0, -80 * 4 * d * 100};
    const MeshQuality here = geometry::measure(reconstruct(near).surface.mesh, false);
    const MeshQuality there =
        geometry::measure(reconstructor.run({.particles = far, .params = params}).surface.mesh, false);
    EXPECT_EQ(here.triangles, there.triangles);
    // Points of a mesh are floats: at 640 m a step is 6e-5 m.
    EXPECT_NEAR(there.volume / here.volume, 1, 0.01);
    EXPECT_EQ(there.pieces, here.pieces);
}

// Walls.

/// A box of water at rest that fills a domain up to a height.
struct Tank {
    double d = 0.02;
    Box3d box{{0, 0, 0}, {0.4, 0.6, 0.3}};
    Cloud cloud{.spacing = {d}};
    collision::Walls walls;

    Tank() {
        cloud.x = fill(d, Layout::jittered, [&](Vec3d p) { return box.contains(p) && p.y < 0.3; });
        collision::DomainParams domain;
        domain.box = box;
        walls = collision::make_walls(domain, {}, {}, 2 * d);
    }
    Mesh mesh(const MeshParams& params) {
        Reconstructor reconstructor;
        return reconstructor.run({.particles = cloud.view(), .params = params, .walls = &walls}).surface.mesh;
    }
};

TEST(Reconstruct, WaterTouchesWallsAndDoesNotCrossThem) {
    Tank tank;
    const Mesh mesh = tank.mesh({});
    expect_sound(mesh, "tank");
    std::size_t on_floor = 0;
    for (const Vec3f p : mesh.points) {
        EXPECT_TRUE(p.x >= -1e-6f && p.x <= 0.4f + 1e-6f && p.y >= -1e-6f && p.z >= -1e-6f && p.z <= 0.3f + 1e-6f);
        on_floor += std::abs(p.y) < 1e-6f;
    }
    // One point for each half spacing in both directions, less a rim.
    EXPECT_GT(on_floor, 1000u);
    // Marching cubes take a bevel of half a voxel off each of the 12 edges.
    const MeshQuality quality = geometry::measure(mesh, false);
    EXPECT_NEAR(quality.volume, 0.4 * 0.3 * 0.3, 0.01 * 0.4 * 0.3 * 0.3);
}

TEST(Reconstruct, AFilmOfAirIsLeftAtWallsIfAskedFor) {
    Tank tank;
    const Mesh mesh = tank.mesh({.wall_gap = 0.25});
    for (const Vec3f p : mesh.points)
        EXPECT_TRUE(p.y > 0.249 * tank.d && p.x > 0.249 * tank.d && p.z < 0.3 - 0.249 * tank.d);
    // Without cutting, the surface of jittered particles goes through the walls somewhere.
    const Mesh uncut = tank.mesh({.clip = false});
    EXPECT_TRUE(std::any_of(uncut.points.begin(), uncut.points.end(), [](Vec3f p) { return p.y < 0; }));
}

TEST(Reconstruct, UpsamplingClosesAStretchedSheet) {
    // One layer, 2.6 spacings apart, with a reach that leaves holes.
    Cloud cloud{.spacing = {0.01}};
    for (int j = 0; j < 30; ++j) {
        for (int i = 0; i < 30; ++i)
            cloud.x.push_back({0.026f * static_cast<float>(i), 0, 0.026f * static_cast<float>(j)});
    }
    MeshParams params;
    params.radius = 2.0;
    const MeshQuality torn = geometry::measure(reconstruct(cloud, params).surface.mesh, false);
    params.upsample = 1;
    const Reconstruction closed = reconstruct(cloud, params);
    const MeshQuality whole = geometry::measure(closed.surface.mesh, false);
    EXPECT_GT(torn.pieces + static_cast<std::size_t>(torn.genus), 100u);
    EXPECT_GT(closed.added, 800u);
    EXPECT_EQ(whole.pieces, 1u);
    EXPECT_EQ(whole.genus, 0);
}

TEST(Reconstruct, SmallPiecesAreLeftOutAndFewerTrianglesKeepTheShape) {
    const double d = radius / 10;
    Cloud cloud{.x = ball(d, Layout::jittered), .spacing = {d}};
    for (int i = 0; i < 5; ++i)
        cloud.x.push_back({1 + 0.5f * static_cast<float>(i), 0, 0});
    const Reconstruction all = reconstruct(cloud);
    MeshParams params{.simplify = 0.1, .smallest_drop = 10};
    const Reconstruction large = reconstruct(cloud, params);
    const MeshQuality before = geometry::measure(all.surface.mesh, false),
                      after = geometry::measure(large.surface.mesh, false);
    EXPECT_EQ(before.pieces, 6u);
    EXPECT_EQ(after.pieces, 1u);
    EXPECT_EQ(large.dropped, 5u);
    EXPECT_TRUE(after.watertight() && after.manifold());
    EXPECT_LT(after.triangles, before.triangles / 2);
    EXPECT_NEAR(after.volume, before.volume, 0.02 * before.volume);
}

}  // namespace
}  // namespace spindrift::surface
