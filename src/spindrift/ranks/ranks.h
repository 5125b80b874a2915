#pragma once
// Who works on one simulation together: ranks, each with a range of the leaves' keys. Solvers call these functions
// wherever they need something of other ranks; one that is alone has everything and gets nothing.
//
//   ranks::Ranks& ranks = ranks::alone();
//   ExactSum mass = sum_of_own_particles();
//   ranks.sum({&mass, 1});                                    // now of all ranks, the same bits on each
//
// All ranks make the same calls in the same order, from one thread each.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/exact_sum.h"

namespace spindrift::ranks {

/// Bytes for another rank, or from it.
struct Message {
    int rank = 0;
    std::vector<std::byte> bytes{};
};

class Ranks {
  public:
    virtual ~Ranks() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    bool is_alone() const { return size() == 1; }

    /// Sends at most one message to each of some other ranks and returns what those sent here, ascending by rank.
    virtual std::vector<Message> exchange(std::vector<Message> out) = 0;

    /// Over all ranks: sums, which are exact and so the same for any number of ranks,
    virtual void sum(std::span<ExactSum> values);
    virtual void sum(std::span<std::uint64_t> counts);
    /// largest numbers, of which NaN is the largest,
    virtual void most(std::span<double> values);
    /// and bits that are set on any of them.
    virtual void any(std::span<std::uint64_t> bits);

  private:
    template <class T, class Combine>
    void combine(std::span<T> values, const Combine& combine);
};

/// The only rank there is.
Ranks& alone();

/// As spindrift::exact_sums, over the items of all ranks.
template <std::size_t count, class Body>
std::array<double, count> exact_sums(Ranks& ranks, std::size_t n, std::size_t chunk, const Body& body) {
    std::array<ExactSum, count> sums = add_items<count>(n, chunk, body);
    ranks.sum(sums);
    return rounded(sums);
}

}  // namespace spindrift::ranks
