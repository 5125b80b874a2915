#pragma once
// Spatial hashing: a table of buckets addressed by a hash of the cell, over particles in whatever order they are.
//
//   SpatialHash search;
//   search.build(x, h);                          // keeps the view: x must live on
//   PairLists lists = list_pairs(search);
//
// Source     Teschner et al. 2003, section 4; the baseline of Onderik, thesis, section 2.1
// Equations  cell = floor(x / h), hash(i, j, k) = (i 73856093 xor j 19349663 xor k 83492791) mod m
// Differs    Buckets are counted out in one array, not chained. An entry carries low bits of its cell: cells that
//            share a bucket are told apart without touching their particles, and none is reported twice.
// Symbols    m number of buckets, a prime of about 2 n

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/core/channel.h"
#include "spindrift/neighbors/reference/pair_lists.h"

namespace spindrift::neighbors::reference {

/// Remainder of a division by a number known only at run time, by two multiplications (Lemire et al. 2019).
class FastModulo {
  public:
    explicit FastModulo(std::uint32_t divisor) : divisor_(divisor), inverse_(~std::uint64_t{0} / divisor + 1) {}
    std::uint32_t operator()(std::uint32_t value) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint32_t>((static_cast<Wide>(inverse_ * value) * divisor_) >> 64);
    }

  private:
    std::uint32_t divisor_;
    std::uint64_t inverse_;
};

class SpatialHash {
  public:
    /// Throws std::length_error if a position is not finite or absurdly many cells away from the origin.
    void build(ConstChannel<Vec3f> x, float h);
    std::size_t size() const { return x_.size(); }

    template <class Visit>
    void for_each_pair(Visit&& visit) const;

  private:
    struct Entry {
        std::uint32_t index, tag;
    };
    /// Entries of one cell, and of others with the same hash, which have other tags.
    struct Bucket {
        std::uint32_t first, last, tag;
    };
    /// What one coordinate of a cell gives to its hash and to its tag.
    struct Part {
        std::uint32_t hash, tag;
    };

    /// Ten bits per axis make the tags of a cell and its 26 neighbours all different.
    static Part part(std::int32_t coordinate, int axis) {
        constexpr std::array<std::uint32_t, 3> primes = {73856093, 19349663, 83492791};
        const auto c = static_cast<std::uint32_t>(coordinate);
        return {c * primes[static_cast<std::size_t>(axis)], (c & 1023) << (10 * axis)};
    }
    Vec3i cell(Vec3f x) const;
    std::array<Bucket, 27> buckets_around(Vec3i cell) const;

    ConstChannel<Vec3f> x_;
    float h2_ = 0;
    double cells_per_metre_ = 0;
    FastModulo bucket_{1};
    std::vector<std::uint32_t> first_;  ///< of every bucket among the entries, and their number at the end
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> bucket_of_, tag_of_;
};

inline Vec3i SpatialHash::cell(Vec3f x) const {
    const Vec3d c = vec_cast<double>(x) * cells_per_metre_;
    return vec_cast<std::int32_t>(Vec3d{std::floor(c.x), std::floor(c.y), std::floor(c.z)});
}

/// Looks up all buckets before any is read: independent loads, which the processor waits for together.
inline std::array<SpatialHash::Bucket, 27> SpatialHash::buckets_around(Vec3i cell) const {
    std::array<Bucket, 27> buckets;
    std::size_t count = 0;
    for (int u = -1; u <= 1; ++u) {
        const Part z = part(cell.z + u, 2);
        for (int t = -1; t <= 1; ++t) {
            const Part y = part(cell.y + t, 1);
            for (int s = -1; s <= 1; ++s) {
                const Part x = part(cell.x + s, 0);
                const std::uint32_t b = bucket_(x.hash ^ y.hash ^ z.hash);
                buckets[count++] = {first_[b], first_[b + 1], x.tag | y.tag | z.tag};
            }
        }
    }
    return buckets;
}

template <class Visit>
void SpatialHash::for_each_pair(Visit&& visit) const {
    std::vector<std::uint32_t> candidates(size() + 1);
    for (std::uint32_t i = 0; i < x_.size(); ++i) {
        // Collect the candidates first: their positions are then fetched in one loop, not in 27 short ones.
        const Vec3f x = x_[i];
        std::size_t count = 0;
        for (const Bucket& bucket : buckets_around(cell(x))) {
            for (std::uint32_t e = bucket.first; e < bucket.last; ++e) {
                const auto [j, tag] = entries_[e];
                candidates[count] = j;
                count += tag == bucket.tag;
            }
        }
        for (const std::uint32_t j : std::span(candidates).first(count)) {
            const float r2 = distance_squared(x, x_[j]);
            if (r2 < h2_ && i != j) visit(i, j, r2);
        }
    }
}

}  // namespace spindrift::neighbors::reference
