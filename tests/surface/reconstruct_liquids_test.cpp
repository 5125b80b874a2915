// Surfaces of several liquids, and what meshes carry from particles.

#include <cmath>
#include <map>

#include "clouds.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/surface/contour/split_liquids.h"
#include "spindrift/surface/mesh_channels.h"

namespace spindrift::surface {
namespace {

TEST(Reconstruct, TwoLiquidsShareTheFacesBetweenThemToTheLastBit) {
    const double d = 0.025;
    Cloud cloud{.spacing = {d, d}};
    cloud.x = fill(d, Layout::straight,
                   [](Vec3d p) { return std::abs(p.x) < 0.4 && std::abs(p.y) < 0.3 && std::abs(p.z) < 0.3; });
    for (const Vec3f p : cloud.x)
        cloud.liquid.push_back(p.x > 0);
    const Reconstruction frame = reconstruct(cloud);
    ASSERT_EQ(frame.liquids.size(), 2u);
    double volumes = 0, interface_area = 0, farthest = 0, farthest_rim = 0;
    for (const Mesh& each : frame.liquids) {
        expect_sound(each, "liquid");
        volumes += geometry::measure(each, false).volume;
    }
    std::size_t shared = 0;
    const Mesh& all = frame.surface.mesh;
    for (std::size_t t = 0; t < all.triangles.size(); ++t) {
        if (frame.surface.sides[t] != std::array<std::uint8_t, 2>{0, 1}) continue;
        ++shared;
        const auto p = [&](std::size_t k) { return vec_cast<double>(all.points[all.triangles[t][k]]); };
        interface_area += 0.5 * length(cross(p(1) - p(0), p(2) - p(0)));
        for (std::size_t k = 0; k < 3; ++k) {
            const bool at_rim = std::abs(p(k).y) > 0.3 - 2 * d || std::abs(p(k).z) > 0.3 - 2 * d;
            (at_rim ? farthest_rim : farthest) = std::max(at_rim ? farthest_rim : farthest, std::abs(p(k).x));
        }
    }
    // Faces of both meshes that are not faces of the air's are those between the liquids.
    const Mesh air_mesh = liquid_mesh(frame.surface, air);
    EXPECT_EQ(frame.liquids[0].triangles.size() + frame.liquids[1].triangles.size(),
              air_mesh.triangles.size() + 2 * shared);
    EXPECT_NEAR(volumes, -geometry::measure(air_mesh, false).volume, 1e-6);
    EXPECT_LT(farthest, 0.05 * d);
    // Where the interface meets the air it ends on lines of the lattice.
    EXPECT_LT(farthest_rim, 0.5 * d);
    EXPECT_NEAR(interface_area, 0.6 * 0.6, 0.03 * 0.36);
}

TEST(Reconstruct, ABallOfOneLiquidInAnotherIsABall) {
    const double d = radius / 16;
    Cloud cloud{.spacing = {d, d}};
    cloud.x = fill(d, Layout::turned, [](Vec3d p) { return length(p) < 0.8; });
    for (const Vec3f p : cloud.x)
        cloud.liquid.push_back(length(p) < radius);
    const Reconstruction frame = reconstruct(cloud);
    const Sphericity inner = sphericity(frame.liquids[1], d);
    EXPECT_EQ(geometry::measure(frame.liquids[1], false).pieces, 1u);
    EXPECT_LT(inner.volume_error, 0.02);
    EXPECT_LT(inner.farthest, 0.8);
    const double outer = geometry::measure(frame.liquids[0], false).volume;
    EXPECT_NEAR(outer, 4.18879 * (0.512 - 0.125), 0.02 * outer);
}

TEST(Reconstruct, AnyMixtureOfLiquidsGivesClosedMeshesThatFillOneVolume) {
    for (const std::size_t liquids : {2u, 4u, 15u}) {
        Cloud cloud{.spacing = std::vector<double>(liquids, 0.05)};
        cloud.x = fill(0.05, Layout::jittered, [](Vec3d p) { return length(p) < 0.45; });
        // Blocks of a few particles.
        for (const Vec3f p : cloud.x) {
            const auto cell = [](float a) { return static_cast<std::uint64_t>(std::floor(a / 0.15f) + 100); };
            cloud.liquid.push_back(
                static_cast<std::uint16_t>(mix_bits(cell(p.x) + 1000 * cell(p.y) + 1000000 * cell(p.z)) % liquids));
        }
        const Reconstruction frame = reconstruct(cloud);
        double sum = 0;
        for (const Mesh& each : frame.liquids) {
            expect_sound(each, fmt::format("{} liquids", liquids));
            sum += geometry::measure(each, false).volume;
        }
        EXPECT_NEAR(sum, -geometry::measure(liquid_mesh(frame.surface, air), false).volume, 1e-6);
        EXPECT_NEAR(sum, 4.18879 * 0.091125, 0.05 * sum);
    }
}

TEST(Reconstruct, TetrahedraOfTheParticlesGiveTheSameLiquids) {
    const double d = 0.08;
    Cloud cloud{.spacing = {d, d}};
    cloud.x = fill(d, Layout::jittered, [](Vec3d p) { return length(p) < 0.5; });
    for (const Vec3f p : cloud.x)
        cloud.liquid.push_back(p.x > 0);
    const MeshParams params{.smoothing = 0, .tetrahedra = Tetrahedra::delaunay};
    const Reconstruction own = reconstruct(cloud, params), lattice = reconstruct(cloud, {.smoothing = 0});
    ASSERT_EQ(own.liquids.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
        expect_sound(own.liquids[k], "delaunay");
        // Tetrahedra a spacing wide cut corners that half a spacing keeps.
        EXPECT_NEAR(geometry::measure(own.liquids[k], false).volume,
                    geometry::measure(lattice.liquids[k], false).volume, 0.1 * 0.26);
    }
    EXPECT_NE(hash_of(own.surface.mesh), hash_of(lattice.surface.mesh));
}

TEST(Reconstruct, LiquidsOfTwoSpacingsMeetWithoutAGroove) {
    Cloud cloud{.spacing = {0.05, 0.025}};
    const auto half = [&](double d, bool right) {
        for (const Vec3f p : fill(d, Layout::straight, [&](Vec3d q) {
                 return std::abs(q.y) < 0.25 && std::abs(q.z) < 0.25 && std::abs(q.x) < 0.4 && (q.x > 0) == right;
             })) {
            cloud.x.push_back(p);
            cloud.liquid.push_back(right);
        }
    };
    half(0.05, false);
    half(0.025, true);
    const Reconstruction frame = reconstruct(cloud);
    for (const Mesh& each : frame.liquids)
        expect_sound(each, "spacing");
    const double left = geometry::measure(frame.liquids[0], false).volume,
                 right = geometry::measure(frame.liquids[1], false).volume;
    EXPECT_NEAR(left, 0.4 * 0.25, 0.05 * 0.1);
    EXPECT_NEAR(right, 0.4 * 0.25, 0.05 * 0.1);
    // No point of the surface lies in the middle of the block, where a groove would be.
    for (const Vec3f p : liquid_mesh(frame.surface, air).points)
        EXPECT_FALSE(std::abs(p.x) < 0.1f && std::abs(p.y) < 0.2f && std::abs(p.z) < 0.2f);
}

// What the mesh carries.

TEST(Reconstruct, MeshesCarryVelocitiesAndChannels) {
    const double d = radius / 10;
    const Cloud cloud{.x = ball(d, Layout::jittered), .spacing = {d}};
    ChannelSet channels;
    ChannelArray& v = channels.add("v", {ScalarType::f32, 3}, cloud.x.size());
    for (std::size_t i = 0; i < cloud.x.size(); ++i)
        v.as<Vec3f>()[i] = {-cloud.x[i].y, cloud.x[i].x, 1};
    ChannelArray& heat = channels.add("temperature", {ScalarType::f64, 1}, cloud.x.size());
    for (std::size_t i = 0; i < cloud.x.size(); ++i)
        heat.as<double>()[i] = 300 + 10 * cloud.x[i].x;
    const ChannelArray* carried[] = {channels.find("v"), channels.find("temperature")};
    Reconstructor reconstructor;
    const MeshParams params;
    const Mesh mesh =
        reconstructor.run({.particles = cloud.view(), .params = params, .channels = carried}).surface.mesh;
    ASSERT_TRUE(mesh.find("N") && mesh.find("v") && mesh.find("temperature"));
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        const float* at = &mesh.find("v")->values[3 * i];
        // The mean lies on the liquid's side, about a spacing deep.
        EXPECT_NEAR(at[0], -mesh.points[i].y, 1.5 * d);
        EXPECT_NEAR(at[1], mesh.points[i].x, 1.5 * d);
        EXPECT_NEAR(at[2], 1, 1e-5);
        EXPECT_NEAR(mesh.find("temperature")->values[i], 300 + 10 * mesh.points[i].x, 15 * d);
        const float* n = &mesh.find("N")->values[3 * i];
        EXPECT_GT(dot(Vec3f{n[0], n[1], n[2]}, normalize(mesh.points[i])), 0.8f);
    }
}

/// A block of two liquids side by side, with a few particles of each strayed into the other, in red and blue.
struct RedAndBlue {
    Cloud cloud;
    ChannelSet channels;

