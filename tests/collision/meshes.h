#pragma once
// Small meshes, sound and broken, and what their distances are without any cleverness.

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/fields/triangle_distance.h"
#include "spindrift/core/random.h"

namespace spindrift::collision {

using geometry::Mesh;

inline Vec3f random_vector(std::uint64_t seed, std::uint64_t i, float lo = -1, float hi = 1) {
    const auto draw = [&](std::uint64_t axis) { return lo + (hi - lo) * uniform(hash_counter(seed, i, axis)); };
    return {draw(0), draw(1), draw(2)};
}

/// Rings of quads cut in two around the y axis: `point(u, v)` with u around and v from pole to pole, both 0 to 1.
inline Mesh make_rings(int around, int along, const std::function<Vec3f(float, float)>& point) {
    Mesh mesh;
    for (int j = 0; j <= along; ++j) {
        for (int i = 0; i < around; ++i) {
            mesh.points.push_back(point(static_cast<float>(i) / static_cast<float>(around),
                                        static_cast<float>(j) / static_cast<float>(along)));
        }
    }
    const auto n = static_cast<std::uint32_t>(around);
    for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(along); ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = j * n + i, b = j * n + (i + 1) % n;
            mesh.triangles.push_back({a, b, a + n});
            mesh.triangles.push_back({b, b + n, a + n});
        }
    }
    return mesh;
}

inline Vec3f on_sphere(float u, float v) {
    const float turn = u * 2 * std::numbers::pi_v<float>, tilt = v * std::numbers::pi_v<float>;
    const float ring = v == 0 || v == 1 ? 0 : std::sin(tilt);
    return {ring * std::cos(turn), std::cos(tilt), -ring * std::sin(turn)};
}

/// Radius about 1. Its poles are rings of triangles without an area.
inline Mesh bumpy_sphere(int around) {
    return make_rings(around, around / 2, [](float u, float v) {
        const Vec3f p = on_sphere(u, v);
        return p * (1 + 0.1f * std::sin(6 * p.x) * std::sin(5 * p.y + 1) * std::sin(7 * p.z));
    });
}

/// The lower half of a sphere, open at the top.
inline Mesh open_bowl(int around) {
    return make_rings(around, around / 4, [](float u, float v) { return on_sphere(u, 0.5f + v / 2); });
}

inline Mesh box_mesh(Vec3f lo, Vec3f hi) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.points.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

inline Mesh soup(int count, float size) {
    Mesh mesh;
    for (std::uint32_t t = 0; t < static_cast<std::uint32_t>(count); ++t) {
        const Vec3f center = random_vector(7, t);
        for (std::uint32_t i = 0; i < 3; ++i)
            mesh.points.push_back(center + random_vector(8, t * 3 + i, -size, size));
        mesh.triangles.push_back({t * 3, t * 3 + 1, t * 3 + 2});
    }
    return mesh;
}

inline Mesh joined(Mesh a, const Mesh& b) {
    const auto first = static_cast<std::uint32_t>(a.points.size());
    a.points.insert(a.points.end(), b.points.begin(), b.points.end());
    for (const auto& t : b.triangles)
        a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return a;
}

inline Mesh turned(Mesh mesh, float radians) {
    const float c = std::cos(radians), s = std::sin(radians);
    for (Vec3f& p : mesh.points) {
        p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
        p = {p.x, c * p.y - s * p.z, s * p.y + c * p.z};
    }
    return mesh;
}

struct BruteForce {
    double distance;
    std::size_t triangle;
};

inline BruteForce nearest_by_force(const Mesh& mesh, Vec3d p) {
    BruteForce best{std::numeric_limits<double>::infinity(), 0};
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        const Vec3d q = nearest_point(p, vec_cast<double>(mesh.points[a]), vec_cast<double>(mesh.points[b]),
                                      vec_cast<double>(mesh.points[c]));
        if (const double distance = length(q - p); distance < best.distance) best = {distance, t};
    }
    return best;
}

/// Calls visit(position in metres, index) for some of the nodes, spread over all bricks.
inline void visit_some_nodes(const Field& field, std::size_t count,
                             const std::function<void(Vec3d, std::size_t)>& visit) {
    std::vector<Vec3i> corner(field.brick_count());
    std::size_t block = 0;
    for (int z = 0; z < field.bricks.z; ++z) {
        for (int y = 0; y < field.bricks.y; ++y) {
            for (int x = 0; x < field.bricks.x; ++x, ++block) {
                const auto brick = field.table[block];
                if (brick >= 0) corner[static_cast<std::size_t>(brick)] = field.first + Vec3i{x, y, z} * brick_cells;
            }
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t node = hash_counter(3, i, 0) % field.distance.size();
        const int n = static_cast<int>(node % brick_nodes);
        const Vec3i at = corner[node / brick_nodes] + Vec3i{n % 9, n / 9 % 9, n / 81};
        visit(vec_cast<double>(at) * field.cell, node);
    }
}

inline FieldSample sample_at(const Field& field, Vec3d p) {
    return sample(field.view(), vec_cast<float>(field.to_nodes(p)));
}

}  // namespace spindrift::collision
