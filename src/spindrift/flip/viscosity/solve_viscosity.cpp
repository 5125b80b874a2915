// Viscosity as a step applies it: of one liquid, of several, or of each particle.

#include <algorithm>

#include "spindrift/flip/step.h"
#include "spindrift/flip/viscosity/viscosity_field.h"

namespace spindrift::flip {

namespace {

/// nu dt / cell^2 below which the grid itself smooths velocities far more.
constexpr double least_strength = 1e-3;
constexpr double last_tolerance = 1e-4;
/// nu dt / cell^2 from which bodies feel that pressure comes after viscosity, what viscosity gets of the pressures that
/// are found before the last one, and how exactly it is found with them; docs/decisions/0020.
constexpr double least_foreseen = 0.1;
struct Foreseen {
    double share, tolerance;
};
constexpr Foreseen foreseen_passes[] = {{2, 1e-3}, {1, last_tolerance}};

}  // namespace

/// What FLIP keeps of a particle's own velocity, viscosity does not see: it goes as far as viscosity would take it.
/// Source: Zhu and Bridson 2005, section 4.2: a share of PIC acts as a viscosity of (1 - blend) cell^2 / (6 dt).
double Solver::flip_share(double dt) const {
    if (method_ != fluid::Method::flip) return 0;
    const double strength = properties_.least_viscosity() * dt / (double{cell_} * double{cell_});
    return std::max(0.0, std::min(params_.blend, 1 - 6 * strength));
}

/// Whether viscosity is more than nothing.
bool Solver::is_viscous(double dt) const {
    return properties_.largest_viscosity() * dt >= least_strength * double{cell_} * double{cell_};
}

void Solver::solve_viscosity(const ParticleStore& particles, double dt, double tolerance, fluid::Coupling* coupling,
                             fluid::StepReport& report) {
    const double cell = double{cell_};
    const auto scope = context_.timer.scope("viscosity");
    const float* const each = properties_.viscosity().each;
    if (each) average_viscosity(grid_, cells_, {particles.position().data(), each}, viscous_.of_cells);
    const grid::SolveReport solved = viscous_.solver.apply(grid_, {.solids = &solids_,
                                                                   .cell = cell,
                                                                   .dt = dt,
                                                                   .tolerance = tolerance,
                                                                   .viscosity = each ? &viscous_.of_cells : nullptr,
                                                                   .constant = properties_.largest_viscosity(),
                                                                   .coupling = coupling,
                                                                   .density = density()});
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
    if (!is_viscous(dt)) return project(dt, 1, coupling, report);
    const bool has_bodies = coupling && coupling->size() > 0;
    if (has_bodies) viscous_.foresight.begin(grid_);
    solve_viscosity(particles, dt, last_tolerance, coupling, report);
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
