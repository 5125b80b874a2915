#pragma once
// One number for all particles, or one for each.
//
//   PerParticle density{.one = 1};
//   PerParticle viscosity{.each = array};
//   viscosity[i];

#include <cstddef>

namespace spindrift::fluid {

struct PerParticle {
    float one = 0;
    const float* each = nullptr;  ///< in sorted order, readable for ParticleStore::padding behind the last

    float operator[](std::size_t i) const { return each ? each[i] : one; }
};

}  // namespace spindrift::fluid
