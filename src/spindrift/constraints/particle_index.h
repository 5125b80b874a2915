#pragma once
// Finds particles by their ids, which stay while a sort moves the particles about.
//
//   ParticleIndex index;
//   index.build(particles);                               // as they are sorted now
//   if (auto i = index.find(42)) particles.position()[*i];   // nothing if the particle is gone

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "spindrift/particles/particle_store.h"

namespace spindrift::constraints {

class ParticleIndex {
  public:
    void build(const ParticleStore& particles);
    /// Killed particles are found until the sort that drops them.
    std::optional<std::size_t> find(std::int64_t id) const;

  private:
    void build_table(const ParticleStore& particles, ConstChannel<std::int64_t> ids, std::int64_t last);
    void build_sorted(const ParticleStore& particles, ConstChannel<std::int64_t> ids);

    std::int64_t first_ = 0;
    std::vector<std::uint32_t> table_;  ///< by id - first_
    /// In place of the table if ids lie far apart: most particles of a long flow are gone, and their ids stay unused.
    std::vector<std::pair<std::int64_t, std::uint32_t>> sorted_;
};

}  // namespace spindrift::constraints
