#include "spindrift/geometry/primitives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace spindrift::geometry {

namespace {

constexpr int sphere_halvings = 4;
constexpr std::uint32_t cylinder_sides = 96;
/// Of one round end of a capsule.
constexpr std::uint32_t capsule_rings = 12;

/// Latitude of a ring of a capsule, from one pole to the other; the two at the equator bound its straight part.
double ring_angle(std::uint32_t ring) {
    const double step = 0.5 * std::numbers::pi / capsule_rings;
    return ring < capsule_rings ? (static_cast<double>(ring) + 1 - capsule_rings) * step
                                : static_cast<double>(ring - capsule_rings) * step;
}

/// Cuts every triangle into four, new points on the unit sphere; neighbours share the point of their edge.
void subdivide(Mesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [place, fresh] =
            middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.points.size()));
        if (fresh) mesh.points.push_back(normalize(mesh.points[a] + mesh.points[b]));
        return place->second;
    };
    std::vector<Triangle> finer;
    finer.reserve(4 * mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles) {
        const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        finer.push_back({a, ab, ca});
        finer.push_back({ab, b, bc});
        finer.push_back({ca, bc, c});
        finer.push_back({ab, bc, ca});
    }
    mesh.triangles = std::move(finer);
}

/// An icosahedron that stands on a corner: the poles are points of the mesh, so no triangle has a pole inside.
Mesh icosahedron() {
    Mesh mesh;
    mesh.points.push_back({0, 1, 0});
    for (int i = 0; i < 10; ++i) {
        const double angle = i * std::numbers::pi / 5, height = i % 2 == 0 ? 1 : -1;
        const Vec3d corner = Vec3d{2 * std::sin(angle), height, 2 * std::cos(angle)} / std::sqrt(5.0);
        mesh.points.push_back(vec_cast<float>(corner));
    }
    mesh.points.push_back({0, -1, 0});
    const auto ring = [](std::uint32_t i) { return 1 + i % 10; };
    for (std::uint32_t i = 0; i < 10; i += 2) {
        mesh.triangles.push_back({0, ring(i), ring(i + 2)});
        mesh.triangles.push_back({ring(i), ring(i + 1), ring(i + 2)});
        mesh.triangles.push_back({ring(i + 1), ring(i + 3), ring(i + 2)});
        mesh.triangles.push_back({11, ring(i + 3), ring(i + 1)});
    }
    return mesh;
}

Uv globe_uv(Vec3f p) {
    const float u = 0.5f + std::atan2(p.x, p.z) / (2 * std::numbers::pi_v<float>);
    return {u, 0.5f + std::asin(std::clamp(p.y, -1.f, 1.f)) / std::numbers::pi_v<float>};
}

/// At the seam u goes on beyond 1, at a pole it is the mean of the two other corners: no triangle is smeared.
std::array<Uv, 3> globe_uv(const Mesh& mesh, const Triangle& triangle) {
    std::array<Uv, 3> uv;
    float farthest = 0;
    const auto is_pole = [&](std::size_t k) { return std::abs(mesh.points[triangle[k]].y) > 0.999999f; };
    for (std::size_t k = 0; k < 3; ++k) {
        uv[k] = globe_uv(mesh.points[triangle[k]]);
        if (!is_pole(k)) farthest = std::max(farthest, uv[k][0]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (uv[k][0] < farthest - 0.5f) uv[k][0] += 1;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (is_pole(k)) uv[k][0] = 0.5f * (uv[(k + 1) % 3][0] + uv[(k + 2) % 3][0]);
    }
    return uv;
}

/// Two directions across `axis`, right-handed with it: cross(first, second) points along the axis.
std::pair<Vec3d, Vec3d> across(Vec3d axis) {
    const Vec3d n = normalize(axis);
    const Vec3d off = std::abs(n.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d first = normalize(cross(off, n));
    return {first, cross(n, first)};
}

void add_triangle(Mesh& mesh, const Triangle& triangle, const std::array<Uv, 3>& uv) {
    mesh.triangles.push_back(triangle);
    mesh.uv.push_back(uv);
}

}  // namespace

Mesh make_box(const Box3d& box) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i) {
        const Vec3d corner{i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y, i & 4 ? box.hi.z : box.lo.z};
        mesh.points.push_back(vec_cast<float>(corner));
    }
    // Each face from its lower left corner on, seen from outside.
    constexpr std::uint32_t faces[6][4] = {{1, 0, 2, 3}, {4, 5, 7, 6}, {0, 4, 6, 2},
                                           {5, 1, 3, 7}, {0, 1, 5, 4}, {6, 7, 3, 2}};
    for (const auto& f : faces) {
        add_triangle(mesh, {f[0], f[1], f[2]}, {Uv{0, 0}, Uv{1, 0}, Uv{1, 1}});
        add_triangle(mesh, {f[0], f[2], f[3]}, {Uv{0, 0}, Uv{1, 1}, Uv{0, 1}});
    }
    return mesh;
}

Mesh make_sphere(Vec3d center, double radius) {
    Mesh mesh = icosahedron();
    for (int i = 0; i < sphere_halvings; ++i)
        subdivide(mesh);
    for (const Triangle& triangle : mesh.triangles)
        mesh.uv.push_back(globe_uv(mesh, triangle));
    for (Vec3f& p : mesh.points)
        p = vec_cast<float>(center + vec_cast<double>(p) * radius);
    return mesh;
}

