#include "spindrift/pbf/coarse/coarse_blocks.h"

#include <algorithm>
#include <span>
#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/neighbors/leaf_key.h"

namespace spindrift::pbf {

namespace {

using neighbors::Leaf;

int floor_to_int(float a) {
    const int truncated = static_cast<int>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

/// A leaf with fewer particles fills no node's support; spray pays nothing.
bool takes_part(const Leaf& leaf) {
    return leaf.count >= neighbors::dense_leaf;
}

}  // namespace

void CoarseBlocks::make(const neighbors::LeafGrid& grid) {
    // Blocks that a leaf's nodes lie in; they need not hold particles.
    const std::span<const Leaf> leaves = grid.leaves();
    Index index;
    index.reserve(2 * leaves.size());
    blocks.clear();
    places.assign(leaves.size(), {{}, 0, 0, -1});
    const auto add = [&](Vec3i coord) {
        const auto [at, fresh] = index.try_emplace(coord, static_cast<std::int32_t>(blocks.size()));
        if (fresh) blocks.push_back({coord, {}});
        return at->second;
    };
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        if (!takes_part(leaves[l])) continue;
        Place& place = places[l];
        const float h = grid.resolutions().h[leaves[l].resolution];
        const float width = h * neighbors::leaf_width / node_spacing;
        const Vec3f corner = vec_cast<float>(leaves[l].coord) * width;
        place.origin = {floor_to_int(corner.x), floor_to_int(corner.y), floor_to_int(corner.z)};
        // Leaves of the coarsest class begin at a node, others anywhere.
        place.cells = leaves[l].resolution == 0 ? 4 : static_cast<int>(width) + 2;
        place.middle = add({(place.origin.x + 2) >> 2, (place.origin.y + 2) >> 2, (place.origin.z + 2) >> 2});
    }
    for (const Place& place : places) {
        if (place.middle < 0) continue;
        const auto last = [&](int a) { return (place.origin[a] + place.cells) >> 2; };
        for (int z = place.origin.z >> 2; z <= last(2); ++z) {
            for (int y = place.origin.y >> 2; y <= last(1); ++y) {
                for (int x = place.origin.x >> 2; x <= last(0); ++x)
                    add({x, y, z});
            }
        }
    }
    sort_by_key(index);
    link(index);
    list_leaves();
}

/// Numbers the blocks by their keys: a range of leaves has a range of blocks.
void CoarseBlocks::sort_by_key(Index& index) {
    std::vector<std::pair<std::uint64_t, std::int32_t>> order(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
        order[b] = {neighbors::leaf_key(blocks[b].coord), static_cast<std::int32_t>(b)};
    std::sort(order.begin(), order.end());
    std::vector<std::int32_t> rank(blocks.size());
    std::vector<Block> sorted(blocks.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto from = static_cast<std::size_t>(order[k].second);
        rank[from] = static_cast<std::int32_t>(k);
        sorted[k] = blocks[from];
        index[sorted[k].coord] = rank[from];
    }
    blocks.swap(sorted);
    for (Place& place : places) {
        if (place.middle >= 0) place.middle = rank[static_cast<std::size_t>(place.middle)];
    }
}

void CoarseBlocks::link(const Index& index) {
    parallel_for(blocks.size(), 256, [&](Range range) {
        for (std::size_t b : range) {
            for (int k = 0; k < 27; ++k) {
                const auto at = index.find(blocks[b].coord + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
                blocks[b].neighbors[k] = at == index.end() ? -1 : at->second;
            }
        }
    });
}

/// The leaves that reach each block, in their order.
void CoarseBlocks::list_leaves() {
    leaf_starts.assign(blocks.size() + 1, 0);
    const auto for_each = [&](const auto& body) {
        for (std::size_t l = 0; l < places.size(); ++l) {
            const Place& place = places[l];
            if (place.middle < 0) continue;
            const Block& middle = blocks[static_cast<std::size_t>(place.middle)];
            for (int z = place.origin.z >> 2; z <= (place.origin.z + place.cells) >> 2; ++z) {
                for (int y = place.origin.y >> 2; y <= (place.origin.y + place.cells) >> 2; ++y) {
                    for (int x = place.origin.x >> 2; x <= (place.origin.x + place.cells) >> 2; ++x) {
                        const Vec3i step = Vec3i{x, y, z} - middle.coord;
                        body(l, static_cast<std::size_t>(middle.neighbors[neighbor_index(step.x, step.y, step.z)]));
                    }
                }
            }
        }
    };
    for_each([&](std::size_t, std::size_t block) { leaf_starts[block + 1] += 1; });
    for (std::size_t b = 0; b < blocks.size(); ++b)
        leaf_starts[b + 1] += leaf_starts[b];
    leaves_at.resize(leaf_starts.back());
    std::vector<std::uint32_t> next(leaf_starts.begin(), leaf_starts.end() - 1);
    for_each([&](std::size_t l, std::size_t block) { leaves_at[next[block]++] = static_cast<std::uint32_t>(l); });
}

}  // namespace spindrift::pbf
