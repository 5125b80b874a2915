#pragma once
// What particles are mixed of spreads among them, diffusion in m2/s, each component at its own pace; grains sink or
// rise.
//
// Source: see mixing_kernels.cpp and settling_kernels.cpp; super-steps of Runge, Kutta and Legendre: Meyer, Balsara and
// Aslam 2014. Reasons and measurements: docs/decisions/0030.
//
//   Mixing mixing(mixture);
//   mixing.advance(particles, input);           // once in a step, with lists that were just made

#include <array>
#include <span>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/fluid/concentrations.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/fluid/sorted_particles.h"
#include "spindrift/pbf/liquids.h"
#include "spindrift/pbf/pair_loops.h"

namespace spindrift::pbf {

class Mixing {
  public:
    struct Input {
        PairLoops& loops;
        neighbors::ListView lists;
        std::size_t cluster_count;
        const fluid::SortedParticles& sorted;
        FluidView fluid;
        const LiquidTables& tables;
        const collision::Walls& walls;
        Vec3f gravity{};  ///< m/s2
        double dt;        ///< s
    };

    explicit Mixing(fluid::Mixture mixture) : mixture_(std::move(mixture)) {}

    const fluid::Mixture& mixture() const { return mixture_; }
    /// Changes the channels of the components. Small amounts wait until floats can tell them.
    void advance(ParticleStore& particles, const Input& input);
    void give_back_memory();
    void set_settling_speeds(std::span<const double> speeds);

    double due = 0;           ///< s that nothing has spread for yet
    double settling_due = 0;  ///< s that nothing has sunk for yet

  private:
    /// The largest share of itself that a particle would exchange in a time, if liquid is as dense as on a lattice.
    double expected_share(const LiquidTables& tables, double seconds) const;
    void prepare(ParticleStore& particles, const Input& input);
    void find_walls(const ParticleStore& particles, const Input& input);
    struct Stage {
        double seconds;
        bool exact = true;
        float factor = 1, momentum = 0;
    };
    /// Fills what comes next; returns the largest share that a particle exchanges in those seconds.
    double run_stage(const ParticleStore& particles, const Input& input, const Stage& stage);
    /// What pairs exchange, times a factor, by their classes; lengths in units of the largest support radius.
    static std::vector<float> pair_geometry(const LiquidTables& tables, double factor);
    bool settling_is_due(const Input& input);
    void settle(const ParticleStore& particles, const Input& input);
    double largest_weight(const Input& input, SettlingPass pass);
    void find_slips(std::span<const float> alone, float per_weight);
    /// 0, or the share that is to be exchanged in all if that is too much for passes.
    double spread_in_passes(const ParticleStore& particles, const Input& input, double expected);
    void spread_in_super_step(const ParticleStore& particles, const Input& input, double share);

    fluid::Mixture mixture_;
    fluid::Concentrations shares_;
    Buffer<float> inverse_share_{"mixture"};
    Buffer<Float4> wall_{"mixture"};
    bool has_walls_ = false;  ///< that particles may stand on both sides of
    std::vector<float> weights_;
    std::array<Buffer<Float4>, fluid::share_groups> slip_{Buffer<Float4>("mixture"), Buffer<Float4>("mixture")};
    Buffer<float> room_{"mixture"};
};

}  // namespace spindrift::pbf
