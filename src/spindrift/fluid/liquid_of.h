#pragma once
// Which liquid a particle is of.
//
//   const fluid::LiquidOf liquid_of(particles);          // holds until channels are added
//   double mass = liquids[liquid_of(i)].particle_mass();

#include <cstddef>
#include <cstdint>

#include "spindrift/fluid/liquid.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::fluid {

class LiquidOf {
  public:
    explicit LiquidOf(const ParticleStore& particles)
        : particles_(&particles), phase_(particles.find_channel(phase_channel)) {}

    /// Index among the scene's liquids.
    std::size_t operator()(std::size_t i) const {
        return phase_ ? phase_->as<std::uint16_t>()[particles_->slot(i)] : 0;
    }

  private:
    const ParticleStore* particles_;
    const ChannelArray* phase_;  ///< nullptr if there is one liquid
};

}  // namespace spindrift::fluid
