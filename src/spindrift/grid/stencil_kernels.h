#pragma once
// The loops of the pressure solve over rows of eight cells, compiled per instruction set. Each takes the places `first`
// to `last` of a list of leaves; fields are named by the first value of their leaf 0. Sums are one double
// for each place of the list, which is written to sums[place] unless `sums` is nullptr.
//
//   const StencilView view = view_of(leaves, stencil, inverse, active);
//   stencil_kernels().sweep({view, in.leaf(0u), r.leaf(0u), out.leaf(0u), 0.56f}, 0, active.size());

#include <cstddef>
#include <cstdint>

#include "spindrift/core/isa.h"

namespace spindrift::grid {

struct StencilView {
    const std::int32_t* leaves;     ///< the list
    const std::int32_t* neighbors;  ///< 27 for each leaf of the set
    const float* coupling[3];
    const float* diagonal;
    const float* inverse;  ///< of the diagonal, 0 where there is no unknown
};

/// What a leaf holds.
enum LeafBits : std::uint8_t {
    has_unknowns = 1,
    has_excess = 2,  ///< beyond rounding
    joins_low_x = 4,
    joins_low_y = 8,
    joins_low_z = 16,
};

struct SurveyPass {
    StencilView matrix;
    float* inverse;
    std::uint8_t* bits;  ///< for each leaf of the set
    float* largest;      ///< coupling of each leaf
};

/// out = A in; the sum is in . out.
struct ApplyPass {
    StencilView matrix;
    const float* in;
    float* out;
};

/// out = in + weight (r - A in) / diagonal; the sum is r . out. Without `in`: as if it were zero.
struct SweepPass {
    StencilView matrix;
    const float* in;
    const float* r;
    float* out;
    float weight;
};

/// Between a level and the next coarser one, in which each leaf has an eighth of its parent.
struct TransferPass {
    StencilView matrix;  ///< of the finer level
    const std::int32_t* parents;
    const std::uint16_t* corners;  ///< first cell of that eighth
    const float* r;                ///< restriction: coarse = sums of r - A x
    float* x;                      ///< prolongation: x += coarse
    float* coarse;
};

/// The coarser matrix: all sums of aggregates are halved. Afterwards finish sets what is left of the excess.
struct CoarsenPass {
    StencilView matrix;
    const std::int32_t* parents;
    const std::uint16_t* corners;
    float* coupling[3];  ///< of the coarser level
    float* diagonal;
};

/// Of the coarser level: the whole excess e of each aggregate instead of a half, but 1 / (1 / e + 1 / most), and the
/// inverse of the diagonal.
struct FinishPass {
    StencilView matrix;
    float* diagonal;
    float* inverse;
    float most_excess;
};

/// x += alpha p, r -= alpha q; the sum is r . r.
struct AdvancePass {
    const std::int32_t* leaves;
    const float* p;
    const float* q;
    float* x;
    float* r;
    float alpha;
};

/// p = z + beta p; p = z if beta is 0, whatever p is.
struct TurnPass {
    const std::int32_t* leaves;
    const float* z;
    float* p;
    float beta;
};

struct StencilKernels {
    void (*survey)(const SurveyPass&, std::size_t first, std::size_t last);
    void (*apply)(const ApplyPass&, std::size_t first, std::size_t last, double* sums);
    void (*sweep)(const SweepPass&, std::size_t first, std::size_t last, double* sums);
    void (*restrict_residual)(const TransferPass&, std::size_t first, std::size_t last);
    void (*prolong)(const TransferPass&, std::size_t first, std::size_t last);
    void (*coarsen)(const CoarsenPass&, std::size_t first, std::size_t last);
    void (*finish)(const FinishPass&, std::size_t first, std::size_t last);
    void (*advance)(const AdvancePass&, std::size_t first, std::size_t last, double* sums);
    void (*turn)(const TurnPass&, std::size_t first, std::size_t last);
};

SPINDRIFT_DISPATCH(StencilKernels, stencil_kernels)

}  // namespace spindrift::grid
