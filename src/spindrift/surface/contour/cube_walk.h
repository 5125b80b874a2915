#pragma once
// Where a contour runs over the six faces of a cube. Corners are numbered x + 2 y + 4 z.
//
//   CubeLoops loops = walk_faces(0b00000001, 0);   // corner 0 inside: one loop over edges 0, 4, 8
//   for (int i = loops.begin(0); i < loops.end(0); ++i) ... loops.points[i] ...
//
// A plain face keeps its inside corners apart where they lie across. A split face is two triangles on both sides of
// the diagonal from its lowest to its highest corner, as tetrahedra leave it. Each face gives the same lines to both
// of its cubes, so what they enclose has no gaps.

#include <array>
#include <cstdint>

namespace spindrift::surface {

/// Edges of a cube: 0..3 along x (at y, z = 00, 10, 01, 11), 4..7 along y (at x, z), 8..11 along z (at x, y).
inline constexpr int cube_edges = 12;

/// Lowest corner of an edge, and its axis.
constexpr int edge_corner(int edge) {
    const int axis = edge / 4, i = edge & 1, j = edge >> 1 & 1;
    return axis == 0 ? 2 * i + 4 * j : axis == 1 ? i + 4 * j : i + 2 * j;
}
constexpr int edge_axis(int edge) {
    return edge / 4;
}

/// Faces of a cube: low and high along x, then y, then z. This is the lowest corner.
constexpr int face_corner(int face) {
    return (face & 1) << face / 2;
}
/// Steps between corners from a face's lowest to its highest corner.
constexpr int face_diagonal(int face) {
    return 7 & ~(1 << face / 2);
}

/// Closed loops of points, the inside on the left as seen from outside of the cube: their normals point outside.
struct CubeLoops {
    int count = 0;
    std::array<std::uint8_t, 7> ends{};
    std::array<std::uint8_t, 18> points{};  ///< edges, or 12 + the face whose diagonal it is on

    int begin(int loop) const { return loop == 0 ? 0 : ends[static_cast<std::size_t>(loop - 1)]; }
    int end(int loop) const { return ends[static_cast<std::size_t>(loop)]; }
};

/// Bits of `inside` are corners, bits of `split` faces.
CubeLoops walk_faces(unsigned inside, unsigned split);

}  // namespace spindrift::surface
