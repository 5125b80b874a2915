#include "spindrift/geometry/finish/collapse_mesh.h"

#include <algorithm>

namespace spindrift::geometry {

CollapseMesh::CollapseMesh(std::span<const Triangle> triangles, std::size_t points)
    : triangles_(triangles.begin(), triangles.end()), first_(points, none), next_(3 * triangles.size()) {
    // From the last to the first, so that lists are in order.
    for (std::size_t c = next_.size(); c-- > 0;) {
        std::uint32_t& head = first_[triangles_[c / 3][c % 3]];
        next_[c] = head;
        head = static_cast<std::uint32_t>(c);
    }
}

void CollapseMesh::neighbors(std::uint32_t point, std::vector<std::uint32_t>& out) const {
    out.clear();
    for_triangles(point, [&](std::uint32_t t, std::uint32_t k) {
        for (const std::uint32_t step : {1u, 2u}) {
            const std::uint32_t other = triangles_[t][(k + step) % 3];
            if (std::ranges::find(out, other) == out.end()) out.push_back(other);
        }
    });
}

bool CollapseMesh::may_merge(std::uint32_t a, std::uint32_t b) {
    // The two triangles of the edge, and the points across it.
    std::uint32_t across[2] = {none, none}, count = 0;
    for_triangles(a, [&](std::uint32_t t, std::uint32_t k) {
        for (const std::uint32_t step : {1u, 2u}) {
            if (triangles_[t][(k + step) % 3] != b) continue;
            if (count < 2) across[count] = triangles_[t][(k + 3 - step) % 3];
            ++count;
        }
    });
    if (count != 2 || across[0] == across[1]) return false;

    neighbors(a, near_a_);
    neighbors(b, near_b_);
    for (const std::uint32_t other : near_b_) {
        const bool common = std::ranges::find(near_a_, other) != near_a_.end();
        if (common && other != across[0] && other != across[1]) return false;
    }
    // A triangle on both sides of the edge that has the two points across would come to lie on another: a tetrahedron.
    const auto reaches_across = [&](std::uint32_t point) {
        bool found = false;
        for_triangles(point, [&](std::uint32_t t, std::uint32_t) {
            const Triangle& c = triangles_[t];
            found |= std::ranges::find(c, across[0]) != c.end() && std::ranges::find(c, across[1]) != c.end();
        });
        return found;
    };
    return !(reaches_across(a) && reaches_across(b));
}

void CollapseMesh::tidy(std::uint32_t point) {
    std::uint32_t* link = &first_[point];
    while (*link != none) {
        if (is_gone(*link / 3))
            *link = next_[*link];
        else
            link = &next_[*link];
    }
}

void CollapseMesh::merge(std::uint32_t a, std::uint32_t b) {
    std::uint32_t touched[2] = {none, none}, count = 0;
    for_triangles(b, [&](std::uint32_t t, std::uint32_t k) {
        Triangle& corners = triangles_[t];
        if (std::ranges::find(corners, a) == corners.end()) {
            corners[k] = a;
            return;
        }
        for (const std::uint32_t other : corners) {
            if (other != a && other != b && count < 2) touched[count++] = other;
        }
        corners[0] = gone;
    });
    for (std::uint32_t i = 0; i < count; ++i)
        tidy(touched[i]);
    tidy(a);
    tidy(b);
    std::uint32_t* end = &first_[a];
    while (*end != none)
        end = &next_[*end];
    *end = first_[b];
    first_[b] = none;
}

}  // namespace spindrift::geometry
