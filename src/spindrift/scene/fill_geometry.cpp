#include "spindrift/scene/fill_geometry.h"

#include <algorithm>

#include "spindrift/core/vec.h"
#include "spindrift/emitters/fill.h"

namespace spindrift {

using emitters::FillParams;

double fill_thickness(const FillParams& fill) {
    if (fill.box) return std::min({fill.box->size().x, fill.box->size().y, fill.box->size().z});
    if (fill.sphere) return 2 * fill.sphere->radius;
    return std::min(2 * fill.cylinder->radius, length(fill.cylinder->top - fill.cylinder->base));
}

bool fills_overlap(const FillParams& a, const FillParams& b) {
    const Box3d box_a = bounds(a), box_b = bounds(b);
    if (!box_a.overlaps(box_b)) return false;

    // Shapes in each other's boxes need not touch: look at the centres of a grid over what the boxes share.
    constexpr int cells = 12;
    const Box3d shared{max(box_a.lo, box_b.lo), min(box_a.hi, box_b.hi)};
    const Vec3d step = shared.size() / double(cells);
    for (int i = 0; i < cells * cells * cells; ++i) {
        const int x = i % cells, y = i / cells % cells, z = i / (cells * cells);
        const Vec3d p = shared.lo + Vec3d{(x + 0.5) * step.x, (y + 0.5) * step.y, (z + 0.5) * step.z};
        if (contains(a, p) && contains(b, p)) return true;
    }
    return false;
}

}  // namespace spindrift
