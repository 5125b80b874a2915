// Small pictures as they were when someone looked at them, beside those of today.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/core/random.h"
#include "spindrift/image/png_file.h"
#include "spindrift/image/read_image.h"
#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr std::array<int, 2> thumbnail{96, 54};

constexpr const char* advice =
    "; if the change is wanted, look at the new pictures that\n"
    "  SPINDRIFT_GOLDEN=write build/release/bin/render_test --gtest_filter='Golden*'\n"
    "writes to tests/render/golden, and commit them";

/// As the screen shows it, each pixel with its neighbours: grain and single pixels of rims may differ.
Image blurred(const Image& image) {
    Image result(image.width, image.height);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            Vec3f sum;
            float count = 0;
            for (int k = 0; k < 9; ++k) {
                const int i = x + k % 3 - 1, j = y + k / 3 - 1;
                if (!image.contains(i, j)) continue;
                const Vec3f p = image.at(i, j);
                sum += {image::srgb_encode(p.x), image::srgb_encode(p.y), image::srgb_encode(p.z)};
                count += 1;
            }
            result.at(x, y) = sum / count;
        }
    }
    return result;
}

float difference(const Image& a, const Image& b, int x, int y) {
    const Vec3f d = a.at(x, y) - b.at(x, y);
    return (std::abs(d.x) + std::abs(d.y) + std::abs(d.z)) / 3;
}

/// Mean difference of all pixels, and of the worst block of 8 by 8.
struct Distance {
    float mean = 0, worst = 0;
};

Distance distance(const Image& one, const Image& other) {
    const Image a = blurred(one), b = blurred(other);
    Distance result;
    for (int top = 0; top < a.height; top += 8) {
        for (int left = 0; left < a.width; left += 8) {
            const int right = std::min(a.width, left + 8), bottom = std::min(a.height, top + 8);
            float sum = 0;
            for (int y = top; y < bottom; ++y)
                for (int x = left; x < right; ++x)
                    sum += difference(a, b, x, y);
            result.mean += sum / static_cast<float>(a.width * a.height);
            result.worst = std::max(result.worst, sum / static_cast<float>((right - left) * (bottom - top)));
        }
    }
    return result;
}

/// From the darkest to the brightest pixel, but for one in fifty at both ends.
float spread(const Image& image) {
    std::vector<float> bright;
    for (const Vec3f& pixel : image.pixels)
        bright.push_back(luminance(pixel));
    std::sort(bright.begin(), bright.end());
    const std::size_t few = bright.size() / 50;
    return bright[bright.size() - 1 - few] - bright[few];
}

Image picture_of(const RenderScene& scene, const geometry::Camera& camera) {
    RenderParams params;
    params.resolution = thumbnail;
    return render(scene, camera, params).image;
}

void compare(const std::string& name, const Image& image) {
    const std::filesystem::path path =
        std::filesystem::path(SPINDRIFT_SOURCE_DIR) / "tests/render/golden" / (name + ".png");
    EXPECT_GT(spread(image), 0.1f) << name << " shows nothing";
    const char* wish = std::getenv("SPINDRIFT_GOLDEN");
    if (wish && std::string(wish) == "write") {
        std::filesystem::create_directories(path.parent_path());
        image::write_png(path, image);
        GTEST_SKIP() << "wrote " << path;
    }
    ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing" << advice;
    const Image golden = image::read_image(path);
    ASSERT_EQ(golden.width, image.width);
    ASSERT_EQ(golden.height, image.height);
    EXPECT_GT(spread(golden), 0.1f) << name << " is empty on disk";
    const Distance found = distance(image, golden);
    EXPECT_LT(found.mean, 0.01f) << name << advice;
    EXPECT_LT(found.worst, 0.05f) << name << advice;
}

RenderScene tiled_floor() {
    RenderScene scene{.radius = 0.01f, .ground = 0.0};
    scene.floor.tiles = 0.2;
    return scene;
}

geometry::Camera usual_camera() {
    return {.position = {0.8, 1.3, 2.4}, .target = {0, 0.35, 0}};
}

TEST(Golden, a_ball_of_water_over_tiles) {
    const geometry::Mesh ball = smooth_ball({0, 0.6, 0}, 0.4);
    RenderScene scene = tiled_floor();
    scene.liquids = {{.mesh = &ball}};
    compare("water_ball", picture_of(scene, usual_camera()));
}

