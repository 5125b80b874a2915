#pragma once
// What liquids of a scene are mixed of.
//
//   scene.component = {{.name = "milk", .diffusivity = 1e-6}, {.name = "coffee"}};
//   scene.liquid[0].mix.entries = {{"milk", 0.3}};
//   std::vector<double> shares = shares_of(scene.component, scene.liquid[0].mix, 1);      // 0.3, 0.7

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"
#include "spindrift/scene/material.h"

namespace spindrift {

/// Shares of components in what a liquid, a fill or an emitter gives.
inline constexpr Limits share_limits = between(0, 1);

/// Something that liquids are mixed of: each particle has a share of its volume of every component.
struct ComponentParams {
    std::string name{};
    double diffusivity = 0;
    std::optional<Material> material{};
    std::optional<double> density{}, viscosity{}, surface_tension{};  ///< in place of the material's
    std::optional<Vec3d> color{};
    std::optional<double> clarity{}, ior{}, cloudiness{};
    std::optional<double> grain{};
    std::optional<Animated<double>> settling_speed{};
    double most = 0.6, hindrance = 4.65;

    /// Whether it sinks or rises through what it is mixed with.
    bool is_grains() const { return grain || settling_speed; }

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
        v("material", self.material,
          {.text = "Preset of its density, viscosity and look; without one it is as its liquid, a dye"});
        v("density", self.density,
          {.text = "Density, if other than the material's", .unit = "kg/m^3", .limits = between(1, 1e5)});
        v("viscosity", self.viscosity,
          {.text = "Kinematic viscosity, if other than the material's", .unit = "m^2/s", .limits = between(0, 1e4)});
        v("surface_tension", self.surface_tension,
          {.text = "Surface tension against air, in place of its liquid's", .unit = "N/m", .limits = between(0, 1e4)});
        v("color", self.color,
          {.text = "Linear red, green and blue that a depth of 'clarity' of it alone leaves of white light; the "
                   "material's, or one of its own, if not given",
           .limits = between(0, 1),
           .affects = Affects::simulation | Affects::look});
        v("clarity", self.clarity,
          {.text = "Depth of it that makes white light that of its colour: smaller for what dyes strongly; that of the "
                   "liquid if not given",
           .unit = "m",
           .limits = length_limits,
           .affects = Affects::simulation | Affects::look});
        v("ior", self.ior,
          {.text = "Index of refraction in pictures, if other than the material's",
           .limits = between(1, 10),
           .affects = Affects::look});
        v("cloudiness", self.cloudiness,
          {.text = "Share of light that is scattered just below the surface, if other than the material's",
           .limits = between(0, 1),
           .affects = Affects::look});
        v("grain", self.grain,
          {.text = "Radius of its grains or drops, which sink or rise by their density; without it, it stays with its "
                   "particles",
           .unit = "m",
           .limits = above(0, 0.1)});
        v("settling_speed", self.settling_speed,
          {.text = "How fast a grain alone sinks, in place of what its radius and density make of it; below 0 it rises",
           .unit = "m/s",
           .limits = between(-10, 10)});
        v("most", self.most,
          {.text = "Largest share of it that settles into a particle",
           .limits = above(0, 1),
           .reference = "C_max of Eq. 26, Onderik 2014"});
        v("hindrance", self.hindrance,
          {.text = "How strongly grains slow each other down: exponent of Richardson and Zaki; 1 is not at all",
           .limits = between(1, 10),
           .reference = "Richardson and Zaki 1954"});
    }

    void check(const Checker& checker) const;
};

/// How all components behave together.
struct MixtureParams {
    double eddies = 0;
    fluid::ViscosityMean viscosity = fluid::ViscosityMean::log;
    fluid::SettlingLaw settling = fluid::SettlingLaw::ferguson_church;
    fluid::Hindrance hindrance = fluid::Hindrance::richardson_zaki;
    bool suspension = true;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("eddies", self.eddies,
          {.text = "How strongly stirring that particles are too coarse for mixes, on top of diffusivities: 1 is that "
                   "of Smagorinsky's eddies",
           .limits = between(0, 10)});
        v("viscosity", self.viscosity,
          {.text = "What of two viscosities a mixture has: log is the mean of their logarithms, mean is that of the "
                   "numbers",
           .reference = "Eq. 23, Onderik 2014, for mean"});
        v("settling", self.settling,
          {.text = "How fast grains sink: ferguson_church holds for all sizes of sand, stokes for fine grains",
           .reference = "Ferguson and Church 2004; Stokes 1851"});
        v("hindrance", self.hindrance,
          {.text = "How grains slow each other down: richardson_zaki is (1 - S)^(n - 1) of their slip, saturation "
                   "1 - (S / most)^n",
           .reference = "Richardson and Zaki 1954; Eq. 26, Onderik 2014"});
        v("suspension", self.suspension, {.text = "Whether grains make liquid thicker, and a bed of them stiff"});
    }
};

/// Name of the channel with the shares of a component.
std::string share_channel(std::string_view component);

/// The share of each component at a frame: those named, and the one that is not takes the rest. They add up to 1.
std::vector<double> shares_of(const std::vector<ComponentParams>& components, const AnimatedTable& mix, double frame);

/// What is wrong with the numbers of a mix whose names are known; empty if nothing is.
std::string mix_problem(const std::vector<ComponentParams>& components, const AnimatedTable& mix);

}  // namespace spindrift
