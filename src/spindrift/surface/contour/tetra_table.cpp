#include "spindrift/surface/contour/tetra_table.h"

#include <algorithm>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::surface {

namespace {

using Corners = std::vector<int>;

/// Corners of a tetrahedron in positive order, wide enough that all points have whole coordinates.
constexpr Vec3i corner_places[4] = {{0, 0, 0}, {12, 0, 0}, {0, 12, 0}, {0, 0, 12}};

Vec3i mean(const Corners& corners) {
    Vec3i sum;
    for (const int c : corners)
        sum += corner_places[c];
    return sum / static_cast<std::int32_t>(corners.size());
}

std::uint8_t edge_point(int a, int b) {
    const std::array<std::uint8_t, 2> ends{static_cast<std::uint8_t>(std::min(a, b)),
                                           static_cast<std::uint8_t>(std::max(a, b))};
    return static_cast<std::uint8_t>(std::find(tetra_edges.begin(), tetra_edges.end(), ends) - tetra_edges.begin());
}

std::uint8_t face_point(int across) {
    return static_cast<std::uint8_t>(6 + across);
}

constexpr std::uint8_t body_point = 10;

Vec3i place(std::uint8_t point) {
    if (point == body_point) return mean({0, 1, 2, 3});
    if (point < 6) return mean({tetra_edges[point][0], tetra_edges[point][1]});
    Corners others = {0, 1, 2, 3};
    others.erase(others.begin() + (point - 6));
    return mean(others);
}

/// Adds a triangle between two groups of corners, turned from one to the other.
void add(TetraCase& to, std::array<std::uint8_t, 3> points, const Corners& behind, const Corners& front) {
    const Vec3i a = place(points[0]);
    const Vec3i normal = cross(place(points[1]) - a, place(points[2]) - a);
    if (dot(normal, mean(front) - mean(behind)) < 0) std::swap(points[1], points[2]);
    TetraTriangle& triangle = to.triangles[static_cast<std::size_t>(to.count++)];
    triangle.points = points;
    triangle.behind = static_cast<std::uint8_t>(behind[0]);
    triangle.front = static_cast<std::uint8_t>(front[0]);
}

void add_quad(TetraCase& to, std::array<std::uint8_t, 4> p, const Corners& behind, const Corners& front) {
    add(to, {p[0], p[1], p[2]}, behind, front);
    add(to, {p[0], p[2], p[3]}, behind, front);
}

void cut_three_and_one(TetraCase& to, const Corners& three, int one) {
    add(to, {edge_point(three[0], one), edge_point(three[1], one), edge_point(three[2], one)}, three, {one});
}

void cut_two_and_two(TetraCase& to, const Corners& a, const Corners& b) {
    add_quad(to, {edge_point(a[0], b[0]), edge_point(a[0], b[1]), edge_point(a[1], b[1]), edge_point(a[1], b[0])}, a,
             b);
}

void cut_two_and_singles(TetraCase& to, const Corners& two, int c, int d) {
    const std::uint8_t first = face_point(two[1]), second = face_point(two[0]);
    add(to, {edge_point(c, d), first, second}, {c}, {d});
    for (const int single : {c, d})
        add_quad(to, {edge_point(two[0], single), first, second, edge_point(two[1], single)}, two, {single});
}

void cut_four(TetraCase& to) {
    for (const auto& edge : tetra_edges) {
        const int a = edge[0], b = edge[1];
        Corners others = {0, 1, 2, 3};
        std::erase_if(others, [&](int c) { return c == a || c == b; });
        for (const int other : others)
            add(to, {edge_point(a, b), face_point(other), body_point}, {a}, {b});
    }
}

/// Corners of equal labels together, the largest group first; empty if no labels can differ along just these edges.
std::vector<Corners> groups_of(unsigned cut) {
    std::uint8_t labels[4];
    for (std::uint8_t c = 0; c < 4; ++c) {
        labels[c] = c;
        for (int before = c - 1; before >= 0; --before) {
            if ((cut >> edge_point(before, c) & 1) == 0) labels[c] = labels[before];
        }
    }
    if (cut_edges(labels) != cut) return {};
    std::vector<Corners> groups(4);
    for (int c = 0; c < 4; ++c)
        groups[labels[c]].push_back(c);
    std::erase_if(groups, [](const Corners& g) { return g.empty(); });
    std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return groups;
}

TetraTable make_table() {
    TetraTable table{};
    for (unsigned cut = 0; cut < 64; ++cut) {
        const std::vector<Corners> groups = groups_of(cut);
        TetraCase& to = table[cut];
        if (groups.size() == 2 && groups[0].size() == 3) cut_three_and_one(to, groups[0], groups[1][0]);
        if (groups.size() == 2 && groups[0].size() == 2) cut_two_and_two(to, groups[0], groups[1]);
        if (groups.size() == 3) cut_two_and_singles(to, groups[0], groups[1][0], groups[2][0]);
        if (groups.size() == 4) cut_four(to);
    }
    return table;
}

}  // namespace

const TetraTable& tetra_table() {
    static const TetraTable table = make_table();
    return table;
}

}  // namespace spindrift::surface
