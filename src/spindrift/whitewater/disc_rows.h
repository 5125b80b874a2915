#pragma once
// Discs in cells, cells in rows along x: who goes through the cells in order finds those around each of them with nine
// fingers, one for each row beside it, that only ever move forward.
//
//   DiscRows rows(discs, reach);
//   rows.for_cells([&] { return [&](std::size_t cell, const DiscRows::Around& around) { ... }; });    // in parallel

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/push_kernels.h"

namespace spindrift::whitewater {

class DiscRows {
  public:
    /// Cells are twice as wide as the reach.
    DiscRows(std::span<const Disc> of, float reach);

    Buffer<Disc> discs{"whitewater"};         ///< by cells
    Buffer<std::uint32_t> who{"whitewater"};  ///< which of those that were given

    struct Cell {
        std::uint64_t key;    ///< row by row
        std::uint32_t first;  ///< its discs end where those of the next cell begin
    };
    /// Cells that lie in one row behind each other.
    struct Run {
        std::uint32_t first, last;
    };
    using Around = std::array<Run, 9>;

    float reach() const { return reach_; }
    Range discs_of(std::size_t cell) const { return {cells_[cell].first, cells_[cell + 1].first}; }

    /// Calls make_body() for each thread's part of the cells, and body(cell, runs of cells around it and its own).
    template <class MakeBody>
    void for_cells(const MakeBody& make_body) const {
        constexpr std::size_t chunk = 256;
        parallel_for(cells_.size() - 1, chunk, [&](Range range) {
            auto body = make_body();
            std::array<std::uint32_t, 9> finger;
            for (std::size_t n = 0; n < 9; ++n)
                finger[n] = find(lowest_beside(cells_[range.first].key, n));
            for (const std::size_t cell : range)
                body(cell, around(cells_[cell].key, finger));
        });
    }

  private:
    /// Of the three cells in one of the nine rows around, the one that comes first.
    std::uint64_t lowest_beside(std::uint64_t key, std::size_t row) const {
        return key - 1 + (row % 3 << bits_x_) - (std::uint64_t{1} << bits_x_) + (row / 3 << bits_xy_) -
               (std::uint64_t{1} << bits_xy_);
    }
    std::uint32_t find(std::uint64_t key) const;

    Around around(std::uint64_t key, std::array<std::uint32_t, 9>& finger) const {
        Around out;
        for (std::size_t n = 0; n < 9; ++n) {
            const std::uint64_t lowest = lowest_beside(key, n);
            while (cells_[finger[n]].key < lowest)
                finger[n] += 1;
            std::uint32_t last = finger[n];
            while (cells_[last].key <= lowest + 2)
                last += 1;
            out[n] = {finger[n], last};
        }
        return out;
    }

    float reach_;
    int bits_x_ = 0, bits_xy_ = 0;
    std::vector<Cell> cells_;  ///< and one behind them that comes after all
};

}  // namespace spindrift::whitewater
