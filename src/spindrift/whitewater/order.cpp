#include "spindrift/whitewater/order.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/cell_within.h"
#include "spindrift/whitewater/radix.h"

namespace spindrift::whitewater {

namespace {

bool is_alive(const Particles& all, std::size_t i) {
    return all.age[i] < all.life[i];
}

Vec3i cell_of(Vec3f x, float per_cell) {
    return cell_within(x, per_cell, 1e9f);
}

Vec3i leaf_of(Vec3i cell) {
    return {cell.x >> 3, cell.y >> 3, cell.z >> 3};
}

struct Bounds {
    Vec3i lo{1 << 30, 1 << 30, 1 << 30}, hi{-(1 << 30), -(1 << 30), -(1 << 30)};

    void add(const Bounds& other) {
        for (int a = 0; a < 3; ++a) {
            lo[a] = std::min(lo[a], other.lo[a]);
            hi[a] = std::max(hi[a], other.hi[a]);
        }
    }
};

/// Numbers of places: leaves row by row, and within a leaf cells.
class Places {
  public:
    Places(const Particles& all, float cell) : per_cell_(1 / cell) {
        const Bounds bounds = parallel_reduce(
            all.size(), default_chunk, Bounds{},
            [&](Range range) {
                Bounds own;
                for (const std::size_t i : range) {
                    if (!is_alive(all, i)) continue;
                    const Vec3i leaf = leaf_of(cell_of(all.x[i], per_cell_));
                    own.add({leaf, leaf});
                }
                return own;
            },
            [](Bounds a, const Bounds& b) {
                a.add(b);
                return a;
            });
        lo_ = bounds.lo;
        for (int a = 0; a < 3; ++a)
            bits_[a] = std::bit_width(static_cast<std::uint64_t>(
                std::max<std::int64_t>(0, std::int64_t{bounds.hi[a]} - std::int64_t{bounds.lo[a]})));
        // Where 30 bits are too few for all leaves, several count as one: they are far apart, and few of them have any.
        for (; bits() > 30; ++coarser_) {
            for (int a = 0; a < 3; ++a)
                bits_[a] = std::max(0, bits_[a] - 1);
        }
        has_cells_ = bits() <= 21;
    }

    /// Below two to the power of bits().
    std::uint32_t number(Vec3f x) const {
        const Vec3i cell = cell_of(x, per_cell_), leaf = leaf_of(cell);
        std::uint32_t number = 0;
        for (int a = 2; a >= 0; --a)
            number = number << bits_[a] | static_cast<std::uint32_t>(leaf[a] - lo_[a]) >> coarser_;
        if (!has_cells_) return number;
        return number << 9 | static_cast<std::uint32_t>((cell.z & 7) << 6 | (cell.y & 7) << 3 | (cell.x & 7));
    }
    int bits() const { return bits_.x + bits_.y + bits_.z + (has_cells_ ? 9 : 0); }

  private:
    float per_cell_;
    Vec3i lo_{}, bits_{};
    int coarser_ = 0;
    bool has_cells_ = false;
};

}  // namespace

Buffer<std::uint32_t> order_of(const Particles& all, float cell) {
    const Places places(all, cell);
    const int bits = places.bits();
    constexpr std::size_t piece = 8192;
    std::vector<std::size_t> place(chunk_count(all.size(), piece) + 1);
    parallel_for(place.size() - 1, 1, [&](Range range) {
        for (const std::size_t p : range) {
            for (const std::size_t i : chunk_range(p, all.size(), piece))
                place[p + 1] += is_alive(all, i);
        }
    });
    std::partial_sum(place.begin(), place.end(), place.begin());
    // A number to sort by above the number of the particle.
    Buffer<std::uint64_t> keys("whitewater");
    keys.resize(place.back());
    parallel_for(place.size() - 1, 1, [&](Range range) {
        for (const std::size_t p : range) {
            std::size_t at = place[p];
            for (const std::size_t i : chunk_range(p, all.size(), piece)) {
                if (!is_alive(all, i)) continue;
                const std::uint64_t number = static_cast<std::uint64_t>(all.kind[i]) << bits | places.number(all.x[i]);
                keys[at++] = number << 32 | i;
            }
        }
    });
    sort_by_bits(keys, bits + 2, [](std::uint64_t key) { return key >> 32; });
    Buffer<std::uint32_t> order("whitewater");
    order.resize(keys.size());
    parallel_for(keys.size(), [&](Range range) {
        for (const std::size_t k : range)
            order[k] = static_cast<std::uint32_t>(keys[k]);
    });
    return order;
}

}  // namespace spindrift::whitewater
