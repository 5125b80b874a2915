#pragma once
// What the parts of the coarse projection share: shares of nodes' hats, and places in them.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"
#include "spindrift/pbf/coarse/coarse_blocks.h"
#include "spindrift/pbf/prototype.h"

namespace spindrift::pbf {

/// A node belongs to the liquid when this share of what walls leave of its support is filled: phi must vanish on the
/// free surface, or the surface moves as if under a lid. docs/decisions/0004.
inline constexpr float filled_share = 0.92f;

/// A node behind a wall, with less of its support free than this, sees too few particles to judge; its neighbours do.
inline constexpr float judging_share = 0.45f;

/// How a field looks from a node that it is near.
inline constexpr std::uint8_t flat_field = 1, curved_field = 2;

/// A particle's volume in the coarsest class.
inline constexpr float particle_volume = static_cast<float>(1 / (support_ratio * support_ratio * support_ratio));

/// Share of a node's hat that boxes and planes leave free; close for oblique planes and where walls overlap.
float available_share(const collision::Walls& walls, Vec3f node);

/// Whether no field hides one point from another.
inline bool sees(const collision::Walls& walls, Vec3f from, Vec3f at) {
    return std::all_of(walls.fields.begin(), walls.fields.end(),
                       [&](const collision::WallField& field) { return field.sees(from, at); });
}

/// Two points of Gauss quadrature for the weight 1 - u on either side along each axis: body(point, weight) for 64.
template <class Body>
void for_each_point(Vec3f node, const Body& body) {
    constexpr float point[4] = {-0.6449490f, -0.1550510f, 0.1550510f, 0.6449490f};
    constexpr float weight[4] = {0.1819586f, 0.3180414f, 0.3180414f, 0.1819586f};
    for (int k = 0; k < 64; ++k) {
        const int i = k & 3, j = k >> 2 & 3, m = k >> 4;
        body(node + Vec3f{point[i], point[j], point[m]} * CoarseBlocks::node_spacing,
             weight[i] * weight[j] * weight[m]);
    }
}

/// The middle of the particles in a node's hat, from their sums: along each axis, sum V N over sum V |dN/dx| is the
/// mean hat if they are all on one side; if they are on both, the node itself is as good.
inline Vec3f middle_of(Vec3f gradient, float fill, Vec3f node) {
    for (int a = 0; a < 3; ++a) {
        const float slope = std::abs(gradient[a]) * CoarseBlocks::node_spacing;
        const float off = slope > fill ? 1 - fill / slope : 0;
        node[a] -= std::copysign(off * CoarseBlocks::node_spacing, gradient[a]);
    }
    return node;
}

/// Index of corner (i, j, l) of a cell among the nodes that a leaf's particles reach, one more than cells on each axis.
inline int node_of(int cell, int cells, int i, int j, int l) {
    const int side = cells + 1;
    return ((cell / (cells * cells) + l) * side + cell / cells % cells + j) * side + cell % cells + i;
}

}  // namespace spindrift::pbf
