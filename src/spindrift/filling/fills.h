#pragma once
// Where the liquids of a scene are at the start.
//
//   Fills fills(scene, colliders);
//   Fills::Particles water = fills.sample(0);
//   Vec3d first = water.positions.at(0);

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "spindrift/collision/walls/colliders.h"
#include "spindrift/core/vec.h"
#include "spindrift/filling/flood_fill.h"
#include "spindrift/filling/mesh_fill.h"
#include "spindrift/scene/scene.h"

namespace spindrift::filling {

class Fills {
  public:
    /// Reads the meshes that fills name. The scene and its colliders must outlive this. Throws IoError and SceneError.
    Fills(const Scene& scene, collision::Colliders& colliders);

    struct Particles {
        std::vector<Vec3d> positions, velocities;
        std::vector<Vec3f> uv;            ///< where each lies in the bounds of its shape, from 0 to 1
        std::vector<std::uint32_t> fill;  ///< which of its liquid's it is of

        void append(const Particles& others);
        void keep_if(const std::function<bool(Vec3d)>& is_wanted);
    };
    /// Particles of one liquid: not inside walls, not in its earlier shapes and not where a later liquid is.
    Particles sample(std::size_t liquid) const;

  private:
    /// One fill, whatever its kind.
    struct Region {
        const emitters::FillParams* params;
        std::size_t liquid;
        std::optional<MeshFill> mesh{};
        std::optional<FloodFill> flood{};

        Box3d bounds() const;
        bool contains(Vec3d p) const;
        /// `is_free` tells where walls leave room.
        std::vector<Vec3d> sample(double spacing, std::uint64_t seed, const std::function<bool(Vec3d)>& is_free) const;
    };
    Region make_region(const emitters::FillParams& fill, std::size_t liquid) const;
    FloodFill make_flood(const emitters::FillParams& fill, std::size_t liquid) const;

    const Scene& scene_;
    collision::Colliders& colliders_;
    std::vector<Region> regions_;  ///< of all liquids, in their order
};

}  // namespace spindrift::filling
