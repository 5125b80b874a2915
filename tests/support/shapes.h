#pragma once
// Meshes whose properties are known, for tests: as fine as wanted, with points that are shared.
//
//   geometry::Mesh ring = torus(64, 32);

#include <cmath>
#include <functional>
#include <numbers>

#include "spindrift/core/random.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift {

/// A surface over a grid of m x n cells that may close to a ring in both directions.
inline geometry::Mesh grid(std::uint32_t m, std::uint32_t n, bool ring_i, bool ring_j,
                           const std::function<Vec3d(double, double)>& place) {
    geometry::Mesh mesh;
    const std::uint32_t points_i = ring_i ? m : m + 1, points_j = ring_j ? n : n + 1;
    for (std::uint32_t i = 0; i < points_i; ++i) {
        for (std::uint32_t j = 0; j < points_j; ++j)
            mesh.points.push_back(vec_cast<float>(place(double(i) / m, double(j) / n)));
    }
    const auto index = [&](std::uint32_t i, std::uint32_t j) { return i % points_i * points_j + j % points_j; };
    for (std::uint32_t i = 0; i < m; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
            const std::uint32_t a = index(i, j), b = index(i + 1, j), c = index(i + 1, j + 1), d = index(i, j + 1);
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
        }
    }
    return mesh;
}

/// Around the y axis, radius 1 to the middle of a tube of radius 0.4; genus 1, faces outward.
inline geometry::Mesh torus(std::uint32_t m, std::uint32_t n) {
    return grid(m, n, true, true, [](double i, double j) {
        const double u = 2 * std::numbers::pi * i, v = 2 * std::numbers::pi * j, r = 1 + 0.4 * std::cos(v);
        return Vec3d{r * std::cos(u), 0.4 * std::sin(v), -r * std::sin(u)};
    });
}

/// Adds the triangles of one mesh to another; attributes are not looked at.
inline void append(geometry::Mesh& mesh, const geometry::Mesh& more) {
    const auto offset = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), more.points.begin(), more.points.end());
    for (const auto& [a, b, c] : more.triangles)
        mesh.triangles.push_back({a + offset, b + offset, c + offset});
}

/// A box of n x n squares on each side, with shared points, faces outward.
inline geometry::Mesh fine_box(std::uint32_t n, Vec3d size) {
    geometry::Mesh mesh;
    const std::uint32_t row = n + 1;
    std::vector<std::uint32_t> number(row * row * row, ~0u);
    const auto point = [&](Vec3i p) {
        auto& slot = number[(static_cast<std::uint32_t>(p.z) * row + static_cast<std::uint32_t>(p.y)) * row +
                            static_cast<std::uint32_t>(p.x)];
        if (slot == ~0u) {
            slot = static_cast<std::uint32_t>(mesh.points.size());
            const Vec3d q = vec_cast<double>(p) / double(n);
            mesh.points.push_back(vec_cast<float>(Vec3d{q.x * size.x, q.y * size.y, q.z * size.z}));
        }
        return slot;
    };
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < static_cast<int>(n * n); ++i) {
                const int u = i % static_cast<int>(n), v = i / static_cast<int>(n);
                const auto corner = [&](int du, int dv) {
                    Vec3i p;
                    p[axis] = side * static_cast<int>(n);
                    p[(axis + 1) % 3] = u + du;
                    p[(axis + 2) % 3] = v + dv;
                    return point(p);
                };
                std::uint32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
                if (side == 0) std::swap(b, d);
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({a, c, d});
            }
        }
    }
    return mesh;
}

/// Moves each point by up to `size` in each direction.
inline void shake(geometry::Mesh& mesh, float size) {
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis)
            mesh.points[i][axis] += size * (2 * uniform(hash_counter(7, i, static_cast<std::uint64_t>(axis))) - 1);
    }
}

}  // namespace spindrift
