#pragma once
// What liquids of a scene are mixed of.
//
//   scene.component = {{.name = "milk", .diffusivity = 1e-6}, {.name = "coffee"}};
//   scene.liquid[0].mix.entries = {{"milk", 0.3}};
//   std::vector<double> shares = shares_of(scene.component, scene.liquid[0].mix, 1);      // 0.3, 0.7

#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"

namespace spindrift {

/// Shares of components in what a liquid, a fill or an emitter gives.
inline constexpr Limits share_limits = between(0, 1);

/// Something that liquids are mixed of: each particle has a share of its volume of every component.
struct ComponentParams {
    std::string name{};
    double diffusivity = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name,
          {.text = "Name for mix, and of the channel mix_<name> with its shares: letters, digits and _",
           .required = true,
           .when_missing = "add name = \"milk\", or whatever is mixed"});
        v("diffusivity", self.diffusivity,
          {.text = "How fast it spreads through what it is mixed with; 0 stays with its particles",
           .unit = "m^2/s",
           .limits = between(0, 1e4)});
    }

    void check(const Checker& checker) const;
};

/// How all components behave together.
struct MixtureParams {
    double eddies = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("eddies", self.eddies,
          {.text = "How strongly stirring that particles are too coarse for mixes, on top of diffusivities: 1 is that "
                   "of Smagorinsky's eddies",
           .limits = between(0, 10)});
    }
};

/// Name of the channel with the shares of a component.
std::string share_channel(std::string_view component);

/// The share of each component at a frame: those named, and the one that is not takes the rest. They add up to 1.
std::vector<double> shares_of(const std::vector<ComponentParams>& components, const AnimatedTable& mix, double frame);

/// What is wrong with the numbers of a mix whose names are known; empty if nothing is.
std::string mix_problem(const std::vector<ComponentParams>& components, const AnimatedTable& mix);

}  // namespace spindrift