TEST(Golden, glass_and_matte_bodies) {
    const geometry::Mesh ball = smooth_ball({}, 0.35), hollow = shell(0.3, 0.27);
    const geometry::Mesh block = plain_box({{-0.2, 0, -0.2}, {0.2, 0.5, 0.2}});
    RenderScene scene = tiled_floor();
    scene.meshes = {{.mesh = &ball, .pose = {.position = {-0.7, 0.35, 0}}, .opacity = 0.1f},
                    {.mesh = &hollow, .pose = {.position = {0.05, 0.3, 0.5}}, .opacity = 0},
                    {.mesh = &ball, .pose = {.position = {0.75, 0.35, 0}}, .color = {0.7f, 0.2f, 0.1f}},
                    {.mesh = &block, .pose = geometry::make_pose({0, 0, -0.5}, {0, 30, 0})}};
    compare("glass_and_matte", picture_of(scene, usual_camera()));
}

TEST(Golden, particles_in_false_colours) {
    std::vector<Vec3f> x, colors;
    const image::ColorMap& map = image::color_map("speed");
    for (std::uint64_t i = 0; i < 1500; ++i) {
        const auto draw = [&](std::uint64_t k) { return uniform(hash_counter(9, i, k)); };
        const float across = 2 * draw(0) - 1, height = 0.5f * std::exp(-2 * across * across) + 0.08f;
        x.push_back({0.9f * across, 0.05f + height * draw(1), 0.5f * (2 * draw(2) - 1)});
        colors.push_back(map(x.back().y / 0.6f));
    }
    RenderScene scene{.positions = x, .radius = 0.04f, .colors = colors, .ground = 0.0};
    compare("particles", picture_of(scene, usual_camera()));
}

TEST(Golden, two_liquids_with_a_border) {
    // Amber over water, in one mesh: each triangle says what is behind and before it.
    geometry::Mesh pool = plain_box({{-0.7, 0, -0.4}, {0.7, 0.3, 0.4}});
    std::vector<geometry::Sides> sides(pool.triangles.size(), {0, 255});
    const geometry::Mesh upper = plain_box({{-0.7, 0.3, -0.4}, {0.7, 0.6, 0.4}});
    const auto first = static_cast<std::uint32_t>(pool.points.size());
    pool.points.insert(pool.points.end(), upper.points.begin(), upper.points.end());
    const auto is_level = [](const geometry::Mesh& mesh, const geometry::Triangle& t) {
        return std::all_of(t.begin(), t.end(), [&](std::uint32_t i) { return mesh.points[i].y == 0.3f; });
    };
    for (std::size_t t = 0; t < sides.size(); ++t)
        if (is_level(pool, pool.triangles[t])) sides[t] = {0, 1};
    for (const geometry::Triangle& t : upper.triangles) {
        if (is_level(upper, t)) continue;
        pool.triangles.push_back({first + t[0], first + t[1], first + t[2]});
        sides.push_back({1, 255});
    }
    const LiquidLook amber{.color = {0.9f, 0.5f, 0.08f}, .clarity = 0.6f, .ior = 1.45f};
    RenderScene scene = tiled_floor();
    scene.liquids = {{.mesh = &pool, .sides = sides, .looks = {{.clarity = 0.6f}, amber}}};
    compare("two_liquids", picture_of(scene, usual_camera()));
}

TEST(Golden, comparisons_see_what_people_see) {
    Image grey(96, 54, {0.2f, 0.2f, 0.2f}), grainy = grey, spot = grey;
    for (std::size_t i = 0; i < grainy.pixels.size(); ++i)
        grainy.pixels[i] *= 1 + 0.1f * (uniform(hash_counter(4, i, 0)) - 0.5f);
    EXPECT_LT(distance(grey, grainy).mean, 0.01f) << "grain is nothing";
    spot.blend_rectangle(40, 16, 8, 8, {0.6f, 0.2f, 0.2f}, 1);
    EXPECT_GT(distance(grey, spot).worst, 0.05f) << "a spot is something";
    const Image brighter(96, 54, {0.22f, 0.22f, 0.22f});
    EXPECT_GT(distance(grey, brighter).mean, 0.01f) << "so is a tenth more light";
    EXPECT_LT(spread(grey), 0.1f) << "and nothing is nothing";
}

}  // namespace
}  // namespace spindrift::render
