#pragma once
// How strongly pairs of each sorted particle act where particles differ. With one liquid there is nothing to look up.
//
//   PairStrengths strengths;
//   strengths.resize(sorted.size(), properties);
//   fill(strengths.stiffness());                                            // nullptr if all are alike
//   pass.term_strength = strengths.tensile(table, properties, particles);   // a table by kind of liquid

#include <cstddef>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/properties.h"

namespace spindrift::pbf {

class PairStrengths {
  public:
    void resize(std::size_t particles, const fluid::Properties& properties);

    /// What a density error is answered with.
    float* stiffness() { return several_ ? stiffness_.data() : nullptr; }
    /// Of surface tension, from tables by kind of liquid (fluid::PropertyRule::kinds).
    fluid::PerParticle tensile(const std::vector<float>& table, const fluid::Properties& properties,
                               const ParticleStore& particles) {
        return fill(tensile_, table, properties, particles);
    }
    fluid::PerParticle attraction(const std::vector<float>& table, const fluid::Properties& properties,
                                  const ParticleStore& particles) {
        return fill(attraction_, table, properties, particles);
    }

  private:
    fluid::PerParticle fill(Buffer<float>& array, const std::vector<float>& table, const fluid::Properties& properties,
                            const ParticleStore& particles);

    bool several_ = false;
    std::size_t size_ = 0;
    Buffer<float> stiffness_{"liquids"}, tensile_{"liquids"}, attraction_{"liquids"};
};

}  // namespace spindrift::pbf
