#pragma once
// Sums of doubles that are rounded once, at the end: any order and any grouping of the numbers gives the same bits.
//
// Source: Kulisch 1971, the long accumulator, with carries that wait (Collange et al. 2015). A number is cut into
// pieces of 32 bits that are added to 64-bit integers: integer additions commute, so parts of a sum may come from
// anywhere.
//
//   ExactSum sum;
//   for (double value : values) sum.add(value);
//   double total = sum.value();
//   double again = exact_total(values);                     // the same

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/parallel.h"

namespace spindrift {

class ExactSum {
  public:
    void add(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7ff);
        if (exponent == 0x7ff) return add_special(value);
        const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << 52;
        const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | hidden;
        const unsigned place = exponent == 0 ? 0 : exponent - 1, shift = place & 31;
        const std::uint64_t low = mantissa << shift, high = shift == 0 ? 0 : mantissa >> (64 - shift);
        const std::size_t first = place >> 5;
        first_ = std::min(first_, first);
        end_ = std::max(end_, first + 3);
        std::int64_t* const limb = &limbs_[first];
        const std::int64_t sign = 1 - 2 * static_cast<std::int64_t>(bits >> 63);
        limb[0] += sign * static_cast<std::int64_t>(low & 0xffffffff);
        limb[1] += sign * static_cast<std::int64_t>(low >> 32);
        limb[2] += sign * static_cast<std::int64_t>(high);
        if (++pending_ >= most_pending) carry();
    }
    ExactSum& operator+=(const ExactSum& other);

    /// The sum, rounded to the nearest double; infinite or NaN as the plain sum would be.
    double value() const;
    /// Begins anew.
    void clear();

  private:
    /// Bit 0 of the first limb is worth 2^-1074; the top ones hold what the sum of very many numbers has beyond 2^1024.
    static constexpr std::size_t limb_count = 68;
    /// Additions after which a limb could be full.
    static constexpr std::uint32_t most_pending = 1u << 30;

    void add_special(double value);
    void carry();

    std::array<std::int64_t, limb_count> limbs_{};
    std::size_t first_ = limb_count, end_ = 0;          ///< limbs that are not known to be zero
    std::int64_t infinite_[2] = {}, not_a_number_ = 0;  ///< how many there were, by sign
    std::uint32_t pending_ = 0;
};

/// Adds the values to a sum.
void add_exactly(std::span<const double> values, ExactSum& sum);
/// The exact sum of the values, rounded once.
double exact_total(std::span<const double> values);

template <std::size_t count>
std::array<double, count> rounded(const std::array<ExactSum, count>& sums) {
    std::array<double, count> totals;
    for (std::size_t k = 0; k < count; ++k)
        totals[k] = sums[k].value();
    return totals;
}

/// Sums of what body(item) says of each of n items, an array of numbers: exact, so that any cut of the items into
/// ranges gives the same bits. An item is a leaf or a block, whose own sum is in a fixed order.
template <std::size_t count, class Body>
std::array<ExactSum, count> add_items(std::size_t n, std::size_t chunk, const Body& body) {
    std::vector<double> values(count * n);
    parallel_for(n, chunk, [&](Range range) {
        for (const std::size_t item : range) {
            const std::array<double, count> own = body(item);
            for (std::size_t k = 0; k < count; ++k)
                values[k * n + item] = own[k];
        }
    });
    std::array<ExactSum, count> sums;
    for (std::size_t k = 0; k < count; ++k)
        add_exactly({values.data() + k * n, n}, sums[k]);
    return sums;
}

template <std::size_t count, class Body>
std::array<double, count> exact_sums(std::size_t n, std::size_t chunk, const Body& body) {
    return rounded(add_items<count>(n, chunk, body));
}

/// The same as exact_sums() for items that are too many to keep a number of each, as particles: slower, some
/// nanoseconds for each number that is not zero.
template <std::size_t count, class Body>
std::array<double, count> exact_item_sums(std::size_t n, const Body& body) {
    using Sums = std::array<ExactSum, count>;
    constexpr std::size_t chunk = 1 << 16;
    const Sums sums = parallel_reduce(
        n, chunk, Sums{},
        [&](Range range) {
            Sums part{};
            for (const std::size_t item : range) {
                const std::array<double, count> own = body(item);
                for (std::size_t k = 0; k < count; ++k) {
                    if (own[k] != 0) part[k].add(own[k]);
                }
            }
            return part;
        },
        [](Sums a, const Sums& b) {
            for (std::size_t k = 0; k < count; ++k)
                a[k] += b[k];
            return a;
        });
    return rounded(sums);
}

template <class Body>
double exact_sum(std::size_t n, std::size_t chunk, const Body& body) {
    return exact_sums<1>(n, chunk, [&](std::size_t item) { return std::array<double, 1>{body(item)}; })[0];
}

}  // namespace spindrift
