#pragma once
// One time step of position based fluids.
//
// Source: Macklin and Mueller 2013, Algorithm 1; Alduan et al. 2017, sections 3 and 4.
// Differs: see the method files; docs/architecture.md has one heading per phase.
//
//   Solver solver(params, {{.spacing = 0.01, .density = 998, .viscosity = 1e-6}});
//   StepReport report = solver.step(particles, forces, walls, 1.0 / 240);

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/constraints/constraint_list.h"
#include "spindrift/fluid/properties.h"
#include "spindrift/fluid/solver.h"
#include "spindrift/fluid/sorted_particles.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/particles/channel_table.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/contacts.h"
#include "spindrift/pbf/iterates.h"
#include "spindrift/pbf/kernels.h"
#include "spindrift/pbf/liquids.h"
#include "spindrift/pbf/lod_iterations.h"
#include "spindrift/pbf/mixing.h"
#include "spindrift/pbf/motion_kernels.h"
#include "spindrift/pbf/pair_loops.h"
#include "spindrift/pbf/pair_strengths.h"
#include "spindrift/pbf/params.h"
#include "spindrift/pbf/projection/projection.h"
#include "spindrift/pbf/prototype.h"
#include "spindrift/pbf/viscosity.h"
#include "spindrift/pbf/wall_classes.h"

namespace spindrift::pbf {

using fluid::BodyPush;
using fluid::Coupling;
using fluid::DensityReport;
using fluid::phase_channel;
using fluid::StepReport;

/// Channel with the number of iterations that a particle gets, of solver.iterations at most; all of them if it is 0 or
/// the store does not have the channel.
inline constexpr const char* level_channel = channel_names::level;
inline constexpr ChannelType level_type{ScalarType::u8, 1};

class Solver final : public fluid::Solver {
  public:
    Solver(const SolverParams& params, std::vector<Liquid> liquids, fluid::Mixture mixture = {});

    StepReport step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls, double dt,
                    Coupling* coupling = nullptr) override;
    StepReport observe(ParticleStore& particles, const collision::Walls& walls) override;

    /// No particle moves more than cfl * h against its surroundings, gravity moves a resting one by a small share of
    /// the spacing, surface tension acts within its own time.
    double longest_step(const Motion& motion) const override;
    double longest_step_at(double speed) const override;

    void share(ranks::Ranks& ranks, const ranks::Cuts& cuts) override;
    bool can_measure() const override { return iterates_.any(); }
    DensityReport measure_density(ParticleStore& particles, std::vector<float>& relative_density) override;
    void measure_vorticity(const ParticleStore& particles, Channel<Vec3f> vorticity) override;

    /// The guard's steps left, the seconds and steps that are due to viscosity, and where liquids are mixtures the
    /// seconds that are due to what spreads and sinks in them.
    std::vector<double> state() const override;
    void set_state(std::span<const double> state) override;

    /// Adds a constraint to the iterations of every step from now on. In each iteration constraints are projected in
    /// ascending importance and density is 0 among them: the later one has the last word. Throws UsageError for 0.
    /// Constraints are not part of the particles' state: who goes on from a frame adds them again.
    void add_constraint(std::shared_ptr<constraints::Constraint> constraint, int importance) {
        constraints_.add(std::move(constraint), importance);
    }

    /// How fast grains of each component sink alone from now on, in m/s; what does not sink is left alone.
    void set_settling_speeds(std::span<const double> speeds) { mixing_.set_settling_speeds(speeds); }

  private:
    /// Where the iterations of a step stand.
    struct Iteration {
        int number = 1;
        bool enough = false;  ///< a tolerance was asked for and is met
        double radius = 0;    ///< spectral radius for the accelerated step, 0 for plain ones
        int accelerated = 0;  ///< iterations since the acceleration began
        double omega = 1;
        std::uint64_t evaluated = 0;  ///< particles whose density counted last, of all ranks
        Iterate now, before;
    };
    void give_back_memory(std::size_t particles);
    void check_ranks(const Coupling* coupling) const;
    void predict(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls, float dt);
    void enter_units(ParticleStore& particles);
    void sort(ParticleStore& particles, StepReport& report);
    void fill_properties(ParticleStore& particles);
    int project(ParticleStore& particles, const collision::Walls& walls, float dt, Coupling* coupling);
    void find_neighbors(ParticleStore& particles);
    void find_levels(const ParticleStore& particles);
    void keep_finished(const CorrectionPass& pass, std::span<const std::uint32_t> finished) const;
    float body_move(Vec3f gravity, double dt) const;
    void mark_walls(const ParticleStore& particles, const collision::Walls& walls);
    void mix(ParticleStore& particles, Vec3f gravity, const collision::Walls& walls, double dt);
    void weigh_stiffness(const ParticleStore& particles);
    /// Where the iterations start.
    Iterate apply_tension(ParticleStore& particles, double dt, StepReport& report);
    /// Where they end.
    Iterate solve_constraints(ParticleStore& particles, const Iterate& start, const collision::Walls& walls, double dt,
                              StepReport& report);
    Iteration first_iteration(const Iterate& start, StepReport& report);
    void begin_constraints(ParticleStore& particles, const collision::Walls& walls, double dt, Iteration& iteration);
    void project_density(Iteration& iteration, StepReport& report);
    double mean_density_error(const Iteration& iteration) const;
    void compute_multipliers(Float4* x, float* constraint, const ActiveClusters& active);
    void correct_positions(CorrectionPass pass, const Iterate& now, const Iterate& before, const Iterate& next,
                           const ActiveClusters& active);
    ActiveClusters all_clusters() const { return ActiveClusters(lists_.clusters().size()); }
    void update_velocities(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, float dt,
                           StepReport& report);
    BodyPass body_pass(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, float dt);
    Vec3d move_from_nowhere(const VelocityPass& moves, const BodyPass& bodies) const;
    void apply_wall_friction(const VelocityPass& moves, const collision::Walls& walls, float dt);
    void apply_viscosity(ParticleStore& particles, const Iterate& solved, double dt, StepReport& report);
    void meet_bodies(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, double dt,
                     Coupling& coupling);
    void shift_back(const Iterate& solved, std::span<const BodyPush> pushes, const collision::Walls& walls) const;
    void finish(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, double dt,
                StepReport& report);

    FluidView fluid();

    SolverParams params_;
    LiquidTables tables_;
    float h_;  ///< the unit of length in metres
    std::unique_ptr<PairLoops> loops_;
    constraints::ConstraintList constraints_;

    // Rebuilt in every step, in the order of its phases.
    fluid::SortedParticles sorted_;
    fluid::Properties properties_;
    PairStrengths strengths_;
    Projection projection_;
    WallClasses walls_;
    float body_move_ = 1;  ///< share of the largest move beside walls that is left beside bodies in this step
    neighbors::ClusterLists lists_;
    LodIterations levels_;
    Contacts contacts_;
    Iterates iterates_;
    std::size_t most_particles_ = 0;  ///< that the scratch memory was needed for

    // Carried on to the next step.
    ViscositySolver viscosity_;
    Mixing mixing_;
    int guarded_steps_left_ = 0;  ///< steps that the energy guard still keeps the acceleration off
};

}  // namespace spindrift::pbf
