#include "spindrift/sim/particle_look.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/liquid_color.h"

namespace spindrift::sim {

namespace {

constexpr const char *speed = "speed", *liquid = "liquid", *own_colors = "Cd";

const ChannelArray& color_channel(const ChannelSet& particles, const std::string& color) {
    if (const ChannelArray* channel = particles.find(color == speed ? "v" : color)) return *channel;
    std::vector<std::string> names{liquid, speed};
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

/// Each particle in the colour of its liquid.
std::vector<Vec3f> liquid_colors(const Scene& scene, const ChannelSet& particles) {
    const ChannelArray* phase = particles.find("phase");
    std::vector<Vec3f> colors(particles.size(), liquid_color(scene, 0));
    if (!phase) return colors;
    if (phase->type() != ChannelType{ScalarType::u16, 1})
        throw UsageError("the channel phase is not of 16-bit integers, so it cannot tell the liquids apart");
    parallel_for(colors.size(), [&](Range range) {
        for (std::size_t i : range)
            colors[i] = liquid_color(scene, phase->as<std::uint16_t>()[i]);
    });
    return colors;
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

bool uses_color_map(const std::string& color) {
    return color != liquid && color != own_colors;
}

std::vector<render::Swatch> liquid_swatches(const Scene& scene) {
    std::vector<render::Swatch> swatches;
    for (std::size_t i = 0; i < scene.liquid.size(); ++i)
        swatches.push_back({scene.liquid[i].name, liquid_color(scene, i)});
    return swatches;
}

ParticleColors particle_colors(const Scene& scene, const ChannelSet& particles) {
    const std::string color = color_source(scene);
    if (color == liquid) return {{}, liquid_colors(scene, particles), liquid_swatches(scene)};
    if (color == own_colors) return {{}, carried_colors(particles), {}};
    return {color_values(particles, color), {}, {}};
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

std::vector<Vec3f> particle_positions(const ChannelSet& particles, Vec3d origin) {
    const ChannelArray* p = particles.find("P");
    if (!p || p->type().width != 3) throw UsageError("the frame has no channel P of three coordinates to draw");
    std::vector<Vec3f> x(p->size());
    parallel_for(x.size(), [&](Range range) {
        for (std::size_t i : range)
            x[i] = vec_cast<float>(Vec3d{p->value(i, 0), p->value(i, 1), p->value(i, 2)} - origin);
    });
    return x;
}

}  // namespace spindrift::sim
