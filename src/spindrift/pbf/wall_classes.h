#pragma once
// Walls in the support radii of each class of particles, as the loops over pairs want them.
//
//   WallClasses walls;
//   walls.set(now, tables.resolutions().h);
//   fluid.walls = walls.views();

#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/pbf/kernels.h"

namespace spindrift::pbf {

class WallClasses {
  public:
    void set(const collision::Walls& walls, const std::vector<float>& radii);
    const WallView* views() const { return views_.data(); }

  private:
    std::vector<collision::Walls> walls_;
    std::vector<WallView> views_;
};

}  // namespace spindrift::pbf
