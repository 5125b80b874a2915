#pragma once
// Water and particles to measure pictures with, the same in every run.
//
//   geometry::Mesh water = wavy_water(500'000);      // closed, with normals N
//   std::vector<Vec3f> x = wavy_particles(1'000'000, spacing);

#include <cstddef>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::cli {

/// Half the side of the square that the water fills, m. Its bottom is at height 0.
inline constexpr double water_reach = 2;

/// A pool with waves and drops above it, of about so many triangles.
geometry::Mesh wavy_water(std::size_t triangles);

/// Particles below the same waves, `spacing` apart but for some jitter.
std::vector<Vec3f> wavy_particles(std::size_t count, double& spacing);

}  // namespace spindrift::cli
