#pragma once
// The order of leaves: along a Z-curve, 18 bits with sign on each axis.
//
//   std::uint64_t key = leaf_key({-1, 2, 3});      leaf_coord(key) == Vec3i{-1, 2, 3}

#include <cstdint>

#include "spindrift/core/vec.h"

namespace spindrift::neighbors {

/// Bits that the coordinates take; whatever has to sort before them stands above.
inline constexpr int leaf_key_bits = 54;

/// Spreads 21 bits so that two zeros follow each.
constexpr std::uint64_t spread_bits(std::uint64_t a) {
    a &= 0x1fffff;
    a = (a | a << 32) & 0x1f00000000ffff;
    a = (a | a << 16) & 0x1f0000ff0000ff;
    a = (a | a << 8) & 0x100f00f00f00f00f;
    a = (a | a << 4) & 0x10c30c30c30c30c3;
    return (a | a << 2) & 0x1249249249249249;
}

constexpr std::uint64_t compact_bits(std::uint64_t a) {
    a &= 0x1249249249249249;
    a = (a ^ (a >> 2)) & 0x10c30c30c30c30c3;
    a = (a ^ (a >> 4)) & 0x100f00f00f00f00f;
    a = (a ^ (a >> 8)) & 0x1f0000ff0000ff;
    a = (a ^ (a >> 16)) & 0x1f00000000ffff;
    return (a ^ (a >> 32)) & 0x1fffff;
}

inline constexpr std::int32_t leaf_key_offset = 1 << 17;

constexpr std::uint64_t leaf_key(Vec3i c) {
    return spread_bits(static_cast<std::uint64_t>(c.x + leaf_key_offset)) |
           spread_bits(static_cast<std::uint64_t>(c.y + leaf_key_offset)) << 1 |
           spread_bits(static_cast<std::uint64_t>(c.z + leaf_key_offset)) << 2;
}

constexpr Vec3i leaf_coord(std::uint64_t key) {
    key &= (std::uint64_t{1} << leaf_key_bits) - 1;
    return {static_cast<std::int32_t>(compact_bits(key)) - leaf_key_offset,
            static_cast<std::int32_t>(compact_bits(key >> 1)) - leaf_key_offset,
            static_cast<std::int32_t>(compact_bits(key >> 2)) - leaf_key_offset};
}

}  // namespace spindrift::neighbors
