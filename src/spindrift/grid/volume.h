#pragma once
// A named quantity on a sparse grid, as solvers hand it over and as files hold it.
//
//   Volume pressure{.name = "pressure", .unit = "Pa", .cell = 0.04, .leaves = leaves, .active = masks};
//   pressure.values.push_back(std::move(field));           // in the middle of cells
//   float bottom = pressure.at({0, 0, 0}).x;

#include <string>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::grid {

struct Volume {
    enum class Kind {
        scalar,
        level_set,  ///< a distance, negative inside; beyond the band plus or minus the background
        faces,      ///< a vector, each component in the middle of the cell's lower face
    };
    std::string name{};
    Kind kind = Kind::scalar;
    std::string unit{};
    double cell = 1;                     ///< m
    Vec3d origin{};                      ///< lower corner of cell (0, 0, 0) in the world, m
    LeafSet leaves{};                    ///< where nobody is, all values are the background
    std::vector<LeafMask> active{};      ///< by leaf: cells whose value counts
    std::vector<Field<float>> values{};  ///< one, or three of faces
    float background = 0;

    /// A cell's value; of a scalar in x.
    Vec3f at(Vec3i cell_at) const {
        const std::int32_t leaf = leaves.find({cell_at.x >> 3, cell_at.y >> 3, cell_at.z >> 3});
        Vec3f value{background, background, background};
        for (std::size_t c = 0; leaf > 0 && c < values.size(); ++c)
            value[static_cast<int>(c)] = values[c].leaf(leaf)[cell_index(cell_at.x & 7, cell_at.y & 7, cell_at.z & 7)];
        return value;
    }
    bool is_active(Vec3i cell_at) const {
        const std::int32_t leaf = leaves.find({cell_at.x >> 3, cell_at.y >> 3, cell_at.z >> 3});
        const int bit = (cell_at.y & 7) * leaf_width + (cell_at.x & 7);
        return leaf > 0 && (active[static_cast<std::size_t>(leaf)][static_cast<std::size_t>(cell_at.z & 7)] >> bit & 1);
    }
    /// Middle of a cell in the world.
    Vec3d center(Vec3i cell_at) const { return origin + (vec_cast<double>(cell_at) + Vec3d{0.5, 0.5, 0.5}) * cell; }
};

/// Calls visit(cell, place of its value in the fields) for all active cells, leaf by leaf.
template <class Visit>
void visit_active(const Volume& volume, const Visit& visit) {
    for (std::size_t l = 1; l < volume.leaves.size(); ++l) {
        for (int n = 0; n < leaf_cells; ++n) {
            if (volume.active[l][static_cast<std::size_t>(n / leaf_rows)] >> (n % leaf_rows) & 1)
                visit(volume.leaves.coord(l) * leaf_width + Vec3i{n % 8, n / 8 % 8, n / 64}, l, n);
        }
    }
}

}  // namespace spindrift::grid
