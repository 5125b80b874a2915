#pragma once
// Bodies as pictures show them.
//
//   BodyMeshes meshes;
//   picture.meshes = meshes.drawn(scene, read_bodies(scene, folder, manifest, 42), camera.target);

#include <cstddef>
#include <map>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/render/render.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/body_frame.h"
#include "spindrift/stages/frame/body_shapes.h"

namespace spindrift::stages {

/// Reads each file once, however many frames are drawn.
class BodyMeshes {
  public:
    /// All visible bodies, moved by `-origin`. The meshes stay valid until the next call. Throws IoError for files that
    /// cannot be read or do not fit the frame.
    std::vector<render::MeshBody> drawn(const Scene& scene, const sim::BodyFrame& frame, Vec3d origin);

  private:
    BodyShapes shapes_;
    std::map<std::size_t, geometry::Mesh> deformed_;
};

}  // namespace spindrift::stages
