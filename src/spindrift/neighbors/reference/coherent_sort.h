#pragma once
// Coherent sort: only the particles that changed their cell since the last time are sorted, then merged with the rest.
//
//   CoherentSort sorter;
//   for (each step) {
//       const CellOrder& order = sorter.sort(x, h);
//       reorder every channel: new[p] = old[order.place(p)];
//   }
//
// Source     Onderik, thesis, section 2.2, algorithm 3
// Equations  split by OldIndex(p) = index(cell(p, h)); radix-sort the movers; merge by index
// Differs    Particles of one cell keep the order they had, whether they moved or not: the result is that of a stable
//            sort of all. The grid is kept while it holds all particles, and otherwise made anew with a full sort.
// Symbols    key number of the cell, place index of the particle before the sort

#include "spindrift/neighbors/reference/cell_order.h"

namespace spindrift::neighbors::reference {

class CoherentSort {
  public:
    /// The stable order of all particles by their cells in grid(). Fast if x is in the order returned last time, with
    /// new particles at the end; right for any x.
    const CellOrder& sort(ConstChannel<Vec3f> x, float h);

    /// Cells of the last sort.
    const CellGrid& grid() const { return grid_; }
    /// Particles that the last sort did not find in their old cell; all of them after a full sort.
    std::size_t movers() const { return moved_; }

  private:
    bool split(ConstChannel<Vec3f> x);
    void merge();

    CellGrid grid_{{}, 1};
    float h_ = 0;
    std::size_t moved_ = 0;
    CellOrder order_;
    std::vector<std::uint64_t> kept_, movers_, scratch_;
};

}  // namespace spindrift::neighbors::reference
