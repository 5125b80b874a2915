#pragma once
// Neighbour lists as loops read them, and as kernels write them; cluster_lists.h makes them.
//
//   for (const Cluster& c : clusters) for (std::uint32_t k = 0; k < c.list_size; ++k) ... view.list(c)[k] ...

#include <cstddef>
#include <cstdint>

namespace spindrift::neighbors {

inline constexpr int cluster_size = 8;
inline constexpr std::uint32_t list_piece = 1u << 19;  ///< entries that a thread takes at a time; no list is longer
inline constexpr std::size_t clusters_per_task = 64;

struct Cluster {
    std::uint32_t first;      ///< first particle
    std::uint32_t list;       ///< where its list begins among all entries
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
    const std::uint32_t* entries;

    const std::uint32_t* list(const Cluster& c) const { return entries + c.list; }
    /// Of a cluster that crosses.
    SegmentWalk segments(const Cluster& c) const { return SegmentWalk(list(c) + c.list_size); }
};

/// Where a task writes lists: the rest of a piece.
struct ListOutput {
    std::uint32_t* data = nullptr;
    std::uint32_t base = 0, used = 0, capacity = 0;
    void* owner = nullptr;
    /// Gives room for `needed` entries.
    void (*refill)(ListOutput& output, std::uint32_t needed) = nullptr;
};

}  // namespace spindrift::neighbors
