#include "spindrift/stages/pictures/particle_look.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/liquid_color.h"
#include "spindrift/scene/mixed_liquid.h"

namespace spindrift::stages {

namespace {

constexpr const char *speed = "speed", *liquid = "liquid", *own_colors = "Cd";

const ChannelArray& color_channel(const ChannelSet& particles, const std::string& color) {
    if (const ChannelArray* channel = particles.find(color == speed ? "v" : color)) return *channel;
    std::vector<std::string> names{liquid, speed, density_error};
    for (const ChannelArray& channel : particles.channels)
        names.push_back(channel.name());
    throw UsageError(fmt::format("the particles have no channel '{}' to colour them by{}; there are: {}", color,
                                 suggestion(color, names), fmt::join(names, ", ")));
}

/// The channel's values, of vectors their lengths.
std::vector<float> color_values(const ChannelSet& particles, const std::string& color) {
    const ChannelArray& channel = color_channel(particles, color);
    const int width = channel.type().width;
    std::vector<float> values(channel.size());
    parallel_for(values.size(), [&](Range range) {
        for (std::size_t i : range) {
            double squares = 0;
            for (int c = 0; c < width; ++c)
                squares += channel.value(i, c) * channel.value(i, c);
            values[i] = static_cast<float>(width == 1 ? channel.value(i) : std::sqrt(squares));
        }
    });
    return values;
}

/// Tells liquids apart; nullptr if there is only one.
const ChannelArray* find_phase(const ChannelSet& particles) {
    const ChannelArray* phase = particles.find("phase");
    if (phase && phase->type() != ChannelType{ScalarType::u16, 1})
        throw UsageError("the channel phase is not of 16-bit integers, so it cannot tell the liquids apart");
    return phase;
}

/// Each particle in the colour of its liquid.
std::vector<Vec3f> liquid_colors(const Scene& scene, const ChannelSet& particles) {
    const ChannelArray* phase = find_phase(particles);
    std::vector<Vec3f> colors(particles.size(), liquid_color(scene, 0));
    if (!phase) return colors;
    parallel_for(colors.size(), [&](Range range) {
        for (std::size_t i : range)
            colors[i] = liquid_color(scene, phase->as<std::uint16_t>()[i]);
    });
    return colors;
}

/// Throws if there is a phase without a liquid.
void check_phases(const Scene& scene, const ChannelArray* phase) {
    if (scene.liquid.empty())
        throw UsageError("the scene has no liquid whose density particles could be compared with");
    if (!phase) return;
    const ConstChannel<std::uint16_t> numbers = phase->as<std::uint16_t>();
    const auto beyond = std::ranges::find_if(numbers, [&](std::uint16_t i) { return i >= scene.liquid.size(); });
    if (beyond != numbers.end()) {
        throw UsageError(
            fmt::format("particles belong to liquid {} of the channel phase, but the scene has only {}; "
                        "draw them with the scene they were simulated with",
                        *beyond, scene.liquid.size()));
    }
}

/// Of components, in their order.
std::vector<const ChannelArray*> find_shares(const Scene& scene, const ChannelSet& particles) {
    std::vector<const ChannelArray*> shares;
    for (const ComponentParams& component : scene.component) {
        shares.push_back(&color_channel(particles, share_channel(component.name)));
        if (shares.back()->type().width == 1) continue;
        throw UsageError(
            fmt::format("the channel {} has more than one number per particle", share_channel(component.name)));
    }
    return shares;
}

/// How far each particle's density is from the rest density of what it is made of, in percent.
std::vector<float> density_errors(const Scene& scene, const ChannelSet& particles) {
    const ChannelArray& density = color_channel(particles, "density");
    const ChannelArray* phase = find_phase(particles);
    check_phases(scene, phase);
    if (density.type().width != 1) throw UsageError("the channel density has more than one number per particle");
    const std::vector<double> rest = rest_densities(scene);
    const std::vector<const ChannelArray*> shares = find_shares(scene, particles);
    std::vector<float> errors(density.size());
    parallel_for(errors.size(), [&](Range range) {
        for (std::size_t i : range) {
            const std::size_t of = phase ? phase->as<std::uint16_t>()[i] : 0;
            double own = shares.empty() ? rest[of] : 0;
            for (std::size_t k = 0; k < shares.size(); ++k)
                own += shares[k]->value(i) * rest[of * shares.size() + k];
            errors[i] = static_cast<float>(100 * (density.value(i) / own - 1));
        }
    });
    return errors;
}

bool is_whole(const ChannelArray& channel) {
    const ChannelType type = channel.type();
    return type.width == 1 && type.scalar != ScalarType::f32 && type.scalar != ScalarType::f64;
}

/// The colours that particles carry, within what a surface can reflect.
std::vector<Vec3f> carried_colors(const ChannelSet& particles) {
    const ChannelArray& cd = color_channel(particles, own_colors);
    if (cd.type().width != 3) throw UsageError("the channel Cd has no three components to colour particles by");
    std::vector<Vec3f> colors(cd.size());
    parallel_for(colors.size(), [&](Range range) {
        for (std::size_t i : range) {
            for (int c = 0; c < 3; ++c) {
                const double share = cd.value(i, c);
                colors[i][c] = share > 0 ? static_cast<float>(std::min(share, 1.0)) : 0.f;
            }
        }
    });
    return colors;
}

}  // namespace

std::string color_source(const Scene& scene) {
    if (scene.render.color != "auto") return scene.render.color;
    return scene.liquid.size() > 1 ? liquid : speed;
}

std::string color_channel_of(const std::string& color) {
    if (color == liquid) return "";
    if (color == speed) return "v";
    return color == density_error ? "density" : color;
}

bool uses_color_map(const std::string& color) {
    return color != liquid && color != own_colors;
}

std::vector<image::Swatch> liquid_swatches(const Scene& scene) {
    std::vector<image::Swatch> swatches;
    for (std::size_t i = 0; i < scene.liquid.size(); ++i)
        swatches.push_back({scene.liquid[i].name, liquid_color(scene, i)});
    return swatches;
}

ParticleColors particle_colors(const Scene& scene, const ChannelSet& particles) {
    const std::string color = color_source(scene);
    if (color == liquid) return {{}, liquid_colors(scene, particles), liquid_swatches(scene)};
    if (color == own_colors) return {{}, carried_colors(particles), {}};
    if (color == density_error) return {density_errors(scene, particles), {}, {}};
    return {color_values(particles, color), {}, {}, is_whole(color_channel(particles, color))};
}

std::vector<float> particle_radii(const ChannelSet& particles) {
    const ChannelArray* pscale = particles.find("pscale");
    if (!pscale || pscale->type().width != 1) return {};
    std::vector<float> r(pscale->size());
    parallel_for(r.size(), [&](Range range) {
        for (std::size_t i : range)
            r[i] = static_cast<float>(pscale->value(i));
    });
    return r;
}

std::vector<Vec3f> particle_velocities(const ChannelSet& particles) {
    const ChannelArray* v = particles.find("v");
    if (!v || v->type().width != 3) return {};
    std::vector<Vec3f> velocities(v->size());
    parallel_for(velocities.size(), [&](Range range) {
        for (std::size_t i : range)
            velocities[i] = vec_cast<float>(Vec3d{v->value(i, 0), v->value(i, 1), v->value(i, 2)});
    });
    return velocities;
}

}  // namespace spindrift::stages
