#pragma once
// Which liquid each sorted particle is of, and what follows from it particle by particle. With one liquid there is
// nothing to look up: arrays are empty and their pointers nullptr.
//
//   SortedLiquids liquids(tables);
//   liquids.identify(particles, tables);          // after the sort, which carries liquids in the positions' fourth
//   float liquids.mass(i);

#include <cstdint>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/liquids.h"

namespace spindrift::pbf {

class SortedLiquids {
  public:
    explicit SortedLiquids(const LiquidTables& tables);

    void identify(ParticleStore& particles, const LiquidTables& tables);

    /// Index of a particle's liquid.
    std::size_t of(std::size_t i) const { return single() ? 0 : liquid_[i]; }
    /// Mass of a particle, relative to the heaviest.
    float mass(std::size_t i) const { return masses_[of(i)]; }
    const std::vector<float>& masses() const { return masses_; }

    const std::uint8_t* indices() const { return single() ? nullptr : liquid_.data(); }
    const float* inverse_density() const { return single() ? nullptr : inverse_density_.data(); }
    const float* stiffness() const { return single() ? nullptr : stiffness_.data(); }
    float* stiffness() { return single() ? nullptr : stiffness_.data(); }

  private:
    bool single() const { return masses_.size() == 1; }

    std::vector<float> masses_;  ///< of each liquid
    Buffer<std::uint8_t> liquid_{"liquids"};
    Buffer<float> inverse_density_{"liquids"}, stiffness_{"liquids"};
};

}  // namespace spindrift::pbf
