#pragma once
// Bodies and pictures whose light is known beforehand.
//
//   const geometry::Mesh water = smooth_ball({}, 0.5);
//   RenderScene scene = furnace();
//   scene.liquids = {{.mesh = &water, .looks = {lossless}}};
//   Picture picture = render(scene, camera_at(4), quick_params());

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "spindrift/geometry/primitives.h"
#include "spindrift/render/render.h"

namespace spindrift::render {

inline constexpr double pi = std::numbers::pi;

/// A liquid that takes nothing of the light.
inline constexpr LiquidLook lossless{.color = {1, 1, 1}, .glow = 0};

/// A sphere of triangles with the normals of a true one.
inline geometry::Mesh smooth_ball(Vec3d center, double radius) {
    geometry::Mesh mesh = geometry::make_sphere(center, radius);
    mesh.uv.clear();
    std::vector<float> normals;
    for (const Vec3f& x : mesh.points) {
        const Vec3f n = normalize(x - vec_cast<float>(center));
        normals.insert(normals.end(), {n.x, n.y, n.z});
    }
    mesh.attributes.push_back({"N", 3, normals});
    return mesh;
}

inline geometry::Mesh plain_box(const Box3d& box) {
    geometry::Mesh mesh = geometry::make_box(box);
    mesh.uv.clear();
    return mesh;
}

/// A rectangle at a height, seen from above and below.
inline geometry::Mesh level_sheet(Vec3f low, Vec3f high) {
    geometry::Mesh mesh;
    mesh.points = {{low.x, low.y, low.z}, {low.x, low.y, high.z}, {high.x, low.y, high.z}, {high.x, low.y, low.z}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

/// A hollow ball: the inner sphere is turned inside out.
inline geometry::Mesh shell(double outer, double inner) {
    geometry::Mesh mesh = geometry::make_sphere({}, outer), hole = geometry::make_sphere({}, inner);
    mesh.uv.clear();
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), hole.points.begin(), hole.points.end());
    for (const auto& [a, b, c] : hole.triangles)
        mesh.triangles.push_back({first + a, first + c, first + b});
    return mesh;
}

/// Light of 1 from everywhere: what loses none of it cannot be seen.
inline RenderScene furnace() {
    RenderScene scene{.radius = 0.001f};
    scene.uniform_light = Vec3f{1, 1, 1};
    return scene;
}

/// Looks along -z at the origin.
inline geometry::Camera camera_at(double distance, double fov_deg = 30) {
    return {.position = {0, 0, distance}, .target = {}, .fov_deg = fov_deg};
}

/// Looks straight down from a height over the origin; +x is to the right.
inline geometry::Camera camera_above(double height, double fov_deg = 30) {
    return {.position = {0, height, 0}, .target = {}, .up = {0, 0, -1}, .fov_deg = fov_deg};
}

inline RenderParams quick_params(int samples = 4) {
    RenderParams params;
    params.resolution = {64, 48};
    params.samples = samples;
    return params;
}

inline std::pair<float, float> least_and_most(const std::vector<Vec3f>& pixels) {
    float least = pixels[0].x, most = least;
    for (const Vec3f& p : pixels) {
        least = std::min({least, p.x, p.y, p.z});
        most = std::max({most, p.x, p.y, p.z});
    }
    return {least, most};
}

inline Vec3f mean(const std::vector<Vec3f>& pixels) {
    Vec3d sum;
    for (const Vec3f& p : pixels)
        sum += vec_cast<double>(p);
    return vec_cast<float>(sum / static_cast<double>(pixels.size()));
}

inline double sum_of(const std::vector<float>& values) {
    double sum = 0;
    for (const float each : values)
        sum += static_cast<double>(each);
    return sum;
}

/// Share of unpolarised light that a border turns back, as textbooks have it: by the angles on both sides.
inline double textbook_fresnel(double near_angle, double near_index, double far_index) {
    const double sine = std::sin(near_angle) * near_index / far_index;
    if (sine >= 1) return 1;
    const double far_angle = std::asin(sine);
    if (near_angle < 1e-9) return std::pow((near_index - far_index) / (near_index + far_index), 2);
    const double across = std::sin(near_angle - far_angle) / std::sin(near_angle + far_angle);
    const double along = std::tan(near_angle - far_angle) / std::tan(near_angle + far_angle);
    return 0.5 * (across * across + along * along);
}

}  // namespace spindrift::render
