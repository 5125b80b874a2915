#pragma once
// Foam on a liquid's surface: how much of a place is covered by it.
//
// Each particle covers a soft disc, tau = peak (1 - q^2)^2 with q = distance / radius, and what shows of the liquid
// below all of them is exp(-sum tau).
//
//   Foam foam(positions, radii, 0.004f);
//   float share = foam.cover({0.1f, 0.2f, 0.3f});

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::render {

class Foam {
  public:
    /// Discs of the particles' own radii, or of `least` if that is larger. Those that are not finite are left out.
    Foam(std::span<const Vec3f> positions, std::span<const float> radii, float least);

    /// Share of the surface that foam hides at a place, from 0 to 1.
    float cover(Vec3f x) const;

    /// Linear RGB. Chosen by eye: whiter foam clips in the sun and loses its shape.
    static constexpr Vec3f color{0.68f, 0.71f, 0.73f};

  private:
    std::uint64_t slot_of(Vec3i cell) const;

    struct Disc {
        Vec3f x;
        float radius;
    };
    float per_cell_ = 1;
    std::vector<std::uint32_t> start_;  ///< of each slot, and the end
    std::vector<Disc> discs_;           ///< in the order of slots
};

}  // namespace spindrift::render
