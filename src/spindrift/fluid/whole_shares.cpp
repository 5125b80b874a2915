// Shares after an exchange whose sums floats have rounded: whole again, and none lost.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spindrift/core/parallel.h"
#include "spindrift/fluid/concentrations.h"

namespace spindrift::fluid {

namespace {

constexpr double quanta = 1 / static_cast<double>(share_quantum);

using Totals = std::array<std::int64_t, most_components>;

std::int64_t quanta_of(float share) {
    return static_cast<std::int64_t>(static_cast<double>(share) * quanta);
}

/// Whole numbers: the same in any order.
template <class ShareOf>
Totals total_of(std::size_t particles, std::size_t components, const ShareOf& share_of) {
    return parallel_reduce(
        particles, default_chunk, Totals{},
        [&](Range range) {
            Totals sum{};
            for (const std::size_t i : range) {
                for (std::size_t k = 0; k < components; ++k)
                    sum[k] += quanta_of(share_of(i, k));
            }
            return sum;
        },
        [](Totals a, const Totals& b) {
            for (std::size_t k = 0; k < a.size(); ++k)
                a[k] += b[k];
            return a;
        });
}

/// Changes what one particle has by at most `most` quanta of each component, towards what is missing.
void give_back(Concentrations& shares, std::size_t i, std::size_t components, std::int64_t most, Totals& missing) {
    for (std::size_t from = 0; from < components; ++from) {
        for (std::size_t to = 0; to < components && missing[from] < 0; ++to) {
            if (missing[to] <= 0) continue;
            const std::int64_t moved = std::min({most, -missing[from], missing[to], quanta_of(shares.share(i, from))});
            const float amount = static_cast<float>(static_cast<double>(moved) / quanta);
            shares.share(i, from) -= amount;
            shares.share(i, to) += amount;
            missing[from] += moved;
            missing[to] -= moved;
        }
    }
}

}  // namespace

void make_whole(Concentrations& shares, std::size_t components, const SharesBefore* before) {
    const std::size_t n = shares.size();
    parallel_for(n, [&](Range range) {
        for (const std::size_t i : range) {
            std::array<double, most_components> parts{};
            for (std::size_t k = 0; k < components; ++k)
                parts[k] = static_cast<double>(shares.share(i, k));
            const Shares whole = whole_shares({parts.data(), components});
            for (std::size_t k = 0; k < components; ++k)
                shares.share(i, k) = whole[k];
        }
    });
    if (!before) return;
    Totals missing = total_of(n, components, [&](std::size_t i, std::size_t k) { return (*before)(i, k); });
    const Totals now = total_of(n, components, [&](std::size_t i, std::size_t k) { return shares.share(i, k); });
    std::int64_t largest = 0;
    for (std::size_t k = 0; k < components; ++k) {
        missing[k] -= now[k];
        largest = std::max(largest, std::abs(missing[k]));
    }
    // Evenly over all, as nearly as whole numbers allow; what does not fit there goes to the first who have room.
    for (std::int64_t most = largest / std::max<std::int64_t>(1, static_cast<std::int64_t>(n)) + 1; largest > 0;
         most *= 2) {
        for (std::size_t i = 0; i < n; ++i)
            give_back(shares, i, components, most, missing);
        largest = std::abs(*std::ranges::max_element(missing, {}, [](std::int64_t q) { return std::abs(q); }));
    }
}

}  // namespace spindrift::fluid
