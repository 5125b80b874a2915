// Light from everywhere.

#include <cmath>
#include <vector>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/core/random.h"
#include "spindrift/render/light.h"

namespace spindrift::render {
namespace {

constexpr Sky bright_skies[] = {Sky::studio, Sky::day, Sky::overcast};

Vec3f random_direction(std::uint64_t number) {
    const float y = 2 * uniform(hash_counter(1, number, 0)) - 1, r = std::sqrt(1 - y * y);
    const float angle = 2 * static_cast<float>(pi) * uniform(hash_counter(1, number, 1));
    return {r * std::cos(angle), y, r * std::sin(angle)};
}

TEST(Skies, are_finite_and_bright_everywhere) {
    for (const double elevation : {1.0, 20.0, 52.0, 90.0}) {
        for (const Sky sky : bright_skies) {
            const Light light(sky, {.elevation_deg = elevation});
            for (std::uint64_t i = 0; i < 2000; ++i) {
                const Vec3f seen = light.sky(random_direction(i));
                ASSERT_TRUE(is_finite(seen));
                ASSERT_GE(std::min({seen.x, seen.y, seen.z}), 0);
                ASSERT_GT(luminance(seen), 0) << static_cast<int>(sky) << " " << elevation;
                ASSERT_LT(luminance(seen), 50) << static_cast<int>(sky) << " " << elevation;
            }
            EXPECT_TRUE(is_finite(light.mean()) && luminance(light.mean()) > 0);
            EXPECT_TRUE(is_finite(light.horizon()) && luminance(light.horizon()) > 0);
        }
    }
    EXPECT_EQ(Light(Sky::black, {}).sky({0, 1, 0}), Vec3f{});
}

TEST(Skies, a_low_sun_is_red_and_so_is_the_horizon_before_it) {
    const SunParams low{.elevation_deg = 3, .azimuth_deg = 90}, high{.elevation_deg = 60, .azimuth_deg = 90};
    const auto redness = [](Vec3f c) { return c.x / c.z; };
    const Vec3f toward = normalize(Vec3f{1, 0.08f, 0});
    const Light evening(Sky::day, low), noon(Sky::day, high);
    EXPECT_GT(redness(evening.sky(toward)), 1.5f * redness(noon.sky(toward)));
    EXPECT_GT(redness(evening.sky(toward)), 1.5f * redness(evening.sky({0, 1, 0})));
    EXPECT_GT(redness(evening.sun()), 1.5f * redness(noon.sun()));
    EXPECT_GT(noon.sky({0, 1, 0}).z, noon.sky({0, 1, 0}).x) << "the zenith is blue";
}

TEST(Skies, are_continuous_across_the_folds_of_their_table) {
    // The horizon is the fold of the octahedron; below it, the planes x = 0 and z = 0 are where its faces were cut.
    constexpr float step = 1e-4f;
    for (const Sky sky : bright_skies) {
        const Light light(sky, {.elevation_deg = 10, .azimuth_deg = 200});
        for (int i = 0; i < 360; ++i) {
            const float a = static_cast<float>(i * pi / 180 + 0.003);
            const auto jump = [&](int axis) {
                Vec3f d{std::cos(a), std::sin(a), std::cos(a)};
                d[axis] = 0;
                if (axis == 1) d.z = std::sin(a);
                Vec3f one = d, other = d;
                one[axis] = step, other[axis] = -step;
                return length(light.sky(normalize(one)) - light.sky(normalize(other))) / luminance(light.sky(d));
            };
            // A texel is 1/64 wide: neighbours may differ, but by no more than this step's share of that.
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_LT(jump(axis), 0.01f) << static_cast<int>(sky) << " " << i << " axis " << axis;
        }
    }
}

TEST(Skies, the_suns_disc_carries_the_suns_light) {
    for (const double size : {0.53, 5.0, 20.0}) {
        const Light light(Sky::studio, {.size_deg = size});
        // Over a square around the disc in the plane across its axis: radiance times the solid angle's cosine.
        const double half = 1.2 * std::tan(size * pi / 360);
        const Frame frame(light.sun_direction());
        double sum = 0;
        constexpr int cells = 400;
        for (int i = 0; i < cells * cells; ++i) {
            const auto at = [&](int k) { return static_cast<float>(half * ((2 * k + 1.0) / cells - 1)); };
            const Vec3f d = light.sun_direction() + frame.side * at(i % cells) + frame.top * at(i / cells);
            const double size2 = static_cast<double>(dot(d, d));
            sum += static_cast<double>(light.sun_disc(normalize(d)).x) / (size2 * size2);
        }
        const double found = sum * std::pow(2 * half / cells, 2);
        EXPECT_NEAR(found / static_cast<double>(light.sun().x), 1, 0.035)
            << "flat as the disc is taken to be: " << size;
    }
}

TEST(Skies, rays_to_the_sun_end_on_its_disc) {
    const Light light(Sky::day, {.size_deg = 4});
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Vec3f d = light.toward_sun({uniform(hash_counter(2, i, 0)), uniform(hash_counter(2, i, 1))});
        EXPECT_GE(dot(d, light.sun_direction()), std::cos(2.001f * static_cast<float>(pi) / 180));
    }
}

}  // namespace
}  // namespace spindrift::render
