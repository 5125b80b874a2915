#include "spindrift/sim/environment.h"

#include <algorithm>

#include "spindrift/fluid/liquid.h"

namespace spindrift::sim {

namespace {

constexpr auto by_spacing = [](const LiquidParams& a, const LiquidParams& b) { return a.spacing < b.spacing; };

double finest_spacing(const Scene& scene) {
    return std::ranges::min_element(scene.liquid, by_spacing)->spacing;
}

double largest_support(const Scene& scene) {
    return fluid::support_ratio * std::ranges::max_element(scene.liquid, by_spacing)->spacing;
}

}  // namespace

Environment::Environment(const Scene& scene, const std::filesystem::path& field_cache)
    : scene_(scene),
      spacing_(finest_spacing(scene)),
      support_(largest_support(scene)),
      forces_change_(forces::forces_change(scene.gravity, scene.force)),
      colliders_({.params = scene.collider,
                  .folder = scene.file.parent_path(),
                  .cache = field_cache,
                  .spacing = spacing_,
                  .support = support_,
                  .fps = scene.fps}) {}

collision::Walls Environment::walls(Vec3d origin) const {
    return collision::make_walls(scene_.domain, scene_.collider, origin, support_);
}

forces::Moment Environment::moment(double frame) const {
    return {.frame = frame, .seconds = (frame - scene_.frames[0]) / scene_.fps};
}

forces::ForceSet Environment::forces(Vec3d origin, forces::Moment now) const {
    return forces::make_forces(scene_.gravity, scene_.force, origin, now);
}

}  // namespace spindrift::sim
