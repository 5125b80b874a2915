#include "spindrift/fluid/held_particles.h"

namespace spindrift::fluid {

void HeldParticles::find(const ParticleStore& particles, Range among) {
    held_.clear();
    for (std::size_t i = among.first; particles.may_hold() && i < among.last; ++i) {
        if (particles.is_held(i))
            held_.push_back({static_cast<std::uint32_t>(i), particles.position()[i], particles.velocity()[i]});
    }
}

void HeldParticles::keep_velocities(ParticleStore& particles) const {
    for (const Held& held : held_)
        particles.velocity()[held.index] = held.v;
}

void HeldParticles::keep_positions(ParticleStore& particles) const {
    for (const Held& held : held_)
        particles.position()[held.index] = held.x;
}

}  // namespace spindrift::fluid
