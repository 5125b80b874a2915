#include "spindrift/neighbors/reference/cell_sort.h"

#include <limits>

namespace spindrift::neighbors::reference {

void CellSort::build(ConstChannel<Vec3f> x, float h) {
    const CellGrid grid(x, h);
    order_.sort(grid, x);
    h2_ = h * h;

    // Copy the particles in sorted order and note where a cell begins.
    x_.resize(x.size());
    cells_.clear();
    constexpr std::uint64_t no_key = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last_key = no_key;
    for (std::uint32_t p = 0; p < x.size(); ++p) {
        const std::uint32_t i = order_.place(p);
        x_[p] = {x[i].x, x[i].y, x[i].z, std::bit_cast<float>(i)};
        if (const std::uint64_t key = order_.key(p); key != last_key) cells_.push_back({last_key = key, p});
    }
    cells_.insert(cells_.end(), end_marks, {no_key, static_cast<std::uint32_t>(x.size())});

    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t t = row % 3, u = row / 3;
        row_offset_[row] = (t - 1) * grid.row() + (u - 1) * grid.layer() - 1;
    }
}

}  // namespace spindrift::neighbors::reference
