#include "spindrift/emitters/isolation.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::emitters {

namespace {

/// Particles by the hash of their cell, in a table of buckets.
class CellHash {
  public:
    CellHash(const ParticleStore& particles, double radius) : particles_(particles), radius_(radius) {
        const std::size_t buckets = std::bit_ceil(2 * particles.size() + 1);
        mask_ = buckets - 1;
        first_.assign(buckets + 1, 0);
        for (std::size_t i = 0; i < particles.size(); ++i)
            first_[bucket(cell(i)) + 1] += 1;
        for (std::size_t b = 0; b < buckets; ++b)
            first_[b + 1] += first_[b];
        members_.resize(particles.size());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < particles.size(); ++i)
            members_[next[bucket(cell(i))]++] = static_cast<std::uint32_t>(i);
    }

    bool has_more_than(std::size_t most, std::size_t i) const {
        const Vec3<std::int64_t> home = cell(i);
        std::size_t count = 0;
        for (std::int64_t k = 0; k < 27; ++k) {
            const Vec3<std::int64_t> at{home.x + k % 3 - 1, home.y + k / 3 % 3 - 1, home.z + k / 9 - 1};
            count += count_in(at, i);
            if (count > most) return true;
        }
        return false;
    }

  private:
    Vec3d position(std::size_t i) const { return vec_cast<double>(particles_.position()[i].xyz()); }
    Vec3<std::int64_t> cell(std::size_t i) const {
        const Vec3d p = position(i) / radius_;
        return vec_cast<std::int64_t>(Vec3d{std::floor(p.x), std::floor(p.y), std::floor(p.z)});
    }
    std::size_t bucket(Vec3<std::int64_t> at) const {
        return hash_counter(static_cast<std::uint64_t>(at.x), static_cast<std::uint64_t>(at.y),
                            static_cast<std::uint64_t>(at.z)) &
               mask_;
    }
    /// Two cells may share a bucket, so particles of another cell are passed over.
    std::size_t count_in(Vec3<std::int64_t> at, std::size_t i) const {
        const std::size_t b = bucket(at);
        std::size_t count = 0;
        for (std::size_t m = first_[b]; m < first_[b + 1]; ++m) {
            const std::size_t j = members_[m];
            if (j == i || !particles_.is_alive(j) || !(cell(j) == at)) continue;
            const Vec3d away = position(j) - position(i);
            count += dot(away, away) <= radius_ * radius_ ? 1 : 0;
        }
        return count;
    }

    const ParticleStore& particles_;
    double radius_;
    std::size_t mask_ = 0;
    std::vector<std::uint32_t> first_, members_;
};

}  // namespace

std::vector<bool> find_isolated(const ParticleStore& particles, double radius, std::size_t most) {
    const CellHash hash(particles, radius);
    std::vector<std::uint8_t> few(particles.size());
    parallel_for(particles.size(), [&](Range range) {
        for (std::size_t i : range)
            few[i] = !hash.has_more_than(most, i);
    });
    return {few.begin(), few.end()};
}

}  // namespace spindrift::emitters
