#pragma once
// Values of an array that other ranks read, and places in it for those of others: [below][owned][above].
//
//   Halo halo(ranks);
//   halo.add(2, {5, 6}, {0, 0});                    // rank 2 wants items 5 and 6, and nothing comes from there
//   halo.refresh(values);                           // the owners' values are in all ghosts now

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/ranks/ranks.h"

namespace spindrift::ranks {

class Halo {
  public:
    explicit Halo(Ranks& ranks = alone()) : ranks_(&ranks) {}

    void clear() { peers_.clear(); }
    /// What another rank wants, and where its items are here. One call for each rank that either is true of.
    void add(int rank, std::vector<std::uint32_t> give, Range take);

    /// Whoever owns a value gives it to those who have a ghost of it. All ranks call it together.
    template <class T>
    void refresh(T* values) const {
        refresh_part(reinterpret_cast<std::byte*>(values), sizeof(T), sizeof(T));
    }
    /// The same for one member of the values.
    template <class T, class Member>
    void refresh(T* values, Member T::*member) const {
        if (ranks_->is_alone()) return;
        refresh_part(reinterpret_cast<std::byte*>(&(values->*member)), sizeof(Member), sizeof(T));
    }

  private:
    struct Peer {
        int rank;
        std::vector<std::uint32_t> give;
        Range take;
    };

    void refresh_part(std::byte* first, std::size_t bytes, std::size_t stride) const;

    Ranks* ranks_;
    std::vector<Peer> peers_;
};

}  // namespace spindrift::ranks
