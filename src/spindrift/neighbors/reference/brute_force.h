#pragma once
// Every particle against every other: the oracle of the other searches.
//
//   BruteForce search;
//   search.build(x, h);                          // keeps the view: x must live on
//   PairLists lists = list_pairs(search);
//
// Source     the definition of a neighbour
// Equations  r2 = |x_i - x_j|^2 < h^2, i != j
// Differs    nothing
// Symbols    x positions, h support radius

#include "spindrift/core/channel.h"
#include "spindrift/neighbors/reference/pair_lists.h"

namespace spindrift::neighbors::reference {

class BruteForce {
  public:
    void build(ConstChannel<Vec3f> x, float h) {
        x_ = x;
        h2_ = h * h;
    }
    std::size_t size() const { return x_.size(); }

    template <class Visit>
    void for_each_pair(Visit&& visit) const {
        const auto n = static_cast<std::uint32_t>(x_.size());
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = 0; j < n; ++j) {
                const float r2 = distance_squared(x_[i], x_[j]);
                if (r2 < h2_ && i != j) visit(i, j, r2);
            }
        }
    }

  private:
    ConstChannel<Vec3f> x_;
    float h2_ = 0;
};

}  // namespace spindrift::neighbors::reference
