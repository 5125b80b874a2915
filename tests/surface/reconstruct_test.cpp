#include "spindrift/surface/reconstruct.h"

#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/surface/contour/split_liquids.h"
#include "spindrift/surface/mesh_channels.h"

namespace spindrift::surface {
namespace {

using geometry::Mesh;
using geometry::MeshQuality;

/// Particles and which liquid they are of.
struct Cloud {
    std::vector<Vec3f> x{};
    std::vector<std::uint16_t> liquid{};
    std::vector<double> spacing{};

    ParticleView view() const { return {.x = x, .liquid = liquid, .spacing = spacing}; }
};

float noise(std::size_t i, std::uint64_t draw) {
    return uniform(hash_counter(7, i, draw)) - 0.5f;
}

enum class Layout { straight, turned, jittered };

/// Sites of a lattice, `kind` deciding how it lies, that the predicate takes.
template <class Inside>
std::vector<Vec3f> fill(double spacing, Layout kind, const Inside& inside) {
    std::vector<Vec3f> x;
    const int n = static_cast<int>(std::ceil(1.0 / spacing));
    for (int k = -n; k <= n; ++k) {
        for (int j = -n; j <= n; ++j) {
            for (int i = -n; i <= n; ++i) {
                Vec3d p = Vec3d{i + 0.5, j + 0.5, k + 0.5} * spacing;
                if (kind == Layout::turned) {
                    // By 0.5 about z, then by 0.3 about x.
                    p = {std::cos(0.5) * p.x - std::sin(0.5) * p.y, std::sin(0.5) * p.x + std::cos(0.5) * p.y, p.z};
                    p = {p.x, std::cos(0.3) * p.y - std::sin(0.3) * p.z, std::sin(0.3) * p.y + std::cos(0.3) * p.z};
                }
                if (!inside(p)) continue;
                Vec3f at = vec_cast<float>(p);
                // As far as particles of a liquid at rest lie off their lattice.
                if (kind == Layout::jittered) {
                    const auto d = static_cast<float>(0.2 * spacing);
                    at += Vec3f{noise(x.size(), 0), noise(x.size(), 1), noise(x.size(), 2)} * d;
                }
                x.push_back(at);
            }
        }
    }
    return x;
}

constexpr double radius = 0.5;

std::vector<Vec3f> ball(double spacing, Layout kind) {
    return fill(spacing, kind, [](Vec3d p) { return length(p) < radius; });
}

Reconstruction reconstruct(const Cloud& cloud, const MeshParams& params = {}) {
    Reconstructor reconstructor;
    return reconstructor.run({.particles = cloud.view(), .params = params});
}

std::string hash_of(const Mesh& mesh) {
    Hash64 hash;
    for (const Vec3f p : mesh.points)
        hash.add(std::string_view(reinterpret_cast<const char*>(&p), sizeof p));
    for (const geometry::Triangle& t : mesh.triangles)
        hash.add(std::string_view(reinterpret_cast<const char*>(&t), sizeof t));
    for (const geometry::Attribute& each : mesh.attributes)
        hash.add(std::string_view(reinterpret_cast<const char*>(each.values.data()), 4 * each.values.size()));
    return hash.hex();
}

void expect_sound(const Mesh& mesh, const std::string& what) {
    const MeshQuality quality = geometry::measure(mesh, false);
    EXPECT_TRUE(quality.watertight()) << what << ": " << geometry::describe(quality);
    EXPECT_TRUE(quality.oriented()) << what << ": " << geometry::describe(quality);
    EXPECT_EQ(quality.degenerate, 0u) << what;
    for (const Vec3f p : mesh.points)
        ASSERT_TRUE(is_finite(p)) << what;
}

struct Sphericity {
    double volume_error, area_error, farthest, roughness;  ///< the last two in spacings
};

Sphericity sphericity(const Mesh& mesh, double spacing) {
    const MeshQuality quality = geometry::measure(mesh, false);
    double farthest = 0, sum = 0, sum2 = 0;
    for (const Vec3f p : mesh.points) {
        const double off = (length(vec_cast<double>(p)) - radius) / spacing;
        farthest = std::max(farthest, std::abs(off));
        sum += off;
        sum2 += off * off;
    }
    const auto n = static_cast<double>(mesh.points.size());
    return {std::abs(quality.volume / 0.5235988 - 1), std::abs(quality.area / 3.1415927 - 1), farthest,
            std::sqrt(sum2 / n - sum * sum / (n * n))};
}

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
    ParticleView far = near.view();
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

// Several liquids.

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
    carry_channels(Cells(cloud.view()), carried, mesh, {}, 1);
    EXPECT_NEAR(mesh.find("heat")->values[0], 300, 1e-3);
    EXPECT_NEAR(mesh.find("heat")->values[1], 400, 1e-3);
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
