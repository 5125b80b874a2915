#include "spindrift/stages/pictures/dye_look.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/text.h"
#include "spindrift/image/color_map.h"
#include "spindrift/render/optics.h"
#include "spindrift/scene/liquid_color.h"
#include "spindrift/scene/material.h"
#include "spindrift/scene/mixed_liquid.h"
#include "spindrift/stages/frame/frame_particles.h"
#include "spindrift/stages/pictures/particle_look.h"

namespace spindrift::stages {

namespace {

const ChannelArray& dye_channel(const Scene& scene, const ChannelSet& particles) {
    const ChannelArray* channel = particles.find(scene.render.dye);
    if (channel && (channel->type().width == 1 || channel->type().width == 3)) return *channel;
    std::vector<std::string> names;
    for (const ChannelArray& each : particles.channels)
        if (each.type().width == 1 || each.type().width == 3) names.push_back(each.name());
    throw UsageError(
        fmt::format("the particles have no channel '{}' of one or three numbers for render.dye{}; there "
                    "are: {}",
                    scene.render.dye, suggestion(scene.render.dye, names), fmt::join(names, ", ")));
}

Box3f box_of(const std::vector<Vec3f>& positions, float margin) {
    Box3f box{{0, 0, 0}, {0, 0, 0}};
    bool first = true;
    for (const Vec3f x : positions) {
        if (!is_finite(x)) continue;
        box = first ? Box3f{x, x} : Box3f{min(box.lo, x), max(box.hi, x)};
        first = false;
    }
    const Vec3f around{margin, margin, margin};
    return {box.lo - around, box.hi + around};
}

/// How light fares in a component, 1/m.
struct Haze {
    Vec3f absorption{};
    float scattering = 0;
};

/// What is cloudy hides what is behind `clarity` of it, or behind a spacing if it does not say how clear it is.
Haze haze_of(const Scene& scene, std::size_t component, float clarity, double spacing) {
    constexpr float opaque = 3;
    const ComponentParams& params = scene.component[component];
    const MaterialLook look = params.material ? material_look(*params.material) : MaterialLook{};
    const auto cloudiness = static_cast<float>(params.cloudiness.value_or(look.cloudiness));
    const Vec3f color = component_color(scene, component);
    const float clear = params.clarity ? static_cast<float>(*params.clarity) : clarity;
    Haze haze{render::absorption_of(color, clear) * (1 - cloudiness)};
    if (cloudiness == 0) return haze;
    haze.scattering = opaque * cloudiness / static_cast<float>(params.clarity.value_or(spacing));
    haze.absorption += render::paint_absorption(color) * haze.scattering;
    return haze;
}

const ChannelArray& share_of(const ChannelSet& particles, const ComponentParams& component) {
    const ChannelArray* channel = particles.find(share_channel(component.name));
    if (channel && channel->type().width == 1) return *channel;
    throw UsageError(
        fmt::format("the particles have no channel '{}' with the shares of a component; draw them with the scene "
                    "they were simulated with, or with render.dye = \"none\"",
                    share_channel(component.name)));
}

/// Of mixtures: absorption and scattering are the means of what components have.
void add_mixtures(render::Dye& dye, const Scene& scene, const ChannelSet& particles,
                  const std::vector<Vec3f>& positions, float clarity, double spacing) {
    std::vector<Haze> hazes;
    std::vector<const ChannelArray*> shares;
    for (std::size_t k = 0; k < scene.component.size(); ++k) {
        hazes.push_back(haze_of(scene, k, clarity, spacing));
        shares.push_back(&share_of(particles, scene.component[k]));
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Haze sum;
        for (std::size_t k = 0; k < hazes.size(); ++k) {
            const float share = std::clamp(static_cast<float>(shares[k]->value(i)), 0.f, 1.f);
            sum.absorption += hazes[k].absorption * share;
            sum.scattering += hazes[k].scattering * share;
        }
        dye.add(positions[i], sum.absorption, sum.scattering);
    }
}

double component_ior(const Scene& scene, std::size_t liquid, std::size_t component) {
    const ComponentParams& params = scene.component[component];
    const LiquidParams& own = scene.liquid[liquid];
    const double usual =
        params.material ? material_look(*params.material).ior : own.ior.value_or(material_look(own.material).ior);
    return params.ior.value_or(usual);
}

}  // namespace

bool has_dye(const Scene& scene) {
    if (scene.render.dye == no_dye) return false;
    return !scene.render.dye.empty() || !scene.component.empty();
}

std::unique_ptr<render::Dye> make_dye(const Scene& scene, const ChannelSet& particles, Vec3d origin, float clarity) {
    if (!has_dye(scene)) return nullptr;
    const std::vector<Vec3f> positions = particle_positions(particles, origin);
    if (!scene.liquid.empty() && scene.liquid[0].clarity) clarity = static_cast<float>(*scene.liquid[0].clarity);
    double spacing = 0;
    for (const LiquidParams& each : scene.liquid)
        spacing = std::max(spacing, each.spacing);
    const auto cell = static_cast<float>(1.5 * spacing);
    auto dye = std::make_unique<render::Dye>(render::dye_grid(box_of(positions, cell), cell));
    if (scene.render.dye.empty()) {
        add_mixtures(*dye, scene, particles, positions, clarity, spacing);
        dye->finish({});
        return dye;
    }
    const ChannelArray& channel = dye_channel(scene, particles);
    const Vec3f full =
        render::absorption_of(scene.liquid.empty() ? image::clear_water : liquid_color(scene, 0), clarity);
    const Vec3f none = render::absorption_of(image::clear_water, 4 * clarity);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (channel.type().width == 3) {
            const Vec3f color = vec_cast<float>(Vec3d{channel.value(i, 0), channel.value(i, 1), channel.value(i, 2)});
            dye->add(positions[i], render::absorption_of(color, clarity));
        } else {
            const float share = std::clamp(static_cast<float>(channel.value(i)), 0.f, 1.f);
            dye->add(positions[i], none * (1 - share) + full * share);
        }
    }
    dye->finish(none);
    return dye;
}

std::vector<float> mixture_iors(const Scene& scene, const ChannelSet& particles) {
    if (scene.component.empty() || !has_dye(scene)) return {};
    const ChannelArray* phase = particles.find("phase");
    std::vector<double> sums(scene.liquid.size()), counts(scene.liquid.size());
    for (std::size_t k = 0; k < scene.component.size(); ++k) {
        const ChannelArray& shares = share_of(particles, scene.component[k]);
        for (std::size_t i = 0; i < particles.size(); ++i) {
            const auto liquid = phase ? static_cast<std::size_t>(phase->value(i)) : 0;
            if (liquid >= sums.size()) continue;
            sums[liquid] += shares.value(i) * component_ior(scene, liquid, k);
            counts[liquid] += shares.value(i);
        }
    }
    std::vector<float> iors;
    for (std::size_t l = 0; l < sums.size(); ++l)
        iors.push_back(static_cast<float>(counts[l] > 0 ? sums[l] / counts[l] : 0));
    return iors;
}

}  // namespace spindrift::stages
