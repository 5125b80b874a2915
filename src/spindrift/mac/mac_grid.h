#pragma once
// The grid of one step: leaves around the liquid and what is known on them. Velocities stand on the lower faces of
// cells (Harlow and Welch 1965), m/s; lengths are in cells.
//
//   MacGrid grid;
//   grid.make_leaves(sorted, cells);                      // around the cells that hold liquid
//   Vec3f u = grid.velocity_at(x);                        // trilinear, zero far from the liquid

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/layers.h"
#include "spindrift/mac/masks.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::mac {

/// Layers of faces that velocities are extended by: a step of the largest CFL number sees no farther.
inline constexpr int extended_layers = 5;

struct MacGrid {
    grid::LeafSet leaves;
    std::vector<std::int32_t> sorted;  ///< by leaf: its leaf in the particle sort; -1 if it has no liquid particles
    std::vector<LeafMask> wet;         ///< by leaf: cells with liquid particles, or of the core
    std::vector<LeafMask> core;        ///< by leaf: cells that are known on the grid alone
    std::vector<LeafMask> near_core;   ///< by leaf: those and the ones around them
    grid::AxisFields<float> velocity{"velocities"}, before{"velocities"}, layer{"velocities"};
    grid::AxisFields<float> crowd{"velocities"};  ///< particles around each face, under a tent of two cells' width
    grid::AxisFields<float> open{"solid faces"};
    grid::Field<float> phi{"surface"};        ///< distance from the liquid's surface, negative inside
    grid::Field<float> pressure{"pressure"};  ///< as a velocity: pressure times dt / (density cell)

    /// These leaves, with nothing on them.
    void assign(std::span<const Vec3i> coords);
    /// Around the cells that hold liquid, and `more`.
    void make_leaves(const neighbors::LeafGrid& sorted_grid, const Cells& cells, std::span<const Vec3i> more = {});
    Vec3f velocity_at(Vec3f x) const;
    /// Curl of the velocity in m/s per cell.
    Vec3f vorticity_at(Vec3f x) const;

    /// Gives velocities to `layers` layers of faces around those of layer 0. Faces of own_layer that are not reached
    /// by the first two keep theirs, and are among those that the others begin at.
    void extrapolate_velocities(int layers);

  private:
    void list_reached();
    void keep_own(float number);

    /// Faces of one axis in a leaf that a layer reaches.
    struct Reached {
        std::size_t index;  ///< axis times leaves, and the leaf
        LeafMask faces;
        std::uint64_t rows;  ///< of those faces: bit z * 8 + y
        std::size_t first;   ///< of the rows in extended_
    };
    std::vector<LeafMask> known_;      ///< by axis, then leaf: faces that have a velocity
    std::vector<std::uint8_t> grows_;  ///< by axis, then leaf: some of them got theirs last
    std::vector<Reached> reached_;
    Buffer<float> extended_{"velocities"};
};

}  // namespace spindrift::mac
