#pragma once
// The bodies that cut surfaces at a frame.
//
//   BodyWalls body_walls(scene, cache, spacing, support);
//   body_walls.place(42, units, walls);

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/body_frame.h"
#include "spindrift/stages/frame/body_shapes.h"

namespace spindrift::stages {

class BodyWalls {
  public:
    /// Reads the bodies that liquid does not pass through; the fields of rigid ones are kept in the cache's folder.
    BodyWalls(const Scene& scene, const cache::Cache& cache, double spacing, double support);

    /// Adds them as the cache has them at a frame. The walls name this object's fields until it is asked again. Throws
    /// IoError if the frame's bodies cannot be read.
    void place(int frame, const collision::StepUnits& units, collision::Walls& walls);

    /// The same between a frame and the next, moving from one share of the time between them to another. Bodies that
    /// deform stand as they are at the frame.
    void place_between(int frame, std::array<double, 2> shares, const collision::StepUnits& units,
                       collision::Walls& walls);

  private:
    struct Entry {
        std::size_t body = 0;
        collision::FieldSettings settings{};
        collision::Field field{};
    };
    const sim::BodyFrame& bodies_at(int frame);
    void make_field_of(Entry& entry, int frame);
    void add(const Entry& entry, const collision::Placement& placement, const collision::StepUnits& units,
             collision::Walls& walls) const;

    const Scene& scene_;
    const cache::Cache& cache_;
    BodyShapes shapes_;
    std::vector<Entry> entries_;
    std::map<int, sim::BodyFrame> read_;  ///< the last two frames asked for
    std::optional<int> fields_at_{};      ///< frame that fields of bodies that deform were made for
};

}  // namespace spindrift::stages
