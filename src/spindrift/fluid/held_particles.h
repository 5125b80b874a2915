#pragma once
// Particles that keep their velocity whatever pushes them, as those that a nozzle still holds.
//
//   HeldParticles held;
//   held.find(particles, owned);       // after the sort: indices are those of the sorted particles
//   held.keep_velocities(particles);   // takes back what others did to them

#include <cstdint>
#include <vector>

#include "spindrift/particles/particle_store.h"

namespace spindrift::fluid {

class HeldParticles {
  public:
    struct Held {
        std::uint32_t index;
        Float4 x, v;  ///< when they were found
    };

    void find(const ParticleStore& particles, Range among);
    void clear() { held_.clear(); }
    void keep_velocities(ParticleStore& particles) const;
    void keep_positions(ParticleStore& particles) const;

    auto begin() const { return held_.begin(); }
    auto end() const { return held_.end(); }

  private:
    std::vector<Held> held_;
};

}  // namespace spindrift::fluid
