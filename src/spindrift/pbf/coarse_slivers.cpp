// Slivers in the coarse projection: nodes behind walls whose hats hold next to nothing of the liquid.
//
// Equations: phi = P phi', where P gives a sliver the value of the neighbour that it is bound to. What is solved is
// P^T A P phi' = P^T b, as symmetric as A. A hat that is nearly all in a wall has next to no equation of its own: a few
// particles stand against the wall's share, and phi would be anything. Source: after the aggregated finite elements of
// Badia, Verdugo and Martin 2018. Differs: values are copied, not extrapolated. Symbols: as in coarse_projection.h.

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse_projection.h"

namespace spindrift::pbf {

namespace {

/// A node with less than this share of the liquid that a neighbour along an axis has is bound to it.
constexpr float sliver_share = 0.1f;

}  // namespace

/// Binds each sliver to the neighbour along an axis that has most of the liquid; that one may be bound itself, where
/// two or three walls meet. Liquid grows along such a chain, so it ends.
void CoarseProjection::bind_slivers(const collision::Walls& walls) {
    bindings_.clear();
    if (!beside_walls_) return;
    bound_to_.resize(blocks_.size() * nodes);
    parallel_for(active_blocks_.size(), 16, [&](Range range) {
        for (std::size_t k : range) {
            for (int n = 0; n < nodes; ++n) {
                const std::size_t i = active_blocks_[k] * nodes + static_cast<std::size_t>(n);
                bound_to_[i] = active_[i] > 0 ? fuller_neighbor(walls, active_blocks_[k], n) : i;
            }
        }
    });
    for (const std::size_t b : active_blocks_) {
        for (std::size_t i = b * nodes; i < (b + 1) * nodes; ++i) {
            std::size_t to = bound_to_[i];
            while (bound_to_[to] != to)
                to = bound_to_[to];
            if (to != i) bindings_.push_back({i, to});
        }
    }
}

/// Volume of liquid in a node's hat. Walls may leave more free than particles fill, or less where liquid is compressed.
float CoarseProjection::liquid_at(std::size_t i) const {
    constexpr float support = node_spacing * node_spacing * node_spacing;
    return std::min(fill_[i], available_[i] * support);
}

/// The neighbour that a node is bound to; the node itself if it is no sliver. Liquid beside a distance field must see
/// it: what is behind a thin wall is another liquid. Beside bodies nodes stay free.
std::size_t CoarseProjection::fuller_neighbor(const collision::Walls& walls, std::size_t block, int node) const {
    const std::size_t own = block * nodes + static_cast<std::size_t>(node);
    const WallBlock* const at_walls = wall_blocks_[block];
    const auto is_own = [&](const BodyTerm& term) { return term.node == node; };
    if (at_walls && std::any_of(at_walls->terms.begin(), at_walls->terms.end(), is_own)) return own;
    std::size_t fullest = own;
    float most = liquid_at(own) / sliver_share;
    for (int k = 0; k < 6; ++k) {
        Vec3i at{node % 4, node / 4 % 4, node / 16};
        at[k / 2] += k % 2 ? 1 : -1;
        if (blocks_[block].neighbors[neighbor_index(at.x >> 2, at.y >> 2, at.z >> 2)] < 0) continue;
        const std::size_t i = index_near(block, at);
        if (active_[i] == 0 || liquid_at(i) <= most) continue;
        if (near_field_[own] && !are_joined(walls, block, node, at)) continue;
        most = liquid_at(i);
        fullest = i;
    }
    return fullest;
}

/// Whether the liquid in a node's hat sees another node.
bool CoarseProjection::are_joined(const collision::Walls& walls, std::size_t block, int node, Vec3i other) const {
    const Vec3f liquid = liquid_of(walls, block, node), there = position_near(block, other);
    return std::all_of(walls.fields.begin(), walls.fields.end(),
                       [&](const collision::WallField& field) { return field.sees(liquid, there); });
}

/// P: slivers take what they are bound to.
void CoarseProjection::spread(Buffer<float>& values) const {
    for (const Binding& binding : bindings_)
        values[binding.node] = values[binding.to];
}

/// P^T: slivers give away what they have.
void CoarseProjection::fold(Buffer<float>& values) const {
    for (const Binding& binding : bindings_) {
        values[binding.to] += values[binding.node];
        values[binding.node] = 0;
    }
}

}  // namespace spindrift::pbf
