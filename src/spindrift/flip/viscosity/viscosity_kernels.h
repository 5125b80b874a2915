#pragma once
// The loops of the viscosity solve over rows of eight cells, compiled per instruction set; fields are named by the
// first value of their leaf 0. Passes that take `first` and `last` do those places of a list of leaves, and their sums
// are one double per leaf, added in the order of the list.
//
// Places: normal stress in the middle of cells, shear stress in the middle of edges. An edge is named by the axis that
// it runs along and by the cell whose lowest edge it is, so that the one along z stands between two faces of x and two
// of y.
//
//   const std::size_t count = active.size();
//   kernels.stress({view, {u...}, {normal...}, {shear...}}, 0, count);
//   kernels.force({view, {normal...}, {shear...}, {u...}, {q...}, 1, 1}, 0, count, sums);      // u . q of each leaf

#include <cstddef>
#include <cstdint>

#include "spindrift/core/isa.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::flip {

/// What a face is to viscosity.
enum FaceKind : std::uint8_t {
    free_face = 0,    ///< moves with the liquid: an unknown if there is any stress or mass around it
    rough_face = 1,   ///< has the velocity of a wall that liquid sticks to
    smooth_face = 2,  ///< has the velocity of a wall across it, along which liquid slips
    void_face = 3,    ///< deep in a wall along which liquid slips: no stress reaches it
};

/// Shares of liquid in the volume around each place, times viscosity.
struct SharePass {
    const grid::LeafSet* leaves;
    const float* phi;
    const float* viscosity;  ///< of cells, negative where it is not known; nullptr: one everywhere
    float scale;             ///< dt / cell^2, times the viscosity if that is one everywhere
    float* cell;             ///< weights of stresses: 2 nu dt / cell^2 times a share
    float* edge[3];          ///< without the 2
    float* mass[3];          ///< of faces: the share
    float* strongest;        ///< by leaf: largest nu dt / cell^2; negative if it has no liquid
};

/// Weights beside walls.
struct WallPass {
    const grid::LeafSet* leaves;
    const float* kind[3];
    const float* open[3];
    float* cell;
    float* edge[3];
};

struct ViscousView {
    const std::int32_t* list;
    const std::int32_t* neighbors;  ///< 27 for each leaf of the set
    const float* cell;
    const float* edge[3];
    const float* mass[3];     ///< 0 where a face is no unknown
    const float* inverse[3];  ///< of the matrix' diagonal, 0 there too
};

/// Says which faces are unknowns, and the matrices of the preconditioner.
struct UnknownPass {
    ViscousView matrix;
    const float* kind[3];
    float* mass[3];
    float* inverse[3];
    float* coupling[3][3];  ///< by component and axis; nullptr if nobody wants them
    float* diagonal[3];
};

/// Stresses of velocities.
struct StressPass {
    ViscousView matrix;
    const float* u[3];
    float* normal[3];
    float* shear[3];
};

/// out = sign (inertia mass u + what stresses do to unknowns); the sum is u . out.
struct ForcePass {
    ViscousView matrix;
    const float* normal[3];
    const float* shear[3];
    const float* u[3];
    float* out[3];
    float inertia, sign;
};

/// x += alpha p, r -= alpha q; the sum is r . r / diagonal.
struct ViscousAdvance {
    ViscousView matrix;
    const float* p[3];
    const float* q[3];
    float* x[3];
    float* r[3];
    float alpha;
};

/// p = r / diagonal + beta p.
struct ViscousTurn {
    ViscousView matrix;
    const float* r[3];
    float* p[3];
    float beta;
};

struct ViscosityKernels {
    void (*meet_walls)(const WallPass&, std::size_t leaf);
    void (*find_unknowns)(const UnknownPass&, std::size_t first, std::size_t last);
    void (*stress)(const StressPass&, std::size_t first, std::size_t last);
    void (*force)(const ForcePass&, std::size_t first, std::size_t last, double* sums);
    void (*advance)(const ViscousAdvance&, std::size_t first, std::size_t last, double* sums);
    void (*turn)(const ViscousTurn&, std::size_t first, std::size_t last);
};

/// In viscosity_share_kernels.cpp.
using ShareKernel = void (*)(const SharePass&, std::size_t leaf);

SPINDRIFT_DISPATCH(ViscosityKernels, viscosity_kernels)
SPINDRIFT_DISPATCH(ShareKernel, share_kernel)

}  // namespace spindrift::flip
