#pragma once
// Shares of components that particles carry from their birth on.
//
//   const Mixes mixes(scene);
//   mixes.apply(particles, born, mixes.at(liquid, emitter.mix, 12.5));
//   std::size_t edited = mixes.repair(particles);                  // of a frame that a tool may have changed

#include <cstddef>
#include <string>
#include <vector>

#include "spindrift/fluid/mixture.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/scene/scene.h"

namespace spindrift::filling {

class Mixes {
  public:
    explicit Mixes(const Scene& scene);

    /// Whether liquids of the scene are no mixtures.
    bool empty() const { return components_.empty(); }

    /// Of a source at a frame: its own where it has a mix, else those of its liquid.
    fluid::Shares at(std::size_t liquid, const AnimatedTable& own, double frame) const;

    /// Sets the channels of all components for particles that were just born.
    void apply(ParticleStore& particles, Range born, const fluid::Shares& shares) const;

    /// Makes shares of all particles whole again. Returns of how many they were no shares, or added up to something
    /// that is more than a thousandth off 1.
    std::size_t repair(ParticleStore& particles) const;

  private:
    std::vector<ChannelArray*> channels(ParticleStore& particles) const;

    std::vector<ComponentParams> components_;
    std::vector<AnimatedTable> of_liquids_;
};

}  // namespace spindrift::filling
