#pragma once
// The inside of a mesh that a fill names.
//
//   MeshFill drop(fill, {.folder = scene.file.parent_path(), .frame = 1, .spacing = 0.01});
//   if (drop.contains({0, 0.5, 0})) ...

#include <filesystem>

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"
#include "spindrift/geometry/pose.h"

namespace spindrift::filling {

class MeshFill {
  public:
    struct Setup {
        std::filesystem::path folder{};  ///< that the file is relative to
        int frame = 1;                   ///< which file of a sequence is taken
        double spacing = 0;              ///< of the liquid, m
    };

    /// Throws IoError if the file cannot be used or has no inside, OutOfMemoryError if it holds too many particles.
    MeshFill(const emitters::FillParams& fill, const Setup& setup);

    bool contains(Vec3d p) const;
    const Box3d& bounds() const { return bounds_; }

  private:
    geometry::Pose pose_;
    Vec3d center_{};  ///< of the mesh, in its own space; the field counts from there
    Box3d bounds_{};
    collision::Field field_;
};

}  // namespace spindrift::filling
