#pragma once
// Diffuses velocities: viscosity in m2/s and the solver's smoothing.
//
// Source: Alduan et al. 2017, Eq. 8 (XSPH in passes); central form: Monaghan and Gingold 1983.
// Equations: v_i += sum_j V_j 2 rho_j / (rho_i + rho_j) c_ij W_ij (v_j - v_i), c_ij = 22 min(nu_i, nu_j) dt / h^2 with
//   poly6 W; the central form takes the part of v_j - v_i along x_ij, weighted so that it diffuses as fast.
// Differs: coefficients follow from nu; masses count, so momentum is kept between liquids. Beyond a few passes the same
//   operator is solved implicitly by conjugate gradients, which any viscosity comes to terms with.
// Symbols: c the share of an XSPH pass.
//
//   ViscositySolver viscosity;
//   viscosity.apply(input, velocities, spare, spare2);

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/properties.h"
#include "spindrift/fluid/sorted_particles.h"
#include "spindrift/pbf/liquids.h"
#include "spindrift/pbf/pair_loops.h"

namespace spindrift::pbf {

class ViscositySolver {
  public:
    struct Input {
        PairLoops& loops;
        neighbors::ListView lists;
        std::size_t cluster_count;
        const fluid::SortedParticles& sorted;
        FluidView fluid;
        const LiquidTables& tables;
        const fluid::Properties& properties;
        const Float4* x;  ///< positions
        bool central;
        double dt;         ///< s
        double smoothing;  ///< share of an XSPH pass, for every liquid
    };

    /// What viscosity and smoothing have not acted for yet: small shares wait until a pass is worth its cost.
    struct Due {
        double time = 0;  ///< s
        double steps = 0;
    };

    /// How much of a particle's velocity against a wall of friction 1 around it would be lost, for small shares.
    static double wall_drag(double viscosity, double support_radius, double dt);
    /// Largest share of an XSPH pass that any particle asks for by now.
    double largest_coefficient(const fluid::Properties& properties, double smoothing) const;

    /// Changes the velocities (m/s, w is kept); the other buffers are as large and are overwritten. False if the
    /// implicit solve did not converge.
    bool apply(const Input& input, Buffer<Float4>& v, Buffer<Float4>& spare, Buffer<Float4>& spare2);
    void give_back_memory();

    Due due;

  private:
    /// What liquids and channels make of a pass that takes `share` of the step.
    struct Shares {
        fluid::PerParticle diffusion, drag;
    };
    Shares find_shares(const Input& input, double share);
    void multiply(const Input& input, const Shares& shares, const Float4* v, Float4* out, float sign,
                  float wall_motion) const;
    bool solve(const Input& input, Float4* v, Float4* residual, Float4* direction);

    Buffer<Float4> product_{"viscosity"};
    Buffer<float> diffusion_{"viscosity"}, drag_{"viscosity"};
};

}  // namespace spindrift::pbf
