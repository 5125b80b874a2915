#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "draw.h"
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/render/corner_normals.h"
#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr std::array<int, 2> small_picture{160, 120};

/// Looks along -z at the origin from 4 m.
geometry::Camera front_camera() {
    return {.position = {0, 0, 4}, .target = {0, 0, 0}};
}

RenderParams small_params() {
    return {.resolution = small_picture, .samples = 4};
}

/// A sphere of radius 1 with points split along the seam, as files with UVs have them.
geometry::Mesh ball(int rings = 32) {
    geometry::Mesh mesh;
    const int columns = 2 * rings;
    for (int i = 0; i <= rings; ++i) {
        for (int k = 0; k <= columns; ++k) {
            const double polar = std::numbers::pi * i / rings, around = 2 * std::numbers::pi * (k % columns) / columns;
            const double radius = i % rings == 0 ? 0 : std::sin(polar);  // the poles are single places
            const Vec3d point{radius * std::cos(around), std::cos(polar), radius * std::sin(around)};
            mesh.points.push_back(vec_cast<float>(point));
        }
    }
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < columns; ++k) {
            const auto a = static_cast<std::uint32_t>(i * (columns + 1) + k);
            const auto b = a + static_cast<std::uint32_t>(columns) + 1;
            if (i > 0) mesh.triangles.push_back({a, a + 1, b});
            if (i < rings - 1) mesh.triangles.push_back({a + 1, b + 1, b});
        }
    }
    return mesh;
}

/// From (-1, -1) to (1, 1) in the plane z = 0, with the texture all over it.
geometry::Mesh square() {
    geometry::Mesh mesh;
    mesh.points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    const geometry::Uv a{0, 0}, b{1, 0}, c{1, 1}, d{0, 1};
    mesh.uv = {{a, b, c}, {a, c, d}};
    return mesh;
}

float difference(const Image& a, const Image& b, int x, int y) {
    return length(a.at(x, y) - b.at(x, y));
}

int differing_pixels(const Image& a, const Image& b) {
    int count = 0;
    for (int y = 0; y < a.height; ++y) {
        for (int x = 0; x < a.width; ++x)
            count += difference(a, b, x, y) > 0.02f;
    }
    return count;
}

Image picture_of(const MeshBody& body) {
    RenderScene scene;
    scene.meshes = {body};
    return draw(scene, front_camera(), small_params());
}

TEST(Meshes, a_ball_covers_the_pixels_of_a_particle_of_its_size) {
    const std::vector<Vec3f> x{{0.3f, 0.2f, 0.1f}};
    const geometry::Mesh mesh = ball(48);
    const Image particle = draw({.positions = x, .radius = 0.6f}, front_camera(), small_params());
    const Image body = picture_of({.mesh = &mesh, .pose = {.position = {0.3, 0.2, 0.1}}, .scale = 0.6});
    const Image nothing = draw({}, front_camera(), small_params());
    int one_only = 0;
    const int area = differing_pixels(particle, nothing);
    for (int y = 0; y < nothing.height; ++y) {
        for (int px = 0; px < nothing.width; ++px) {
            const bool in_one = difference(particle, nothing, px, y) > 0.02f;
            one_only += in_one != (difference(body, nothing, px, y) > 0.02f);
        }
    }
    // Facets of a 96-gon lie within a thousandth of the radius; colours decide about some pixels of the rim.
    EXPECT_GT(area, 1000);
    EXPECT_LE(one_only, area / 100);
}

TEST(Meshes, poses_and_sizes_move_the_picture) {
    const geometry::Mesh mesh = square();
    const Image nothing = draw({}, front_camera(), small_params());
    const MeshBody edge_on{.mesh = &mesh, .pose = geometry::make_pose({}, {90, 0, 0}), .scale = 0.5};
    const MeshBody facing{.mesh = &mesh, .scale = 0.5};
    const int area = differing_pixels(picture_of(facing), nothing);
    EXPECT_LT(differing_pixels(picture_of(edge_on), nothing), area / 20);
    const MeshBody half{.mesh = &mesh, .scale = 0.25};
    EXPECT_NEAR(differing_pixels(picture_of(half), nothing), 0.25 * area, 0.1 * area) << "rows of the border count";
}

TEST(Meshes, both_sides_of_a_sheet_are_drawn_alike) {
    const geometry::Mesh mesh = square();
    geometry::Mesh flipped = mesh;
    for (geometry::Triangle& t : flipped.triangles)
        std::swap(t[0], t[1]);
    EXPECT_EQ(differing_pixels(picture_of({.mesh = &mesh}), picture_of({.mesh = &flipped})), 0);
}