    explicit RedAndBlue(std::vector<double> spacing) : cloud{.spacing = std::move(spacing)} {
        for (const bool right : {false, true}) {
            const auto own_half = [&](Vec3d p) {
                return std::abs(p.x) < 0.4 && std::abs(p.y) < 0.2 && std::abs(p.z) < 0.2 && (p.x > 0) == right;
            };
            for (const Vec3f p : fill(cloud.spacing[right], Layout::jittered, own_half)) {
                const bool strayed = hash_counter(3, cloud.x.size(), 0) % 50 == 0;
                cloud.x.push_back(p);
                cloud.liquid.push_back(cloud.spacing[0] == cloud.spacing[1] ? right != strayed : right);
            }
        }
        ChannelArray& cd = channels.add("Cd", {ScalarType::f32, 3}, cloud.x.size());
        for (std::size_t i = 0; i < cloud.x.size(); ++i)
            cd.as<Vec3f>()[i] = color(cloud.liquid[i]);
    }
    static Vec3f color(std::size_t liquid) { return liquid == 0 ? Vec3f{1, 0, 0} : Vec3f{0, 0, 1}; }
};

std::size_t points_of_other_colors(const Mesh& mesh, Vec3f color) {
    const std::vector<float>& cd = mesh.find("Cd")->values;
    std::size_t others = 0;
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        // A mean of equal numbers is off by the rounding of its weights' sum.
        others += length(Vec3f{cd[3 * i], cd[3 * i + 1], cd[3 * i + 2]} - color) > 1e-5f;
    }
    return others;
}

