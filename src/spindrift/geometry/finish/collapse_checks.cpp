#include "spindrift/geometry/finish/collapse_checks.h"

#include <algorithm>
#include <cmath>

#include "spindrift/geometry/mesh_quality.h"

namespace spindrift::geometry {

namespace {

/// Cosine of the largest turn of a triangle in one merge.
constexpr double least_turn_cosine = 0.5;
/// Triangles do not get longer and thinner than this, unless they were.
constexpr double most_aspect = 15;

double thinness(Vec3d a, Vec3d b, Vec3d c, double twice_area) {
    const auto squared = [](Vec3d v) { return dot(v, v); };
    return aspect(std::sqrt(std::max({squared(b - a), squared(c - a), squared(c - b)})), twice_area / 2);
}

}  // namespace

double plane_distance(const CollapseMesh& joined, std::span<const Vec3d> places, std::uint32_t point, Vec3d target) {
    double largest = 0;
    joined.for_triangles(point, [&](std::uint32_t t, std::uint32_t) {
        const auto& [a, b, c] = joined.corners(t);
        const Vec3d n = cross(places[b] - places[a], places[c] - places[a]);
        const double height = dot(n, target - places[a]), nn = dot(n, n);
        if (nn > 0) largest = std::max(largest, height * height / nn);
    });
    return std::sqrt(largest);
}

bool spoils_triangles(const CollapseMesh& joined, std::span<const Vec3d> places, std::uint32_t point,
                      std::uint32_t other, Vec3d target) {
    bool bad = false;
    joined.for_triangles(point, [&](std::uint32_t t, std::uint32_t k) {
        const Triangle& corners = joined.corners(t);
        if (bad || std::ranges::find(corners, other) != corners.end()) return;
        const Vec3d old = places[point], b = places[corners[(k + 1) % 3]], c = places[corners[(k + 2) % 3]];
        const Vec3d before = cross(b - old, c - old), after = cross(b - target, c - target);
        const double size = length(before), new_size = length(after);
        bad = !(new_size > 0) || dot(before, after) < least_turn_cosine * size * new_size ||
              thinness(target, b, c, new_size) > std::max(most_aspect, thinness(old, b, c, size));
    });
    return bad;
}

}  // namespace spindrift::geometry
