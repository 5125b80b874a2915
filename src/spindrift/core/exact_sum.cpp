#include "spindrift/core/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spindrift {

namespace {

/// So many values are added sooner than other threads wake up.
constexpr std::size_t values_per_task = 8192;

/// Bits of a magnitude that is cut into 32-bit limbs.
struct Magnitude {
    std::span<const std::int64_t> limbs;

    std::uint64_t bit(std::size_t place) const {
        return static_cast<std::uint64_t>(limbs[place / 32]) >> (place % 32) & 1;
    }
    /// The `count` bits from `first` on, at most 53.
    std::uint64_t bits(std::size_t first, std::size_t count) const {
        std::uint64_t out = 0;
        for (std::size_t k = 0; k < count; ++k)
            out |= bit(first + k) << k;
        return out;
    }
    bool any_below(std::size_t place) const {
        for (std::size_t k = 0; k < place / 32; ++k) {
            if (limbs[k] != 0) return true;
        }
        return (static_cast<std::uint64_t>(limbs[place / 32]) & ((std::uint64_t{1} << place % 32) - 1)) != 0;
    }
};

/// To the nearest, ties to even. The first bit is worth 2^-1074.
double rounded(const Magnitude& magnitude, std::size_t top) {
    constexpr std::size_t digits = 53;
    constexpr int lowest = -1074;
    if (top < digits) return std::ldexp(static_cast<double>(magnitude.bits(0, top + 1)), lowest);
    const std::size_t first = top + 1 - digits;
    std::uint64_t mantissa = magnitude.bits(first, digits);
    const bool half = magnitude.bit(first - 1) != 0;
    mantissa += half && (magnitude.any_below(first - 1) || (mantissa & 1) != 0);
    return std::ldexp(static_cast<double>(mantissa), static_cast<int>(first) + lowest);
}

}  // namespace

void ExactSum::add_special(double value) {
    if (std::isnan(value))
        not_a_number_ += 1;
    else
        infinite_[value < 0] += 1;
}

/// Afterwards all limbs but the last hold 32 bits without a sign.
void ExactSum::carry() {
    std::int64_t over = 0;
    for (std::size_t k = first_; k + 1 < limb_count && (k < end_ || over != 0); ++k) {
        const std::int64_t sum = limbs_[k] + over;
        limbs_[k] = sum & 0xffffffff;
        over = sum >> 32;
        end_ = std::max(end_, k + 1);
    }
    if (over != 0) {
        limbs_.back() += over;
        end_ = limb_count;
    }
    pending_ = 1;
}

ExactSum& ExactSum::operator+=(const ExactSum& other) {
    if (pending_ + other.pending_ >= most_pending) carry();
    for (std::size_t k = other.first_; k < other.end_; ++k)
        limbs_[k] += other.limbs_[k];
    first_ = std::min(first_, other.first_);
    end_ = std::max(end_, other.end_);
    for (int k = 0; k < 2; ++k)
        infinite_[k] += other.infinite_[k];
    not_a_number_ += other.not_a_number_;
    pending_ += other.pending_;
    return *this;
}

void ExactSum::clear() {
    if (first_ < end_) std::fill(limbs_.begin() + first_, limbs_.begin() + end_, 0);
    first_ = limb_count;
    end_ = 0;
    infinite_[0] = infinite_[1] = not_a_number_ = 0;
    pending_ = 0;
}

double ExactSum::value() const {
    if (not_a_number_ > 0 || (infinite_[0] > 0 && infinite_[1] > 0)) return std::numeric_limits<double>::quiet_NaN();
    if (infinite_[0] > 0) return std::numeric_limits<double>::infinity();
    if (infinite_[1] > 0) return -std::numeric_limits<double>::infinity();
    ExactSum sum = *this;
    sum.carry();
    const bool negative = sum.limbs_.back() < 0;
    if (negative) {
        for (std::int64_t& limb : sum.limbs_)
            limb = -limb;
        sum.carry();
    }
    std::size_t top = std::min(sum.end_, limb_count);
    while (top > 0 && sum.limbs_[top - 1] == 0)
        --top;
    if (top == 0) return 0;
    const int width = std::bit_width(static_cast<std::uint64_t>(sum.limbs_[top - 1]));
    const double size = rounded({sum.limbs_}, 32 * (top - 1) + static_cast<std::size_t>(width) - 1);
    return negative ? -size : size;
}

void add_exactly(std::span<const double> values, ExactSum& sum) {
    const auto add = [&](Range range) {
        ExactSum part;
        for (const std::size_t k : range)
            part.add(values[k]);
        return part;
    };
    if (values.size() <= values_per_task) {
        for (const double value : values)
            sum.add(value);
        return;
    }
    sum += parallel_reduce(values.size(), values_per_task, ExactSum{}, add, [](ExactSum a, const ExactSum& b) {
        a += b;
        return a;
    });
}

double exact_total(std::span<const double> values) {
    ExactSum sum;
    add_exactly(values, sum);
    return sum.value();
}

}  // namespace spindrift
