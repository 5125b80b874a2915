#include "spindrift/collision/wet/wet_map.h"

#include <cmath>
#include <numbers>
#include <string>

#include "meshes.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {
namespace {

constexpr double spacing = 0.02;

/// One metre square around the origin at some height; the picture covers it once.
Mesh plate(float y = 0) {
    Mesh mesh;
    mesh.points = {{-0.5f, y, 0.5f}, {0.5f, y, 0.5f}, {0.5f, y, -0.5f}, {-0.5f, y, -0.5f}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.uv = {{{{0, 0}, {1, 0}, {1, 1}}}, {{{0, 0}, {1, 1}, {0, 1}}}};
    return mesh;
}

struct Plate {
    explicit Plate(double offset = 0, float y = 0) : mesh(plate(y)) {
        FieldSettings settings;
        settings.cell = spacing;
        settings.mode = Mode::shell;
        settings.offset = offset;
        settings.band = settings.depth = 0.1;
        settings.primitives = true;
        field = make_field(mesh, settings);
        height = static_cast<float>(y + least_half_thickness * spacing + offset + 0.5 * spacing);
    }
    Colliders::Surface surface() const { return {.collider = 0, .field = &field, .mesh = &mesh, .pose = {}}; }

    Mesh mesh;
    Field field;
    float height;  ///< of the first layer of liquid
};

/// Layers of particles over a disc, each a little off its place.
std::vector<Float4> puddle(double radius, float height, std::size_t layers = 2) {
    std::vector<Float4> particles;
    const int n = static_cast<int>(radius / spacing) + 1;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        for (int z = -n; z < n; ++z) {
            for (int x = -n; x < n; ++x) {
                const Vec3f off = random_vector(5, particles.size(), -0.1f * spacing, 0.1f * spacing);
                const double px = (x + 0.5) * spacing, pz = (z + 0.5) * spacing;
                if (std::hypot(px, pz) > radius) continue;
                const float y = height + static_cast<float>(layer) * static_cast<float>(spacing);
                particles.push_back({static_cast<float>(px) + off.x, y + off.y, static_cast<float>(pz) + off.z, 0});
            }
        }
    }
    return particles;
}

WettingParticles wetting(const std::vector<Float4>& particles) {
    return {.position = particles,
            .origin = {},
            .spacing_of = [](std::size_t) { return spacing; },
            .largest_spacing = spacing};
}

double wet_area(const WetMap& map) {
    double sum = 0;
    for (const float value : map.values())
        sum += static_cast<double>(value);
    return sum / static_cast<double>(map.values().size());
}

float value_at(const WetMap& map, double x, double z) {
    const int n = map.resolution();
    const int column = static_cast<int>((x + 0.5) * n), row = static_cast<int>((z + 0.5) * n);
    return map.values()[static_cast<std::size_t>(row * n + column)];
}

TEST(WetMap, a_puddle_wets_its_contact_patch) {
    // Half a spacing of rim is the liquid's own; a quarter more is how far wetting reaches, 2.5 % of the area here.
    for (const double offset : {0.0, 0.013}) {
        const Plate plate(offset);
        WetMap map({.resolution = 256, .wetting = 0, .drying = 0}, "plate.obj");
        map.update(plate.surface(), wetting(puddle(0.3, plate.height)), 0.01);
        const double patch = std::numbers::pi * 0.3 * 0.3;
        EXPECT_NEAR(wet_area(map), patch, 0.1 * patch) << offset;
        for (double x = -0.28; x < 0.28; x += 0.011)
            EXPECT_EQ(value_at(map, x, 0.07 * std::sin(9 * x)), 1) << "no dry dots between particles";
    }
}

TEST(WetMap, liquid_that_does_not_touch_wets_nothing) {
    const Plate plate;
    WetMap map({.resolution = 64, .wetting = 0, .drying = 0}, "plate.obj");
    map.update(plate.surface(), wetting(puddle(0.3, plate.height + 0.6f * static_cast<float>(spacing))), 0.01);
    EXPECT_EQ(wet_area(map), 0);
    const std::vector<Float4> below = puddle(0.3, -plate.height, 1);
    map.update(plate.surface(), wetting(below), 0.01);
    EXPECT_GT(wet_area(map), 0.2) << "a shell has two sides";
}

TEST(WetMap, wets_and_dries_in_its_times) {
    const Plate plate;
    WetMap map({.resolution = 64, .wetting = 0.1, .drying = 1}, "plate.obj");
    const std::vector<Float4> particles = puddle(0.3, plate.height), none;
    const auto pass = [&](const std::vector<Float4>& which, int steps) {
        for (int i = 0; i < steps; ++i)
            map.update(plate.surface(), wetting(which), 0.01);
        return value_at(map, 0, 0);
    };
    // Sums of floats round in the seventh digit.
    EXPECT_NEAR(pass(particles, 5), 0.5, 1e-5);
    EXPECT_EQ(pass(particles, 10), 1);
    EXPECT_NEAR(pass(none, 50), 0.5, 1e-4);
    EXPECT_EQ(pass(none, 60), 0);

    WetMap keeps({.resolution = 64, .wetting = 0, .drying = 0}, "plate.obj");
    keeps.update(plate.surface(), wetting(particles), 0.01);
    keeps.update(plate.surface(), wetting(none), 1000);
    EXPECT_EQ(value_at(keeps, 0, 0), 1);
}

TEST(WetMap, has_the_same_bits_for_any_number_of_threads) {
    const Plate plate;
    const std::vector<Float4> particles = puddle(0.4, plate.height, 8);
    const auto values = [&](int threads) {
        const ThreadLimit limit(threads);
        WetMap map({.resolution = 200, .wetting = 0.1, .drying = 1}, "plate.obj");
        map.update(plate.surface(), wetting(particles), 0.013);
        map.update(plate.surface(), wetting(puddle(0.2, plate.height)), 0.017);
        return map.values();
    };
    EXPECT_EQ(values(1), values(4));
}

TEST(WetMap, follows_colliders_that_are_turned_and_far_away) {
    const Plate plate;
    Colliders::Surface surface = plate.surface();
    surface.pose = geometry::make_pose({4000, 2, -7}, {90, 0, 0});
    std::vector<Float4> particles = puddle(0.3, plate.height);
    for (Float4& p : particles) {
        const Vec3f turned = vec_cast<float>(surface.pose.turn(vec_cast<double>(p.xyz())));
        p = {turned.x, turned.y, turned.z, 0};
    }
    WettingParticles moved = wetting(particles);
    moved.origin = surface.pose.position;
    WetMap map({.resolution = 128, .wetting = 0, .drying = 0}, "plate.obj");
    map.update(surface, moved, 0.01);
    EXPECT_NEAR(wet_area(map), std::numbers::pi * 0.09, 0.1 * std::numbers::pi * 0.09);
}

TEST(WetMap, follows_a_mesh_that_deforms) {
    const Plate low, high(0, 0.2f);
    WetMap map({.resolution = 128, .wetting = 0, .drying = 0}, "plate.####.obj");
    const std::vector<Float4> particles = puddle(0.3, high.height);
    Colliders::Surface surface = low.surface();
    surface.deforms = true;
    map.update(surface, wetting(particles), 0.01);
    EXPECT_EQ(wet_area(map), 0);
    surface.field = &high.field;
    surface.mesh = &high.mesh;
    surface.version = 1;
    map.update(surface, wetting(particles), 0.01);
    EXPECT_GT(wet_area(map), 0.25);
}

TEST(WetTexels, one_pixel_around_an_island_shows_its_border) {
    Mesh mesh = plate();
    for (auto& corners : mesh.uv) {
        for (auto& uv : corners)
            uv = {0.25f + 0.5f * uv[0], 0.25f + 0.5f * uv[1]};
    }
    std::vector<int> count(16 * 16);
    for (const WetTexel& each : find_wet_texels(mesh, 16, "plate.obj"))
        count[each.texel] += 1;
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) {
            const bool shown = x >= 3 && x < 13 && y >= 3 && y < 13;
            EXPECT_EQ(count[static_cast<std::size_t>(y * 16 + x)] > 0, shown) << x << " " << y;
        }
    }
}

