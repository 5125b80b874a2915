#pragma once
// One time step of PIC, FLIP or APIC: particles carry the liquid, a sparse grid makes it incompressible.
//
// Source: Zhu and Bridson 2005 (FLIP), Jiang et al. 2015 (APIC), Bridson 2015. docs/architecture.md has a heading for
// each phase. A cell is two spacings wide.
//
//   Solver solver({.method = fluid::Method::apic}, {.cfl = 4}, {{.spacing = 0.01, .density = 998}});
//   fluid::StepReport report = solver.step(particles, forces, walls, 1.0 / 96);

#include <cstdint>
#include <vector>

#include "spindrift/flip/cell_exchange.h"
#include "spindrift/flip/face_densities.h"
#include "spindrift/flip/interior.h"
#include "spindrift/flip/mac.h"
#include "spindrift/flip/params.h"
#include "spindrift/flip/reseed.h"
#include "spindrift/flip/tension.h"
#include "spindrift/flip/viscosity/foresight.h"
#include "spindrift/flip/viscosity/viscosity.h"
#include "spindrift/fluid/params.h"
#include "spindrift/fluid/properties.h"
#include "spindrift/fluid/solver.h"
#include "spindrift/fluid/sorted_particles.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/liquid_surface.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/pressure.h"
#include "spindrift/mac/solids.h"
#include "spindrift/mac/transfer_kernels.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/particles/channel_table.h"

namespace spindrift::flip {

/// Channel with the affine part of APIC's velocities: its gradient by rows, 1/s.
inline constexpr const char* affine_channel = channel_names::affine;
inline constexpr ChannelType affine_type{ScalarType::f32, static_cast<int>(affine_floats)};

class Solver final : public fluid::Solver {
  public:
    Solver(fluid::Method method, const FlipParams& params, std::vector<fluid::Liquid> liquids,
           fluid::Mixture mixture = {});

    fluid::StepReport step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                           double dt, fluid::Coupling* coupling = nullptr) override;
    fluid::StepReport observe(ParticleStore& particles, const collision::Walls& walls) override;
    double longest_step(const Motion& motion) const override;
    double longest_step_at(double speed) const override;
    bool can_measure() const override { return solved_.measurable; }
    fluid::DensityReport measure_density(ParticleStore& particles, std::vector<float>& relative) override;
    void measure_vorticity(const ParticleStore& particles, Channel<Vec3f> vorticity) override;
    std::vector<grid::Volume> volumes(ParticleStore& particles, const collision::Walls& walls) override;
    void declare_channels(ParticleStore& particles) const override;
    /// The seconds that are due to what spreads and sinks in mixtures; nothing else.
    std::vector<double> state() const override;
    void set_state(std::span<const double> state) override;
    ChannelSet grid_state() const override;
    void set_grid_state(const ChannelSet& state) override;
    void shift_origin(Vec3i leaves) override { interior_.shift(leaves); }
    /// As pbf::Solver.
    void set_settling_speeds(std::span<const double> speeds) { exchange_.set_settling_speeds(speeds); }
    fluid::Unseen unseen() const override;

    /// The grid of the last step, for those who look.
    const MacGrid& grid() const { return grid_; }
    double cell() const { return static_cast<double>(cell_); }

  private:
    /// What one leaf's particles came to.
    struct LeafEnd {
        double energy = 0;
        float fastest = 0;
        std::vector<fluid::BodyPush> pushes{};
    };
    struct Surroundings {
        const forces::ForceSet& forces;
        const collision::Walls& walls;
        float dt;
    };

