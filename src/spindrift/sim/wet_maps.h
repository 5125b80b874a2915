#pragma once
// The wet maps of a scene's colliders, as the liquid paints them.
//
//   WetMaps maps(scene);
//   maps.update(colliders.surfaces(12.25), {positions, origin, spacing_of, 0.01}, dt);
//   std::vector<WetState> now = maps.states();

#include <cstddef>
#include <string>
#include <vector>

#include "spindrift/collision/wet_map.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

/// What a wet map needs to go on.
struct WetState {
    std::string name;  ///< of its files
    int resolution = 0;
    std::vector<float> values{};  ///< 0 to 1, rows from the top
};

/// Names of the files of all colliders: their own names as far as file systems take them, `collider_3` without one.
std::vector<std::string> file_names(const Scene& scene);

class WetMaps {
  public:
    explicit WetMaps(const Scene& scene);

    bool empty() const { return maps_.empty(); }
    void clear();
    void update(const std::vector<collision::Colliders::Surface>& surfaces,
                const collision::WettingParticles& particles, double dt);

    std::vector<WetState> states() const;
    /// Maps of which there is no state become dry. Throws UsageError for one of another resolution.
    void set_states(const std::vector<WetState>& states);

  private:
    struct Entry {
        std::size_t collider;
        std::string name;
        collision::WetMap map;
    };
    std::vector<Entry> maps_;
};

}  // namespace spindrift::sim
