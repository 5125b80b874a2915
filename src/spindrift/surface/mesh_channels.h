#pragma once
// Channels of the particles at the points of a mesh: means over the particles around each.
//
//   const ChannelArray* channels[] = {frame.find("v"), frame.find("Cd")};
//   carry_channels(cells, channels, mesh, origin);         // mesh.find("v")->values
//   carry_channels(cells, channels, wine, origin, 1);      // of the second liquid's particles alone

#include <cstdint>
#include <optional>
#include <span>

#include "spindrift/geometry/mesh.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/particles/channel_array.h"

namespace spindrift::surface {

/// Adds an attribute for each channel; the channels are those of the particles that `cells` sorted. `mesh_origin` is
/// where the mesh's points are measured from, m. With a liquid, means are over its particles alone, or over all at
/// points that are far from any of them.
void carry_channels(const neighbors::ParticleCells& cells, std::span<const ChannelArray* const> channels,
                    geometry::Mesh& mesh, Vec3d mesh_origin, std::optional<std::uint16_t> liquid = {});

}  // namespace spindrift::surface
