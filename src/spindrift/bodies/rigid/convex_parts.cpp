#include "spindrift/bodies/rigid/convex_parts.h"

#include <cstddef>
#include <cstdint>

#include <HACD/hacdHACD.h>

#include "spindrift/geometry/finish/simplify.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::bodies {

namespace {

/// The search takes time by the square of the triangles: about a second at this number.
constexpr std::size_t most_triangles = 1000;

/// A coarser mesh with fewer triangles than that, as far as that can be had within a twentieth of its size.
geometry::Mesh coarsened(const geometry::Mesh& mesh) {
    geometry::Mesh coarse;
    coarse.points = mesh.points;
    const std::vector<std::uint32_t> welded = geometry::weld(mesh.points);
    for (const auto& [a, b, c] : mesh.triangles)
        coarse.triangles.push_back({welded[a], welded[b], welded[c]});
    const double size = length(geometry::bounds(mesh).size());
    for (double error = 0.002 * size; coarse.triangles.size() > most_triangles && error < 0.05 * size; error *= 2)
        geometry::simplify(coarse, error);
    return coarse;
}

struct Input {
    std::vector<HACD::Vec3<HACD::Real>> points;
    std::vector<HACD::Vec3<long>> triangles;
};

/// Without the points that no triangle has.
Input input_of(const geometry::Mesh& mesh) {
    Input input;
    std::vector<long> numbers(mesh.points.size(), -1);
    for (const geometry::Triangle& triangle : mesh.triangles) {
        for (const std::uint32_t corner : triangle) {
            if (numbers[corner] >= 0) continue;
            numbers[corner] = static_cast<long>(input.points.size());
            const Vec3f p = mesh.points[corner];
            input.points.emplace_back(p.x, p.y, p.z);
        }
        input.triangles.emplace_back(numbers[triangle[0]], numbers[triangle[1]], numbers[triangle[2]]);
    }
    return input;
}

std::vector<Vec3d> corners_of(HACD::HACD& search, std::size_t part) {
    std::vector<HACD::Vec3<HACD::Real>> points(search.GetNPointsCH(part));
    std::vector<HACD::Vec3<long>> triangles(search.GetNTrianglesCH(part));
    search.GetCH(part, points.data(), triangles.data());
    std::vector<Vec3d> corners;
    for (const auto& p : points)
        corners.push_back({p.X(), p.Y(), p.Z()});
    return corners;
}

}  // namespace

std::vector<std::vector<Vec3d>> convex_parts(const geometry::Mesh& mesh) {
    const geometry::Mesh coarse = coarsened(mesh);
    if (coarse.triangles.empty() || coarse.triangles.size() > 2 * most_triangles) return {};
    Input input = input_of(coarse);
    HACD::HACD search;
    search.SetPoints(input.points.data());
    search.SetNPoints(input.points.size());
    search.SetTriangles(input.triangles.data());
    search.SetNTriangles(input.triangles.size());
    search.SetCompacityWeight(0.0001);
    search.SetVolumeWeight(0);
    search.SetNClusters(1);
    search.SetNVerticesPerCH(64);
    search.SetConcavity(30);  // of a size of 1000
    search.SetAddExtraDistPoints(true);
    search.SetAddNeighboursDistPoints(true);
    search.SetAddFacesPoints(true);
    if (!search.Compute()) return {};
    std::vector<std::vector<Vec3d>> parts;
    for (std::size_t part = 0; part < search.GetNClusters(); ++part)
        parts.push_back(corners_of(search, part));
    return parts;
}

}  // namespace spindrift::bodies
