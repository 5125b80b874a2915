#pragma once
// The shares of components in the particles of a step: groups of four in the order of the sort, as loops over pairs
// want them. Their channels have them between steps.
//
//   Concentrations shares;
//   shares.gather(mixture, particles, sorted.size());
//   change(shares.group(0), shares.next(0));
//   shares.turn();
//   shares.scatter(mixture, particles);

#include <array>
#include <cstddef>

#include "spindrift/core/buffer.h"
#include "spindrift/core/vec.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::fluid {

inline constexpr std::size_t share_groups = most_components / 4;

class Concentrations {
  public:
    /// Of the first `count` particles. Channels that the store does not have count as zero.
    void gather(const Mixture& mixture, const ParticleStore& particles, std::size_t count);
    void scatter(const Mixture& mixture, ParticleStore& particles) const;
    void give_back_memory();

    std::size_t groups() const { return groups_; }
    std::size_t size() const { return size_; }
    /// Readable for ParticleStore::padding behind the last particle.
    Float4* group(std::size_t g) { return now_[g].data(); }
    const Float4* group(std::size_t g) const { return now_[g].data(); }
    /// As large; what is to take its place.
    Float4* next(std::size_t g) { return next_[g].data(); }
    void turn();
    /// Of one component in a particle.
    float& share(std::size_t i, std::size_t k) { return (&now_[k / 4][i].x)[k % 4]; }
    float share(std::size_t i, std::size_t k) const { return (&now_[k / 4][i].x)[k % 4]; }
    float& next_share(std::size_t i, std::size_t k) { return (&next_[k / 4][i].x)[k % 4]; }

  private:
    std::size_t groups_ = 0, size_ = 0;
    std::array<Buffer<Float4>, share_groups> now_{Buffer<Float4>("mixture"), Buffer<Float4>("mixture")},
        next_{Buffer<Float4>("mixture"), Buffer<Float4>("mixture")};
};

/// Shares as they were.
class SharesBefore {
  public:
    explicit SharesBefore(const Concentrations& shares);

    float operator()(std::size_t i, std::size_t k) const { return (&groups_[k / 4][i].x)[k % 4]; }

  private:
    std::array<Buffer<Float4>, share_groups> groups_{Buffer<Float4>("mixture"), Buffer<Float4>("mixture")};
};

/// Makes whole shares of numbers that nearly are. With those of before, of particles of one size, the total of each
/// component is what it was.
void make_whole(Concentrations& shares, std::size_t components, const SharesBefore* before);

}  // namespace spindrift::fluid
