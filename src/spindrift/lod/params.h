#pragma once
// Where the solver's iterations go: most to what a camera sees, few to what it does not.
//
//   lod::LodParams lod{.model = lod::Model::dtvs, .fewest = 3};    // 3 to solver.iterations

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::lod {

/// What tells how much detail a particle needs: nothing, its distance to the camera, or how far it is behind the
/// surface that the camera sees.
enum class Model { none, dtc, dtvs };

constexpr std::array<std::string_view, 3> enum_words(Model) {
    return {"none", "dtc", "dtvs"};
}

/// What several cameras ask for together.
enum class Blend { max, mean };

constexpr std::array<std::string_view, 2> enum_words(Blend) {
    return {"max", "mean"};
}

struct LodParams {
    Model model = Model::none;
    std::optional<int> fewest{};
    std::vector<std::string> cameras{};
    Blend blend = Blend::max;
    std::optional<double> near{}, far{};

    /// The lowest level, of particles far from where the camera looks; `most` is the highest.
    int fewest_of(int most) const { return std::min(most, fewest.value_or((most + 1) / 2)); }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("model", self.model,
          {.text = "Which particles get all of solver.iterations: none gives them to every particle, dtc to those near "
                   "the camera, dtvs to those at and just behind the surface that the camera sees",
           .reference = "section 4.1, Koester and Krueger 2016"});
        v("fewest", self.fewest,
          {.text = "Iterations of the particles that matter least; half of solver.iterations, rounded up, if not given",
           .limits = between(1, 100)});
        v("cameras", self.cameras, {.text = "Names of the cameras that count; all of the scene's if empty"});
        v("blend", self.blend,
          {.text = "What several cameras ask for together: max suits the one that needs most detail, mean is cheaper"});
        v("near", self.near,
          {.text = "Distance, to the camera (dtc) or behind the visible surface (dtvs), up to which particles get all "
                   "iterations; chosen for each frame if not given",
           .unit = "m",
           .limits = between(0, 1e6)});
        v("far", self.far,
          {.text =
               "Distance from which they get the fewest; in between iterations fall evenly; chosen for each frame if "
               "not given",
           .unit = "m",
           .limits = between(0, 1e6)});
    }

    void check(const Checker& checker) const {
        if (near && far && *near >= *far)
            checker.problem("far", "is not farther than 'near': in between iterations fall from most to fewest");
    }
};

}  // namespace spindrift::lod
