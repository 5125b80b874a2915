#include "spindrift/surface/contour/march.h"

#include <algorithm>
#include <array>
#include <bit>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/surface/contour/cube_table.h"

namespace spindrift::surface {

namespace {

/// Crossings keep this share of an edge away from its ends: no triangle without area.
constexpr float least_share = 0.02f;

/// The crossings of a leaf's edges: a bit for each point and direction, and how many come before each row.
struct Crossings {
    std::uint8_t bits[3][64] = {};  ///< rows along x
    std::uint16_t before[3][64] = {};
    std::uint32_t first = 0;  ///< number of the leaf's first point
    std::uint32_t points = 0, triangles = 0, first_triangle = 0;

    std::uint32_t number(int axis, int row, int x) const {
        const auto lower = static_cast<unsigned>(bits[axis][row]) & ((1u << x) - 1);
        return first + before[axis][row] + static_cast<std::uint32_t>(std::popcount(lower));
    }
};

/// Whether each point of a leaf is inside: bit x of byte 8 z + y.
using InsideBits = std::array<std::uint8_t, 64>;

InsideBits find_inside(const float* phi) {
    InsideBits inside;
    for (std::uint8_t& row : inside) {
        unsigned bits = 0;
        for (unsigned x = 0; x < 8; ++x)
            bits |= static_cast<unsigned>(*phi++ < 0) << x;
        row = static_cast<std::uint8_t>(bits);
    }
    return inside;
}

/// Bit x of row (z, y) tells whether that corner of the leaf's cells is inside.
using InsideRows = std::uint16_t[9][9];

/// Pattern of the cube at (x, y, z), as cube_table() takes it.
unsigned pattern(const InsideRows& rows, int x, int y, int z) {
    const auto two = [&](int dy, int dz) { return static_cast<unsigned>(rows[z + dz][y + dy] >> x & 3); };
    return two(0, 0) | two(1, 0) << 2 | two(0, 1) << 4 | two(1, 1) << 6;
}

/// Whether all four rows of a row of cubes are empty or full.
bool is_plain(const InsideRows& rows, int y, int z) {
    const unsigned all = rows[z][y] & rows[z][y + 1] & rows[z + 1][y] & rows[z + 1][y + 1];
    const unsigned any = rows[z][y] | rows[z][y + 1] | rows[z + 1][y] | rows[z + 1][y + 1];
    return any == 0 || all == 0x1ff;
}

const std::array<std::uint8_t, 256>& triangle_counts() {
    static const auto counts = [] {
        std::array<std::uint8_t, 256> out{};
        for (std::size_t k = 0; k < 256; ++k) {
            const auto& row = cube_table()[k];
            out[k] = static_cast<std::uint8_t>((std::find(row.begin(), row.end(), 255) - row.begin()) / 3);
        }
        return out;
    }();
    return counts;
}

/// An edge of a cube: the point it starts from, relative to the cube's low corner, and its direction.
struct CubeEdge {
    int x, y, z, axis;
};
constexpr CubeEdge cube_edge(int edge) {
    const int a = edge & 1, b = edge >> 1 & 1;
    switch (edge >> 2) {
        case 0:
            return {0, a, b, 0};
        case 1:
            return {a, 0, b, 1};
        default:
            return {a, b, 0, 2};
    }
}

class March {
  public:
    March(const Lattice& lattice, Vec3d origin)
        : lattice_(lattice), origin_(origin), leaves_(lattice.leaves.size()), inside_(leaves_.size()) {}

    geometry::Mesh run() {
        parallel_for(leaves_.size(), 128, [&](Range range) {
            for (const std::size_t leaf : range)
                inside_[leaf] = find_inside(&lattice_.phi[leaf_points * leaf]);
        });
        for_leaves([&](std::size_t leaf, const InsideRows& rows) { count(leaves_[leaf], rows); });
        std::uint64_t points = 0, triangles = 0;
        for (Crossings& leaf : leaves_) {
            leaf.first = static_cast<std::uint32_t>(points);
            leaf.first_triangle = static_cast<std::uint32_t>(triangles);
            points += leaf.points;
            triangles += leaf.triangles;
        }
        SPINDRIFT_CHECK(points <= UINT32_MAX && triangles <= UINT32_MAX);
        mesh_.points.resize(points);
        mesh_.triangles.resize(triangles);
        for_leaves([&](std::size_t leaf, const InsideRows& rows) {
            if (leaves_[leaf].points > 0) place_points(leaf);
            if (leaves_[leaf].triangles > 0) write_triangles(leaf, rows);
        });
        return std::move(mesh_);
    }

  private:
    template <class F>
    void for_leaves(const F& f) {
        parallel_for(leaves_.size(), 32, [&](Range range) {
            InsideRows rows;
            for (const std::size_t leaf : range) {
                if (find_rows(leaf, rows)) f(leaf, rows);
            }
        });
    }

    /// A leaf or one of its neighbours towards higher coordinates, by bits of the sides that are crossed; -1 if there
    /// is none.
    std::int32_t ahead(std::size_t leaf, int sides) const {
        const int side = 13 + (sides & 1) + 3 * (sides >> 1 & 1) + 9 * (sides >> 2);
        return lattice_.neighbors[27 * leaf + static_cast<std::size_t>(side)];
    }

