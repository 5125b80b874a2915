#pragma once
// Particles in the order of their cells, by a radix sort.
//
//   CellOrder order;
//   order.sort(grid, x);
//   for (std::size_t p = 0; p < order.size(); ++p) sorted[p] = x[order.place(p)];
//
// Source     Onderik, thesis, section 2.1 ("linear time radix sort")
// Equations  item = key(x_place) << place_bits | place
// Differs    nothing; digits of up to 11 bits, as many passes as the keys of this grid need
// Symbols    key number of the cell, place index of the particle before the sort

#include <vector>

#include "spindrift/neighbors/reference/cell_grid.h"

namespace spindrift::neighbors::reference {

/// Sorts by bits first_bit to last_bit (exclusive), least significant digit first; equal ones keep their order.
void radix_sort(std::vector<std::uint64_t>& items, std::vector<std::uint64_t>& scratch, int first_bit, int last_bit);

class CellOrder {
  public:
    /// All particles must lie in the grid. Throws std::length_error if key and place do not fit into 64 bits together.
    void sort(const CellGrid& grid, ConstChannel<Vec3f> x);

    std::size_t size() const { return items_.size(); }
    std::uint64_t key(std::size_t p) const { return items_[p] >> place_bits_; }
    std::uint32_t place(std::size_t p) const {
        return static_cast<std::uint32_t>(items_[p] & ((std::uint64_t{1} << place_bits_) - 1));
    }
    friend bool operator==(const CellOrder& a, const CellOrder& b) {
        return a.place_bits_ == b.place_bits_ && a.items_ == b.items_;
    }

  private:
    friend class CoherentSort;

    std::vector<std::uint64_t> items_, scratch_;
    int place_bits_ = 0;
};

/// Bits for the places of n particles; throws std::length_error if the keys of the grid leave too few.
int place_bits(const CellGrid& grid, std::size_t n);

}  // namespace spindrift::neighbors::reference
