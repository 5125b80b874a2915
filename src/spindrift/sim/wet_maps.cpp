#include "spindrift/sim/wet_maps.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/sim/stage_inputs.h"

namespace spindrift::sim {

std::vector<std::string> file_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const collision::ColliderParams& each : scene.collider)
        names.push_back(each.name);
    return safe_file_names(std::move(names), "collider");
}

WetMaps::WetMaps(const Scene& scene) {
    const std::vector<std::string> names = file_names(scene);
    for (std::size_t i = 0; i < scene.collider.size(); ++i) {
        const collision::ColliderParams& params = scene.collider[i];
        if (params.wet_map)
            maps_.push_back({i, names[i], collision::WetMap(*params.wet_map, scene.file.parent_path() / params.mesh)});
    }
}

void WetMaps::clear() {
    set_states({});
}

void WetMaps::update(const std::vector<collision::Colliders::Surface>& surfaces,
                     const collision::WettingParticles& particles, double dt) {
    for (Entry& entry : maps_) {
        const auto surface = std::find_if(surfaces.begin(), surfaces.end(),
                                          [&](const auto& each) { return each.collider == entry.collider; });
        if (surface != surfaces.end()) entry.map.update(*surface, particles, dt);
    }
}

std::vector<WetState> WetMaps::states() const {
    std::vector<WetState> states;
    for (const Entry& entry : maps_)
        states.push_back({entry.name, entry.map.resolution(), entry.map.values()});
    return states;
}

void WetMaps::set_states(const std::vector<WetState>& states) {
    for (Entry& entry : maps_) {
        const auto state =
            std::find_if(states.begin(), states.end(), [&](const WetState& each) { return each.name == entry.name; });
        const int side = entry.map.resolution();
        if (state == states.end()) {
            entry.map.set_values(std::vector<float>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)));
            continue;
        }
        if (state->resolution != side) {
            throw UsageError(
                fmt::format("the wet map of '{}' in the cache is {} pixels wide, and the scene asks for "
                            "{}; set it back, or simulate from the first frame with `spindrift run --overwrite`",
                            entry.name, state->resolution, side));
        }
        entry.map.set_values(state->values);
    }
}

}  // namespace spindrift::sim
