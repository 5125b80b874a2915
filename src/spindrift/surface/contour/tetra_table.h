#pragma once
// How a tetrahedron is cut between the liquids at its corners.
//
//   const std::uint8_t labels[4] = {0, 0, 1, air};
//   const TetraCase& c = tetra_table()[cut_edges(labels)];
//   for (int i = 0; i < c.count; ++i) ... c.triangles[i].points ...
//
// Source: section 5, Onderik 2014 (chromatic contouring).
// Differs: only in the choice of diagonals. No side of a triangle lies in a face without being the contour there.

#include <array>
#include <cstdint>

namespace spindrift::surface {

/// Points of a cut tetrahedron: 0..5 on the edges 01, 02, 03, 12, 13, 23; 6..9 in the face across from corner 0..3 if
/// that has three labels; 10 in the middle if there are four labels.
inline constexpr std::array<std::array<std::uint8_t, 2>, 6> tetra_edges{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

struct TetraTriangle {
    std::array<std::uint8_t, 3> points;
    std::uint8_t behind, front;  ///< corners; the normal points from the label of one to that of the other
};

struct TetraCase {
    int count = 0;
    std::array<TetraTriangle, 12> triangles{};
};

/// By the edges whose ends differ. For corners in positive order: 1, 2, 3 turn counter-clockwise as seen from the
/// side away from 0, det(p1 - p0, p2 - p0, p3 - p0) > 0.
using TetraTable = std::array<TetraCase, 64>;

const TetraTable& tetra_table();

constexpr unsigned cut_edges(const std::uint8_t* labels) {
    unsigned bits = 0;
    for (unsigned e = 0; e < 6; ++e)
        bits |= unsigned{labels[tetra_edges[e][0]] != labels[tetra_edges[e][1]]} << e;
    return bits;
}

/// The triangle with its normal towards the higher label; air is the highest. Gives the two labels in that order.
constexpr std::array<std::uint8_t, 2> turn_to_higher(const std::uint8_t* labels, TetraTriangle& triangle) {
    const std::uint8_t behind = labels[triangle.behind], front = labels[triangle.front];
    if (behind < front) return {behind, front};
    const std::uint8_t second = triangle.points[1];
    triangle.points[1] = triangle.points[2];
    triangle.points[2] = second;
    return {front, behind};
}

}  // namespace spindrift::surface
