// Where the core is after a step: by looking back along the flow.

#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/interior.h"

namespace spindrift::flip {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

/// Looks where the flow comes from, for places around one leaf.
class BackTrace {
  public:
    BackTrace(const MacGrid& grid, std::size_t leaf, float step)
        : corner_(vec_cast<float>(grid.leaves.coord(leaf) * leaf_width)), step_(step), memory_(memory()) {
        const float* const bases[3] = {grid.velocity[0].leaf(std::size_t{0}), grid.velocity[1].leaf(std::size_t{0}),
                                       grid.velocity[2].leaf(std::size_t{0})};
        memory_.kernels.copy(grid.leaves, bases, leaf, copy_margin, memory_.velocities.data());
        clear();
    }
    void clear() { size_ = 0; }
    void add(Vec3f x) {
        const Vec3f at = corner_ + x;
        memory_.x[size_++] = {at.x, at.y, at.z, 0};
    }
    /// Places that the liquid now at those came from, in cells from the leaf's corner.
    void trace() { run(-step_); }
    /// Velocities at those.
    void sample() { run(0); }
    Vec3f place(std::size_t k) const { return memory_.x[k].xyz() - corner_; }
    Vec3f velocity(std::size_t k) const { return memory_.v[k].xyz(); }

  private:
    struct Memory {
        TransferKernels kernels = transfer_kernels();
        std::vector<float> velocities = std::vector<float>(copy_floats);
        std::vector<Float4> x = std::vector<Float4>(leaf_cells + 8), v = std::vector<Float4>(leaf_cells + 8);
    };
    static Memory& memory() {
        thread_local Memory own;
        return own;
    }
    void run(float step) {
        const AdvectPass pass{.x = memory_.x.data(),
                              .v = memory_.v.data(),
                              .affine = nullptr,
                              .corner = corner_,
                              .per_cell = 1,
                              .velocity = memory_.velocities.data(),
                              .change_from = nullptr,
                              .blend = 0,
                              .dt = step};
        step != 0 ? memory_.kernels.trace(pass, 0, static_cast<std::uint32_t>(size_))
                  : memory_.kernels.look(pass, 0, static_cast<std::uint32_t>(size_));
    }

    Vec3f corner_;
    float step_;  ///< s per m of a cell
    Memory& memory_;
    std::size_t size_ = 0;
};

}  // namespace

/// Cells that were part of it, or lost their particles to it, a step ago.
void Interior::find_liquid(const MacGrid& grid, float step, std::vector<LeafMask>& liquid) const {
    const auto is_full = [](const LeafMask& mask) { return mask == all_cells; };
    parallel_for(grid.leaves.size() - 1, 2, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            const std::int32_t* near = grid.leaves.neighbors(l);
            const auto source = [&](int n) -> const LeafMask& { return source_[static_cast<std::size_t>(near[n])]; };
            bool some = false, whole = true;
            for (int n = 0; n < 27; ++n) {
                some = some || any(source(n));
                whole = whole && is_full(source(n));
            }
            if (whole) liquid[l] = all_cells;
            if (!some || whole) continue;
            BackTrace look(grid, l, step);
            for (int cell = 0; cell < leaf_cells; ++cell)
                look.add(vec_cast<float>(cell_of(cell)) + Vec3f{0.5f, 0.5f, 0.5f});
            look.trace();
            for (int cell = 0; cell < leaf_cells; ++cell) {
                const Vec3f x = look.place(static_cast<std::size_t>(cell));
                const Vec3i c{static_cast<int>(std::floor(x.x)), static_cast<int>(std::floor(x.y)),
                              static_cast<int>(std::floor(x.z))};
                if (is_set(source(grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)),
                           cell_index(c.x & 7, c.y & 7, c.z & 7)))
                    set(liquid[l], cell);
            }
        }
    });
}

void Interior::advance(const MacGrid& grid, float cell, float dt) {
    if (!is_used()) return;
    const std::size_t total = grid.leaves.size();
    const float step = dt / cell;
    std::vector<LeafMask> liquid(total, no_cells);
    find_liquid(grid, step, liquid);
    struct Needs {
        std::array<LeafMask, 3> faces{};
        bool any = false;
    };
    std::vector<Needs> needs(total);
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range) {
            const HaloMask around = halo(grid.leaves, k + 1, liquid);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                needs[k + 1].faces[axis] = with_upper(around, static_cast<int>(axis));
                needs[k + 1].any = needs[k + 1].any || any(needs[k + 1].faces[axis]);
            }
        }
    });
    std::vector<Vec3i> coords;
    for (std::size_t l = 1; l < total; ++l) {
        if (needs[l].any) coords.push_back(grid.leaves.coord(l));
    }
    State next;
    next.leaves.assign(coords);
    next.liquid.assign(next.leaves.size(), no_cells);
    next.velocity.resize(next.leaves.size(), 0);
    parallel_for(total - 1, 2, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            if (!needs[l].any) continue;
            const auto to = static_cast<std::size_t>(next.leaves.find(grid.leaves.coord(l)));
            next.liquid[to] = liquid[l];
            BackTrace look(grid, l, step);
            for (int axis = 0; axis < 3; ++axis) {
                float* const out = next.velocity[axis].leaf(to);
                std::fill_n(out, leaf_cells, 0.f);
                const LeafMask& faces = needs[l].faces[static_cast<std::size_t>(axis)];
                if (!any(faces)) continue;
                look.clear();
                for (int c = 0; c < leaf_cells; ++c) {
                    if (!is_set(faces, c)) continue;
                    Vec3f x = vec_cast<float>(cell_of(c)) + Vec3f{0.5f, 0.5f, 0.5f};
                    x[axis] -= 0.5f;
                    look.add(x);
                }
                look.trace();
                look.sample();
                std::size_t k_face = 0;
                for (int c = 0; c < leaf_cells; ++c) {
                    if (is_set(faces, c)) out[c] = look.velocity(k_face++)[axis];
                }
            }
        }
    });
    state_ = std::move(next);
}

}  // namespace spindrift::flip
