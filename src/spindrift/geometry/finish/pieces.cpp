#include "spindrift/geometry/finish/pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "spindrift/core/errors.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::geometry {

namespace {

/// Moves the marked rows of `width` values to the front.
template <class T>
void keep_rows(std::vector<T>& values, std::size_t width, std::span<const std::uint8_t> keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (!keep[i]) continue;
        for (std::size_t k = 0; k < width; ++k)
            values[kept * width + k] = values[i * width + k];
        ++kept;
    }
    values.resize(kept * width);
}

/// Pieces where liquids meet are no drops of one liquid in another or in air.
template <class Piece>
void keep_mixed_pieces(const InterfaceMesh& surface, const Piece& piece, std::vector<std::uint8_t>& keep) {
    std::vector<std::array<std::uint8_t, 2>> first(keep.size(), {air, air});
    for (std::size_t t = 0; t < surface.sides.size(); ++t) {
        auto& sides = first[piece(t)];
        if (sides[0] == air)
            sides = surface.sides[t];
        else if (sides != surface.sides[t])
            keep[piece(t)] = 1;
    }
}

}  // namespace

void keep_triangles(Mesh& mesh, std::span<const std::uint8_t> keep) {
    SPINDRIFT_CHECK(keep.size() == mesh.triangles.size());
    keep_rows(mesh.triangles, 1, keep);
    if (!mesh.uv.empty()) keep_rows(mesh.uv, 1, keep);
    std::vector<std::uint8_t> used(mesh.points.size(), 0);
    for (const Triangle& t : mesh.triangles) {
        for (const std::uint32_t i : t)
            used[i] = 1;
    }
    std::vector<std::uint32_t> number(mesh.points.size());
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
        number[i] = count;
        count += used[i];
    }
    for (Triangle& t : mesh.triangles) {
        for (std::uint32_t& i : t)
            i = number[i];
    }
    keep_rows(mesh.points, 1, used);
    for (Attribute& each : mesh.attributes)
        keep_rows(each.values, static_cast<std::size_t>(each.width), used);
}

std::size_t drop_small_pieces(Mesh& mesh, double least_volume) {
    InterfaceMesh surface;
    std::swap(surface.mesh, mesh);
    const std::size_t dropped = drop_small_pieces(surface, least_volume);
    std::swap(surface.mesh, mesh);
    return dropped;
}

std::size_t drop_small_pieces(InterfaceMesh& surface, double least_volume, Pieces* left) {
    Mesh& mesh = surface.mesh;
    if (!(least_volume > 0) || mesh.triangles.empty()) return 0;
    Pieces pieces = label_pieces(mesh.triangles, mesh.points.size());
    const Vec3d middle = bounds(mesh).center();
    const auto piece = [&](std::size_t t) { return pieces.of_point[mesh.triangles[t][0]]; };
    const auto six_volumes = [&](std::size_t t) {
        const auto point = [&](std::size_t k) { return vec_cast<double>(mesh.points[mesh.triangles[t][k]]) - middle; };
        return dot(point(0), cross(point(1), point(2)));
    };
    const std::vector<double> sums = sum_by_piece<double>(pieces.count, mesh.triangles.size(), piece, six_volumes);
    std::vector<std::uint8_t> keep_piece(pieces.count);
    for (std::size_t i = 0; i < sums.size(); ++i)
        keep_piece[i] = std::abs(sums[i]) / 6 >= least_volume;
    keep_mixed_pieces(surface, piece, keep_piece);
    const auto dropped = static_cast<std::size_t>(std::count(keep_piece.begin(), keep_piece.end(), 0));
    if (dropped > 0) {
        std::vector<std::uint8_t> keep(mesh.triangles.size());
        for (std::size_t t = 0; t < keep.size(); ++t)
            keep[t] = keep_piece[piece(t)];
        keep_triangles(mesh, keep);
        if (!surface.sides.empty()) keep_rows(surface.sides, 1, keep);
        // Points go with their pieces; those without triangles go too.
        std::erase_if(pieces.of_point, [&](std::uint32_t k) { return k == Pieces::none || !keep_piece[k]; });
    }
    if (left) *left = std::move(pieces);
    return dropped;
}

}  // namespace spindrift::geometry