Mesh make_cylinder(Vec3d base, Vec3d top, double radius) {
    const auto [first, second] = across(top - base);
    Mesh mesh;
    mesh.points = {vec_cast<float>(base), vec_cast<float>(top)};
    std::vector<Uv> disc;
    for (std::uint32_t i = 0; i < cylinder_sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / cylinder_sides, c = std::cos(angle), s = std::sin(angle);
        const Vec3d rim = first * (radius * c) + second * (radius * s);
        mesh.points.push_back(vec_cast<float>(base + rim));
        mesh.points.push_back(vec_cast<float>(top + rim));
        disc.push_back({static_cast<float>(0.5 + 0.5 * c), static_cast<float>(0.5 + 0.5 * s)});
    }
    const Uv middle{0.5f, 0.5f};
    for (std::uint32_t i = 0; i < cylinder_sides; ++i) {
        const std::uint32_t j = (i + 1) % cylinder_sides, a = 2 + 2 * i, b = 2 + 2 * j;
        const float u = static_cast<float>(i) / cylinder_sides, w = static_cast<float>(i + 1) / cylinder_sides;
        add_triangle(mesh, {a, b, b + 1}, {Uv{u, 0}, Uv{w, 0}, Uv{w, 1}});
        add_triangle(mesh, {a, b + 1, a + 1}, {Uv{u, 0}, Uv{w, 1}, Uv{u, 1}});
        add_triangle(mesh, {0, b, a}, {middle, disc[j], disc[i]});
        add_triangle(mesh, {1, a + 1, b + 1}, {middle, disc[i], disc[j]});
    }
    return mesh;
}

Mesh make_capsule(Vec3d base, Vec3d top, double radius) {
    const auto [first, second] = across(top - base);
    const Vec3d axis = normalize(top - base);
    Mesh mesh;
    constexpr std::uint32_t rings = 2 * capsule_rings;
    const auto ring_at = [&](std::uint32_t r) { return std::pair{r < capsule_rings ? base : top, ring_angle(r)}; };
    mesh.points = {vec_cast<float>(base - axis * radius), vec_cast<float>(top + axis * radius)};
    for (std::uint32_t r = 0; r < rings; ++r) {
        const auto [center, latitude] = ring_at(r);
        for (std::uint32_t i = 0; i < cylinder_sides; ++i) {
            const double angle = 2 * std::numbers::pi * i / cylinder_sides;
            const Vec3d out = first * std::cos(angle) + second * std::sin(angle);
            const Vec3d rim = out * (radius * std::cos(latitude)) + axis * (radius * std::sin(latitude));
            mesh.points.push_back(vec_cast<float>(center + rim));
        }
    }
    for (std::uint32_t i = 0; i < cylinder_sides; ++i) {
        const std::uint32_t j = (i + 1) % cylinder_sides;
        const float u = static_cast<float>(i) / cylinder_sides, w = static_cast<float>(i + 1) / cylinder_sides;
        const std::uint32_t last = 2 + (rings - 1) * cylinder_sides;
        add_triangle(mesh, {0, 2 + j, 2 + i}, {Uv{u, 0}, Uv{w, 0}, Uv{u, 0}});
        add_triangle(mesh, {1, last + i, last + j}, {Uv{u, 1}, Uv{u, 1}, Uv{w, 1}});
        for (std::uint32_t r = 0; r + 1 < rings; ++r) {
            const std::uint32_t a = 2 + r * cylinder_sides, b = a + cylinder_sides;
            const float v = static_cast<float>(r + 1) / (rings + 1), top_v = static_cast<float>(r + 2) / (rings + 1);
            add_triangle(mesh, {a + i, a + j, b + j}, {Uv{u, v}, Uv{w, v}, Uv{w, top_v}});
            add_triangle(mesh, {a + i, b + j, b + i}, {Uv{u, v}, Uv{w, top_v}, Uv{u, top_v}});
        }
    }
    return mesh;
}

Mesh make_sheet(std::array<double, 2> size, int cells) {
    const double cell = std::max(size[0], size[1]) / cells;
    const auto nx = static_cast<std::uint32_t>(std::max(1.0, std::round(size[0] / cell)));
    const auto nz = static_cast<std::uint32_t>(std::max(1.0, std::round(size[1] / cell)));
    Mesh mesh;
    const auto uv_of = [&](std::uint32_t p) {
        return Uv{static_cast<float>(p % (nx + 1)) / static_cast<float>(nx),
                  1 - static_cast<float>(p / (nx + 1)) / static_cast<float>(nz)};
    };
    for (std::uint32_t p = 0; p < (nx + 1) * (nz + 1); ++p) {
        const double x = static_cast<double>(p % (nx + 1)) / nx - 0.5, z = static_cast<double>(p / (nx + 1)) / nz - 0.5;
        mesh.points.push_back(vec_cast<float>(Vec3d{x * size[0], 0, z * size[1]}));
    }
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        add_triangle(mesh, {a, b, c}, {uv_of(a), uv_of(b), uv_of(c)});
    };
    for (std::uint32_t z = 0; z < nz; ++z) {
        for (std::uint32_t x = 0; x < nx; ++x) {
            const std::uint32_t a = z * (nx + 1) + x, b = a + 1, c = a + nx + 1, d = c + 1;
            if ((x + z) % 2 == 0) {
                add(a, c, d);
                add(a, d, b);
            } else {
                add(a, c, b);
                add(b, c, d);
            }
        }
    }
    return mesh;
}

void transform(Mesh& mesh, double scale, const Pose& pose) {
    for (Vec3f& p : mesh.points)
        p = vec_cast<float>(pose.to_world(vec_cast<double>(p) * scale));
    if (scale >= 0) return;
    for (Triangle& triangle : mesh.triangles)
        std::swap(triangle[1], triangle[2]);
    for (auto& corners : mesh.uv)
        std::swap(corners[1], corners[2]);
}

}  // namespace spindrift::geometry
