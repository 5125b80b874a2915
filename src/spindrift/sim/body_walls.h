#pragma once
// The bodies that cut surfaces at a frame.
//
//   BodyWalls body_walls(scene, folder, spacing, support);
//   body_walls.place(42, units, walls);

#include <cstddef>
#include <filesystem>
#include <vector>

#include "spindrift/collision/field.h"
#include "spindrift/collision/make_field.h"
#include "spindrift/collision/walls.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/body_meshes.h"

namespace spindrift::sim {

class BodyWalls {
  public:
    /// Reads the bodies that liquid does not pass through; the fields of rigid ones are kept in the cache's folder.
    BodyWalls(const Scene& scene, const std::filesystem::path& folder, double spacing, double support);

    /// Adds them as the cache has them at a frame. The walls name this object's fields until it is asked again. Throws
    /// IoError if the frame's bodies cannot be read.
    void place(int frame, const collision::StepUnits& units, collision::Walls& walls);

  private:
    struct Entry {
        std::size_t body = 0;
        collision::FieldSettings settings{};
        collision::Field field{};
    };
    const Scene& scene_;
    std::filesystem::path folder_;
    BodyMeshes meshes_;
    std::vector<Entry> entries_;
};

}  // namespace spindrift::sim
