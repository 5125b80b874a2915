#include "spindrift/surface/contour/cube_walk.h"

#include <algorithm>
#include <utility>

namespace spindrift::surface {

namespace {

constexpr std::uint8_t none = 255;

struct Face {
    std::array<int, 4> corners;         ///< counter-clockwise from outside, from the lowest; the third is the highest
    std::array<std::uint8_t, 4> edges;  ///< from each corner to the next
};

int edge_between(int a, int b) {
    const int low = std::min(a, b), step = a ^ b;
    const int x = low & 1, y = low >> 1 & 1, z = low >> 2;
    return step == 1 ? y + 2 * z : step == 2 ? 4 + x + 2 * z : 8 + x + 2 * y;
}

std::array<Face, 6> make_faces() {
    std::array<Face, 6> faces{};
    for (int f = 0; f < 6; ++f) {
        const int axis = f / 2, base = face_corner(f);
        int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
        if ((f & 1) == 0) std::swap(u, v);
        Face& face = faces[static_cast<std::size_t>(f)];
        face.corners = {base, base + u, base + u + v, base + v};
        for (std::size_t i = 0; i < 4; ++i)
            face.edges[i] = static_cast<std::uint8_t>(edge_between(face.corners[i], face.corners[(i + 1) % 4]));
    }
    return faces;
}

/// Each run of inside corners around a polygon gives a line from where it begins to where it ends.
template <std::size_t N>
void link_polygon(const std::array<int, N>& corners, const std::array<std::uint8_t, N>& edges, unsigned inside,
                  std::array<std::uint8_t, 18>& next) {
    const auto in = [&](std::size_t i) { return (inside >> corners[i % N] & 1) != 0; };
    for (std::size_t i = 0; i < N; ++i) {
        if (in(i) || !in(i + 1)) continue;
        std::size_t last = i + 1;
        while (in(last + 1))
            ++last;
        next[edges[i]] = edges[last % N];
    }
}

}  // namespace

CubeLoops walk_faces(unsigned inside, unsigned split) {
    static const std::array<Face, 6> faces = make_faces();
    std::array<std::uint8_t, 18> next;
    next.fill(none);
    for (std::size_t f = 0; f < 6; ++f) {
        const auto& [c, e] = faces[f];
        if (split >> f & 1) {
            const auto diagonal = static_cast<std::uint8_t>(cube_edges + f);
            link_polygon<3>({c[0], c[1], c[2]}, {e[0], e[1], diagonal}, inside, next);
            link_polygon<3>({c[2], c[3], c[0]}, {e[2], e[3], diagonal}, inside, next);
        } else {
            link_polygon<4>(c, e, inside, next);
        }
    }
    CubeLoops loops;
    std::size_t size = 0;
    for (std::size_t first = 0; first < next.size(); ++first) {
        if (next[first] == none) continue;
        for (std::size_t at = first; next[at] != none;) {
            loops.points[size++] = static_cast<std::uint8_t>(at);
            at = std::exchange(next[at], none);
        }
        loops.ends[static_cast<std::size_t>(loops.count++)] = static_cast<std::uint8_t>(size);
    }
    return loops;
}

}  // namespace spindrift::surface