TEST(Reconstruct, TheMeshOfALiquidCarriesChannelsOfItsOwnParticles) {
    for (const double right : {0.04, 0.02}) {
        const RedAndBlue block({0.04, right});
        const ChannelArray* carried[] = {block.channels.find("Cd")};
        Reconstructor reconstructor;
        const MeshParams params;
        const Reconstruction frame =
            reconstructor.run({.particles = block.cloud.view(), .params = params, .channels = carried});
        ASSERT_EQ(frame.liquids.size(), 2u);
        for (std::size_t liquid = 0; liquid < 2; ++liquid) {
            const Mesh& mesh = frame.liquids[liquid];
            ASSERT_TRUE(mesh.find("N") && mesh.find("Cd"));
            EXPECT_EQ(mesh.attributes.size(), 2u);
            EXPECT_GT(mesh.points.size(), 500u);
            EXPECT_EQ(points_of_other_colors(mesh, RedAndBlue::color(liquid)), 0u) << "liquid " << liquid;
        }
        // Both share the points of the mesh of all.
        EXPECT_GT(points_of_other_colors(frame.surface.mesh, {1, 0, 0}), 100u);
    }
}

TEST(Reconstruct, FarFromALiquidItsMeshCarriesChannelsOfAll) {
    Cloud cloud{.x = {{0, 0, 0}, {5, 0, 0}}, .liquid = {0, 1}, .spacing = {0.01, 0.01}};
    ChannelSet channels;
    ChannelArray& heat = channels.add("heat", {ScalarType::f32, 1}, 2);
    heat.as<float>()[0] = 300;
    heat.as<float>()[1] = 400;
    const ChannelArray* carried[] = {channels.find("heat")};
    Mesh mesh;
    mesh.points = {{0.005f, 0, 0}, {4.995f, 0, 0}};
    carry_channels(neighbors::ParticleCells(cloud.view()), carried, mesh, {}, 1);
    EXPECT_NEAR(mesh.find("heat")->values[0], 300, 1e-3);
    EXPECT_NEAR(mesh.find("heat")->values[1], 400, 1e-3);
}

}  // namespace
}  // namespace spindrift::surface
