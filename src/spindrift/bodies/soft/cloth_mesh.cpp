#include <fmt/format.h>

#include "spindrift/bodies/soft/soft_mesh.h"
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

}  // namespace

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