TEST(Meshes, have_their_colour_and_hide_what_is_behind_them) {
    const geometry::Mesh mesh = square();
    const std::vector<Vec3f> x{{0, 0, -1}};
    RenderScene scene{.positions = x, .radius = 0.3f};
    scene.meshes = {{.mesh = &mesh, .color = {0.6f, 0.1f, 0.1f}}};
    const Vec3f red = draw(scene, front_camera(), small_params()).at(80, 60);
    EXPECT_GT(red.x, 3 * red.y);
    EXPECT_GT(red.x, 3 * red.z);
}

TEST(Meshes, glass_leaves_particles_behind_it_visible) {
    const std::vector<Vec3f> x{{0, 0, -1}};
    const geometry::Mesh mesh = ball();
    RenderScene scene{.positions = x, .radius = 0.3f};
    const Image bare = draw(scene, front_camera(), small_params());
    scene.meshes = {{.mesh = &mesh, .scale = 0.8, .color = {0.9f, 0.9f, 0.9f}, .opacity = 0.1f, .thin = true}};
    const Image behind_glass = draw(scene, front_camera(), small_params());
    EXPECT_LT(difference(bare, behind_glass, 80, 60), 0.5f * length(bare.at(80, 60)));
    EXPECT_GT(behind_glass.at(80, 60).z, 1.3f * behind_glass.at(80, 60).x) << "water is still blue";

    // More opaque at the rim, where the view grazes the surface.
    const geometry::View view(front_camera(), small_picture);
    const auto change = [&](double px) {
        const Vec3f p = view.project(view.to_local({px, 0, 0}));
        return difference(bare, behind_glass, static_cast<int>(p.x), static_cast<int>(p.y));
    };
    EXPECT_GT(change(-0.77), 1.5f * change(-0.45));
    EXPECT_EQ(change(-1.2), 0.f) << "glass throws no shadow and changes nothing beside it";
}

TEST(Meshes, opacity_goes_from_clear_to_matte) {
    const geometry::Mesh mesh = square();
    const Image nothing = draw({}, front_camera(), small_params());
    float before = -1;
    for (const float opacity : {0.f, 0.3f, 0.6f, 0.9f}) {
        const Image image = picture_of({.mesh = &mesh, .color = {0.05f, 0.05f, 0.05f}, .opacity = opacity});
        const float now = difference(image, nothing, 80, 60);
        EXPECT_GT(now, before) << opacity;
        before = now;
    }
}

TEST(Meshes, matte_bodies_shade_the_ground_more_than_thin_glass) {
    const geometry::Mesh mesh = ball();
    const geometry::Camera high{.position = {0, 3, 4}, .target = {0, 0, 0}};
    RenderScene scene{.ground = 0.0};
    const Image bare = draw(scene, high, small_params());
    const geometry::View view(high, small_picture);
    const auto darkening = [&](float opacity) {
        scene.meshes = {{.mesh = &mesh, .pose = {.position = {0, 0.5, 0}}, .scale = 0.3, .opacity = opacity}};
        scene.meshes[0].thin = true;
        const Vec3f p = view.project(view.to_local({0.45, 0, -0.3}));
        const int px = static_cast<int>(p.x), py = static_cast<int>(p.y);
        return 1 - luminance(draw(scene, high, small_params()).at(px, py)) / luminance(bare.at(px, py));
    };
    EXPECT_GT(darkening(1), 0.2f);
    // What two faces mirror and tint.
    EXPECT_GT(darkening(0.2f), 0.05f);
    EXPECT_LT(darkening(0.2f), 0.5f * darkening(1));
}

TEST(Meshes, wet_places_are_darker) {
    const geometry::Mesh mesh = square();
    Image wet(2, 2);
    wet.at(0, 0) = {1, 1, 1};  // the upper left quarter
    const MeshBody body{.mesh = &mesh, .color = {0.5f, 0.5f, 0.5f}, .wet = &wet};
    const Image image = picture_of(body);
    const geometry::View view(front_camera(), small_picture);
    const auto brightness = [&](double x, double y) {
        const Vec3f p = view.project(view.to_local({x, y, 0}));
        return luminance(image.at(static_cast<int>(p.x), static_cast<int>(p.y)));
    };
    EXPECT_LT(brightness(-0.5, 0.5), 0.6f * brightness(0.5, 0.5));
    EXPECT_NEAR(brightness(0.5, -0.5), brightness(0.5, 0.5), 0.02f);
    EXPECT_NEAR(brightness(-0.5, -0.5), brightness(0.5, 0.5), 0.02f);
}

