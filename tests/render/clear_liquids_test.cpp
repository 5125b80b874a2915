// Liquids as clear bodies, and matte ones in false colours.

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bodies.h"
#include "draw.h"
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/render/optics.h"
#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr std::array<int, 2> small_picture{160, 120};

RenderParams small_params() {
    return {.resolution = small_picture, .samples = 4};
}

geometry::Camera high_camera() {
    return {.position = {0, 2.5, 3}, .target = {0, 0.3, 0}};
}

geometry::Mesh ball(Vec3d center = {0, 0.5, 0}, double radius = 0.4) {
    return smooth_ball(center, radius);
}

geometry::Mesh slab(double top) {
    return plain_box({{-2, 0, -2}, {2, top, 2}});
}

RenderScene tiled_floor() {
    RenderScene scene{.radius = 0.01f, .ground = 0.0};
    scene.floor.tiles = 0.2;
    return scene;
}

Image picture_of(const LiquidBody& liquid, RenderScene scene = tiled_floor()) {
    scene.liquids = {liquid};
    return draw(scene, high_camera(), small_params());
}

Vec3f at_place(const Image& image, Vec3d place) {
    const geometry::View view(high_camera(), small_picture);
    const Vec3f p = view.project(view.to_local(place));
    return image.at(static_cast<int>(p.x), static_cast<int>(p.y));
}

int differing_pixels(const Image& a, const Image& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        count += length(a.pixels[i] - b.pixels[i]) > 0.02f;
    return count;
}

std::uint64_t hash_of(const Image& image) {
    return Hash64().add(image.pixels.data(), image.pixels.size() * sizeof(Vec3f)).value();
}

TEST(Optics, light_is_bent_by_snells_law_and_mirrored_by_fresnels) {
    const Vec3f normal{0, 1, 0}, slanted = normalize(Vec3f{1, -1, 0});
    const auto inward = refract(slanted, normal, 1 / water_index);
    ASSERT_TRUE(inward);
    EXPECT_NEAR(inward->x * water_index, slanted.x, 1e-6f);
    EXPECT_FALSE(refract(slanted, normal, 1.5f)) << "beyond the critical angle of 41.8 degrees";
    EXPECT_EQ(fresnel(slanted.x, 1.5f), 1.f);
    EXPECT_NEAR(fresnel(1, 1 / water_index), 0.0204f, 1e-4f) << "((n - 1) / (n + 1))^2";
    EXPECT_NEAR(fresnel(0, 1 / water_index), 1, 1e-6f);
}

TEST(ClearLiquids, a_ball_of_water_bends_the_view_of_the_floor) {
    const geometry::Mesh mesh = ball();
    const Image floor = draw(tiled_floor(), high_camera(), small_params());
    const Image water = picture_of({.mesh = &mesh});
    const std::vector<Vec3f> blue(mesh.points.size(), image::water_color);
    const Image matte = picture_of({.mesh = &mesh, .point_colors = blue});
    const int area = differing_pixels(matte, floor);
    EXPECT_GT(area, 1500);
    EXPECT_GT(differing_pixels(water, floor), area / 4);
    EXPECT_GT(differing_pixels(water, matte), area / 2);

    // Without bending, clear water that takes no light would show the floor but for its mirror.
    const Image clear = picture_of({.mesh = &mesh, .looks = {{.color = {1, 1, 1}, .clarity = 1e6f}}});
    EXPECT_GT(differing_pixels(clear, floor), area / 5);
}

TEST(ClearLiquids, no_pixel_is_black_or_not_a_number) {
    const geometry::Mesh drop = ball(), pool = slab(0.3);
    RenderScene scene = tiled_floor();
    scene.liquids = {{.mesh = &drop}, {.mesh = &pool}};
    const Image image = draw(scene, high_camera(), small_params());
    for (const Vec3f& pixel : image.pixels) {
        ASSERT_TRUE(is_finite(pixel));
        EXPECT_GT(luminance(pixel), 0.02f);
        EXPECT_LE(std::max({pixel.x, pixel.y, pixel.z}), 1.f);
    }
}

