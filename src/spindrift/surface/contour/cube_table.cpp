#include "spindrift/surface/contour/cube_table.h"

#include <algorithm>
#include <span>
#include <vector>

#include "spindrift/core/errors.h"
#include "spindrift/core/vec.h"
#include "spindrift/surface/contour/cube_walk.h"

namespace spindrift::surface {

namespace {

/// Middle of an edge, in half widths of the cube.
Vec3i middle(int edge) {
    const int c = edge_corner(edge);
    Vec3i p{2 * (c & 1), 2 * (c >> 1 & 1), 2 * (c >> 2)};
    p[edge_axis(edge)] = 1;
    return p;
}

/// What a side between two points of a loop costs: short ones are good, those in a face of the cube are not allowed.
int side_cost(int edge_a, int edge_b) {
    constexpr int not_allowed = 1 << 20;
    const Vec3i a = middle(edge_a), b = middle(edge_b), d = b - a;
    for (int axis = 0; axis < 3; ++axis) {
        if (a[axis] == b[axis] && a[axis] != 1) return not_allowed;
    }
    return dot(d, d);
}

/// Cheapest triangles of a polygon. cost[i][j] is that of the part from point i to point j with its closing side.
class PolygonCutter {
  public:
    explicit PolygonCutter(std::span<const std::uint8_t> loop) : loop_(loop) {
        const std::size_t n = loop.size();
        for (std::size_t width = 2; width < n; ++width) {
            for (std::size_t i = 0; i + width < n; ++i)
                close(i, i + width);
        }
    }

    void write(std::size_t i, std::size_t j, std::vector<std::uint8_t>& out) const {
        if (j - i < 2) return;
        const std::size_t k = middle_[i][j];
        write(i, k, out);
        out.insert(out.end(), {loop_[i], loop_[k], loop_[j]});
        write(k, j, out);
    }

  private:
    void close(std::size_t i, std::size_t j) {
        const bool whole = i == 0 && j + 1 == loop_.size();
        int best = 1 << 30;
        for (std::size_t k = i + 1; k < j; ++k) {
            const int cost = cost_[i][k] + cost_[k][j];
            if (cost >= best) continue;
            best = cost;
            middle_[i][j] = k;
        }
        cost_[i][j] = best + (whole ? 0 : side_cost(loop_[i], loop_[j]));
    }

    std::span<const std::uint8_t> loop_;
    int cost_[12][12] = {};
    std::size_t middle_[12][12] = {};
};

CubeTable make_table() {
    CubeTable table{};
    for (unsigned inside = 0; inside < 256; ++inside) {
        const CubeLoops loops = walk_faces(inside, 0);
        std::vector<std::uint8_t> edges;
        for (int l = 0; l < loops.count; ++l) {
            const std::span<const std::uint8_t> loop(loops.points.data() + loops.begin(l),
                                                     loops.points.data() + loops.end(l));
            PolygonCutter(loop).write(0, loop.size() - 1, edges);
        }
        SPINDRIFT_CHECK(edges.size() <= 15);
        table[inside].fill(255);
        std::copy(edges.begin(), edges.end(), table[inside].begin());
    }
    return table;
}

}  // namespace

const CubeTable& cube_table() {
    static const CubeTable table = make_table();
    return table;
}

}  // namespace spindrift::surface
