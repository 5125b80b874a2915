#pragma once
// Which triangles pass through which block of a field's table.
//
//   TriangleBins bins = bin_triangles(cells, layout.bricks, wanted);
//   for (std::uint32_t triangle : bins.in(block)) ...

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/collision/fields/field_layout.h"

namespace spindrift::collision {

struct TriangleBins {
    Vec3i bricks;
    std::vector<std::uint32_t> first;  ///< for each block and one more
    std::vector<std::uint32_t> triangle;

    std::size_t index(Vec3i block) const {
        return (static_cast<std::size_t>(block.z) * static_cast<std::size_t>(bricks.y) +
                static_cast<std::size_t>(block.y)) *
                   static_cast<std::size_t>(bricks.x) +
               static_cast<std::size_t>(block.x);
    }
    Vec3i block(std::size_t index) const {
        const auto x = static_cast<std::size_t>(bricks.x), y = static_cast<std::size_t>(bricks.y);
        return {static_cast<std::int32_t>(index % x), static_cast<std::int32_t>(index / x % y),
                static_cast<std::int32_t>(index / x / y)};
    }
    std::span<const std::uint32_t> in(std::size_t block) const {
        return {triangle.data() + first[block], triangle.data() + first[block + 1]};
    }
};

/// Takes the triangles whose entry of `wanted` is not 0. Some lie just beside a block they are in.
TriangleBins bin_triangles(const CellMesh& mesh, Vec3i bricks, const std::vector<std::uint8_t>& wanted);

/// Blocks, in the table's order, that have a triangle within `reach` cells.
std::vector<std::size_t> blocks_near(const TriangleBins& bins, float reach);

}  // namespace spindrift::collision
