#pragma once
// Samples of a surface on a sparse lattice: leaves of 8 x 8 x 8 points, only where a surface may be.
//
// A leaf covers the cells whose low corner is one of its points; the far corners of its last cells belong to its
// neighbours. Where there is no leaf everything is of one kind, inside or outside, as the points beside it say.
//
//   Vec3d p = lattice.place(lattice.leaves[l], {3, 0, 7});
//   bool inside = lattice.phi[512 * l + point_index({3, 0, 7})] < 0;

#include <cstdint>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/interface_mesh.h"

namespace spindrift::surface {

inline constexpr int lattice_width = 8;
inline constexpr std::size_t leaf_points = 512;

using geometry::air;

/// x runs fastest.
constexpr int point_index(Vec3i p) {
    return (p.z * lattice_width + p.y) * lattice_width + p.x;
}

struct Lattice {
    double voxel = 0;             ///< distance of the points, m
    Vec3d origin{};               ///< of point (0, 0, 0) of leaf (0, 0, 0), m; a multiple of the leaf's width
    std::vector<Vec3i> leaves{};  ///< coordinates in leaves, along a Z-curve, each once
    Buffer<std::int32_t> neighbors{"lattice"};  ///< 27 for each leaf, x fastest, itself at 13; -1 where there is none
    Buffer<float> phi{"lattice"};  ///< 512 for each leaf, in m: below 0 inside of the liquid. All are finite

    // With several liquids, 512 for each leaf; else empty.
    Buffer<std::uint8_t> label{"lattice"};  ///< the liquid, or air exactly where phi >= 0
    Buffer<float> lead{"lattice"};  ///< how far the liquid is ahead of the second, above 0; of no meaning in air

    bool has_labels() const { return label.size() > 0; }
    Vec3d place(Vec3i leaf, Vec3i point) const {
        return origin + vec_cast<double>(leaf * lattice_width + point) * voxel;
    }
};

/// Fills `neighbors` from `leaves`.
void link_leaves(Lattice& lattice);

/// Phi, and labels and leads if there are any, of the 9 x 9 x 9 points that the cells of a leaf need. Points of leaves
/// that are not there continue the nearest point of this leaf.
struct CellCorners {
    static constexpr int width = 9;
    float phi[width * width * width];
    std::uint8_t label[width * width * width];
    float lead[width * width * width];
};
void gather_corners(const Lattice& lattice, std::size_t leaf, CellCorners& out);

}  // namespace spindrift::surface
