#include "spindrift/surface/contour/cube_points.h"

#include <algorithm>

#include "spindrift/surface/contour/tetra_table.h"

namespace spindrift::surface {

namespace {

constexpr std::array<std::uint8_t, 7> edge_steps{1, 2, 4, 3, 5, 6, 7};

/// Second and third corner of the triangles whose first corner is 0.
constexpr std::array<std::array<std::uint8_t, 2>, 12> triangle_corners{
    {{1, 3}, {2, 3}, {1, 5}, {4, 5}, {2, 6}, {4, 6}, {1, 7}, {2, 7}, {4, 7}, {3, 7}, {5, 7}, {6, 7}}};

/// Second and third corner of the tetrahedra from 0 to 7.
constexpr std::array<std::array<std::uint8_t, 2>, 6> tetra_corners{{{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}};

template <class Table, class Value>
int find_in(const Table& table, const Value& value) {
    return static_cast<int>(std::find(table.begin(), table.end(), value) - table.begin());
}

/// The point among some corners of a cube, in any order.
template <std::size_t N>
CubePoint point_among(std::array<std::uint8_t, N> corners) {
    std::sort(corners.begin(), corners.end());
    const std::uint8_t low = corners[0];
    int kind = 0;
    if constexpr (N == 2) kind = find_in(edge_steps, corners[1] - low);
    if constexpr (N == 3) {
        const std::array<std::uint8_t, 2> rest{static_cast<std::uint8_t>(corners[1] - low),
                                               static_cast<std::uint8_t>(corners[2] - low)};
        kind = first_triangle_kind + find_in(triangle_corners, rest);
    }
    return {low, static_cast<std::uint8_t>(kind)};
}

std::array<CubeTetra, 6> make_tetrahedra() {
    std::array<CubeTetra, 6> tetrahedra{};
    for (std::size_t t = 0; t < 6; ++t) {
        auto [b, c] = tetra_corners[t];
        // Along x then z, y then x, z then y: the mirrored half of the six.
        if (c - b == 1 << (b == 1 ? 2 : b == 2 ? 0 : 1)) std::swap(b, c);
        CubeTetra& tetra = tetrahedra[t];
        tetra.corners = {0, b, c, 7};
        const auto& k = tetra.corners;
        for (std::size_t e = 0; e < 6; ++e)
            tetra.points[e] = point_among<2>({k[tetra_edges[e][0]], k[tetra_edges[e][1]]});
        for (std::size_t f = 0; f < 4; ++f)
            tetra.points[6 + f] = point_among<3>({k[(f + 1) % 4], k[(f + 2) % 4], k[(f + 3) % 4]});
        tetra.points[10] = {0, static_cast<std::uint8_t>(first_tetra_kind + static_cast<int>(t))};
    }
    return tetrahedra;
}

Vec3f corner_place(int corner) {
    return {static_cast<float>(corner & 1), static_cast<float>(corner >> 1 & 1), static_cast<float>(corner >> 2)};
}

/// On the edge between two corners of a cube, a below b.
Vec3f place_on_edge(const CellCorners& at, int low, int a, int b) {
    const int i = low + corner_step(a), j = low + corner_step(b);
    const float t = edge_root(at.label[i], at.label[j], at.phi[i], at.phi[j], at.lead[i], at.lead[j]);
    return corner_place(a) + t * corner_place(b - a);
}

Vec3f place_in_triangle(const CellCorners& at, int low, int a, int b, int c) {
    return (place_on_edge(at, low, a, b) + place_on_edge(at, low, a, c) + place_on_edge(at, low, b, c)) / 3.0f;
}

}  // namespace

std::span<const CubeTetra, 6> cube_tetrahedra() {
    static const std::array<CubeTetra, 6> tetrahedra = make_tetrahedra();
    return tetrahedra;
}

std::uint32_t tetra_marks(const std::array<std::uint8_t, 8>& labels) {
    std::uint32_t marks = 0;
    for (std::size_t e = 0; e < edge_steps.size(); ++e)
        marks |= std::uint32_t{labels[0] != labels[edge_steps[e]]} << e;
    for (std::size_t f = 0; f < triangle_corners.size(); ++f) {
        const std::uint8_t a = labels[0], b = labels[triangle_corners[f][0]], c = labels[triangle_corners[f][1]];
        marks |= std::uint32_t{a != b && a != c && b != c} << (first_triangle_kind + f);
    }
    for (std::size_t t = 0; t < tetra_corners.size(); ++t) {
        const std::uint8_t all[4] = {labels[0], labels[tetra_corners[t][0]], labels[tetra_corners[t][1]], labels[7]};
        marks |= std::uint32_t{cut_edges(all) == 63} << (first_tetra_kind + t);
    }
    return marks;
}

float edge_root(std::uint8_t label_a, std::uint8_t label_b, float phi_a, float phi_b, float lead_a, float lead_b) {
    const bool beside_air = label_a == air || label_b == air;
    const float t = beside_air ? phi_a / (phi_a - phi_b) : lead_a / (lead_a + lead_b);
    constexpr float least = 0.02f;
    // Written so that what is not a number ends here too.
    return t > least ? std::min(t, 1 - least) : least;
}

Vec3f place_point(const CellCorners& at, int low, int kind) {
    if (kind < first_triangle_kind) return place_on_edge(at, low, 0, edge_steps[static_cast<std::size_t>(kind)]);
    if (kind < first_tetra_kind) {
        const auto& [b, c] = triangle_corners[static_cast<std::size_t>(kind - first_triangle_kind)];
        return place_in_triangle(at, low, 0, b, c);
    }
    const auto& [b, c] = tetra_corners[static_cast<std::size_t>(kind - first_tetra_kind)];
    return (place_in_triangle(at, low, 0, b, c) + place_in_triangle(at, low, 0, b, 7) +
            place_in_triangle(at, low, 0, c, 7) + place_in_triangle(at, low, b, c, 7)) /
           4.0f;
}

CubePoint loop_point(int point) {
    if (point < cube_edges)
        return {static_cast<std::uint8_t>(edge_corner(point)), static_cast<std::uint8_t>(edge_axis(point))};
    const int face = point - cube_edges;
    return {static_cast<std::uint8_t>(face_corner(face)), static_cast<std::uint8_t>(diagonal_kind(face))};
}

Vec3f place_middle(const CellCorners& at, int low, const CubeLoops& loops, int loop) {
    Vec3f sum;
    for (int i = loops.begin(loop); i < loops.end(loop); ++i) {
        const CubePoint p = loop_point(loops.points[static_cast<std::size_t>(i)]);
        sum += corner_place(p.corner) + place_point(at, low + corner_step(p.corner), p.kind);
    }
    return sum / static_cast<float>(loops.end(loop) - loops.begin(loop));
}

}  // namespace spindrift::surface
