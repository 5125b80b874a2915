#pragma once
// What surrounds the liquid of a scene at any time: walls that stand or follow keys and files, and forces. Bodies are
// not in it: a simulation moves them, and other stages read where they were.
//
//   Environment around(scene, cache_folder / "fields");
//   collision::Walls walls = around.walls(origin);
//   around.place({12, 12.5}, {origin, around.support(), 0.5 / 24}, walls);
//   forces::ForceSet forces = around.forces(origin, {.frame = 12.25, .seconds = 0.47});

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spindrift/collision/walls/colliders.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

class Environment {
  public:
    /// Reads the files of colliders, which are relative to the scene's. `field_cache` is a folder that keeps their
    /// distance fields; none if it is empty. The scene must outlive it.
    explicit Environment(const Scene& scene, const std::filesystem::path& field_cache = {});

    /// Of the finest liquid, m.
    double spacing() const { return spacing_; }
    /// Of the coarsest liquid, m: the unit of length of walls.
    double support() const { return support_; }

    collision::Colliders& colliders() { return colliders_; }
    const collision::Colliders& colliders() const { return colliders_; }

    /// The domain and shapes that need no field, in units of support() from an origin.
    collision::Walls walls(Vec3d origin) const;
    /// Adds colliders that have fields, or moves them on. The walls refer to this object until it is asked for others.
    void place(const collision::Colliders::Step& step, const collision::StepUnits& units, collision::Walls& walls) {
        colliders_.place(step, units, walls);
    }

    forces::ForceSet forces(Vec3d origin, forces::Moment now) const;
    /// A force of a program, which acts after those of the scene.
    void add_force(std::shared_ptr<const forces::Force> force) { added_.push_back(std::move(force)); }
    /// Whether forces() differ from moment to moment.
    bool forces_change() const { return forces_change_; }

  private:
    const Scene& scene_;
    std::vector<std::string> liquids_;                         ///< their names
    std::vector<std::shared_ptr<const forces::Force>> added_;  ///< those that are not of the scene
    double spacing_, support_;
    bool forces_change_;
    collision::Colliders colliders_;
};

}  // namespace spindrift::sim
