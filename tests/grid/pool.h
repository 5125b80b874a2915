#pragma once
// Water on a grid of cells of width 1 for the tests of the solvers.
//
//   Pool pool({0, 0, 0}, {32, 32, 32});
//   pool.fill([](Vec3d p) { return p.y - 20.3; });          // water below a plane

#include <cmath>
#include <functional>
#include <vector>

#include "spindrift/grid/conjugate_gradients.h"

namespace spindrift::grid {

/// Distance to the surface in cells, negative in water.
using Distance = std::function<double(Vec3d)>;
/// Whether a face between two cells is open.
using Open = std::function<bool(Vec3i cell, int axis)>;

/// Cells from `low` to below `high`, walls all around. Ghost fluid at the free surface.
struct Pool {
    LeafSet leaves;
    Stencil stencil;
    Field<float> rhs, x;
    Vec3i low, high;
    std::size_t unknowns = 0;

    Pool(Vec3i from, Vec3i to) : low(from), high(to) {
        std::vector<Vec3i> coords;
        for (int z = low.z >> 3; z <= (high.z - 1) >> 3; ++z)
            for (int y = low.y >> 3; y <= (high.y - 1) >> 3; ++y)
                for (int c = low.x >> 3; c <= (high.x - 1) >> 3; ++c)
                    coords.push_back({c, y, z});
        set_leaves(coords);
    }

    void set_leaves(const std::vector<Vec3i>& coords) {
        leaves.assign(coords);
        stencil.resize(leaves.size());
        for (int axis = 0; axis < 3; ++axis)
            stencil.coupling[axis].fill(0.f);
        stencil.diagonal.fill(0.f);
        for (Field<float>* field : {&rhs, &x}) {
            field->resize(leaves.size(), 0.f);
            field->fill(0.f);
        }
    }

    static std::size_t at(Vec3i c) { return static_cast<std::size_t>(cell_index(c.x & 7, c.y & 7, c.z & 7)); }
    float& value(Field<float>& field, Vec3i c) {
        return field.leaf(leaves.find({c.x >> 3, c.y >> 3, c.z >> 3}))[at(c)];
    }
    static Vec3d center(Vec3i c) { return {c.x + 0.5, c.y + 0.5, c.z + 0.5}; }

    template <class Body>
    void for_cells(const Body& body) const {
        for (int z = low.z; z < high.z; ++z)
            for (int y = low.y; y < high.y; ++y)
                for (int c = low.x; c < high.x; ++c)
                    body(Vec3i{c, y, z});
    }
    bool inside(Vec3i c) const {
        return c.x >= low.x && c.y >= low.y && c.z >= low.z && c.x < high.x && c.y < high.y && c.z < high.z;
    }

    /// Fills the matrix; `pressure` at the surface goes to the right-hand side.
    void fill(const Distance& distance, const Open& open = {}, double least_theta = 0.01,
              const std::function<double(Vec3d)>& pressure = {}) {
        for_cells([&](Vec3i c) {
            const double own = distance(center(c));
            if (own >= 0) return;
            ++unknowns;
            double diagonal = 0;
            for (int side = 0; side < 6; ++side) {
                Vec3i other = c;
                other[side / 2] += side % 2 == 0 ? -1 : 1;
                if (!inside(other) || (open && !open(side % 2 == 0 ? c : other, side / 2))) continue;
                const double beyond = distance(center(other));
                if (beyond < 0) {
                    diagonal += 1;
                    if (side % 2 == 0) value(stencil.coupling[side / 2], c) = 1;
                    continue;
                }
                const double theta = std::max(least_theta, own / (own - beyond));
                diagonal += 1 / theta;
                if (!pressure) continue;
                const Vec3d surface = center(c) + (center(other) - center(c)) * (own / (own - beyond));
                value(rhs, c) += static_cast<float>(pressure(surface) / theta);
            }
            value(stencil.diagonal, c) = static_cast<float>(diagonal);
        });
    }
    bool unknown(Vec3i c) { return value(stencil.diagonal, c) > 0; }
    void add_rhs(const std::function<double(Vec3d)>& f) {
        for_cells([&](Vec3i c) {
            if (unknown(c)) value(rhs, c) += static_cast<float>(f(center(c)));
        });
    }
    SolveReport solve(const SolveOptions& options = {}) {
        PoissonSolver solver;
        return solver.solve(leaves, stencil, rhs, x, options);
    }
};

/// Waves on water with a ball inside, whose faces are closed.
inline Pool wavy_pool(int n) {
    Pool pool({-n / 2, 0, 0}, {n - n / 2, n, n});
    const auto wave = [n](Vec3d p) {
        return p.y - 0.6 * n - 0.07 * n * std::sin(5 * p.x / n) * std::cos(7 * p.z / n) +
               0.03 * n * std::sin(23 * p.x / n);
    };
    const Vec3d middle{0.0, 0.3 * n, 0.5 * n};
    const auto in_ball = [=](Vec3i c) { return length(Pool::center(c) - middle) < 0.15 * n; };
    const auto open = [=](Vec3i c, int axis) {
        Vec3i below = c;
        --below[axis];
        return !in_ball(c) && !in_ball(below);
    };
    pool.fill(wave, open, 0.05);
    // Gravity against the floor and some motion.
    pool.add_rhs([n](Vec3d p) { return std::sin(0.9 * p.x) * std::cos(0.31 * p.y + 7 * p.z / n) + (p.y < 1 ? 3 : 0); });
    return pool;
}

}  // namespace spindrift::grid
