#pragma once
// Colliders as pictures show them.
//
//   ColliderMeshes meshes;
//   picture.meshes = meshes.bodies(scene, 42, camera.target);

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/pose.h"
#include "spindrift/preview/render.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

/// The shape of a collider at a frame, in its own space; nothing for planes and level sets. Throws IoError if its file
/// cannot be read.
std::optional<geometry::Mesh> collider_mesh(const Scene& scene, std::size_t collider, int frame);

/// Where a collider's own space is at a frame, after its scale.
geometry::Pose collider_pose(const collision::ColliderParams& collider, double frame);

/// Whether a collider is drawn as one of the picture's solids: a box that stands where it says, without a look of its
/// own.
bool is_plain_box(const collision::ColliderParams& collider);

/// Reads each file once, however many frames are drawn.
class ColliderMeshes {
  public:
    /// All visible colliders but plain boxes, moved by `-origin`. The meshes stay valid until the next call.
    std::vector<preview::MeshBody> bodies(const Scene& scene, int frame, Vec3d origin);

    /// Boxes around the same colliders over the scene's frames, those in between among them if they move.
    std::vector<Box3d> boxes(const Scene& scene);

  private:
    struct Entry {
        std::filesystem::path file;  ///< empty for shapes
        std::optional<geometry::Mesh> mesh;
    };

    const geometry::Mesh* mesh(const Scene& scene, std::size_t collider, int frame);

    std::vector<std::optional<Entry>> entries_;  ///< by collider, of the frame asked for last
};

}  // namespace spindrift::sim
