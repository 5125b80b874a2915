#include "spindrift/flip/tension_kernels.h"

#include "spindrift/grid/row_kernels.h"

namespace spindrift::flip::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace spindrift::grid::SPINDRIFT_ISA_NAMESPACE;
using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

/// Change of the share of liquid per cell below which there is no surface to speak of.
constexpr float least_slope = 0.02f;
/// A ball of two cells' radius has it; what is smaller is not resolved.
constexpr float largest_curvature = 1;

/// Calls body(y, z, place of the row).
template <class Body>
SPINDRIFT_INLINE void for_rows(const Body& body) {
    for (int z = 0; z < leaf_width; ++z) {
        for (int y = 0; y < leaf_width; ++y)
            body(y, z, cell_index(0, y, z));
    }
}

/// Values before and behind each cell of a row on an axis.
struct Sides {
    F8 low, high;
};
SPINDRIFT_INLINE Sides sides(const LeafRows& p, int axis, int y, int z) {
    if (axis == 0) return {p.lower_x(y, z), p.upper_x(y, z)};
    if (axis == 1) return {p.lower_y(y, z), p.upper_y(y, z)};
    return {p.lower_z(y, z), p.upper_z(y, z)};
}

void smooth(const SmoothPass& pass, std::size_t leaf) {
    const LeafRows p(pass.in, leaf, pass.leaves->neighbors(leaf));
    float* out = pass.out + leaf * leaf_cells;
    for_rows([&](int y, int z, int at) {
        const Sides s = sides(p, pass.axis, y, z);
        store(out + at, F8(0.25f) * (s.low + s.high) + F8(0.5f) * p.here(y, z));
    });
}

void find_normals(const NormalPass& pass, std::size_t leaf) {
    const LeafRows p(pass.share, leaf, pass.leaves->neighbors(leaf));
    const std::size_t base = leaf * leaf_cells;
    for_rows([&](int y, int z, int at) {
        F8 slope[3];
        F8 squares(0.f);
        for (int axis = 0; axis < 3; ++axis) {
            const Sides s = sides(p, axis, y, z);
            slope[axis] = F8(0.5f) * (s.high - s.low);
            squares = fmadd(slope[axis], slope[axis], squares);
        }
        const F8 size = sqrt(squares), steep = F8(least_slope) < size;
        const F8 scale = select(steep, F8(1.f) / max(size, F8(least_slope)), F8(0.f));
        for (int axis = 0; axis < 3; ++axis)
            store(pass.normal[axis] + base + static_cast<std::size_t>(at), scale * slope[axis]);
    });
}

void find_curvature(const CurvaturePass& pass, std::size_t leaf) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    const LeafRows n[3] = {{pass.normal[0], leaf, near}, {pass.normal[1], leaf, near}, {pass.normal[2], leaf, near}};
    float* out = pass.curvature + leaf * leaf_cells;
    for_rows([&](int y, int z, int at) {
        F8 sum(0.f), known(1.f);
        for (int axis = 0; axis < 3; ++axis) {
            const Sides s = sides(n[axis], axis, y, z);
            sum = sum + (s.low - s.high);
        }
        // Beside cells without a normal the difference means nothing.
        for (int axis = 0; axis < 3; ++axis) {
            F8 low(0.f), high(0.f);
            for (int a = 0; a < 3; ++a) {
                const Sides s = sides(n[a], axis, y, z);
                low = fmadd(s.low, s.low, low);
                high = fmadd(s.high, s.high, high);
            }
            known = select(F8(0.5f) < low, select(F8(0.5f) < high, known, F8(0.f)), F8(0.f));
        }
        const F8 limit(largest_curvature);
        store(out + at, known * min(max(F8(0.5f) * sum, F8(0.f) - limit), limit));
    });
}

}  // namespace

TensionKernels tension_kernels() {
    return {smooth, find_normals, find_curvature};
}

}  // namespace spindrift::flip::SPINDRIFT_ISA_NAMESPACE
