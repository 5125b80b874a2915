#pragma once
// The channels of a frame as pictures take them.
//
//   std::vector<float> r = particle_radii(frame);
//   ParticleColors colors = particle_colors(scene, frame);

#include <string>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/image/color_map.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// The source of colours that is made of the channel density: how far it is from the liquid's rest density, in percent.
inline constexpr const char* density_error = "density_error";

/// What colours the particles: render.color, with "auto" decided.
std::string color_source(const Scene& scene);

/// Whether a colour map makes colours of values.
bool uses_color_map(const std::string& color);

/// The channel that such a source is made of; empty if it is the liquids' own colours.
std::string color_channel_of(const std::string& color);

/// Values for a colour map, or colours.
struct ParticleColors {
    std::vector<float> values;
    std::vector<Vec3f> colors;
    std::vector<image::Swatch> swatches;  ///< what the colours stand for, if they stand for something
    bool whole = false;                   ///< the values are integers
};

/// One swatch for each liquid of the scene.
std::vector<image::Swatch> liquid_swatches(const Scene& scene);

/// Throws UsageError for a channel that does not exist, or is of another type than its name says.
ParticleColors particle_colors(const Scene& scene, const ChannelSet& particles);

/// The particles' own radii; empty if the frame has none.
std::vector<float> particle_radii(const ChannelSet& particles);

/// Empty if the frame has none.
std::vector<Vec3f> particle_velocities(const ChannelSet& particles);

}  // namespace spindrift::stages
