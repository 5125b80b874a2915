#pragma once
// Settings of the position based solver.
//
//   pbf::SolverParams solver{.iterations = 8, .substeps = {1, 16}};

#include <array>
#include <string>
#include <string_view>

#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::pbf {

enum class Acceleration { automatic, none };

constexpr std::array<std::string_view, 2> enum_words(Acceleration) {
    return {"auto", "none"};
}

enum class Viscosity { central, xsph };

constexpr std::array<std::string_view, 2> enum_words(Viscosity) {
    return {"central", "xsph"};
}

enum class Bits { native, portable };

constexpr std::array<std::string_view, 2> enum_words(Bits) {
    return {"native", "portable"};
}

struct SolverParams {
    int iterations = 4;
    double tolerance = 0;
    std::array<int, 2> substeps = {1, 64};
    double cfl = 0.5;
    double fall = 0.016;
    Acceleration acceleration = Acceleration::automatic;
    bool coarse = true;
    double smoothing = 0.05;
    Viscosity viscosity = Viscosity::central;
    std::string viscosity_channel{};
    Bits bits = Bits::native;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("iterations", self.iterations,
          {.text = "Iterations per substep; the most there are if a tolerance is set", .limits = between(1, 100)});
        v("tolerance", self.tolerance,
          {.text =
               "Mean density error, as a share, below which a substep stops iterating; 0 always does all iterations",
           .limits = between(0, 1)});
        v("substeps", self.substeps,
          {.text = "Fewest and most substeps per frame; one number fixes them",
           .limits = between(1, 10000),
           .one_for_both = true});
        v("cfl", self.cfl,
          {.text = "Largest distance a particle may move in a substep, in support radii; fewer substeps when larger",
           .limits = between(0.1, 1)});
        v("fall", self.fall,
          {.text = "Largest distance gravity moves a resting particle in a substep, in spacings; calmer when smaller",
           .limits = between(0.001, 0.25)});
        v("acceleration", self.acceleration,
          {.text = "How iterations are sped up: auto is Chebyshev behind an energy guard, none is plain Jacobi"});
        v("coarse", self.coarse,
          {.text = "Carry pressure through deep liquid by a projection on a grid; off only to see what it does"});
        v("smoothing", self.smoothing,
          {.text = "Share by which a particle's velocity moves towards that of its neighbours in every substep",
           .limits = between(0, 0.5),
           .reference = "XSPH, Monaghan 1989"});
        v("viscosity", self.viscosity,
          {.text = "How velocities diffuse: central acts along the line between two particles only and keeps rotation, "
                   "xsph evens out every difference",
           .reference = "Eq. 8, Alduan et al. 2017"});
        v("viscosity_channel", self.viscosity_channel,
          {.text = "Name of a [[channel]] with the kinematic viscosity of each particle in m^2/s, in place of its "
                   "liquid's"});
        v("bits", self.bits,
          {.text = "native uses an approximation that each maker of processors has its own of; portable gives the same "
                   "bits on all that can fuse products (AVX2, GPUs), and takes about a sixth longer"});
    }

    void check(const Checker& checker) const {
        if (substeps[0] > substeps[1])
            checker.problem("substeps", "the fewest are more than the most; write [fewest, most]");
    }
};

}  // namespace spindrift::pbf
