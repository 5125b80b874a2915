#pragma once
// The surface of a frame's particles as samples, the same that its mesh would be made of.
//
//   surface::Lattice lattice = sample_frame(scene, folder, *io::find_frame(manifest, particle_stage, 42));

#include <filesystem>

#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::sim {

/// What [mesh] says is followed as far as samples go: function, voxel, radius, offset, upsample, clip and wall_gap.
/// Particles are added where they are seen to be missing at this frame, whatever the frame before was like. Throws as
/// load_mesh_particles() does.
surface::Lattice sample_frame(const Scene& scene, const std::filesystem::path& folder, const io::FrameEntry& entry);

}  // namespace spindrift::sim
