#include "spindrift/surface/contour/cube_kinds.h"

#include <algorithm>
#include <cstring>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/contour/cube_points.h"

namespace spindrift::surface {

namespace {

constexpr int width = CellCorners::width;

/// Rows of labels that the cubes of a row have at their corners.
struct Rows {
    std::array<const std::uint8_t*, 8> at;  ///< by corner

    explicit Rows(const std::uint8_t* low) {
        for (int c = 0; c < 8; ++c)
            at[static_cast<std::size_t>(c)] = low + corner_step(c);
    }
};

/// A byte for each of eight cubes, 0 where all labels are equal.
std::uint64_t differences(const Rows& rows) {
    std::uint64_t first, sum = 0;
    std::memcpy(&first, rows.at[0], 8);
    for (std::size_t c = 1; c < 8; ++c) {
        std::uint64_t other;
        std::memcpy(&other, rows.at[c], 8);
        sum |= first ^ other;
    }
    return sum;
}

/// Bits of the cubes with two liquids or more.
unsigned with_liquids(const Rows& rows) {
    unsigned bits = 0;
    for (unsigned x = 0; x < 8; ++x) {
        // One up, air wraps to 0 and the largest label is a liquid's.
        std::uint8_t least = 255, most = 0;
        for (const std::uint8_t* row : rows.at) {
            least = std::min(least, row[x]);
            most = std::max(most, static_cast<std::uint8_t>(row[x] + 1));
        }
        bits |= unsigned{most > least + 1} << x;
    }
    return bits;
}

LeafCubes cubes_of(const CellCorners& corners, Cut cut) {
    LeafCubes out;
    for (unsigned z = 0; z < 8; ++z) {
        for (unsigned y = 0; y < 8; ++y) {
            const Rows rows(corners.label + (z * width + y) * width);
            const std::uint64_t differ = differences(rows);
            if (differ == 0) continue;
            std::uint64_t bits = 0;
            for (unsigned x = 0; x < 8; ++x)
                bits |= std::uint64_t{(differ >> 8 * x & 255) != 0} << x;
            out.cut[z] |= bits << 8 * y;
            out.tetra[z] |= (cut == Cut::everywhere ? bits : std::uint64_t{with_liquids(rows)}) << 8 * y;
        }
    }
    return out;
}

bool any_of(const CubeBits& bits) {
    return std::ranges::any_of(bits, [](std::uint64_t b) { return b != 0; });
}

}  // namespace

void gather_labels(const Lattice& lattice, std::size_t leaf, CellCorners& out) {
    gather_corners(lattice, leaf, out);
    if (lattice.has_labels()) return;
    for (int i = 0; i < width * width * width; ++i) {
        out.label[i] = out.phi[i] < 0 ? 0 : air;
        out.lead[i] = 1;
    }
}

bool is_cut(const LeafCubes& cubes) {
    return any_of(cubes.cut);
}

std::vector<LeafCubes> find_cubes(const Lattice& lattice, Cut cut) {
    std::vector<LeafCubes> cubes(lattice.leaves.size());
    parallel_for(cubes.size(), 16, [&](Range range) {
        CellCorners corners;
        for (const std::size_t leaf : range) {
            gather_labels(lattice, leaf, corners);
            cubes[leaf] = cubes_of(corners, cut);
        }
    });
    return cubes;
}

LeafSurroundings::LeafSurroundings(const Lattice& lattice, const std::vector<LeafCubes>& cubes, std::size_t leaf) {
    for (unsigned sides = 0; sides < 8; ++sides) {
        whole_[sides] = true;
        for (unsigned part = 1; part < 8; ++part) {
            const unsigned other = 13 + (part & 1) + 3 * (part >> 1 & 1) + 9 * (part >> 2);
            if ((part & ~sides) == 0 && lattice.neighbors[27 * leaf + other] < 0) whole_[sides] = false;
        }
    }
    find_tetra(lattice, cubes, leaf);
}

void LeafSurroundings::find_tetra(const Lattice& lattice, const std::vector<LeafCubes>& cubes, std::size_t leaf) {
    static constexpr CubeBits nothing{};
    constexpr std::array<std::size_t, 6> sides{12, 14, 10, 16, 4, 22};
    std::array<const CubeBits*, 6> around;
    any_tetra_ = any_of(cubes[leaf].tetra);
    for (std::size_t f = 0; f < 6; ++f) {
        const std::int32_t other = lattice.neighbors[27 * leaf + sides[f]];
        around[f] = other < 0 ? &nothing : &cubes[static_cast<std::size_t>(other)].tetra;
        any_tetra_ = any_tetra_ || any_of(*around[f]);
    }
    if (!any_tetra_) return;
    const auto row = [](const CubeBits& bits, std::size_t y, std::size_t z) {
        return static_cast<unsigned>(bits[z] >> 8 * y & 255);
    };
    for (std::size_t j = 0; j < 8; ++j) {
        for (std::size_t i = 0; i < 8; ++i) {
            const unsigned own = row(cubes[leaf].tetra, i, j);
            const unsigned ends = row(*around[0], i, j) >> 7 | (row(*around[1], i, j) & 1) << 9;
            rows_[10 * (j + 1) + i + 1] = static_cast<std::uint16_t>(own << 1 | ends);
        }
        rows_[10 * (j + 1)] = static_cast<std::uint16_t>(row(*around[2], 7, j) << 1);
        rows_[10 * (j + 1) + 9] = static_cast<std::uint16_t>(row(*around[3], 0, j) << 1);
        rows_[j + 1] = static_cast<std::uint16_t>(row(*around[4], j, 7) << 1);
        rows_[90 + j + 1] = static_cast<std::uint16_t>(row(*around[5], j, 0) << 1);
    }
}

unsigned LeafSurroundings::split_faces(Vec3i at, unsigned inside) const {
    constexpr std::array<unsigned, 6> corners{0x55, 0xaa, 0x33, 0xcc, 0x0f, 0xf0};
    const int row = 10 * (at.z + 1) + at.y + 1, x = at.x + 1;
    const std::array<bool, 6> beside{has_tetra(row, x - 1), has_tetra(row, x + 1),  has_tetra(row - 1, x),
                                     has_tetra(row + 1, x), has_tetra(row - 10, x), has_tetra(row + 10, x)};
    unsigned split = 0;
    for (unsigned f = 0; f < 6; ++f) {
        const unsigned in = inside & corners[f];
        split |= unsigned{beside[f] && in != 0 && in != corners[f]} << f;
    }
    return split;
}

CutCube LeafSurroundings::cube(Vec3i at, const CellCorners& corners) const {
    CutCube cube;
    cube.at = at;
    cube.low = corner_index(at);
    for (unsigned c = 0; c < 8; ++c) {
        cube.labels[c] = corners.label[cube.low + corner_step(static_cast<int>(c))];
        cube.inside |= unsigned{cube.labels[c] != air} << c;
    }
    cube.whole = whole_[(at.x == 7 ? 1 : 0) + (at.y == 7 ? 2 : 0) + (at.z == 7 ? 4 : 0)];
    if (any_tetra_) {
        cube.tetra = has_tetra(10 * (at.z + 1) + at.y + 1, at.x + 1);
        if (!cube.tetra) cube.split = split_faces(at, cube.inside);
    }
    return cube;
}

}  // namespace spindrift::surface
