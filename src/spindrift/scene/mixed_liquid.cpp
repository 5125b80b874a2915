#include "spindrift/scene/mixed_liquid.h"

#include <algorithm>
#include <cmath>

#include "spindrift/scene/liquid_color.h"

namespace spindrift {

namespace {

/// Black is nearly black: light never ends.
constexpr float darkest = 0.002f;

/// m: of components that do not say it, that of the liquid, or of the clearest of the others.
double usual_clarity(const Scene& scene) {
    for (const LiquidParams& liquid : scene.liquid) {
        if (liquid.clarity) return *liquid.clarity;
    }
    double largest = 0;
    for (const ComponentParams& component : scene.component)
        largest = std::max(largest, component.clarity.value_or(0));
    return largest > 0 ? largest : 1;
}

}  // namespace

LiquidParams of_one_component(const LiquidParams& liquid, const ComponentParams& component) {
    LiquidParams pure = liquid;
    MaterialProperties properties = liquid.properties();
    if (component.material) properties = material_properties(*component.material);
    pure.density = component.density.value_or(properties.density);
    pure.viscosity = component.viscosity.value_or(properties.viscosity);
    if (component.surface_tension) pure.surface_tension = component.surface_tension;
    return pure;
}

fluid::Carrier carrier_of(const Scene& scene) {
    const MaterialProperties properties = scene.liquid.at(0).properties();
    return {.density = properties.density, .viscosity = properties.viscosity};
}

std::optional<fluid::Grains> grains_of(const LiquidParams& liquid, const ComponentParams& component, double frame) {
    if (!component.is_grains()) return {};
    fluid::Grains grains{.radius = component.grain.value_or(0),
                         .density = of_one_component(liquid, component).properties().density,
                         .most = component.most,
                         .hindrance = component.hindrance};
    if (component.settling_speed) grains.speed = component.settling_speed->at(frame);
    return grains;
}

bool grains_change(const Scene& scene) {
    return std::ranges::any_of(scene.component, [](const ComponentParams& component) {
        return component.settling_speed && component.settling_speed->moves();
    });
}

std::vector<double> rest_densities(const Scene& scene) {
    std::vector<double> densities;
    for (const LiquidParams& liquid : scene.liquid) {
        if (scene.component.empty()) densities.push_back(liquid.properties().density);
        for (const ComponentParams& component : scene.component)
            densities.push_back(of_one_component(liquid, component).properties().density);
    }
    return densities;
}

Vec3f component_color(const Scene& scene, std::size_t component) {
    const ComponentParams& params = scene.component[component];
    if (params.color) return vec_cast<float>(*params.color);
    return params.material ? material_look(*params.material).color : palette_color(component);
}

MixtureColors::MixtureColors(const Scene& scene) {
    const double usual = usual_clarity(scene);
    for (std::size_t k = 0; k < scene.component.size(); ++k) {
        const Vec3f color = component_color(scene, k);
        Vec3f logarithm;
        for (int c = 0; c < 3; ++c)
            logarithm[c] = std::log(std::clamp(color[c], darkest, 1.f));
        logarithms_.push_back(logarithm);
        strengths_.push_back(static_cast<float>(usual / scene.component[k].clarity.value_or(usual)));
    }
}

Vec3f MixtureColors::color_of(Vec3f logarithms, float weight) {
    if (!(weight > 0)) return {1, 1, 1};
    return {std::exp(logarithms.x / weight), std::exp(logarithms.y / weight), std::exp(logarithms.z / weight)};
}

}  // namespace spindrift
