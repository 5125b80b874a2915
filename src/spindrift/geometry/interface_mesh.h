#pragma once
// A mesh of several liquids: between each liquid and the air, and between the liquids.
//
//   for (const auto& [behind, front] : all.sides) ... front == air at a free surface ...

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// No liquid.
inline constexpr std::uint8_t air = 255;

struct InterfaceMesh {
    Mesh mesh{};
    /// The two liquids of each triangle: its normal points away from the first, into the second. The first is the
    /// lower; air, the highest, is always second.
    std::vector<std::array<std::uint8_t, 2>> sides{};
};

}  // namespace spindrift::geometry
