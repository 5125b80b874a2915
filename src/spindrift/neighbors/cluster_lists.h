#pragma once
// Neighbour lists for clusters of up to eight consecutive particles of one row.
//
// A list holds every particle within h of any of the cluster's particles (themselves included), so a pair loop keeps
// eight particles in its lanes and walks one list: no gathers, no scatter, no atomics. Lists are padded to a multiple
// of four with the index of a particle that stands far away (see ParticleStore::padding). Measured against per-particle
// lists and list-free cells in docs/decisions/0001. A cluster holds particles of one support radius; neighbours of
// other radii follow in segments of their own, found within the larger of the two radii, so that both are loop
// constants.
//
//   ClusterLists lists;
//   lists.build(grid, x, n);
//   for (const Cluster& c : lists.clusters()) for (std::uint32_t j : lists.neighbors(c)) ...

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/neighbors/list_view.h"

namespace spindrift::neighbors {

class ClusterLists {
  public:
    /// Cuts the particles that the grid owns into clusters and finds their neighbours, ghosts among them. x has n
    /// particles in all, at index n one far away, and cluster_size entries behind the last particle that may be read.
    /// Particles may have moved a little since the sort (Leaf::moved). Throws DivergedError when particles have piled
    /// up so that a list would not fit.
    void build(const LeafGrid& grid, const Float4* x, std::size_t n);

    /// Forgets everything and gives its memory back.
    void clear();

    std::span<const Cluster> clusters() const { return {clusters_.data(), clusters_.size()}; }
    std::span<Cluster> clusters() { return {clusters_.data(), clusters_.size()}; }
    /// The clusters of a leaf.
    Range clusters_of(std::size_t leaf) const { return {leaf_clusters_[leaf], leaf_clusters_[leaf + 1]}; }
    std::size_t leaf_count() const { return leaf_clusters_.empty() ? 0 : leaf_clusters_.size() - 1; }
    ListView view() const { return {clusters_.data(), entries_.data()}; }
    std::span<const std::uint32_t> neighbors(const Cluster& c) const { return {view().list(c), c.list_size}; }

  private:
    static void refill(ListOutput& output, std::uint32_t needed);
    void cut_clusters(const LeafGrid& grid, const Float4* x);
    void write_lists(const LeafGrid& grid, const Float4* x, std::size_t n);

    Buffer<Cluster> clusters_{"clusters"};
    std::vector<std::uint32_t> leaf_clusters_;
    Buffer<std::uint32_t> entries_{"neighbour lists"};  ///< of all lists, in pieces that threads take
    std::atomic<std::size_t> pieces_wanted_ = 0;
};

}  // namespace spindrift::neighbors
