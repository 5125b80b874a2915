#pragma once
// What colours of particles stand for, as pictures tell it.
//
//   std::string title = legend_title(scene, "speed");                                // "speed (m/s)"
//   std::array<double, 2> range = color_range(scene, particle_colors(scene, frame));

#include <array>
#include <string>

#include "spindrift/scene/scene.h"
#include "spindrift/stages/pictures/particle_look.h"

namespace spindrift::stages {

/// Title of the colour bar for a source of colours, with the unit if it has one.
std::string legend_title(const Scene& scene, const std::string& color);

/// Whether a channel is known to hold whole numbers, as meshes do not tell by its type.
bool is_whole_channel(const Scene& scene, const std::string& color);

/// Values at the two ends of the colour map that suit a frame: densities are centred on the rest densities, few whole
/// numbers go from the least to the largest, and others as far as the particles do. Errors of density go as far below 0
/// as the liquid is health::compressed, and at least to 1 %: at every free surface densities are much lower.
std::array<double, 2> color_range(const Scene& scene, const ParticleColors& colors);

}  // namespace spindrift::stages
