#pragma once
// What every reference search reports, in two forms: lists to compare and a sum to time.
//
//   CellSort search;
//   search.build(x, h);
//   PairLists lists = list_pairs(search);        // neighbours of i: lists.of(i)
//   PairSum sum = sum_pairs(search);             // the same walk, nothing stored
//
// A search has `size()` and `for_each_pair(visit)`, which calls visit(i, j, r2) once for every ordered pair i != j with
// r2 < h * h. All of them use distance_squared() below, so their sets of pairs agree to the last bit.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::neighbors::reference {

/// The same value for (a, b) and (b, a). If it is below h * h, no coordinate of a - b reaches h, in exact arithmetic:
/// rounding is monotone. Searches by cells of edge h rely on that.
inline float distance_squared(Vec3f a, Vec3f b) {
    const Vec3f d = a - b;
    return dot(d, d);
}

/// Neighbours of particle i are neighbours[first[i]] up to neighbours[first[i + 1]], ascending.
struct PairLists {
    std::vector<std::uint32_t> first, neighbours;

    std::span<const std::uint32_t> of(std::size_t i) const {
        return {neighbours.data() + first[i], neighbours.data() + first[i + 1]};
    }
    friend bool operator==(const PairLists&, const PairLists&) = default;
};

template <class Search>
PairLists list_pairs(const Search& search) {
    PairLists lists;
    lists.first.assign(search.size() + 1, 0);
    search.for_each_pair([&](std::uint32_t i, std::uint32_t, float) { ++lists.first[i + 1]; });
    for (std::size_t i = 0; i < search.size(); ++i)
        lists.first[i + 1] += lists.first[i];

    lists.neighbours.resize(lists.first.back());
    std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
    search.for_each_pair([&](std::uint32_t i, std::uint32_t j, float) { lists.neighbours[next[i]++] = j; });
    for (std::size_t i = 0; i < search.size(); ++i) {
        std::sort(lists.neighbours.begin() + lists.first[i], lists.neighbours.begin() + lists.first[i + 1]);
    }
    return lists;
}

struct PairSum {
    std::uint64_t pairs = 0;
    double r2 = 0;
};

template <class Search>
PairSum sum_pairs(const Search& search) {
    PairSum sum;
    search.for_each_pair([&](std::uint32_t, std::uint32_t, float r2) {
        ++sum.pairs;
        sum.r2 += static_cast<double>(r2);
    });
    return sum;
}

}  // namespace spindrift::neighbors::reference
