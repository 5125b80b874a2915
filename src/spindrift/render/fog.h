#pragma once
// Fog of fine drops: how much light passes it along a ray, and where the rest is scattered.
//
// Each drop, or the many that a particle stands for, takes a cross section off the light; on cells, that makes an
// extinction in 1/m, and what is left after a way is exp(-integral of the extinction).
//
//   Fog fog(positions, cross_sections, 0.04f);
//   Fog::Veil veil = fog.along({0, 1, 5}, {0, 0, -1}, 10, 0.5f);

#include <cstddef>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::render {

class Fog {
  public:
    /// Cross sections are m^2. Cells get wider than asked for if there would be too many; drops that are not finite are
    /// left out.
    Fog(std::span<const Vec3f> positions, std::span<const float> cross_sections, float cell);

    struct Veil {
        float left = 1;      ///< share of the light that passes
        float distance = 0;  ///< along the ray, to where the rest is scattered on average
    };
    /// From a place in a unit direction for a distance. `jitter` from 0 to 1 moves where the fog is looked at.
    Veil along(Vec3f from, Vec3f direction, float distance, float jitter) const;

    /// 1/m, at a place.
    float extinction(Vec3f x) const;

    /// What a drop does not swallow.
    static constexpr float albedo = 0.98f;

  private:
    std::size_t place_of(Vec3i cell) const {
        return (static_cast<std::size_t>(cell.z) * static_cast<std::size_t>(size_.y) +
                static_cast<std::size_t>(cell.y)) *
                   static_cast<std::size_t>(size_.x) +
               static_cast<std::size_t>(cell.x);
    }
    void choose_cells(std::span<const Vec3f> positions);
    /// The lowest of the eight cells around a place, and where it is between them.
    Vec3i corner_of(Vec3f x, Vec3f& t) const;

    float cell_ = 1;
    Vec3f corner_{};  ///< of the first cell
    Vec3i size_{};
    std::vector<float> extinction_;  ///< empty if there is no fog
};

}  // namespace spindrift::render
