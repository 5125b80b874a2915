#pragma once
// A ball with the weight (1 - r^2)^3 that a plane cuts: how much of it is on one side, and where that part's centre of
// mass is. t is the plane's distance from the centre, 1 where the ball lies before it and -1 where it lies behind.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace spindrift::whitewater {

/// Integral of (1 - s^2)^4 from t to 1: the weight of discs.
constexpr double half_space_sum(double t) {
    const auto whole = [](double s) {
        const double q = s * s;
        return s * (1 - q * (4.0 / 3 - q * (6.0 / 5 - q * (4.0 / 7 - q / 9))));
    };
    return whole(1) - whole(t);
}

/// Share of the ball that is full.
constexpr double half_space_share(double t) {
    return half_space_sum(t) / half_space_sum(-1);
}

/// Distance of the full part's centre of mass from the ball's centre.
constexpr double half_space_mean(double t) {
    const double q = 1 - t * t, sum = half_space_sum(t);
    return sum > 1e-12 ? q * q * q * q * q / 10 / sum : 1;
}

/// t of a value that falls or grows with it, from a table.
class HalfSpaceTable {
  public:
    template <class Value>
    explicit HalfSpaceTable(const Value& value) {
        const bool grows = value(0.9) > value(-0.9);
        for (std::size_t i = 0; i < size; ++i) {
            const double wanted = static_cast<double>(i) / (size - 1);
            double lo = -1, hi = 1;
            for (int k = 0; k < 40; ++k) {
                const double middle = 0.5 * (lo + hi);
                ((value(middle) < wanted) == grows ? lo : hi) = middle;
            }
            t_[i] = static_cast<float>(0.5 * (lo + hi));
        }
    }
    float operator()(float value) const {
        const float at = std::clamp(value, 0.f, 1.f) * (size - 1);
        const auto i = std::min(static_cast<std::size_t>(at), size - 2);
        const float share = at - static_cast<float>(i);
        return t_[i] * (1 - share) + t_[i + 1] * share;
    }

  private:
    static constexpr std::size_t size = 513;
    std::array<float, size> t_{};
};

}  // namespace spindrift::whitewater