TEST(ClearLiquids, a_pool_on_the_floor_has_no_grain) {
    // The pool's lower face lies exactly on the floor. Within one tile the picture changes slowly.
    const geometry::Mesh pool = slab(0.3);
    RenderScene scene = tiled_floor();
    scene.floor.tiles = 0;
    const Image image = picture_of({.mesh = &pool}, scene);
    for (int y = 45; y < 75; ++y) {
        for (int x = 50; x < 110; ++x)
            EXPECT_LT(length(image.at(x, y) - image.at(x + 1, y)), 0.03f) << x << " " << y;
    }
}

TEST(ClearLiquids, deeper_liquid_is_darker_and_takes_its_colour) {
    const geometry::Mesh shallow = slab(0.05), deep = slab(0.9);
    const auto center = [&](const geometry::Mesh& mesh, Vec3f color) {
        return at_place(picture_of({.mesh = &mesh, .looks = {{.color = color}}}), {0, 0.3, 0});
    };
    EXPECT_LT(luminance(center(deep, image::clear_water)), 0.9f * luminance(center(shallow, image::clear_water)));
    const Vec3f red = center(deep, {0.8f, 0.05f, 0.05f});
    EXPECT_GT(red.x, 1.5f * red.z);
    const Vec3f twice = at_place(picture_of({.mesh = &deep, .looks = {{.clarity = 2}}}), {0, 0.3, 0});
    EXPECT_GT(luminance(twice), luminance(center(deep, image::clear_water))) << "clearer";
}

TEST(ClearLiquids, gather_sunlight_on_the_floor_where_matte_ones_shade_it) {
    const geometry::Mesh mesh = ball({0, 0.6, 0}, 0.3);
    RenderScene scene = tiled_floor();
    scene.floor.tiles = 0;
    const Vec3d place{0.36, 0, -0.3};  // where the sun throws the ball's shadow
    const float bare = luminance(at_place(draw(scene, high_camera(), small_params()), place));
    const float water = luminance(at_place(picture_of({.mesh = &mesh}, scene), place));
    const std::vector<Vec3f> white(mesh.points.size(), Vec3f{1, 1, 1});
    const float matte = luminance(at_place(picture_of({.mesh = &mesh, .point_colors = white}, scene), place));
    EXPECT_GT(water, 1.2f * bare) << "a ball is a lens";
    EXPECT_LT(matte, 0.8f * bare);
}

TEST(ClearLiquids, the_border_of_two_liquids_alike_is_not_seen) {
    geometry::Mesh pool = slab(0.6);
    const LiquidBody one{.mesh = &pool};
    geometry::Mesh both = pool;
    const auto first = static_cast<std::uint32_t>(both.points.size());
    both.points.insert(both.points.end(), {{-2, 0.3f, -2}, {-2, 0.3f, 2}, {2, 0.3f, 2}, {2, 0.3f, -2}});
    both.triangles.insert(both.triangles.end(), {{first, first + 1, first + 2}, {first, first + 2, first + 3}});
    std::vector<geometry::Sides> sides;
    for (const geometry::Triangle& t : both.triangles) {
        const bool lowest = both.points[t[0]].y == 0 && both.points[t[1]].y == 0 && both.points[t[2]].y == 0;
        sides.push_back(t[0] == first ? geometry::Sides{0, 1}
                                      : geometry::Sides{lowest ? std::uint8_t{0} : std::uint8_t{1}, 255});
    }
    const LiquidBody layered{.mesh = &both, .sides = sides, .looks = {{}, {}}};
    // Ways are cut in two there, which rounds otherwise: single photons take another way at a rim.
    EXPECT_LE(differing_pixels(picture_of(one), picture_of(layered)), 4);
    const LiquidBody red_below{.mesh = &both, .sides = sides, .looks = {{.color = {0.8f, 0.05f, 0.05f}}, {}}};
    const Vec3f seen = at_place(picture_of(red_below), {0, 0.3, 0});
    EXPECT_GT(seen.x, at_place(picture_of(layered), {0, 0.3, 0}).x);
}

