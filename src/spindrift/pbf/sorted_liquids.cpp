#include "spindrift/pbf/sorted_liquids.h"

#include <bit>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

SortedLiquids::SortedLiquids(const LiquidTables& tables) {
    for (const LiquidScale& scale : tables.scales())
        masses_.push_back(scale.density * scale.h * scale.h * scale.h);
}

void SortedLiquids::identify(ParticleStore& particles, const LiquidTables& tables) {
    if (single()) return;
    const std::size_t n = particles.size();
    liquid_.resize(n + ParticleStore::padding);
    inverse_density_.resize(n + ParticleStore::padding);
    stiffness_.resize(n + ParticleStore::padding);
    parallel_for(n, [&, x = particles.position()](Range range) {
        for (std::size_t i : range) {
            liquid_[i] = static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(x[i].w));
            inverse_density_[i] = 1 / tables.scales()[liquid_[i]].density;
            x[i].w = 0;
        }
    });
    for (std::size_t i = n; i < n + ParticleStore::padding; ++i) {
        liquid_[i] = 0;
        inverse_density_[i] = 1;
        stiffness_[i] = 0;
    }
}

}  // namespace spindrift::pbf
