#pragma once
// One number for all particles, or one for each.
//
//   PerParticle density{.one = 1};
//   PerParticle viscosity{.each = array};
//   viscosity[i];

#include <cstddef>
#include <cstdint>

namespace spindrift::fluid {

struct PerParticle {
    float one = 0;
    const float* each = nullptr;  ///< in sorted order, readable for ParticleStore::padding behind the last

    float operator[](std::size_t i) const { return each ? each[i] : one; }
};

/// Masses of particles, relative to one of the densest liquid with the widest spacing.
struct Masses {
    PerParticle density{.one = 1};
    const float* volumes = nullptr;        ///< by liquid, relative to the largest
    const std::uint8_t* liquid = nullptr;  ///< of each particle; nullptr if there is one

    float operator[](std::size_t i) const { return density[i] * volumes[liquid ? liquid[i] : 0]; }
};

}  // namespace spindrift::fluid
