#pragma once
// A narrow band of distances around a surface, cut into bricks for fast look-ups in the solver's loops.
//
// Nodes lie at whole multiples of the cell size in the body's space. A brick holds the 9 x 9 x 9 nodes of 8 x 8 x 8
// cells, so that no look-up leaves it; a table tells which brick a block of cells has, if it is near the surface.
// Measured against trees of nodes: docs/decisions/0010.
//
//   Field field = make_field(mesh, {.cell = 0.01, .mode = Mode::solid_inside});
//   FieldSample here = sample(field.view(), field.to_nodes({0.1, 0, 0}));     // here.distance * field.cell metres

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::collision {

inline constexpr int brick_cells = 8, brick_side = 9, brick_nodes = 729;

/// Entries of the table where there is no brick.
inline constexpr std::int32_t free_block = -1, solid_block = -2;

/// What look-ups need; positions in cells from the table's low corner, distances in cells.
struct FieldView {
    const std::int32_t* table;  ///< x fastest
    const float* distance;      ///< brick_nodes for each brick, x fastest
    std::int32_t bricks[3];     ///< of the table
    float free_distance;        ///< where the table says free_block
    float solid_distance;       ///< where the table says solid_block; negative
    std::int32_t beyond;        ///< free_block or solid_block: what is outside the table
};

struct Field {
    double cell = 0;     ///< metres
    Vec3i first{};       ///< node in the table's low corner; a multiple of brick_cells
    Vec3i bricks{};      ///< of the table along each axis
    float band = 0;      ///< distances are right up to this many cells on the liquid's side,
    float depth = 0;     ///< and to this many inside the solid
    bool closed = true;  ///< false if what was meant as a solid has holes: then it is a shell
    std::string note;    ///< what a user should know about how it was made; empty if all is as asked
    std::int32_t beyond = free_block;
    std::vector<std::int32_t> table;
    std::vector<float> distance;          ///< in cells; positive where liquid may be
    std::vector<std::int32_t> primitive;  ///< nearest triangle of each node, -1 if none; empty if nobody asked

    std::size_t brick_count() const { return distance.size() / brick_nodes; }
    std::size_t bytes() const { return table.size() * 4 + distance.size() * 4 + primitive.size() * 4; }
    /// Position in cells from the table's low corner, of one in metres in the body's space.
    Vec3d to_nodes(Vec3d local) const { return local / cell - vec_cast<double>(first); }
    FieldView view() const {
        return {table.data(), distance.data(), {bricks.x, bricks.y, bricks.z}, band, -depth, beyond};
    }
};

/// Where a position lies among the bricks.
struct FieldPlace {
    std::int32_t brick;  ///< or free_block, solid_block
    int node;            ///< low corner of the cell in the brick
    Vec3f in_cell;       ///< 0 to 1
};

FieldPlace find_place(const FieldView& field, Vec3f at);

struct FieldSample {
    float distance;
    Vec3f gradient;  ///< of the trilinear function, zero away from the band
};

FieldSample sample(const FieldView& field, Vec3f at);
float sample_distance(const FieldView& field, Vec3f at);

/// A value per node, laid out as Field::distance, at a place that has a brick.
float interpolate(const float* nodes, const FieldPlace& place);
Vec3f interpolate(const Vec3f* nodes, const FieldPlace& place);

}  // namespace spindrift::collision
