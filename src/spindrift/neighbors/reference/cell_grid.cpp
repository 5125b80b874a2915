#include "spindrift/neighbors/reference/cell_grid.h"

#include <bit>
#include <stdexcept>

#include "spindrift/core/errors.h"

namespace spindrift::neighbors::reference {
namespace {

Box3f bounding_box(ConstChannel<Vec3f> x) {
    if (x.empty()) return {};
    Box3f box{x[0], x[0]};
    bool finite = true;
    for (const Vec3f p : x) {
        finite = finite && is_finite(p);
        box.lo = min(box.lo, p);
        box.hi = max(box.hi, p);
    }
    if (!finite) throw std::length_error("a particle's position is not finite");
    return box;
}

}  // namespace

CellGrid::CellGrid(ConstChannel<Vec3f> x, float h, int margin) {
    SPINDRIFT_CHECK(h > 0 && margin >= 0);
    const Box3f box = bounding_box(x);
    const Vec3d one{1, 1, 1};
    const Vec3d extent = (vec_cast<double>(box.hi) - vec_cast<double>(box.lo)) / cell_edge(h);
    const Vec3d size = extent + one * (2. * margin + 2);
    if (std::max({size.x, size.y, size.z}) > max_cells_per_axis ||
        (size.x + 1) * (size.y + 1) * (size.z + 1) > 0x1p62) {
        throw std::length_error("the particles are spread over too many cells of the support radius");
    }
    const auto cells = vec_cast<std::int64_t>(size);
    corner_ = vec_cast<double>(box.lo);
    cells_per_metre_ = 1 / cell_edge(h);
    first_cell_ = one * (1. + margin);
    end_ = vec_cast<double>(cells) + one;
    row_ = cells.x + 1;
    layer_ = row_ * (cells.y + 1);
    key_bits_ = std::bit_width(static_cast<std::uint64_t>(layer_ * (cells.z + 1)));
}

}  // namespace spindrift::neighbors::reference
