#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "spindrift/bodies/soft_mesh.h"
#include "spindrift/core/errors.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::bodies {

namespace {

/// Numbers of the points that are left when equal ones are one.
std::vector<std::uint32_t> number_points(const std::vector<std::uint32_t>& welded, std::size_t& count) {
    std::vector<std::uint32_t> number(welded.size());
    count = 0;
    for (std::size_t i = 0; i < welded.size(); ++i)
        number[i] = welded[i] == i ? static_cast<std::uint32_t>(count++) : number[welded[i]];
    return number;
}

/// The middle of each long edge: a new point.
using Middles = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

std::pair<std::uint32_t, std::uint32_t> key_of(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b)};
}

Middles find_middles(geometry::Mesh& mesh, double longest) {
    Middles middles;
    for (const geometry::Triangle& t : mesh.triangles) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = t[e], b = t[(e + 1) % 3];
            if (static_cast<double>(length(mesh.points[a] - mesh.points[b])) <= longest) continue;
            const auto [at, is_new] = middles.try_emplace(key_of(a, b), 0);
            if (!is_new) continue;
            at->second = static_cast<std::uint32_t>(mesh.points.size());
            mesh.points.push_back((mesh.points[a] + mesh.points[b]) * 0.5f);
        }
    }
    return middles;
}

struct Corner {
    std::uint32_t point;
    geometry::Uv uv;
};

/// The corners of a triangle and the middles of its long edges, in order around it.
std::vector<Corner> outline_of(const geometry::Mesh& mesh, std::size_t t, const Middles& middles) {
    std::vector<Corner> outline;
    for (std::size_t e = 0; e < 3; ++e) {
        const std::size_t next = (e + 1) % 3;
        const geometry::Uv a = mesh.uv.empty() ? geometry::Uv{} : mesh.uv[t][e];
        const geometry::Uv b = mesh.uv.empty() ? geometry::Uv{} : mesh.uv[t][next];
        outline.push_back({mesh.triangles[t][e], a});
        const auto middle = middles.find(key_of(mesh.triangles[t][e], mesh.triangles[t][next]));
        if (middle != middles.end()) outline.push_back({middle->second, {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}});
    }
    return outline;
}

/// The ways to cut off corners until triangles are left, by how many edges are cut. The outline starts so that its
/// second point is a middle.
std::vector<std::array<std::size_t, 3>> cuts_of(std::size_t size) {
    if (size == 3) return {{0, 1, 2}};
    if (size == 4) return {{0, 1, 3}, {1, 2, 3}};
    if (size == 5) return {{1, 2, 3}, {0, 1, 3}, {0, 3, 4}};
    return {{0, 1, 5}, {1, 2, 3}, {3, 4, 5}, {1, 3, 5}};
}

/// Turns the outline so that a cut edge comes first and, of two cut edges, the corner between them is third.
void turn_outline(std::vector<Corner>& outline, std::uint32_t first_middle) {
    const auto is_middle = [&](std::size_t i) { return outline[i % outline.size()].point >= first_middle; };
    for (std::size_t turn = 0; turn < outline.size(); ++turn) {
        const bool ready = outline.size() == 5 ? is_middle(1) && is_middle(3) : is_middle(1);
        if (ready && !is_middle(0)) return;
        std::rotate(outline.begin(), outline.begin() + 1, outline.end());
    }
}

}  // namespace

std::string describe_body(const BodyParams& params) {
    return params.name.empty() ? "a body" : fmt::format("body '{}'", params.name);
}

void cut_long_edges(geometry::Mesh& mesh, double longest, std::size_t most) {
    while (mesh.triangles.size() * 4 <= most) {
        const auto first_middle = static_cast<std::uint32_t>(mesh.points.size());
        const Middles middles = find_middles(mesh, longest);
        if (middles.empty()) return;
        std::vector<geometry::Triangle> triangles;
        std::vector<std::array<geometry::Uv, 3>> uv;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            std::vector<Corner> outline = outline_of(mesh, t, middles);
            if (outline.size() > 3) turn_outline(outline, first_middle);
            for (const auto& [a, b, c] : cuts_of(outline.size())) {
                triangles.push_back({outline[a].point, outline[b].point, outline[c].point});
                if (!mesh.uv.empty()) uv.push_back({outline[a].uv, outline[b].uv, outline[c].uv});
            }
        }
        mesh.triangles = std::move(triangles);
        mesh.uv = std::move(uv);
    }
}

SoftMesh make_cloth_mesh(const geometry::Mesh& mesh, const BodyParams& params) {
    std::size_t count = 0;
    const std::vector<std::uint32_t> number = number_points(geometry::weld(mesh.points), count);
    if (count > most_points || mesh.triangles.size() > most_elements) {
        throw UsageError(
            fmt::format("{} has {} points and {} triangles; cloth can have {} points: give a coarser mesh, or fewer "
                        "'cells' of its sheet",
                        describe_body(params), count, mesh.triangles.size(), most_points));
    }
    SoftMesh soft;
    soft.surface = mesh;
    soft.points.resize(count);
    soft.masses.resize(count);
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        soft.points[number[i]] = vec_cast<double>(mesh.points[i]);
        Rider rider;
        rider.points = {number[i], number[i], number[i], number[i]};
        rider.weights = {1, 0, 0, 0};
        soft.riders.push_back(rider);
    }
    double whole = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const std::array<std::int64_t, 3> t{number[a], number[b], number[c]};
        const Vec3d p = soft.points[number[a]], q = soft.points[number[b]], r = soft.points[number[c]];
        const double area = length(cross(q - p, r - p)) / 2;
        whole += area;
        for (const std::int64_t i : t)
            soft.masses[static_cast<std::size_t>(i)] += params.cloth.weight * area / 3;
        if (area > 0) soft.triangles.push_back(t);
    }
    if (!(whole > 0))
        throw UsageError(
            fmt::format("{} has no triangles with an area to make cloth of; give another 'mesh', or a "
                        "'sheet'",
                        describe_body(params)));
    return soft;
}

}  // namespace spindrift::bodies
