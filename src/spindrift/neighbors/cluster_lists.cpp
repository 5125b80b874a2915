#include "spindrift/neighbors/cluster_lists.h"

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/neighbors/list_kernels.h"

namespace spindrift::neighbors {

namespace {

/// Row of cells that a particle is in now, which may be outside the leaf it was sorted into.
std::pair<int, int> row_of(const Float4& p, float cells_per_unit) {
    return {static_cast<int>(std::floor(p.z * cells_per_unit)), static_cast<int>(std::floor(p.y * cells_per_unit))};
}

/// Calls emit(first, count) for the clusters of one leaf: rows cut into eights.
template <class Emit>
void for_each_cluster(const GridView& grid, const Leaf& leaf, const Float4* x, const Emit& emit) {
    const auto cut = [&](std::uint32_t first, std::uint32_t last) {
        for (; first < last; first += cluster_size)
            emit(first, std::min<std::uint32_t>(cluster_size, last - first));
    };
    if (leaf.table >= 0) {
        const std::uint32_t* table = grid.table(leaf);
        for (int row = 0; row < bins_per_leaf; row += row_steps)
            cut(table[row], table[row + row_steps]);
        return;
    }
    const float scale = 1 / grid.h[leaf.resolution];
    std::uint32_t start = leaf.first;
    for (std::uint32_t i = start + 1; i <= leaf.first + leaf.count; ++i) {
        if (i < leaf.first + leaf.count && row_of(x[i], scale) == row_of(x[start], scale)) continue;
        cut(start, i);
        start = i;
    }
}

}  // namespace

void ClusterLists::build(const LeafGrid& grid, const Float4* x, std::size_t n) {
    cut_clusters(grid, x);

    // Each thread fills a chunk of list memory after the other: where a list lies depends on the threads, what it holds
    // does not.
    chunks_used_ = 0;
    std::vector<ListOutput> outputs(static_cast<std::size_t>(thread_count()));
    for (ListOutput& output : outputs) {
        output.owner = this;
        output.refill = refill;
    }
    const ListKernelInput input{grid.view(), x, static_cast<std::uint32_t>(n)};
    const ListKernels kernels = list_kernels();
    parallel_for(clusters_.size(), clusters_per_task, [&](Range r) {
        kernels.build(input, &clusters_[r.first], clusters_.data() + r.last,
                      outputs[static_cast<std::size_t>(thread_index())]);
    });
    chunk_pointers_.clear();
    for (const auto& chunk : chunks_)
        chunk_pointers_.push_back(chunk.data());
}

void ClusterLists::clear() {
    clusters_ = Buffer<Cluster>("clusters");
    leaf_clusters_ = std::vector<std::uint32_t>();
    chunks_ = std::vector<Buffer<std::uint32_t>>();
    chunk_pointers_ = std::vector<const std::uint32_t*>();
    chunks_used_ = 0;
}

void ClusterLists::cut_clusters(const LeafGrid& grid, const Float4* x) {
    const std::span<const Leaf> leaves = grid.leaves();
    SPINDRIFT_CHECK(leaves.size() < (1u << 24));
    leaf_clusters_.assign(leaves.size() + 1, 0);
    parallel_for(leaves.size(), 64, [&](Range range) {
        for (std::size_t leaf : range) {
            for_each_cluster(grid.view(), leaves[leaf], x,
                             [&](std::uint32_t, std::uint32_t) { leaf_clusters_[leaf + 1] += 1; });
        }
    });
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        leaf_clusters_[leaf + 1] += leaf_clusters_[leaf];

    clusters_.resize(leaf_clusters_.back());
    parallel_for(leaves.size(), 64, [&](Range range) {
        for (std::size_t leaf : range) {
            Cluster* out = clusters_.data() + leaf_clusters_[leaf];
            for_each_cluster(grid.view(), leaves[leaf], x, [&](std::uint32_t first, std::uint32_t count) {
                *out++ = {first, 0, 0, static_cast<std::uint32_t>(leaf), count, 0, 0, 0};
            });
        }
    });
}

void ClusterLists::refill(ListOutput& output, std::uint32_t needed) {
    constexpr std::uint32_t entries = 1u << list_chunk_bits;
    if (needed > entries) {
        throw DivergedError(fmt::format("{} particles have piled up within one support radius", needed));
    }
    ClusterLists& lists = *static_cast<ClusterLists*>(output.owner);
    const std::lock_guard lock(lists.mutex_);
    if (lists.chunks_used_ == lists.chunks_.size()) {
        if (lists.chunks_.size() == 1u << (32 - list_chunk_bits)) {
            throw OutOfMemoryError("neighbour lists would need more than 16 GB: particles have piled up");
        }
        lists.chunks_.emplace_back("neighbour lists").resize(entries);
    }
    const auto chunk = static_cast<std::uint32_t>(lists.chunks_used_++);
    output.data = lists.chunks_[chunk].data();
    output.base = chunk << list_chunk_bits;
    output.used = 0;
    output.capacity = entries;
}

}  // namespace spindrift::neighbors
