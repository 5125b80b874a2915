// Rays at the borders of clear media, against the textbook's laws.

#include "spindrift/render/crossing.h"

#include <cmath>
#include <vector>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/render/optics.h"

namespace spindrift::render {
namespace {

double radians(double degrees) {
    return degrees * pi / 180;
}

/// In the plane z = 0, downwards, with an angle to the vertical.
Vec3f slanted(double angle) {
    return vec_cast<float>(Vec3d{std::sin(angle), -std::cos(angle), 0});
}

/// A wide slab of water whose upper face is at the eye's height less one metre.
struct Pool {
    geometry::Mesh mesh;
    RenderScene scene = furnace();
    geometry::View view{geometry::Camera{.target = {0, -1, 0}}, {4, 4}};
    RayScene rays;

    explicit Pool(double thickness, std::vector<LiquidLook> looks = {lossless})
        : mesh(plain_box({{-50, -1 - thickness, -50}, {50, -1, 50}})),
          rays((scene.liquids = {{.mesh = &mesh, .looks = std::move(looks)}}, scene), view, {}) {}
};

TEST(Crossing, a_ray_leaves_a_slab_parallel_and_shifted) {
    const double thickness = 0.3;
    const Pool pool(thickness);
    for (const double degrees : {0.0, 20.0, 45.0, 70.0, 85.0}) {
        const double a = radians(degrees), b = std::asin(std::sin(a) / 1.333);
        Inside inside;
        Ray ray{{}, slanted(a)};
        for (int face = 0; face < 2; ++face) {
            const Hit hit = pool.rays.trace(ray);
            ASSERT_TRUE(hit.clear);
            const Border border = border_at(pool.rays, hit, ray.direction, inside);
            EXPECT_EQ(border.far == air_medium, face == 1);
            ray = passed(pool.rays, hit, ray, border.ratio);
            inside = border.beyond;
            if (face == 0) {
                EXPECT_NEAR(static_cast<double>(ray.direction.x), std::sin(b), 1e-6) << degrees;
            }
        }
        EXPECT_LT(length(ray.direction - slanted(a)), 2e-5f) << degrees;
        // The way from the old line to the new one, at right angles to both. Rays start off surfaces by a thousandth
        // of a particle's radius, and places at 85 degrees are 11 m away.
        const float apart = length(cross(ray.origin, slanted(a)));
        EXPECT_NEAR(static_cast<double>(apart), thickness * std::sin(a - b) / std::cos(b), 3e-5) << degrees;
        EXPECT_EQ(inside.medium(), air_medium);
    }
}

TEST(Crossing, all_light_is_turned_back_beyond_the_critical_angle) {
    const Pool pool(10);
    const double critical = std::asin(1 / 1.333);
    for (const double beyond : {-0.02, 0.01, 0.3}) {
        // From below the surface, upwards.
        const Vec3f up = vec_cast<float>(Vec3d{std::sin(critical + beyond), std::cos(critical + beyond), 0});
        const Ray ray{{0, -3, 0}, up};
        const Hit hit = pool.rays.trace(ray);
        Inside inside = inside_at(pool.rays, ray.origin);
        EXPECT_NE(inside.liquid, air_medium);
        const Border border = border_at(pool.rays, hit, up, inside);
        EXPECT_EQ(border.mirrored == 1, beyond > 0) << beyond;
        const Ray back = mirrored(pool.rays, hit, ray);
        EXPECT_LT(length(back.direction - Vec3f{up.x, -up.y, 0}), 1e-5f);
    }
}

TEST(Crossing, borders_mirror_as_fresnel_says_from_both_sides) {
    for (const double index : {1.333, 1.5, 2.4}) {
        for (int degrees = 0; degrees < 90; degrees += 5) {
            const double a = radians(degrees), b = std::asin(std::sin(a) / index);
            const float in = fresnel(static_cast<float>(std::cos(a)), static_cast<float>(1 / index));
            const float out = fresnel(static_cast<float>(std::cos(b)), static_cast<float>(index));
            EXPECT_NEAR(static_cast<double>(in), textbook_fresnel(a, 1, index), 1e-5) << index << " " << degrees;
            EXPECT_NEAR(static_cast<double>(out), textbook_fresnel(b, index, 1), 1e-5) << index << " " << degrees;
            // The same way in both directions. Near the critical angle floats tell angles less well.
            EXPECT_NEAR(in, out, 2e-5f) << index << " " << degrees;
        }
    }
    EXPECT_EQ(fresnel(static_cast<float>(std::cos(radians(50))), 1.333f), 1.f);
}

TEST(Crossing, glass_counts_where_water_reaches_into_it) {
    const geometry::Mesh glass = shell(1, 0.8), water = smooth_ball({}, 0.9);
    RenderScene scene = furnace();
    scene.meshes = {{.mesh = &glass, .opacity = 0}};
    scene.liquids = {{.mesh = &water, .looks = {lossless}}};
    const geometry::View view(camera_at(3), {4, 4});
    const RayScene rays(scene, view, {});
    Inside inside = inside_at(rays, {});
    EXPECT_EQ(inside.medium(), air_medium);
    Ray ray{{}, normalize(Vec3f{0.01f, 0.02f, -1})};
    std::vector<float> ratios, lengths;
    for (int surface = 0; surface < 6; ++surface) {
        const Hit hit = rays.trace(ray);
        ASSERT_TRUE(hit.clear) << surface;
        const Border border = border_at(rays, hit, ray.direction, inside);
        ratios.push_back(border.ratio);
        ray = passed(rays, hit, ray, border.ratio);
        inside = border.beyond;
    }
    // Air to glass; water begins in the wall, unseen; glass to water; and the same way out.
    const std::vector<float> expected{1 / 1.5f, 1, 1.5f / 1.333f, 1.333f / 1.5f, 1, 1.5f};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(ratios[i], expected[i], 1e-5f) << i;
    EXPECT_EQ(inside.medium(), air_medium);
    EXPECT_EQ(rays.trace(ray).body, Body::none);
}

TEST(Crossing, a_medium_takes_light_by_its_length) {
    const Pool pool(1, {LiquidLook{.color = {0.5f, 0.25f, 1}, .clarity = 2, .glow = 0.5f}});
    const Ray ray{{0, -1, 0}, {0, -1, 0}};
    Vec3f weight{1, 1, 1};
    const Vec3f sent = absorb(weight, pool.rays, 0, ray, 4);
    EXPECT_NEAR(weight.x, 0.25f, 1e-6f);
    EXPECT_NEAR(weight.y, 0.0625f, 1e-6f);
    EXPECT_EQ(weight.z, 1);
    EXPECT_NEAR(sent.x, 0.75f * 0.5f * 0.5f, 1e-6f) << "half of what is taken, in the liquid's colour";
    EXPECT_EQ(absorb(weight, pool.rays, air_medium, ray, 4), Vec3f{});
}

}  // namespace
}  // namespace spindrift::render
