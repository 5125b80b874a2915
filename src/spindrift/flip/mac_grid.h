#pragma once
// The grid of one step: leaves around the liquid and what is known on them. Velocities stand on the lower faces of
// cells (Harlow and Welch 1965), m/s; lengths are in cells.
//
//   MacGrid grid;
//   grid.make_leaves(sorted, cells);                      // around the cells that hold liquid
//   Vec3f u = grid.velocity_at(x);                        // trilinear, zero far from the liquid

#include <cstdint>
#include <vector>

#include "spindrift/flip/cells.h"
#include "spindrift/flip/layers.h"
#include "spindrift/flip/masks.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::flip {

/// Layers of faces that velocities are extended by: a step of the largest CFL number sees no farther.
inline constexpr int extended_layers = 5;

struct MacGrid {
    grid::LeafSet leaves;
    std::vector<std::int32_t> sorted;  ///< by leaf: its leaf in the particle sort; -1 if it has no liquid particles
    std::vector<LeafMask> wet;         ///< by leaf: cells with liquid particles
    grid::AxisFields<float> velocity{"velocities"}, before{"velocities"}, layer{"velocities"};
    grid::AxisFields<float> open{"solid faces"};
    grid::Field<float> phi{"surface"};        ///< distance from the liquid's surface, negative inside
    grid::Field<float> pressure{"pressure"};  ///< as a velocity: pressure times dt / (density cell)

    void make_leaves(const neighbors::LeafGrid& sorted_grid, const Cells& cells);
    Vec3f velocity_at(Vec3f x) const;
    /// Curl of the velocity in m/s per cell.
    Vec3f vorticity_at(Vec3f x) const;

    /// Gives velocities to `layers` layers of faces around those of layer 0.
    void extend_velocities(int layers);

  private:
    void list_reachable();

    /// Of a leaf's faces of one axis.
    struct State {
        bool spreads = false;  ///< some got their velocity last
        bool done = true;      ///< all have one
    };
    std::vector<State> states_;  ///< by axis, then leaf
    std::vector<std::size_t> reachable_;
    std::vector<std::uint64_t> reached_;
    Buffer<float> extended_{"velocities"};
};

}  // namespace spindrift::flip
