#pragma once
// Cell sort: particles sorted by cell, neighbours found by cursors that walk along with the sorted particles.
//
//   CellSort search;
//   search.build(x, h);                          // copies what it needs
//   PairLists lists = list_pairs(search);
//
// Source     Onderik, thesis, section 2.1, algorithms 1 and 2
// Equations  p' is a candidate of p where index(cell(p')) = index(cell(p) + (s, t, u)), s, t, u in {-1, 0, 1}
// Differs    The three cells of a row follow each other in the sorted list, so 9 cursors serve for 27. They move once
//            per occupied cell, not per particle, along a list of the occupied cells: no table of the empty ones.
// Symbols    q index of the current cell, p(s, t, u) first particle of a neighbouring cell

#include <array>
#include <bit>
#include <vector>

#include "spindrift/neighbors/reference/cell_order.h"
#include "spindrift/neighbors/reference/pair_lists.h"

namespace spindrift::neighbors::reference {

class CellSort {
  public:
    /// Throws std::length_error if the box around the particles has too many cells to be numbered.
    void build(ConstChannel<Vec3f> x, float h);
    std::size_t size() const { return x_.size(); }

    template <class Visit>
    void for_each_pair(Visit&& visit) const;

  private:
    /// An occupied cell and its first particle. The list ends with three empty cells of the largest key there is, so
    /// that a cursor finds an end and three cells from anywhere.
    struct Cell {
        std::uint64_t key;
        std::uint32_t first;
    };
    /// Sorted particles of up to three cells in a row.
    struct Run {
        std::uint32_t first, last;
    };
    static constexpr std::size_t end_marks = 3;
    static constexpr std::size_t rows = 9;
    static constexpr std::size_t own_row = 4;
    using Cursors = std::array<std::size_t, rows>;

    std::array<Run, rows> advance(Cursors& cursors, std::uint64_t q) const;
    std::uint32_t index(std::uint32_t p) const { return std::bit_cast<std::uint32_t>(x_[p].w); }

    template <class Visit>
    void visit_run(std::uint32_t p, Run run, Visit&& visit) const {
        const Vec3f x = x_[p].xyz();
        for (std::uint32_t other = run.first; other < run.last; ++other) {
            const float r2 = distance_squared(x, x_[other].xyz());
            if (r2 < h2_) visit(index(p), index(other), r2);
        }
    }

    float h2_ = 0;
    CellOrder order_;
    std::vector<Float4> x_;  ///< sorted; w holds the bits of the index before the sort
    std::vector<Cell> cells_;
    std::array<std::uint64_t, rows> row_offset_{};  ///< from a cell to the first of three in a neighbouring row
};

template <class Visit>
void CellSort::for_each_pair(Visit&& visit) const {
    Cursors cursors{};
    for (std::size_t c = 0; c + end_marks < cells_.size(); ++c) {
        const std::array<Run, rows> runs = advance(cursors, cells_[c].key);
        for (std::uint32_t p = cells_[c].first; p < cells_[c + 1].first; ++p) {
            for (std::size_t row = 0; row < rows; ++row) {
                if (row == own_row) {
                    visit_run(p, {runs[row].first, p}, visit);
                    visit_run(p, {p + 1, runs[row].last}, visit);
                } else {
                    visit_run(p, runs[row], visit);
                }
            }
        }
    }
}

/// Keys of the cells grow along the list, so do those of their neighbours: no cursor ever goes back.
inline std::array<CellSort::Run, CellSort::rows> CellSort::advance(Cursors& cursors, std::uint64_t q) const {
    std::array<Run, rows> runs;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t left = q + row_offset_[row];
        std::size_t& cursor = cursors[row];
        while (cells_[cursor].key < left)
            ++cursor;
        std::size_t end = cursor;
        for (std::size_t c = cursor; c < cursor + 3; ++c)
            end += cells_[c].key <= left + 2;
        runs[row] = {cells_[cursor].first, cells_[end].first};
    }
    return runs;
}

}  // namespace spindrift::neighbors::reference
