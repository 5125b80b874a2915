#include "spindrift/neighbors/reference/coherent_sort.h"

#include <algorithm>

namespace spindrift::neighbors::reference {
namespace {

// Cells around the particles in a new grid: some steps of a splash before the next new one.
constexpr int grid_margin = 8;

}  // namespace

const CellOrder& CoherentSort::sort(ConstChannel<Vec3f> x, float h) {
    if (h == h_ && split(x)) {
        radix_sort(movers_, scratch_, order_.place_bits_, order_.place_bits_ + grid_.key_bits());
        merge();
    } else {
        grid_ = CellGrid(x, h, grid_margin);
        h_ = h;
        order_.sort(grid_, x);
        moved_ = x.size();
    }
    return order_;
}

/// False if a particle has left the grid.
bool CoherentSort::split(ConstChannel<Vec3f> x) {
    const int bits = place_bits(grid_, x.size());
    kept_.resize(x.size());
    movers_.resize(x.size());
    std::size_t kept = 0;
    moved_ = 0;
    for (std::size_t p = 0; p < x.size(); ++p) {
        if (!grid_.contains(x[p])) return false;
        const std::uint64_t key = grid_.key(x[p]);
        const bool same = p < order_.size() && order_.key(p) == key;
        kept_[kept] = movers_[moved_] = key << bits | p;
        kept += same;
        moved_ += !same;
    }
    kept_.resize(kept);
    movers_.resize(moved_);
    order_.place_bits_ = bits;
    return true;
}

void CoherentSort::merge() {
    order_.items_.resize(kept_.size() + movers_.size());
    std::merge(kept_.begin(), kept_.end(), movers_.begin(), movers_.end(), order_.items_.begin());
}

}  // namespace spindrift::neighbors::reference
