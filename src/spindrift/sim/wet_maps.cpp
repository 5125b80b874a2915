#include "spindrift/sim/wet_maps.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/scene/file_names.h"

namespace spindrift::sim {

WetMaps::WetMaps(const Scene& scene) {
    const std::vector<std::string> names = collider_file_names(scene);
    for (std::size_t i = 0; i < scene.collider.size(); ++i) {
        const collision::ColliderParams& params = scene.collider[i];
        if (params.wet_map)
            maps_.push_back({i, names[i], collision::WetMap(*params.wet_map, scene.file.parent_path() / params.mesh)});
    }
}

void WetMaps::update(const std::vector<collision::Colliders::Surface>& surfaces,
                     const collision::WettingParticles& particles, double dt) {
    for (Entry& entry : maps_) {
        const auto surface = std::find_if(surfaces.begin(), surfaces.end(),
                                          [&](const auto& each) { return each.collider == entry.collider; });
        if (surface != surfaces.end()) entry.map.update(*surface, particles, dt);
    }
}

void WetMaps::set_values(std::size_t map, const std::vector<float>& values) {
    Entry& entry = maps_[map];
    const auto side = static_cast<std::size_t>(entry.map.resolution());
    if (values.size() != side * side) {
        throw UsageError(
            fmt::format("the wet map of '{}' in the cache is {} pixels wide, and the scene asks for "
                        "{}; set it back, or simulate from the first frame with `spindrift run --overwrite`",
                        entry.name, std::lround(std::sqrt(static_cast<double>(values.size()))), side));
    }
    entry.map.set_values(values);
}

void WetMaps::dry(std::size_t map) {
    const auto side = static_cast<std::size_t>(maps_[map].map.resolution());
    maps_[map].map.set_values(std::vector<float>(side * side));
}

void WetMaps::dry_all() {
    for (std::size_t map = 0; map < maps_.size(); ++map)
        dry(map);
}

}  // namespace spindrift::sim
