// Viscosity as a step applies it: of one liquid, of several, or of each particle.

#include <algorithm>

#include "spindrift/flip/step.h"
#include "spindrift/flip/viscosity_field.h"

namespace spindrift::flip {

namespace {

/// nu dt / cell^2 below which the grid itself smooths velocities far more.
constexpr double least_strength = 1e-3;

}  // namespace

/// What FLIP keeps of a particle's own velocity, viscosity does not see: it goes as far as viscosity would take it.
/// Source: Zhu and Bridson 2005, section 4.2: a share of PIC acts as a viscosity of (1 - blend) cell^2 / (6 dt).
double Solver::flip_share(double dt) const {
    if (method_ != fluid::Method::flip) return 0;
    double least = liquids_[0].viscosity;
    for (const fluid::Liquid& liquid : liquids_)
        least = std::min(least, liquid.viscosity);
    const double strength = least * dt / (double{cell_} * double{cell_});
    return std::max(0.0, std::min(params_.blend, 1 - 6 * strength));
}

void Solver::resist(const ParticleStore& particles, double dt, fluid::Coupling* coupling, fluid::StepReport& report) {
    double most = 0;
    std::vector<float> by_liquid;
    for (const fluid::Liquid& liquid : liquids_) {
        by_liquid.push_back(static_cast<float>(liquid.viscosity));
        most = std::max(most, liquid.viscosity);
    }
    const ChannelArray* own = particles.find_channel(params_.viscosity_channel);
    const ChannelArray* phase = particles.find_channel(fluid::phase_channel);
    const double cell = double{cell_};
    if (!own && most * dt < least_strength * cell * cell) return;
    const auto scope = timer_.scope("viscosity");
    const bool one = !own && std::equal(by_liquid.begin() + 1, by_liquid.end(), by_liquid.begin());
    if (!one) {
        average_viscosity(grid_, cells_,
                          {.x = particles.position().data(),
                           .v = particles.velocity().data(),
                           .by_slot = own ? own->as<float>().data() : nullptr,
                           .liquid_by_slot = phase ? phase->as<std::uint16_t>().data() : nullptr,
                           .by_liquid = by_liquid.data()},
                          viscosities_);
    }
    const grid::SolveReport solved = viscosity_.apply(grid_, {.solids = &solids_,
                                                              .cell = cell,
                                                              .dt = dt,
                                                              .viscosity = one ? nullptr : &viscosities_,
                                                              .constant = most,
                                                              .coupling = coupling,
                                                              .density = liquids_[0].density});
    report.viscosity_limited = !solved.converged;
    if (viscosity_.impulses().empty()) return;
    coupling->press(viscosity_.impulses());
    solids_.follow(*coupling, cell);
}

}  // namespace spindrift::flip
