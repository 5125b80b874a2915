#include "spindrift/render/corner_normals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>

#include "spindrift/core/parallel.h"

namespace spindrift::render {

namespace {

/// Cosine of the angle beyond which an edge is sharp.
constexpr float crease = 0.766f;
/// The middle of a fan has as many faces as a file likes; with more than this they are not compared one by one.
constexpr std::uint32_t most_faces = 512;

/// The first of the points at the same place, for each point.
std::vector<std::uint32_t> welded_points(const std::vector<Vec3f>& points) {
    std::vector<std::uint32_t> order(points.size()), first(points.size());
    std::iota(order.begin(), order.end(), 0u);
    // Coordinates that are not numbers have no order; their faces are not drawn, wherever they are put.
    const auto key = [&](std::uint32_t i) {
        const auto number = [](float x) { return std::isnan(x) ? 0.f : x; };
        return std::tuple{number(points[i].x), number(points[i].y), number(points[i].z), i};
    };
    std::ranges::sort(order, {}, key);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool same = k > 0 && points[order[k]] == points[order[k - 1]];
        first[order[k]] = same ? first[order[k - 1]] : order[k];
    }
    return first;
}

/// The triangles around each point, one list after the other.
struct Fans {
    std::vector<std::uint32_t> start, triangles;
};

Fans gather_fans(const geometry::Mesh& mesh, const std::vector<std::uint32_t>& point) {
    Fans fans{std::vector<std::uint32_t>(mesh.points.size() + 1), {}};
    for (const geometry::Triangle& t : mesh.triangles) {
        for (const std::uint32_t corner : t)
            ++fans.start[point[corner] + 1];
    }
    std::partial_sum(fans.start.begin(), fans.start.end(), fans.start.begin());
    std::vector<std::uint32_t> next = fans.start;
    fans.triangles.resize(mesh.triangles.size() * 3);
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        for (const std::uint32_t corner : mesh.triangles[i])
            fans.triangles[next[point[corner]]++] = i;
    }
    return fans;
}

Vec3f unit(Vec3f a) {
    const float size = length(a);
    return size > 0 && std::isfinite(size) ? a / size : Vec3f{};
}

/// Twice the area long, in double precision until slivers have their direction.
Vec3f face_vector(const geometry::Mesh& mesh, const geometry::Triangle& t) {
    const Vec3d a = vec_cast<double>(mesh.points[t[0]]);
    return vec_cast<float>(cross(vec_cast<double>(mesh.points[t[1]]) - a, vec_cast<double>(mesh.points[t[2]]) - a));
}

Vec3f mean_normal(std::uint32_t own, std::span<const std::uint32_t> fan, const std::vector<Vec3f>& faces) {
    const Vec3f normal = unit(faces[own]);
    if (fan.size() > most_faces) return normal;
    Vec3f sum;
    for (const std::uint32_t other : fan) {
        const float along = dot(normal, faces[other]);
        if (std::abs(along) > crease * length(faces[other])) sum += along > 0 ? faces[other] : -faces[other];
    }
    const Vec3f mean = unit(sum);
    return mean == Vec3f{} ? normal : mean;
}

}  // namespace

std::vector<CornerNormals> corner_normals(const geometry::Mesh& mesh) {
    const std::vector<std::uint32_t> point = welded_points(mesh.points);
    const Fans fans = gather_fans(mesh, point);
    std::vector<Vec3f> faces(mesh.triangles.size());
    parallel_for(faces.size(), [&](Range range) {
        for (const auto i : range)
            faces[i] = face_vector(mesh, mesh.triangles[i]);
    });
    std::vector<CornerNormals> normals(faces.size());
    parallel_for(faces.size(), [&](Range range) {
        for (const auto i : range) {
            for (std::size_t corner = 0; corner < 3; ++corner) {
                const std::uint32_t p = point[mesh.triangles[i][corner]];
                const auto fan = std::span(fans.triangles).subspan(fans.start[p], fans.start[p + 1] - fans.start[p]);
                normals[i][corner] = mean_normal(static_cast<std::uint32_t>(i), fan, faces);
            }
        }
    });
    return normals;
}

}  // namespace spindrift::render
