#pragma once
// What a simulation asks of a solver, whatever its method is.
//
//   std::unique_ptr<fluid::Solver> solver = sim::make_solver(scene, liquids);
//   double dt = solver->longest_step({.speed = 2, .acceleration = 9.81, .frame = 1.0 / 24});
//   fluid::StepReport report = solver->step(particles, forces, walls, dt);

#include <cstddef>
#include <span>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/fluid/liquid.h"
#include "spindrift/fluid/step_context.h"
#include "spindrift/fluid/step_flags.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/grid/volume.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/ranks/cuts.h"

namespace spindrift::fluid {

/// What happened in a step, and what the next needs to know.
struct StepReport {
    int iterations = 0;
    double particle_iterations = 0;  ///< mean over the particles, of which some may be finished before others
    int coarse_iterations = 0;       ///< of the coarse projection, if the method has one
    double mean_density_error = 0;   ///< mean of max(C, 0) when last evaluated, before the last correction
    std::size_t escaped = 0;         ///< particles removed beyond the range of coordinates
    std::size_t not_finite = 0;      ///< particles removed for a NaN or infinite position
    double max_speed = 0;            ///< m/s
    double relative_speed = 0;       ///< m/s, against neighbours and walls: what limits the next step
    double kinetic_energy = 0;       ///< J
    StepFlags flags{};               ///< what went wrong without ending it
};

/// Makes what each rank reports of its own particles that of all.
void agree(StepReport& report, ranks::Ranks& ranks);

/// Liquid that is in no particle.
struct Unseen {
    double mass = 0;     ///< kg
    double volume = 0;   ///< m3
    Vec3d momentum{};    ///< N s
    Vec3d moment{};      ///< kg m: mass times place, from the origin of the particles
    double kinetic = 0;  ///< J
};

/// Densities at the end of a step.
struct DensityReport {
    double mean_error = 0, max_error = 0;  ///< of max(C, 0)
    double neighbors = 0;                  ///< mean number within the support radius
};

class Solver {
  public:
    virtual ~Solver() = default;

    /// Advances the particles by dt; the order of the particles changes, their channels do not (ParticleStore::settle).
    /// Walls with bodies among them come with a coupling, which learns what the liquid does to those.
    virtual StepReport step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                            double dt, Coupling* coupling = nullptr) = 0;
    /// Sorts the particles without moving them, so that they can be measured.
    virtual StepReport observe(ParticleStore& particles, const collision::Walls& walls) = 0;

    /// How fast things are and what pulls them, for the choice of the next step's length.
    struct Motion {
        double speed = 0;         ///< m/s: the relative speed of the last report, or that of what emitters send
        double acceleration = 0;  ///< m/s2
        double frame = 0;         ///< s
    };
    /// The longest step that is good for the liquid, in seconds; without bound if nothing moves it.
    virtual double longest_step(const Motion& motion) const = 0;
    /// The same by speed alone: a longer step moves particles farther than the settings allow.
    virtual double longest_step_at(double speed) const = 0;

    /// Whether there is anything to measure.
    virtual bool can_measure() const = 0;
    /// Densities of the particles as the last step left them, relative to the rest density, in particle order. Those
    /// that came since may be missing at the end. May sort the particles anew.
    virtual DensityReport measure_density(ParticleStore& particles, std::vector<float>& relative) = 0;
    /// Curl of the velocity (1/s) of the particles as the last step left them, in particle order; those that came since
    /// stand behind them and are left alone.
    virtual void measure_vorticity(const ParticleStore& particles, Channel<Vec3f> vorticity) = 0;

    /// What the solver knows on a grid, by the names `vel`, `surface` and `pressure`; nothing if it has no grid. The
    /// first two are those of the particles as they are now, pressure is that of the last step, where the liquid was
    /// then. May sort the particles anew.
    virtual std::vector<grid::Volume> volumes(ParticleStore&, const collision::Walls&) { return {}; }

    /// Adds channels of the solver's own that are part of the state, if the store does not have them yet.
    virtual void declare_channels(ParticleStore&) const {}
    /// Numbers besides the particles that a restart needs.
    virtual std::vector<double> state() const = 0;
    /// Throws UsageError if they are not what state() gives.
    virtual void set_state(std::span<const double> state) = 0;

    /// Arrays of any lengths besides the particles that a restart needs; none if there are no channels.
    virtual ChannelSet grid_state() const { return {}; }
    /// Throws UsageError if they are not what grid_state() gives.
    virtual void set_grid_state(const ChannelSet&) {}
    /// The origin of the particles moved against so many leaves of eight support radii.
    virtual void shift_origin(Vec3i) {}
    /// As of the last measurement.
    virtual Unseen unseen() const { return {}; }

    /// Works with other ranks from the next step on: each holds the particles of its own leaves, and all make the same
    /// calls. Throws UsageError if the method cannot.
    virtual void share(ranks::Ranks& ranks, const ranks::Cuts& cuts);

    PhaseTimer& timer() { return context_.timer; }

  protected:
    StepContext context_{};
};

}  // namespace spindrift::fluid
