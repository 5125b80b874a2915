#pragma once
// What pushes particles: a force changes the velocities of a range of them, and may look at their channels.
//
//   class Buoyancy final : public forces::Force {
//       void apply(const Pushed& on) const override {
//           const ChannelArray* heat = on.particles ? on.particles->find_channel("temperature") : nullptr;
//           if (!heat) return;                              // not born yet
//           for (std::size_t k = 0; k < on.count; ++k)
//               on.v[k].y += 0.1f * heat->as<float>()[ParticleStore::slot_of(on.v[k])] * on.dt;
//       }
//       float largest_acceleration() const override { return 10; }
//   };
//   simulation.add_force(std::make_shared<Buoyancy>());

#include <cstddef>

#include "spindrift/particles/particle_store.h"

namespace spindrift::forces {

/// Some particles that follow each other.
struct Pushed {
    const Float4* x;  ///< m from the origin of the particles; w is no number
    Float4* v;        ///< m/s; w is no number and stays as it is
    std::size_t count;
    float dt;                                  ///< s
    const ParticleStore* particles = nullptr;  ///< for their channels, by slot; nullptr if they are not born yet
};

class Force {
  public:
    virtual ~Force() = default;

    /// Adds what the force does within on.dt. Called from several threads at once.
    virtual void apply(const Pushed& on) const = 0;
    /// Upper bound anywhere, m/s2, of drag that of a particle at rest: what the automatic substeps look at.
    virtual float largest_acceleration() const = 0;
    /// m/s that the force brings particles to and no further; none if it goes on pushing.
    virtual float largest_speed() const { return 0; }
};

}  // namespace spindrift::forces
