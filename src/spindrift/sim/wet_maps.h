#pragma once
// The wet maps of a scene's colliders, as the liquid paints them.
//
//   WetMaps maps(scene);
//   maps.update(colliders.surfaces(12.25), {positions, origin, spacing_of, 0.01}, dt);
//   for (std::size_t i = 0; i < maps.size(); ++i) show(maps.name(i), maps.values(i));

#include <cstddef>
#include <string>
#include <vector>

#include "spindrift/collision/wet/wet_map.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

class WetMaps {
  public:
    explicit WetMaps(const Scene& scene);

    bool empty() const { return maps_.empty(); }
    std::size_t size() const { return maps_.size(); }
    /// Of its files.
    const std::string& name(std::size_t map) const { return maps_[map].name; }
    /// 0 to 1, rows from the top.
    const std::vector<float>& values(std::size_t map) const { return maps_[map].map.values(); }

    void update(const std::vector<collision::Colliders::Surface>& surfaces,
                const collision::WettingParticles& particles, double dt);

    /// Throws UsageError for values of another resolution.
    void set_values(std::size_t map, const std::vector<float>& values);
    void dry(std::size_t map);
    void dry_all();

  private:
    struct Entry {
        std::size_t collider;
        std::string name;
        collision::WetMap map;
    };
    std::vector<Entry> maps_;
};

}  // namespace spindrift::sim
