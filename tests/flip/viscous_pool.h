#pragma once
// Liquid on a grid that is filled by hand, for tests of viscosity. Lengths in cells.
//
//   ViscousPool pool({0, 0, 0}, {32, 16, 8}, walls);
//   pool.fill([](Vec3d p) { return p.y - 12; });             // liquid below a plane, and in the walls it touches
//   pool.set_velocity([](Vec3d p) { return Vec3d{p.y, 0, 0}; });

#include <functional>
#include <vector>

#include "spindrift/flip/viscosity/viscosity.h"
#include "spindrift/mac/grid_kernels.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/solids.h"

namespace spindrift::flip {

struct ViscousPool {
    MacGrid grid;
    Solids solids;

    /// Leaves for the cells from `low` to below `high` and one leaf more on each side.
    ViscousPool(Vec3i low, Vec3i high, const collision::Walls& walls = {}) {
        std::vector<Vec3i> coords;
        for (int z = (low.z >> 3) - 1; z <= ((high.z - 1) >> 3) + 1; ++z)
            for (int y = (low.y >> 3) - 1; y <= ((high.y - 1) >> 3) + 1; ++y)
                for (int x = (low.x >> 3) - 1; x <= ((high.x - 1) >> 3) + 1; ++x)
                    coords.push_back({x, y, z});
        grid.leaves.assign(coords);
        grid.velocity.resize(grid.leaves.size(), 0);
        grid.phi.resize(grid.leaves.size(), far_outside);
        for (int axis = 0; axis < 3; ++axis)
            grid.velocity[axis].fill(0);
        place(walls);
    }
    void place(const collision::Walls& walls) { solids.place(grid.leaves, walls, grid.open); }

    /// Calls body(leaf, cell in it, lower corner of the cell).
    template <class Body>
    void for_cells(const Body& body) const {
        for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
            for (int n = 0; n < grid::leaf_cells; ++n)
                body(l, n, vec_cast<double>(grid.leaves.coord(l) * 8 + Vec3i{n & 7, n >> 3 & 7, n >> 6}));
        }
    }
    /// Middle of the lower face.
    static Vec3d face(Vec3d corner, int axis) {
        corner += Vec3d{0.5, 0.5, 0.5};
        corner[axis] -= 0.5;
        return corner;
    }
    void fill(const std::function<double(Vec3d)>& distance) {
        for_cells([&](std::size_t l, int n, Vec3d corner) {
            const auto phi = static_cast<float>(distance(corner + Vec3d{0.5, 0.5, 0.5}));
            grid.phi.leaf(l)[n] = std::clamp(phi, deep_inside, far_outside);
        });
    }
    void set_velocity(const std::function<Vec3d(Vec3d)>& velocity) {
        for_cells([&](std::size_t l, int n, Vec3d corner) {
            for (int axis = 0; axis < 3; ++axis)
                grid.velocity[axis].leaf(l)[n] = static_cast<float>(velocity(face(corner, axis))[axis]);
        });
    }
    float& at(grid::Field<float>& field, Vec3i c) {
        return field.leaf(
            grid.leaves.find({c.x >> 3, c.y >> 3, c.z >> 3}))[grid::cell_index(c.x & 7, c.y & 7, c.z & 7)];
    }
    /// One cell is one metre.
    grid::SolveReport apply(Viscosity& viscosity, Viscosity::Step step) {
        step.solids = &solids;
        return viscosity.apply(grid, step);
    }
};

/// A closed box; `friction` of its walls.
inline collision::Walls box_walls(Vec3f lo, Vec3f hi, float friction) {
    collision::Walls walls;
    walls.boxes.push_back({{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}, {.friction = friction}, false});
    return walls;
}

}  // namespace spindrift::flip
