#include "spindrift/sim/environment.h"

#include "spindrift/fluid/liquid.h"
#include "spindrift/sim/make_solver.h"

namespace spindrift::sim {

namespace {

std::vector<std::string> names_of(const std::vector<LiquidParams>& liquids) {
    std::vector<std::string> names;
    for (const LiquidParams& liquid : liquids)
        names.push_back(liquid.name);
    return names;
}

}  // namespace

Environment::Environment(const Scene& scene, const std::filesystem::path& field_cache)
    : scene_(scene),
      liquids_(names_of(scene.liquid)),
      spacing_(fluid::finest_spacing(make_liquids(scene))),
      support_(fluid::largest_support(make_liquids(scene))),
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

forces::ForceSet Environment::forces(Vec3d origin, forces::Moment now) const {
    forces::ForceSet set = forces::make_forces(scene_.gravity, scene_.force, origin, now, liquids_);
    set.fields.insert(set.fields.end(), added_.begin(), added_.end());
    return set;
}

}  // namespace spindrift::sim
