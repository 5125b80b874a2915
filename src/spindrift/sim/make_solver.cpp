#include "spindrift/sim/make_solver.h"

#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/flip/step.h"
#include "spindrift/pbf/step.h"
#include "spindrift/scene/mixed_liquid.h"

namespace spindrift::sim {

namespace {

/// The time in which surface tension acts. In real units it follows from the tension in N/m; else from the spacing, so
/// that kappa looks the same at every scale: at 1 drops of about two spacings hold against gravity.
double tension_time(const LiquidParams& liquid) {
    constexpr double gravity = 9.81;
    const double d = liquid.spacing;
    if (liquid.surface_tension.value_or(0) > 0)
        return std::sqrt(pbf::tension_of_unit_time * liquid.properties().density * d * d * d / *liquid.surface_tension);
    return 0.5 * std::sqrt(d / gravity);
}

/// N/m. Where the scene gives kappa it is what position based fluids have at that.
double real_tension(const LiquidParams& liquid) {
    if (liquid.surface_tension) return *liquid.surface_tension;
    const double time = tension_time(liquid);
    return liquid.tension * pbf::tension_of_unit_time * liquid.properties().density * std::pow(liquid.spacing, 3) /
           (time * time);
}

fluid::Liquid make_liquid(const LiquidParams& liquid) {
    const MaterialProperties properties = liquid.properties();
    const bool real = liquid.surface_tension.has_value();
    const double kappa = real ? (*liquid.surface_tension > 0 ? 1 : 0) : liquid.tension;
    return {.spacing = liquid.spacing,
            .density = properties.density,
            .viscosity = properties.viscosity,
            .attraction = liquid.attraction.value_or(0.5 * kappa),
            .tensile = liquid.tensile.value_or(0.2 * kappa),
            .tension_time = tension_time(liquid),
            .surface_tension = real_tension(liquid)};
}

fluid::Mixture make_mixture(const Scene& scene) {
    fluid::Mixture mixture{.eddies = scene.mixture.eddies, .viscosity = scene.mixture.viscosity};
    mixture.settling = scene.mixture.settling;
    mixture.hindrance = scene.mixture.hindrance;
    mixture.suspension = scene.mixture.suspension;
    mixture.carrier = carrier_of(scene);
    for (const ComponentParams& component : scene.component)
        mixture.components.push_back({.channel = share_channel(component.name),
                                      .diffusivity = component.diffusivity,
                                      .grains = grains_of(scene.liquid[0], component, scene.frames[0])});
    for (const LiquidParams& liquid : scene.liquid) {
        for (const ComponentParams& component : scene.component)
            mixture.pure.push_back(make_liquid(of_one_component(liquid, component)));
    }
    return mixture;
}

}  // namespace

std::vector<fluid::Liquid> make_liquids(const Scene& scene) {
    SPINDRIFT_CHECK(!scene.liquid.empty());
    std::vector<fluid::Liquid> liquids;
    for (const LiquidParams& liquid : scene.liquid)
        liquids.push_back(make_liquid(liquid));
    return liquids;
}

fluid::PropertyRule make_property_rule(const Scene& scene) {
    return fluid::PropertyRule(make_liquids(scene), scene.viscosity_channel(), make_mixture(scene));
}

std::unique_ptr<fluid::Solver> make_solver(const Scene& scene, const std::vector<fluid::Liquid>& liquids) {
    switch (scene.solver.method) {
        case fluid::Method::pbf:
            return std::make_unique<pbf::Solver>(scene.solver, liquids, make_mixture(scene));
        case fluid::Method::flip:
        case fluid::Method::apic:
        case fluid::Method::pic:
            return std::make_unique<flip::Solver>(scene.solver.method, scene.flip, liquids, make_mixture(scene));
    }
    throw UsageError("the scene names no method");
}

}  // namespace spindrift::sim
