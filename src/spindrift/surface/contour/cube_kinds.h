#pragma once
// Which cubes of a leaf a contour passes, and which of them are cut into tetrahedra.
//
//   std::vector<LeafCubes> cubes = find_cubes(lattice, Cut::where_liquids_meet);
//   gather_labels(lattice, leaf, corners);
//   for_cut_cubes(lattice, cubes, leaf, corners, [&](const CutCube& cube) { ... cube.at, cube.tetra ... });

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

/// What is cut into tetrahedra: cubes where liquids meet, or all.
enum class Cut { where_liquids_meet, everywhere };

/// A bit for each cube of a leaf, by x + 8 y in the number z.
using CubeBits = std::array<std::uint64_t, 8>;

struct LeafCubes {
    CubeBits cut{};    ///< their corners are not all of one label
    CubeBits tetra{};  ///< and are cut into tetrahedra: two liquids or more
};

/// Whether the contour passes the leaf at all.
bool is_cut(const LeafCubes& cubes);

/// gather_corners() with labels, also for a lattice that has none.
void gather_labels(const Lattice& lattice, std::size_t leaf, CellCorners& out);

std::vector<LeafCubes> find_cubes(const Lattice& lattice, Cut cut);

struct CutCube {
    Vec3i at{};
    int low = 0;  ///< its lowest corner among CellCorners
    std::array<std::uint8_t, 8> labels{};
    unsigned inside = 0;  ///< bits of the corners that are not air
    bool tetra = false;
    bool whole = false;  ///< all corners are in leaves that are there; what is not whole is not written
    unsigned split = 0;  ///< of a plain cube, faces beside tetrahedra (cube_walk.h) whose corners differ

    std::uint8_t liquid() const { return labels[static_cast<std::size_t>(std::countr_zero(inside))]; }
};

/// What cutting the cubes of a leaf needs to know about its neighbours.
class LeafSurroundings {
  public:
    LeafSurroundings(const Lattice& lattice, const std::vector<LeafCubes>& cubes, std::size_t leaf);

    CutCube cube(Vec3i at, const CellCorners& corners) const;

  private:
    void find_tetra(const Lattice& lattice, const std::vector<LeafCubes>& cubes, std::size_t leaf);
    bool has_tetra(int row, int x) const { return (rows_[row] >> x & 1) != 0; }
    unsigned split_faces(Vec3i at, unsigned inside) const;

    bool whole_[8];  ///< by the high sides a cube touches: all leaves there exist
    bool any_tetra_ = false;
    std::uint16_t rows_[100] = {};  ///< cubes of tetrahedra, and a layer around: bit x + 1 in row 10 (z + 1) + y + 1
};

/// Calls f(cube) for all cubes of a leaf that the contour passes, always in the same order.
template <class F>
void for_cut_cubes(const Lattice& lattice, const std::vector<LeafCubes>& cubes, std::size_t leaf,
                   const CellCorners& corners, const F& f) {
    const LeafSurroundings surroundings(lattice, cubes, leaf);
    for (int z = 0; z < lattice_width; ++z) {
        for (std::uint64_t bits = cubes[leaf].cut[static_cast<std::size_t>(z)]; bits; bits &= bits - 1) {
            const int bit = std::countr_zero(bits);
            f(surroundings.cube({bit & 7, bit >> 3, z}, corners));
        }
    }
}

}  // namespace spindrift::surface
