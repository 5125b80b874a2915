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
#include <mutex>
#include <span>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::neighbors {

inline constexpr int cluster_size = 8;
inline constexpr std::uint32_t list_chunk_bits = 19;  ///< a chunk of list memory holds this power of two of entries
inline constexpr std::size_t clusters_per_task = 64;

struct Cluster {
    std::uint32_t first;      ///< first particle
    std::uint32_t list;       ///< where its list begins: chunk in the high bits, entry in the low ones
    std::uint32_t list_size;  ///< entries, padding included
    std::uint32_t leaf : 24;  ///< low bits of its leaf's index; only used while lists are built
    std::uint32_t count : 4;  ///< particles, 1 to 8
    std::uint32_t near_wall : 1;
    std::uint32_t mixed : 1;    ///< another liquid is in the cluster or in its lists; for the solver to mark
    std::uint32_t crosses : 1;  ///< neighbours of other radii follow the list
};

/// Neighbours of another radius.
struct Segment {
    std::uint32_t resolution;  ///< class
    std::uint32_t size;        ///< entries, padding included
    const std::uint32_t* list;
};

/// Walks the segments behind a cluster's list: their number, then class, size and entries of each.
class SegmentWalk {
  public:
    explicit SegmentWalk(const std::uint32_t* at) : at_(at + 1), left_(*at) {}

    bool next(Segment& segment) {
        if (left_ == 0) return false;
        segment = {at_[0], at_[1], at_ + 2};
        at_ += 2 + at_[1];
        left_ -= 1;
        return true;
    }

  private:
    const std::uint32_t* at_;
    std::uint32_t left_;
};

/// What pair loops need.
struct ListView {
    const Cluster* clusters;
    const std::uint32_t* const* chunks;

    const std::uint32_t* list(const Cluster& c) const {
        return chunks[c.list >> list_chunk_bits] + (c.list & ((1u << list_chunk_bits) - 1));
    }
    /// Of a cluster that crosses.
    SegmentWalk segments(const Cluster& c) const { return SegmentWalk(list(c) + c.list_size); }
};

class ClusterLists {
  public:
    /// Cuts the sorted particles into clusters and finds their neighbours. x has n particles, at index n one far away,
    /// and cluster_size entries behind the last particle that may be read. Particles may have moved a little since the
    /// sort (Leaf::moved). Throws DivergedError when particles have piled up so that a list would not fit.
    void build(const LeafGrid& grid, const Float4* x, std::size_t n);

    /// Forgets everything and gives its memory back.
    void clear();

    std::span<const Cluster> clusters() const { return {clusters_.data(), clusters_.size()}; }
    std::span<Cluster> clusters() { return {clusters_.data(), clusters_.size()}; }
    ListView view() const { return {clusters_.data(), chunk_pointers_.data()}; }
    std::span<const std::uint32_t> neighbors(const Cluster& c) const { return {view().list(c), c.list_size}; }

    /// Where a task writes lists: the rest of one chunk. For the kernels.
    struct Output {
        std::uint32_t* data = nullptr;
        std::uint32_t base = 0, used = 0, capacity = 0;
        ClusterLists* owner = nullptr;
    };
    static void refill(Output& output, std::uint32_t needed);

  private:
    void cut_clusters(const LeafGrid& grid, const Float4* x);

    Buffer<Cluster> clusters_{"clusters"};
    std::vector<std::uint32_t> leaf_clusters_;
    std::vector<Buffer<std::uint32_t>> chunks_;
    std::vector<const std::uint32_t*> chunk_pointers_;
    std::size_t chunks_used_ = 0;
    std::mutex mutex_;
};

}  // namespace spindrift::neighbors
