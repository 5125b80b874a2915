#include "spindrift/neighbors/cluster_lists.h"

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/neighbors/list_kernels.h"

namespace spindrift::neighbors {

namespace {

/// Lists begin at 32-bit places.
constexpr std::size_t most_entries = std::size_t{1} << 32;

struct Output : ListOutput {
    std::vector<std::uint32_t> nowhere{};
};

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
    for (write_lists(grid, x, n); pieces_wanted_ * list_piece > entries_.size(); write_lists(grid, x, n)) {
        // There was not room for all, and now it is known how much they need; some more, since liquids spread slowly
        // and threads share the work differently the next time.
        const std::size_t pieces = pieces_wanted_ + std::max<std::size_t>(1, pieces_wanted_ / 8);
        entries_.renew(std::min(pieces * list_piece, most_entries));
    }
}

/// Each thread fills a piece of the memory after the other: where a list lies depends on the threads, what it holds
/// does not. Without room left, lists are written to nowhere and pieces are only counted.
void ClusterLists::write_lists(const LeafGrid& grid, const Float4* x, std::size_t n) {
    pieces_wanted_ = 0;
    std::vector<Output> outputs(static_cast<std::size_t>(thread_count()));
    for (Output& output : outputs) {
        output.owner = this;
        output.refill = refill;
    }
    const ListKernelInput input{grid.view(), x, static_cast<std::uint32_t>(n)};
    const ListKernels kernels = list_kernels();
    parallel_for(clusters_.size(), clusters_per_task, [&](Range r) {
        kernels.build(input, &clusters_[r.first], clusters_.data() + r.last,
                      outputs[static_cast<std::size_t>(thread_index())]);
    });
}

void ClusterLists::clear() {
    clusters_ = Buffer<Cluster>("clusters");
    leaf_clusters_ = std::vector<std::uint32_t>();
    entries_.release();
}

void ClusterLists::cut_clusters(const LeafGrid& grid, const Float4* x) {
    const std::span<const Leaf> leaves = grid.leaves();
    SPINDRIFT_CHECK(leaves.size() < (1u << 24));
    leaf_clusters_.assign(leaves.size() + 1, 0);
    const Range owned = grid.owned_leaves();
    parallel_for(owned.size(), 64, [&](Range range) {
        for (const std::size_t k : range) {
            const std::size_t leaf = owned.first + k;
            for_each_cluster(grid.view(), leaves[leaf], x,
                             [&](std::uint32_t, std::uint32_t) { leaf_clusters_[leaf + 1] += 1; });
        }
    });
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        leaf_clusters_[leaf + 1] += leaf_clusters_[leaf];

    clusters_.resize(leaf_clusters_.back());
    parallel_for(owned.size(), 64, [&](Range range) {
        for (const std::size_t k : range) {
            const std::size_t leaf = owned.first + k;
            Cluster* out = clusters_.data() + leaf_clusters_[leaf];
            for_each_cluster(grid.view(), leaves[leaf], x, [&](std::uint32_t first, std::uint32_t count) {
                *out++ = {first, 0, 0, static_cast<std::uint32_t>(leaf), count, 0, 0, 0};
            });
        }
    });
}

void ClusterLists::refill(ListOutput& output, std::uint32_t needed) {
    if (needed > list_piece) {
        throw DivergedError(fmt::format("{} particles have piled up within one support radius", needed));
    }
    ClusterLists& lists = *static_cast<ClusterLists*>(output.owner);
    const std::size_t first = lists.pieces_wanted_++ * list_piece;
    if (first >= most_entries) {
        throw OutOfMemoryError("neighbour lists would need more than 16 GB: particles have piled up");
    }
    output.base = static_cast<std::uint32_t>(first);
    output.used = 0;
    output.capacity = list_piece;
    if (first + list_piece <= lists.entries_.size()) {
        output.data = lists.entries_.data() + first;
        return;
    }
    std::vector<std::uint32_t>& nowhere = static_cast<Output&>(output).nowhere;
    nowhere.resize(list_piece);
    output.data = nowhere.data();
}

}  // namespace spindrift::neighbors
