#pragma once
// Which rank has which leaves: ranges of their keys.
//
//   Cuts cuts{{0, key_a, key_b}};             // three ranks: [0, a), [a, b) and [b, ...)
//   cuts.owner(leaf_key(coord));

#include <algorithm>
#include <cstdint>
#include <vector>

namespace spindrift::ranks {

struct Cuts {
    std::vector<std::uint64_t> first_keys{};  ///< of each rank, ascending; none: one rank has all

    int owner(std::uint64_t key) const {
        const auto behind = std::upper_bound(first_keys.begin(), first_keys.end(), key);
        return std::max(0, static_cast<int>(behind - first_keys.begin()) - 1);
    }
};

}  // namespace spindrift::ranks
