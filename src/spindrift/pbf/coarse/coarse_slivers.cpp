#include "spindrift/pbf/coarse/coarse_slivers.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse/coarse_hats.h"

namespace spindrift::pbf {

namespace {

constexpr int nodes = CoarseBlocks::nodes;

/// A node with less than this share of the liquid that a neighbour along an axis has is bound to it.
constexpr float sliver_share = 0.1f;

/// Whether the liquid in a node's hat sees another node.
bool are_joined(const CoarseSurroundings& around, const CoarseLiquid& liquid, std::size_t block, int node,
                Vec3i other) {
    return sees(around.walls, liquid.middle(around, block, node), around.blocks.position_near(block, other));
}

/// The neighbour that a node is bound to; the node itself if it is no sliver. Liquid beside a distance field must see
/// it: what is behind a thin wall is another liquid. Beside bodies nodes stay free.
std::size_t fuller_neighbor(const CoarseSurroundings& around, const CoarseLiquid& liquid, std::size_t block, int node) {
    const std::size_t own = block * nodes + static_cast<std::size_t>(node);
    const CoarseWalls::Block* const at_walls = around.at_walls.beside(block);
    const auto is_own = [&](const CoarseWalls::BodyTerm& term) { return term.node == node; };
    if (at_walls && std::any_of(at_walls->terms.begin(), at_walls->terms.end(), is_own)) return own;
    std::size_t fullest = own;
    float most = liquid.volume(own) / sliver_share;
    for (int k = 0; k < 6; ++k) {
        Vec3i at{node % 4, node / 4 % 4, node / 16};
        at[k / 2] += k % 2 ? 1 : -1;
        if (!around.blocks.has(block, at)) continue;
        const std::size_t i = around.blocks.index_near(block, at);
        if (liquid.active[i] == 0 || liquid.volume(i) <= most) continue;
        if (liquid.near_field[own] && !are_joined(around, liquid, block, node, at)) continue;
        most = liquid.volume(i);
        fullest = i;
    }
    return fullest;
}

}  // namespace

void CoarseSlivers::bind(const CoarseSurroundings& around, const CoarseLiquid& liquid) {
    bindings_.clear();
    if (around.walls.empty()) return;
    bound_to_.resize(around.blocks.node_count());
    parallel_for(liquid.active_blocks.size(), 16, [&](Range range) {
        for (std::size_t k : range) {
            for (int n = 0; n < nodes; ++n) {
                const std::size_t b = liquid.active_blocks[k], i = b * nodes + static_cast<std::size_t>(n);
                bound_to_[i] = liquid.active[i] > 0 ? fuller_neighbor(around, liquid, b, n) : i;
            }
        }
    });
    for (const std::size_t b : liquid.active_blocks) {
        for (std::size_t i = b * nodes; i < (b + 1) * nodes; ++i) {
            std::size_t to = bound_to_[i];
            while (bound_to_[to] != to)
                to = bound_to_[to];
            if (to != i) bindings_.push_back({i, to});
        }
    }
}

void CoarseSlivers::spread(Buffer<float>& values) const {
    for (const Binding& binding : bindings_)
        values[binding.node] = values[binding.to];
}

void CoarseSlivers::fold(Buffer<float>& values) const {
    for (const Binding& binding : bindings_) {
        values[binding.to] += values[binding.node];
        values[binding.node] = 0;
    }
}

}  // namespace spindrift::pbf
