#include "spindrift/pbf/wall_classes.h"

namespace spindrift::pbf {

namespace {

WallView view(const collision::Walls& walls) {
    return {walls.boxes.data(),  static_cast<std::uint32_t>(walls.boxes.size()),
            walls.planes.data(), static_cast<std::uint32_t>(walls.planes.size()),
            walls.fields.data(), static_cast<std::uint32_t>(walls.fields.size())};
}

}  // namespace

void WallClasses::set(const collision::Walls& walls, const std::vector<float>& radii) {
    walls_.clear();
    views_.clear();
    for (const float radius : radii)
        walls_.push_back(in_units_of(walls, radius));
    for (const collision::Walls& scaled : walls_)
        views_.push_back(view(scaled));
}

}  // namespace spindrift::pbf