    void apply_forces(ParticleStore& particles, const forces::ForceSet& forces, float dt);
    void sort(ParticleStore& particles, fluid::StepReport& report);
    void build_grid(ParticleStore& particles, const collision::Walls& walls);
    void mix(ParticleStore& particles, Vec3f gravity, double dt);
    void particles_to_grid(const ParticleStore& particles);
    void scatter(const ParticleStore& particles, const Float4* v, const float* affine);
    void find_surface(const ParticleStore& particles);
    void find_inflow(const collision::Walls& walls);
    void plan_reseeding(const ParticleStore& particles);
    void reseed(ParticleStore& particles, const collision::Walls& walls);
    void plan_interior(const ParticleStore& particles, float dt);
    void move_interior(ParticleStore& particles, const collision::Walls& walls, float dt);
    void add_gravity(Vec3f change);
    void solve_viscosity(const ParticleStore& particles, double dt, double tolerance, fluid::Coupling* coupling,
                         fluid::StepReport& report);
    bool is_viscous(double dt) const;
    /// All liquids of a grid have the tension and spacing of the first, and its density unless they are mixtures.
    const fluid::Liquid& liquid() const { return properties_.rule().liquids()[0]; }
    double least_density() const;
    /// kg/m3, of the densest.
    double density() const { return properties_.rule().reference_density(); }
    /// kg/m3 and kg, of a particle.
    double density_of(std::size_t i) const { return density() * static_cast<double>(properties_.density()[i]); }
    double mass_of(std::size_t i) const { return density_of(i) * liquid().particle_volume(); }
    void solve_viscosity_and_project(const ParticleStore& particles, double dt, fluid::Coupling* coupling,
                                     fluid::StepReport& report);
    void go_back(double share, fluid::Coupling& coupling);
    double flip_share(double dt) const;
    void project(double dt, double tension_share, fluid::Coupling* coupling, fluid::StepReport& report);
    void find_most_gained(const fluid::Coupling* coupling);
    double speed_of(const fluid::Twist& motion) const;
    std::vector<fluid::Twist> bounded_impulses(const fluid::Coupling& coupling) const;
    void extrapolate(double dt);
    void advect(ParticleStore& particles, const Surroundings& around, fluid::Coupling* coupling,
                fluid::StepReport& report);
    void advect_leaf(ParticleStore& particles, std::size_t leaf, const Surroundings& around, LeafEnd& end);
    void move_liquid(ParticleStore& particles, std::size_t leaf, float dt);
    void calm_beside_walls(ParticleStore& particles, std::size_t leaf) const;
    const LeafMask& slivers(std::size_t leaf) const;
    void move_spray(ParticleStore& particles, std::size_t leaf, const Surroundings& around);
    void meet_walls(ParticleStore& particles, const neighbors::Leaf& leaf, const Surroundings& around,
                    const std::vector<Float4>& from, std::vector<fluid::BodyPush>& pushes) const;
    void give_pushes(ParticleStore& particles, std::vector<LeafEnd>& ends, fluid::Coupling* coupling);
    float fastest_face() const;
    float* affine(ParticleStore& particles) const;

    fluid::Method method_;
    FlipParams params_;
    fluid::Properties properties_;
    float cell_;  ///< m
    fluid::SortedParticles sorted_;
    Cells cells_;
    MacGrid grid_;
    Solids solids_;
    Interior interior_;
    LiquidSurface surface_;
    Pressure pressure_;
    Reseeding reseeding_;
    CellExchange exchange_;
    FaceDensities densities_;
    SurfaceTension tension_;
    struct Viscous {
        Viscosity solver;
        grid::Field<float> of_cells{"viscosity"};  ///< m2/s
        Foresight foresight;
    } viscous_;
    fluid::SpareArrays spare_;
    /// What the particles of each leaf brought to faces around it.
    struct Scattered {
        Buffer<float> values{"scatter"};
        std::vector<std::int32_t> of_leaf;  ///< which of them a leaf of the grid has; -1 if none
        std::vector<std::int32_t> leaf_of;  ///< of the grid, by leaf of the sort; 0 if it has none
        std::vector<std::size_t> filled;    ///< leaves of the sort, in the order of `values`
    } scattered_;
    /// The step that grid_.pressure is of; none if dt is 0.
    struct Solved {
        double dt = 0;
        Vec3d origin{};  ///< of the particles
        bool measurable = false;
        double fastest_before = 0;  ///< m/s, of the liquid at the beginning of the step
        double fallen = 0;          ///< m/s that gravity adds in the step
        double most_gained = 0;     ///< m/s that pressure may add to bodies and to liquid beside them
        std::vector<mac::CellInflow> inflow{};
    } solved_;
};

}  // namespace spindrift::flip
