#pragma once
// Points of a mesh that may not move freely while it is finished.
//
//   HeldPoints held{.kind = kind, .wall_normals = normals};
//   Vec3f allowed = held.allowed(i, step);

#include <cstdint>
#include <span>

#include "spindrift/core/errors.h"
#include "spindrift/core/vec.h"

namespace spindrift::geometry {

struct HeldPoints {
    static constexpr std::uint8_t free = 0;
    static constexpr std::uint8_t fixed = 255;  ///< every other number is a wall that the point slides along

    std::span<const std::uint8_t> kind{};   ///< of each point, or none if all are free
    std::span<const Vec3f> wall_normals{};  ///< of each point, length 1; of meaning where the kind is a wall

    std::uint8_t kind_of(std::size_t point) const { return kind.empty() ? free : kind[point]; }
    bool is_free(std::size_t point) const { return kind_of(point) == free; }

    /// The part of a point's step that it may take.
    Vec3f allowed(std::size_t point, Vec3f step) const {
        const std::uint8_t here = kind_of(point);
        if (here == free) return step;
        if (here == fixed) return {};
        return step - wall_normals[point] * dot(wall_normals[point], step);
    }

    /// That there is an entry for each point: our own mistake if not.
    void check(std::size_t points) const {
        SPINDRIFT_CHECK(kind.empty() || kind.size() == points);
        SPINDRIFT_CHECK(kind.empty() || wall_normals.size() == points);
    }
};

}  // namespace spindrift::geometry
