#pragma once
// Colliders as pictures show them.
//
//   ColliderMeshes meshes;
//   picture.meshes = meshes.bodies(scene, 42, camera.target);

#include <cstddef>
#include <map>
#include <vector>

#include "spindrift/collision/fields/mesh_source.h"
#include "spindrift/core/vec.h"
#include "spindrift/render/render.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/frame/frame_wet.h"

namespace spindrift::stages {

/// Whether a collider is drawn as one of the picture's solids: a box that stands where it says, without a look of its
/// own.
bool is_plain_box(const collision::ColliderParams& collider);

/// Reads each file once, however many frames are drawn.
class ColliderMeshes {
  public:
    /// All visible colliders but plain boxes, moved by `-origin`, as wet as `wet` says. The meshes stay valid until the
    /// next call.
    std::vector<render::MeshBody> bodies(const Scene& scene, int frame, Vec3d origin, const WetImages& wet = {});

    /// Boxes around the same colliders over the scene's frames, those in between among them if they move.
    std::vector<Box3d> boxes(const Scene& scene);

  private:
    const geometry::Mesh* mesh(const Scene& scene, std::size_t collider, int frame);

    std::map<std::size_t, collision::MeshSource> sources_;
};

}  // namespace spindrift::stages
