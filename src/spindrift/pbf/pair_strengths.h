#pragma once
// How strongly pairs of each sorted particle act where liquids differ. With one liquid there is nothing to look up.
//
//   PairStrengths strengths;
//   strengths.resize(sorted.size(), properties.liquids() != nullptr);
//   fill(strengths.stiffness());                                            // nullptr with one liquid
//   pass.term_strength = strengths.tensile(table, properties);              // a table by liquid

#include <cstddef>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/properties.h"

namespace spindrift::pbf {

class PairStrengths {
  public:
    void resize(std::size_t particles, bool several);

    /// What a density error is answered with.
    float* stiffness() { return several_ ? stiffness_.data() : nullptr; }
    /// Of surface tension, from tables by liquid.
    fluid::PerParticle tensile(const std::vector<float>& table, const fluid::Properties& properties) {
        return fill(tensile_, table, properties);
    }
    fluid::PerParticle attraction(const std::vector<float>& table, const fluid::Properties& properties) {
        return fill(attraction_, table, properties);
    }

  private:
    fluid::PerParticle fill(Buffer<float>& array, const std::vector<float>& table, const fluid::Properties& properties);

    bool several_ = false;
    std::size_t size_ = 0;
    Buffer<float> stiffness_{"liquids"}, tensile_{"liquids"}, attraction_{"liquids"};
};

}  // namespace spindrift::pbf
