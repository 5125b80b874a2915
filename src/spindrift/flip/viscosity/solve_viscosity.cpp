// Viscosity as a step applies it: of one liquid, of several, or of each particle.

#include <algorithm>

#include "spindrift/flip/step.h"
#include "spindrift/flip/viscosity/viscosity_field.h"

namespace spindrift::flip {

namespace {

/// nu dt / cell^2 below which the grid itself smooths velocities far more.
constexpr double least_strength = 1e-3;
constexpr double tolerance = 1e-4;
/// nu dt / cell^2 from which bodies feel that pressure comes after viscosity, what viscosity gets of the pressures that
/// are found before the last one, and how exactly it is found with them; docs/decisions/0020.
constexpr double least_foreseen = 0.1;
struct Foreseen {
    double share, tolerance;
};
constexpr Foreseen foreseen_passes[] = {{2, 1e-3}, {1, tolerance}};

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

/// Whether viscosity is more than nothing.
bool Solver::is_viscous(const ParticleStore& particles, double dt) const {
    if (particles.find_channel(params_.viscosity_channel)) return true;
    double most = 0;
    for (const fluid::Liquid& liquid : liquids_)
        most = std::max(most, liquid.viscosity);
    return most * dt >= least_strength * double{cell_} * double{cell_};
}

void Solver::solve_viscosity(const ParticleStore& particles, double dt, double tolerance, fluid::Coupling* coupling,
                             fluid::StepReport& report) {
    double most = 0;
    std::vector<float> by_liquid;
    for (const fluid::Liquid& liquid : liquids_) {
        by_liquid.push_back(static_cast<float>(liquid.viscosity));
        most = std::max(most, liquid.viscosity);
    }
    const ChannelArray* own = particles.find_channel(params_.viscosity_channel);
    const ChannelArray* phase = particles.find_channel(fluid::phase_channel);
    const double cell = double{cell_};
    const auto scope = timer_.scope("viscosity");
    const bool one = !own && std::equal(by_liquid.begin() + 1, by_liquid.end(), by_liquid.begin());
    if (!one) {
        average_viscosity(grid_, cells_,
                          {.x = particles.position().data(),
                           .v = particles.velocity().data(),
                           .by_slot = own ? own->as<float>().data() : nullptr,
                           .liquid_by_slot = phase ? phase->as<std::uint16_t>().data() : nullptr,
                           .by_liquid = by_liquid.data()},
                          viscous_.of_cells);
    }
    const grid::SolveReport solved = viscous_.solver.apply(grid_, {.solids = &solids_,
                                                                   .cell = cell,
                                                                   .dt = dt,
                                                                   .tolerance = tolerance,
                                                                   .viscosity = one ? nullptr : &viscous_.of_cells,
                                                                   .constant = most,
                                                                   .coupling = coupling,
                                                                   .density = liquids_[0].density});
    report.flags.assign(fluid::StepFlag::viscosity_limited, !solved.converged);
    if (viscous_.solver.impulses().empty()) return;
    coupling->press(viscous_.solver.impulses());
    solids_.follow(*coupling, cell);
}

/// Takes back what pressure and stress gave the bodies, but for a multiple of that pressure.
void Solver::go_back(double share, fluid::Coupling& coupling) {
    viscous_.foresight.go_back(grid_, share);
    std::vector<fluid::Twist> impulses = pressure_.impulses();
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        const fluid::Twist& stress = viscous_.solver.impulses()[i];
        impulses[i] = {impulses[i].linear * (share - 1) - stress.linear,
                       impulses[i].angular * (share - 1) - stress.angular};
    }
    coupling.press(impulses);
    solids_.follow(coupling, double{cell_});
}

/// Where bodies are, pressure is found before viscosity as well: see Foresight.
void Solver::solve_viscosity_and_project(const ParticleStore& particles, double dt, fluid::Coupling* coupling,
                                         fluid::StepReport& report) {
    if (!is_viscous(particles, dt)) return project(dt, 1, coupling, report);
    const bool has_bodies = coupling && coupling->size() > 0;
    if (has_bodies) viscous_.foresight.begin(grid_);
    solve_viscosity(particles, dt, tolerance, coupling, report);
    if (!has_bodies || viscous_.solver.impulses().empty() || viscous_.solver.strength() < least_foreseen)
        return project(dt, 1, coupling, report);

    double left = 1;  // of the pressure at the surface, which tension gives
    viscous_.foresight.clear(grid_);
    for (const Foreseen& pass : foreseen_passes) {
        if (viscous_.solver.impulses().empty()) break;
        viscous_.foresight.note_slowed(grid_);
        project(dt, left, coupling, report);
        go_back(pass.share, *coupling);
        left *= 1 - pass.share;
        solve_viscosity(particles, dt, pass.tolerance, coupling, report);
    }
    project(dt, left, coupling, report);
    viscous_.foresight.add_to(grid_);
}

}  // namespace spindrift::flip
