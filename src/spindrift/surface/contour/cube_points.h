#pragma once
// Points that a contour may have in a cube of the lattice, cut into six tetrahedra (Kuhn 1960).
//
//   for (const CubeTetra& t : cube_tetrahedra()) ... labels of t.corners, points t.points ...
//   Vec3f p = place_point(corners, corner_index({x, y, z}), kind);     // in voxels from the cube's lowest corner
//
// Every tetrahedron runs from corner 0 to corner 7, so faces of neighbouring cubes are cut alike. A point belongs to
// the lowest corner of the edge, triangle or tetrahedron it is in: each corner has points of 25 kinds, and a few more
// where plain cubes touch cubes of tetrahedra.

#include <array>
#include <cstdint>
#include <span>

#include "spindrift/surface/contour/cube_walk.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

/// Kinds of points: on edges along x, y, z, xy, xz, yz, xyz; then in triangles, in tetrahedra, in middles of loops.
inline constexpr int first_triangle_kind = 7;
inline constexpr int first_tetra_kind = 19;
inline constexpr int first_middle_kind = 25;

/// Kind of a face's diagonal (cube_walk.h numbers faces).
constexpr int diagonal_kind(int face) {
    return 5 - face / 2;
}

struct CubePoint {
    std::uint8_t corner, kind;
};

/// In positive order of its corners.
struct CubeTetra {
    std::array<std::uint8_t, 4> corners;
    std::array<CubePoint, 11> points;  ///< as tetra_table.h numbers them
};

std::span<const CubeTetra, 6> cube_tetrahedra();

/// Place of a point among CellCorners.
constexpr int corner_index(Vec3i p) {
    return (p.z * CellCorners::width + p.y) * CellCorners::width + p.x;
}
/// Steps from a cube's lowest corner to corner `corner`, among CellCorners.
constexpr int corner_step(int corner) {
    return (corner & 1) + (corner >> 1 & 1) * CellCorners::width +
           (corner >> 2) * CellCorners::width * CellCorners::width;
}

constexpr std::uint32_t bit_of(int kind) {
    return std::uint32_t{1} << kind;
}

/// Bits of the kinds of points that tetrahedra need at the lowest corner of a cube with these labels.
std::uint32_t tetra_marks(const std::array<std::uint8_t, 8>& labels);

/// How far along an edge between two labels the border is: where phi is 0 beside air, where two liquids are equally far
/// ahead between them. Never at an end, so that no triangle has two equal corners.
float edge_root(std::uint8_t label_a, std::uint8_t label_b, float phi_a, float phi_b, float lead_a, float lead_b);

/// Place of a point of the cube whose lowest corner is `low`, in voxels from there. Not for middles of loops.
Vec3f place_point(const CellCorners& corners, int low, int kind);

/// Point of a loop as one of the cube.
CubePoint loop_point(int point);
/// Loops of three points are triangles; all others are fans around a middle of their own.
inline bool has_middle(const CubeLoops& loops, int loop) {
    return loops.end(loop) - loops.begin(loop) > 3;
}
Vec3f place_middle(const CellCorners& corners, int low, const CubeLoops& loops, int loop);

}  // namespace spindrift::surface