TEST(WetTexels, lie_where_the_uvs_say) {
    const Mesh mesh = plate();
    for (const WetTexel& each : find_wet_texels(mesh, 32, "plate.obj")) {
        const Vec3f p = each.on(mesh);
        EXPECT_NEAR(p.x, (each.texel % 32 + 0.5f) / 32 - 0.5f, 1e-6);
        EXPECT_NEAR(p.z, static_cast<float>(each.texel / 32) / 32 + 0.5f / 32 - 0.5f, 1e-6);
    }
}

TEST(WetTexels, triangles_smaller_than_a_pixel_are_shown) {
    Mesh mesh = plate();
    for (auto& corners : mesh.uv) {
        for (auto& uv : corners)
            uv = {0.501f + 0.001f * uv[0], 0.501f + 0.001f * uv[1]};
    }
    EXPECT_EQ(find_wet_texels(mesh, 16, "plate.obj").size(), 9u);
}

std::string complaint(const Mesh& mesh) {
    try {
        find_wet_texels(mesh, 16, "plate.obj");
    } catch (const IoError& error) {
        return error.what();
    }
    return "";
}

TEST(WetTexels, meshes_that_cannot_carry_a_picture_are_refused) {
    Mesh bare = plate();
    bare.uv.clear();
    EXPECT_NE(complaint(bare).find("plate.obj: has no texture coordinates"), std::string::npos) << complaint(bare);
    for (const float scale : {100.f, 1e5f, 1e7f}) {
        Mesh tiled = plate();
        for (auto& corners : tiled.uv) {
            for (auto& uv : corners)
                uv = {uv[0] * scale, uv[1] * scale};
        }
        EXPECT_NE(complaint(tiled).find("many times over"), std::string::npos) << scale;
    }
    Mesh broken = plate();
    broken.uv[0][1] = {std::nanf(""), 1e30f};
    broken.uv[1] = {{{1e38f, 1e38f}, {-1e38f, 0}, {INFINITY, 1}}};
    EXPECT_EQ(complaint(broken), "");
}

}  // namespace
}  // namespace spindrift::collision