    /// The corners of a leaf's cells; false if all are of one kind. Corners of leaves that are not there are like the
    /// nearest of this leaf.
    bool find_rows(std::size_t leaf, InsideRows& rows) const {
        const InsideBits& own = inside_[leaf];
        const InsideBits* around[8];
        for (int k = 0; k < 8; ++k) {
            const std::int32_t other = ahead(leaf, k);
            around[k] = other < 0 ? nullptr : &inside_[static_cast<std::size_t>(other)];
        }
        unsigned any = 0, all = 0x1ff;
        for (std::size_t z = 0; z < 9; ++z) {
            for (std::size_t y = 0; y < 9; ++y) {
                const std::size_t k = (y >> 3) << 1 | (z >> 3) << 2;
                const std::size_t row = (z & 7) * 8 + (y & 7),
                                  nearest = std::min(z, std::size_t{7}) * 8 + std::min(y, std::size_t{7});
                const unsigned low = around[k] ? (*around[k])[row] : own[nearest];
                const unsigned high = around[k + 1] ? (*around[k + 1])[row] & 1u : low >> 7;
                const unsigned bits = low | high << 8;
                rows[z][y] = static_cast<std::uint16_t>(bits);
                any |= bits;
                all &= bits;
            }
        }
        return any != 0 && all != 0x1ff;
    }

    static void count(Crossings& out, const InsideRows& rows) {
        std::uint16_t before = 0;
        for (int axis = 0; axis < 3; ++axis) {
            for (int row = 0; row < 64; ++row) {
                const int y = row & 7, z = row >> 3;
                const unsigned here = rows[z][y];
                const unsigned next = axis == 0 ? here >> 1 : axis == 1 ? rows[z][y + 1] : rows[z + 1][y];
                out.bits[axis][row] = static_cast<std::uint8_t>((here ^ next) & 0xff);
                out.before[axis][row] = before;
                before = static_cast<std::uint16_t>(before + std::popcount(out.bits[axis][row]));
            }
        }
        out.points = before;
        out.triangles = 0;
        const auto& counts = triangle_counts();
        for (int row = 0; row < 64; ++row) {
            const int y = row & 7, z = row >> 3;
            if (is_plain(rows, y, z)) continue;
            for (int x = 0; x < 8; ++x)
                out.triangles += counts[pattern(rows, x, y, z)];
        }
    }

    void place_points(std::size_t leaf) {
        constexpr int stride[3] = {1, 8, 64};
        const Crossings& crossings = leaves_[leaf];
        const Vec3d corner = lattice_.place(lattice_.leaves[leaf], {}) - origin_;
        const float* own = &lattice_.phi[leaf_points * leaf];
        Vec3f* out = mesh_.points.data() + crossings.first;
        for (int axis = 0; axis < 3; ++axis) {
            const std::int32_t next = ahead(leaf, 1 << axis);
            const float* beyond = next < 0 ? own : &lattice_.phi[leaf_points * static_cast<std::size_t>(next)];
            for (int row = 0; row < 64; ++row) {
                const int y = row & 7, z = row >> 3;
                for (unsigned bits = crossings.bits[axis][row]; bits; bits &= bits - 1) {
                    const int x = std::countr_zero(bits);
                    const int here = row * 8 + x;
                    const bool last = (axis == 0 ? x : axis == 1 ? y : z) == 7;
                    const float a = own[here], b = last ? beyond[here - 7 * stride[axis]] : own[here + stride[axis]];
                    const float t = std::clamp(a / (a - b), least_share, 1 - least_share);
                    Vec3d at{double(x), double(y), double(z)};
                    at[axis] += t;
                    *out++ = vec_cast<float>(corner + at * lattice_.voxel);
                }
            }
        }
    }

    void write_triangles(std::size_t leaf, const InsideRows& rows) {
        const Crossings* around[8];
        for (int k = 0; k < 8; ++k) {
            const std::int32_t other = ahead(leaf, k);
            around[k] = other < 0 ? nullptr : &leaves_[static_cast<std::size_t>(other)];
        }
        const CubeTable& table = cube_table();
        geometry::Triangle* out = &mesh_.triangles[leaves_[leaf].first_triangle];
        for (int row = 0; row < 64; ++row) {
            const int y = row & 7, z = row >> 3;
            if (is_plain(rows, y, z)) continue;
            for (int x = 0; x < 8; ++x) {
                const auto& edges = table[pattern(rows, x, y, z)];
                for (const std::uint8_t* e = edges.data(); *e != 255; e += 3) {
                    for (std::size_t k = 0; k < 3; ++k)
                        (*out)[k] = number(around, x, y, z, e[k]);
                    ++out;
                }
            }
        }
    }

    static std::uint32_t number(const Crossings* const* around, int x, int y, int z, int edge) {
        static constexpr auto edges = [] {
            std::array<CubeEdge, 12> all{};
            for (int k = 0; k < 12; ++k)
                all[static_cast<std::size_t>(k)] = cube_edge(k);
            return all;
        }();
        const CubeEdge& e = edges[static_cast<std::size_t>(edge)];
        x += e.x, y += e.y, z += e.z;
        const Crossings* leaf = around[(x >> 3) | (y >> 3) << 1 | (z >> 3) << 2];
        SPINDRIFT_CHECK(leaf != nullptr);
        return leaf->number(e.axis, (z & 7) * 8 + (y & 7), x & 7);
    }

    const Lattice& lattice_;
    Vec3d origin_;
    std::vector<Crossings> leaves_;
    std::vector<InsideBits> inside_;
    geometry::Mesh mesh_;
};

}  // namespace

geometry::Mesh march(const Lattice& lattice, Vec3d origin) {
    return March(lattice, origin).run();
}

}  // namespace spindrift::surface
