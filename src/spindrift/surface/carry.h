#pragma once
// Channels of the particles at the points of a mesh: means over the particles around each.
//
//   carry_channels(cells, {{frame.find("v"), frame.find("Cd")}}, mesh, origin);      // mesh.find("v")->values

#include <span>

#include "spindrift/geometry/mesh.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/surface/cells.h"

namespace spindrift::surface {

/// Adds an attribute for each channel; the channels are those of the particles that `cells` sorted. `mesh_origin` is
/// where the mesh's points are measured from, m.
void carry_channels(const Cells& cells, std::span<const ChannelArray* const> channels, geometry::Mesh& mesh,
                    Vec3d mesh_origin);

}  // namespace spindrift::surface
