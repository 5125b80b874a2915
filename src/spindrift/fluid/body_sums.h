#pragma once
// What cells or nodes give to each body, as sums that do not depend on how leaves are cut into ranges: in order within
// a leaf, exactly over leaves.
//
//   TwistSums sums(bodies);
//   for (const Cell& cell : cells) sums.add(cell.leaf, cell.body, impulse);        // cells of a leaf follow each other
//   sums.add_to(impulses);

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "spindrift/core/exact_sum.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::fluid {

template <std::size_t count>
class BodySums {
  public:
    using Numbers = std::array<double, count>;

    explicit BodySums(std::size_t bodies) : bodies_(bodies) {}

    void add(std::size_t leaf, std::size_t body, const Numbers& part) {
        std::vector<Part>& parts = bodies_[body];
        if (parts.empty() || parts.back().leaf != leaf) parts.push_back({leaf, {}});
        for (std::size_t k = 0; k < count; ++k)
            parts.back().sum[k] += part[k];
    }
    Numbers total(std::size_t body) const {
        Numbers totals{};
        ExactSum sum;
        for (std::size_t k = 0; k < count && !bodies_[body].empty(); ++k) {
            sum.clear();
            for (const Part& part : bodies_[body])
                sum.add(part.sum[k]);
            totals[k] = sum.value();
        }
        return totals;
    }

  private:
    struct Part {
        std::size_t leaf;
        Numbers sum;
    };
    std::vector<std::vector<Part>> bodies_;
};

constexpr std::array<double, 6> numbers_of(const Twist& t) {
    return {t.linear.x, t.linear.y, t.linear.z, t.angular.x, t.angular.y, t.angular.z};
}

class TwistSums {
  public:
    explicit TwistSums(std::size_t bodies) : sums_(bodies) {}

    void add(std::size_t leaf, std::size_t body, const Twist& part) { sums_.add(leaf, body, numbers_of(part)); }
    /// Adds the sums to `to`, which has one for each body.
    void add_to(std::span<Twist> to) const {
        for (std::size_t body = 0; body < to.size(); ++body) {
            const auto [x, y, z, turn_x, turn_y, turn_z] = sums_.total(body);
            to[body] += {{x, y, z}, {turn_x, turn_y, turn_z}};
        }
    }

  private:
    BodySums<6> sums_;
};

}  // namespace spindrift::fluid
