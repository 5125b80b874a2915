#include "spindrift/neighbors/reference/cell_order.h"

#include <bit>
#include <stdexcept>
#include <utility>

#include "spindrift/core/errors.h"

namespace spindrift::neighbors::reference {
namespace {

// 2048 counters and as many open cache lines fit the first two cache levels.
constexpr int max_digit_bits = 11;

}  // namespace

void radix_sort(std::vector<std::uint64_t>& items, std::vector<std::uint64_t>& scratch, int first_bit, int last_bit) {
    const int passes = (last_bit - first_bit + max_digit_bits - 1) / max_digit_bits;
    if (passes == 0) return;
    const int digit_bits = (last_bit - first_bit + passes - 1) / passes;
    const std::size_t digits = std::size_t{1} << digit_bits;
    const auto digit = [&](std::uint64_t item, int pass) {
        return static_cast<std::size_t>(item >> (first_bit + pass * digit_bits)) & (digits - 1);
    };

    // Count the digits of all passes in one reading.
    std::vector<std::uint32_t> start(digits * static_cast<std::size_t>(passes));
    for (const std::uint64_t item : items) {
        for (int pass = 0; pass < passes; ++pass)
            ++start[static_cast<std::size_t>(pass) * digits + digit(item, pass)];
    }

    scratch.resize(items.size());
    for (int pass = 0; pass < passes; ++pass) {
        std::uint32_t* next = start.data() + static_cast<std::size_t>(pass) * digits;
        for (std::uint32_t d = 0, sum = 0; d < digits; ++d)
            sum += std::exchange(next[d], sum);
        for (const std::uint64_t item : items)
            scratch[next[digit(item, pass)]++] = item;
        items.swap(scratch);
    }
}

int place_bits(const CellGrid& grid, std::size_t n) {
    const int bits = std::bit_width(n);
    if (bits + grid.key_bits() > 64) {
        throw std::length_error("the particles are spread over too many cells of the support radius");
    }
    return bits;
}

void CellOrder::sort(const CellGrid& grid, ConstChannel<Vec3f> x) {
    place_bits_ = place_bits(grid, x.size());
    items_.resize(x.size());
    for (std::size_t p = 0; p < x.size(); ++p) {
        SPINDRIFT_ASSERT(grid.contains(x[p]));
        items_[p] = grid.key(x[p]) << place_bits_ | p;
    }
    radix_sort(items_, scratch_, place_bits_, place_bits_ + grid.key_bits());
}

}  // namespace spindrift::neighbors::reference
