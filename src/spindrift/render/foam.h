#pragma once
// Foam on a liquid's surface: how much of a place is covered by it, and how its heaps stand out.
//
// Each particle covers a soft disc, tau = peak (1 - q^2)^2 with q = distance / radius, and what shows of the liquid
// below all of them is exp(-sum tau). Some are heaps of bubbles as well, chosen by their ids so that they go with the
// foam: the surface of all heaps together is the highest of theirs, a r (1 - q^2), which is what bends the light, and
// what lies low between them is darker.
//
//   Foam foam({.positions = positions, .radii = radii, .ids = ids, .least = 0.004f});
//   Foam::Look look = foam.at({0.1f, 0.2f, 0.3f});

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::render {

/// Discs by cells that are as wide as the largest of them.
class DiscCells {
  public:
    struct Disc {
        Vec3f x;
        float radius;
    };
    DiscCells() = default;
    explicit DiscCells(const std::vector<Disc>& discs);

    /// f(disc, way to the place, square of the distance in radii) for all that cover a place.
    template <class F>
    void for_all_over(Vec3f x, const F& f) const;

  private:
    std::uint64_t slot_of(Vec3i cell) const;

    float per_width_ = 1;
    std::vector<std::uint32_t> start_;  ///< of each slot, and the end
    std::vector<Disc> discs_;           ///< in the order of slots
};

class Foam {
  public:
    struct Setup {
        std::span<const Vec3f> positions;
        std::span<const float> radii;       ///< m
        std::span<const std::int64_t> ids;  ///< that tell who is a heap; their order does if there are none
        float least = 0;                    ///< radius of the smallest disc, m
    };
    /// Those that are not finite are left out.
    explicit Foam(const Setup& setup);

    struct Look {
        float share = 0;  ///< of the surface that foam hides, from 0 to 1
        Vec3f slope{};    ///< direction and steepness in which the foam rises
        Vec3f color{};    ///< linear RGB
    };
    Look at(Vec3f x) const;

  private:
    float least_;
    DiscCells discs_, heaps_;
};

}  // namespace spindrift::render
