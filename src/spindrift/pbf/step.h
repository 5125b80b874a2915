#pragma once
// One time step of position based fluids.
//
// Source: Macklin and Mueller 2013, Algorithm 1; Alduan et al. 2017, sections 3 and 4.
// Differs: see the method files; docs/architecture.md has one heading per phase.
//
//   Solver solver(params, {{.spacing = 0.01, .density = 998, .viscosity = 1e-6}});
//   StepReport report = solver.step(particles, forces, walls, 1.0 / 240);

#include <cstdint>
#include <vector>

#include "spindrift/collision/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/core/timer.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/coarse_projection.h"
#include "spindrift/pbf/kernels.h"
#include "spindrift/pbf/params.h"
#include "spindrift/pbf/prototype.h"

namespace spindrift::pbf {

/// Channel with the index of a particle's liquid (u16); a store without it holds one liquid.
inline constexpr const char* phase_channel = "phase";

struct Liquid {
    double spacing;    ///< m
    double density;    ///< kg/m3
    double viscosity;  ///< m2/s

    double support_radius() const { return support_ratio * spacing; }
    double particle_volume() const { return spacing * spacing * spacing; }
    double particle_mass() const { return density * particle_volume(); }
};

/// What happened in a step, and what the next needs to know.
struct StepReport {
    int iterations = 0;
    double mean_density_error = 0;   ///< mean of max(C, 0) when last evaluated, before the last correction
    bool converged = true;           ///< false if a tolerance was asked for and not met
    std::size_t escaped = 0;         ///< particles removed beyond the range of coordinates
    std::size_t not_finite = 0;      ///< particles removed for a NaN or infinite position
    double max_speed = 0;            ///< m/s
    double relative_speed = 0;       ///< m/s, against neighbours and walls: what limits the next step
    double kinetic_energy = 0;       ///< J
    bool viscosity_limited = false;  ///< the liquid is stiffer than the passes of one step can make it
    bool guarded = false;            ///< the energy guard was up: iterations were adding energy
};

/// Densities at the end of a step.
struct DensityReport {
    double mean_error = 0, max_error = 0;  ///< of max(C, 0)
    double neighbors = 0;                  ///< mean number within the support radius
};

class Solver {
  public:
    Solver(const SolverParams& params, std::vector<Liquid> liquids);

    /// Advances the particles by dt; the order of the particles changes, their channels do not (ParticleStore::settle).
    StepReport step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls, double dt);

    /// Sorts the particles and finds their neighbours without moving them, so that densities can be measured.
    StepReport observe(ParticleStore& particles, const collision::Walls& walls);
    /// Whether there is anything to measure.
    bool has_neighbors() const { return x_final_ != nullptr; }

    /// Densities of the particles as the last step left them; relative to the rest density, in particle order.
    DensityReport measure_density(std::vector<float>& relative_density);

    PhaseTimer& timer() { return timer_; }

    /// Steps that the energy guard still keeps the acceleration off; part of the state, as the particles are.
    int guarded_steps_left = 0;
    /// XSPH coefficient that waits for the next pass; part of the state too.
    double viscosity_due = 0;

  private:
    void predict(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls, float dt);
    void sort(ParticleStore& particles, StepReport& report);
    void project_coarse(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                        float dt);
    void find_neighbors(const ParticleStore& particles);
    void mark_walls(const ParticleStore& particles, const collision::Walls& walls);
    void solve_density(ParticleStore& particles, const collision::Walls& walls, StepReport& report);
    DensitySums compute_multipliers(Float4* x, const collision::Walls& walls, float* constraint);
    void correct_positions(const Float4* x, const Float4* x_before, Float4* x_next, float omega,
                           float separation_strength, const collision::Walls& walls);
    void update_velocities(ParticleStore& particles, const collision::Walls& walls, float dt, StepReport& report);
    void apply_wall_friction(ParticleStore& particles, const collision::Walls& walls, float dt);
    void apply_viscosity(ParticleStore& particles, double dt, StepReport& report);
    void finish(ParticleStore& particles, const collision::Walls& walls, double dt, StepReport& report);
    float relative_speed(std::size_t leaf, ConstChannel<Float4> v, const collision::Walls& walls, double dt) const;

    SolverParams params_;
    std::vector<Liquid> liquids_;
    Liquid liquid_;
    float h_;
    Kernels kernels_;
    PhaseTimer timer_;
    neighbors::LeafGrid grid_;
    CoarseProjection coarse_;
    neighbors::ClusterLists lists_;
    std::vector<Vec3f> leaf_velocity_;  ///< mean of each leaf
    Buffer<Float4> scratch_a_{"solver scratch"}, scratch_b_{"solver scratch"};
    Buffer<Float4>* x_final_ = nullptr;  ///< positions after the solve, in support radii: one of the scratch buffers
    collision::Walls walls_;             ///< of the last step, for measure_density()
    std::size_t particle_count_ = 0;
};

}  // namespace spindrift::pbf
