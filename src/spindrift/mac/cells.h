#pragma once
// How many particles the cells of each leaf hold, how crowded it is around them, and who is spray.
//
// A particle with few others in the 27 cells around it flies on its own: it has no pressure, and no leaf is made for
// it. Leaves here are those of the particle sort.
//
//   Cells cells;
//   cells.count(sorted_grid, x, 6);
//   cells.for_each_run(leaf, cells.wet(leaf), [](std::uint32_t first, std::uint32_t last) { ... });

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/mac/masks.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::mac {

class Cells {
  public:
    /// Particles in a full cell.
    static constexpr int full = 8;

    /// `x` sorted, in metres; `spray` is the number of particles around that makes one part of the liquid.
    void count(const neighbors::LeafGrid& grid, const Float4* x, int spray);
    /// Cell of a particle that was sorted into a leaf.
    int cell_of(std::size_t leaf, Vec3f x) const;

    std::size_t leaves() const { return wet_.size(); }
    /// Particles in each cell, and in the 27 around it.
    const std::uint16_t* counts(std::size_t leaf) const { return counts_.data() + leaf * grid::leaf_cells; }
    const std::uint16_t* crowd(std::size_t leaf) const { return crowd_.data() + leaf * grid::leaf_cells; }
    /// The latter for a place that has no leaf; `near` are the 27 around it, -1 for none.
    void sum_around(const std::int32_t* near, std::uint16_t* out) const;
    /// Cells whose particles are liquid, and spray.
    const LeafMask& wet(std::size_t leaf) const { return wet_[leaf]; }
    const LeafMask& spray(std::size_t leaf) const { return spray_[leaf]; }

    /// The first particle of each cell that has some.
    void find_starts(std::size_t leaf, std::uint32_t* out) const;

    /// Calls f(first, last) for runs of particles in the cells of a mask.
    template <class F>
    void for_each_run(std::size_t leaf, const LeafMask& mask, const F& f) const {
        const neighbors::Leaf& own = view_.leaves[leaf];
        std::uint32_t first = own.first, last = own.first;
        const auto add = [&](std::uint32_t from, std::uint32_t to) {
            if (from == to) return;
            if (from != last) {
                if (first != last) f(first, last);
                first = from;
            }
            last = to;
        };
        const std::uint16_t* count = counts(leaf);
        if (own.table < 0) {
            // In the order of cells all the same.
            std::uint32_t at = own.first;
            for (int cell = 0; cell < grid::leaf_cells; ++cell) {
                if (is_set(mask, cell)) add(at, at + count[cell]);
                at += count[cell];
            }
        } else {
            const std::uint32_t* table = view_.table(own);
            for (int row = 0; row < grid::leaf_rows; ++row) {
                unsigned bits = row_bits(mask, row & 7, row >> 3);
                while (bits != 0) {
                    const int x0 = __builtin_ctz(bits), length = __builtin_ctz(~(bits >> x0));
                    const std::uint32_t* start = table + row * neighbors::row_steps;
                    add(start[4 * x0], start[4 * (x0 + length)]);
                    bits &= ~(((1u << length) - 1) << x0);
                }
            }
        }
        if (first != last) f(first, last);
    }

  private:
    void count_leaf(std::size_t leaf, const Float4* x);
    void judge(std::size_t leaf, int spray);

    neighbors::GridView view_{};
    Buffer<std::uint16_t> counts_{"cells"}, crowd_{"cells"};
    std::vector<LeafMask> wet_, spray_;
};

}  // namespace spindrift::mac
