#pragma once
// The bodies that cut surfaces at a frame.
//
//   BodyWalls body_walls(scene, cache, spacing, support);
//   body_walls.place(42, units, walls);

#include <cstddef>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/frame/body_shapes.h"

namespace spindrift::stages {

class BodyWalls {
  public:
    /// Reads the bodies that liquid does not pass through; the fields of rigid ones are kept in the cache's folder.
    BodyWalls(const Scene& scene, const cache::Cache& cache, double spacing, double support);

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
    const cache::Cache& cache_;
    BodyShapes shapes_;
    std::vector<Entry> entries_;
};

}  // namespace spindrift::stages