TEST(ClearLiquids, false_colours_are_those_of_the_map) {
    const geometry::Mesh mesh = ball();
    const auto color_for = [&](float value) {
        const std::vector<float> values(mesh.points.size(), value);
        RenderScene scene = tiled_floor();
        scene.range = {{0, 1}};
        scene.liquids = {{.mesh = &mesh, .values = values}};
        RenderParams params = small_params();
        params.color = "speed";
        return at_place(draw(scene, high_camera(), params), {0, 0.5, 0});
    };
    for (const float value : {0.f, 0.4f, 0.7f}) {
        const Vec3f seen = color_for(value), map = image::color_map("speed")(value);
        // Lights tint a little; hues stay those of the map.
        EXPECT_NEAR(seen.x / seen.z, map.x / map.z, 0.15f) << value;
        EXPECT_NEAR(seen.y / seen.z, map.y / map.z, 0.15f) << value;
    }
}

TEST(ClearLiquids, matte_faces_have_the_colour_of_the_liquid_behind_them) {
    const geometry::Mesh mesh = ball();
    std::vector<geometry::Sides> sides;
    for (const geometry::Triangle& t : mesh.triangles) {
        const float x = mesh.points[t[0]].x + mesh.points[t[1]].x + mesh.points[t[2]].x;
        // The second liquid on the right, once turned inside out.
        sides.push_back(x < 0 ? geometry::Sides{0, 255} : x < 0.3f ? geometry::Sides{1, 0} : geometry::Sides{255, 1});
    }
    const std::vector<LiquidLook> red_and_blue{{.color = {0.8f, 0, 0}}, {.color = {0, 0, 0.8f}}};
    const Image image = picture_of({.mesh = &mesh, .sides = sides, .looks = red_and_blue, .matte = true});
    for (const double x : {0.08, 0.15, 0.25}) {
        const Vec3f left = at_place(image, {-x, 0.6, 0.3}), right = at_place(image, {x, 0.6, 0.3});
        // Nothing but the colour itself, as matte bodies mirror nothing.
        EXPECT_GT(left.x, 0.1f) << x;
        EXPECT_EQ(left.z, 0) << x;
        EXPECT_GT(right.z, 0.1f) << x;
        EXPECT_EQ(right.x, 0) << x;
    }
    const LiquidBody unknown{.mesh = &mesh, .sides = sides, .looks = {{.color = {0.8f, 0, 0}}}, .matte = true};
    EXPECT_GT(at_place(picture_of(unknown), {0.15, 0.6, 0.3}).x, 0.1f) << "liquids without a colour have the last";
}

TEST(ClearLiquids, same_bits_for_one_and_four_threads) {
    const geometry::Mesh drop = ball(), pool = slab(0.2);
    RenderScene scene = tiled_floor();
    scene.liquids = {{.mesh = &drop}, {.mesh = &pool}};
    const auto hash_with = [&](int threads) {
        const ThreadLimit limit(threads);
        return hash_of(draw(scene, high_camera(), small_params()));
    };
    EXPECT_EQ(hash_with(1), hash_with(4));
}

TEST(ClearLiquids, empty_meshes_and_cut_ones_are_drawn) {
    const geometry::Mesh none, mesh = ball();
    const Image floor = draw(tiled_floor(), high_camera(), small_params());
    EXPECT_EQ(hash_of(picture_of({.mesh = &none})), hash_of(floor));
    RenderParams params = small_params();
    params.slice = SlicePlane{.point = {0, -1, 0}, .normal = {0, 1, 0}};
    RenderScene scene = tiled_floor();
    scene.liquids = {{.mesh = &mesh}};
    EXPECT_EQ(hash_of(draw(scene, high_camera(), params)), hash_of(floor)) << "all of it is cut away";
}

TEST(ClearLiquids, bounds_hold_them) {
    const geometry::Mesh mesh = ball({0, 0.5, 0}, 0.4);
    RenderScene scene;
    scene.liquids = {{.mesh = &mesh}};
    EXPECT_NEAR(bounds(scene).hi.y, 0.9, 1e-3);
}

}  // namespace
}  // namespace spindrift::render