TEST(Meshes, same_bits_for_one_and_three_threads_even_with_faces_on_each_other) {
    const geometry::Mesh mesh = ball();
    RenderScene scene{.radius = 0.02f, .ground = -1.0};
    scene.meshes = {{.mesh = &mesh, .color = {0.8f, 0.1f, 0.1f}},
                    {.mesh = &mesh, .color = {0.1f, 0.8f, 0.1f}},
                    {.mesh = &mesh, .pose = {.position = {0.3, 0, 1}}, .opacity = 0.3f},
                    {.mesh = &mesh, .pose = {.position = {0.3, 0, 1}}, .opacity = 0.2f}};
    const auto hash_with = [&](int threads) {
        const ThreadLimit limit(threads);
        const Image image = draw(scene, front_camera(), small_params());
        return Hash64().add(image.pixels.data(), image.pixels.size() * sizeof(Vec3f)).value();
    };
    const std::uint64_t one = hash_with(1);
    EXPECT_EQ(hash_with(3), one);
    EXPECT_EQ(hash_with(3), one);
}

TEST(Meshes, faces_that_are_not_finite_or_have_no_area_are_left_out) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    geometry::Mesh mesh = square();
    const Image expected = picture_of({.mesh = &mesh});
    mesh.points.insert(mesh.points.end(), {{nan, nan, nan}, {0, inf, 0}, {nan, 0, 0}});
    mesh.triangles.insert(mesh.triangles.end(), {{0, 1, 4}, {4, 5, 6}, {1, 1, 2}, {3, 5, 0}});
    mesh.uv.resize(mesh.triangles.size());
    const Image image = picture_of({.mesh = &mesh});
    EXPECT_EQ(differing_pixels(image, expected), 0);
    const geometry::Mesh none;
    EXPECT_EQ(differing_pixels(picture_of({.mesh = &none}), draw({}, front_camera(), small_params())), 0);
}

TEST(Meshes, far_from_the_origin_the_picture_stays_the_same) {
    const geometry::Mesh mesh = ball();
    const auto picture = [&](Vec3d offset) {
        RenderScene scene;
        scene.meshes = {{.mesh = &mesh, .pose = {.position = offset}}};
        return draw(scene, {.position = Vec3d{0, 0, 4} + offset, .target = offset}, small_params());
    };
    EXPECT_EQ(differing_pixels(picture({}), picture({1e6, -3e5, 2e6})), 0);
}

TEST(Meshes, bounds_hold_meshes_unless_they_dwarf_the_liquid) {
    const geometry::Mesh mesh = ball();
    const std::vector<Vec3f> x{{0, 0, 0}, {1, 0, 0}};
    RenderScene scene{.positions = x, .radius = 0.1f};
    scene.meshes = {{.mesh = &mesh, .pose = {.position = {3, 0, 0}}, .scale = 0.5}};
    EXPECT_NEAR(bounds(scene).hi.x, 3.5, 1e-6);
    scene.meshes[0].scale = 50;
    EXPECT_NEAR(bounds(scene).hi.x, 1.1, 1e-6);
    scene.positions = {};
    EXPECT_NEAR(bounds(scene).hi.x, 53, 1e-4) << "with no liquid the mesh is the subject";
}

TEST(CornerNormals, are_round_on_a_ball_across_its_seam) {
    const geometry::Mesh mesh = ball();
    const std::vector<CornerNormals> normals = corner_normals(mesh);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            // Faces are about six degrees wide; means over unequal ones stay within two.
            EXPECT_GT(std::abs(dot(normals[i][k], mesh.points[mesh.triangles[i][k]])), 0.9994f);
        }
    }
}

TEST(CornerNormals, keep_sharp_edges) {
    geometry::Mesh roof;
    roof.points = {{-1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 1}};
    roof.triangles = {{0, 1, 3}, {1, 2, 3}};
    const std::vector<CornerNormals> normals = corner_normals(roof);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(std::abs(normals[0][k].x), std::sqrt(0.5f), 1e-6f);
        EXPECT_NEAR(normals[0][k].z, 0, 1e-6f);
    }
}

TEST(CornerNormals, a_fan_of_many_faces_takes_no_longer_than_its_size) {
    geometry::Mesh fan;
    fan.points = {{0, 0, 0}};
    constexpr std::uint32_t faces = 200000;
    for (std::uint32_t i = 0; i <= faces; ++i) {
        const float angle = static_cast<float>(i) * 3e-5f;
        fan.points.push_back({std::cos(angle), 0, std::sin(angle)});
        if (i > 0) fan.triangles.push_back({0, i, i + 1});
    }
    const std::vector<CornerNormals> normals = corner_normals(fan);
    EXPECT_NEAR(std::abs(normals[faces / 2][0].y), 1, 1e-5f);
}

}  // namespace
}  // namespace spindrift::render
