#pragma once
// The scenes that are measured.
//
//   Scene scene = dam_break_scene(500'000, 4);
//   scene.liquid[0].tension = 0.5;

#include <cstddef>

#include "spindrift/scene/scene.h"

namespace spindrift::cli {

/// Distance between particles of the scenes whose size follows from a number of particles.
inline constexpr double bench_spacing = 0.01;

/// Water in a closed box.
Scene bench_scene(const Box3d& domain, const Box3d& liquid, double spacing);

/// A cube of water in the corner of a box 2.5 times as long and twice as high.
Scene dam_break_scene(std::size_t particles, int iterations);

/// The dam of two liquids, 1000 and 500 kg/m^3, in slabs side by side that meet along the whole dam.
Scene two_phase_scene(std::size_t particles, int iterations);

/// The dam of fine and of coarse particles, half of its volume each; the masses are 1 to 10.
Scene two_resolutions_scene(std::size_t particles, int iterations);

struct FountainSize {
    std::size_t particles;
    int iterations;
    double births;  ///< new particles per step, as a share of all
    double speed;   ///< m/s, upwards if positive
};
/// A basin whose particles are replaced all the time: a nozzle above the surface makes new ones, the oldest die.
Scene fountain_scene(const FountainSize& size);

/// A full box twice as high as wide: a liquid above one of a tenth of its density, with a step in their interface.
Scene rayleigh_taylor_scene(std::size_t particles, int iterations);

/// A box of one metre with a block of 0.4 x 0.5 x 1 m of water in its corner, on a grid of so many cells along the box.
Scene unit_box_scene(int resolution, fluid::Method method);

}  // namespace spindrift::cli
