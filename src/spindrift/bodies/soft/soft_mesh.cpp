#include "spindrift/bodies/soft/soft_mesh.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace spindrift::bodies {

namespace {

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

double signed_volume(const geometry::Mesh& mesh) {
    if (mesh.points.empty()) return 0;
    // About one of its points, so that far from the origin nothing is lost.
    const Vec3d about = vec_cast<double>(mesh.points[0]);
    double six = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = vec_cast<double>(mesh.points[a]) - about, q = vec_cast<double>(mesh.points[b]) - about,
                    r = vec_cast<double>(mesh.points[c]) - about;
        six += dot(p, cross(q, r));
    }
    return six / 6;
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

}  // namespace spindrift::bodies
