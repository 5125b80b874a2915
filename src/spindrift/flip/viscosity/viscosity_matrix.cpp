// What the viscous solve is made of: weights, walls and unknowns. Sources and equations are in viscosity.h.

#include <algorithm>
#include <cmath>
#include <utility>

#include "spindrift/flip/viscosity/viscosity.h"
#include "spindrift/flip/viscosity/viscosity_pointers.h"
#include "spindrift/grid/leaf_loops.h"

namespace spindrift::flip {

namespace {

using grid::for_leaves;
using grid::leaf_cells;
using grid::sum_leaves;

/// Faces that are less open than this belong to a wall that liquid sticks to.
constexpr float held_open = 0.5f;
/// Normals this near to an axis are along it.
constexpr float straight = 0.99f;

FaceKind kind_of(const WallFace& face) {
    if (face.friction > 0) return face.open < held_open ? rough_face : free_face;
    if (face.open > 0) return free_face;
    return std::abs(face.normal[face.axis]) > straight ? smooth_face : void_face;
}

/// Whether a leaf or one around it has faces of walls.
bool near_walls(const grid::LeafSet& leaves, const Solids& solids, std::size_t leaf) {
    const std::int32_t* near = leaves.neighbors(leaf);
    return std::any_of(near, near + 27,
                       [&](std::int32_t l) { return l > 0 && !solids.faces(static_cast<std::size_t>(l)).empty(); });
}

}  // namespace

float Viscosity::find_shares(const MacGrid& grid, const Step& step) {
    const std::size_t total = grid.leaves.size(), zero = 0;
    neighbors_ = grid.leaves.neighbors(0);
    cell_.resize(total, 0);
    edge_.resize(total, 0);
    mass_.resize(total, 0);
    strongest_.assign(total, -1);
    SharePass pass{};
    pass.leaves = &grid.leaves;
    pass.phi = grid.phi.leaf(zero);
    pass.viscosity = step.viscosity ? step.viscosity->leaf(zero) : nullptr;
    pass.scale = static_cast<float>((step.viscosity ? 1 : step.constant) * step.dt / (step.cell * step.cell));
    pass.cell = cell_.leaf(zero);
    pass.strongest = strongest_.data();
    point_to(edge_, pass.edge);
    point_to(mass_, pass.mass);
    const ShareKernel share = share_kernel();
    parallel_for(total - 1, 8, [&](Range range) {
        for (const std::size_t k : range)
            share(pass, k + 1);
    });
    active_.clear();
    idle_.clear();
    float largest = 0;
    for (std::size_t l = 0; l < total; ++l) {
        // What is no number is not negative either.
        const bool liquid = l > 0 && !(strongest_[l] < 0);
        (liquid ? active_ : idle_).push_back(static_cast<std::int32_t>(l));
        if (liquid && !(strongest_[l] <= largest)) largest = strongest_[l];
    }
    return largest;
}

double Viscosity::hold_faces(MacGrid& grid, const Solids& solids, std::size_t leaf) {
    // Faces too deep in a solid to be on its list are closed as well.
    for (int axis = 0; axis < 3; ++axis) {
        const float* open = grid.open[axis].leaf(leaf);
        float* kind = kind_[axis].leaf(leaf);
        for (int n = 0; n < leaf_cells; ++n)
            kind[n] = open[n] > 0 ? free_face : void_face;
    }
    double energy = 0;
    for (const WallFace& face : solids.faces(leaf)) {
        const FaceKind kind = kind_of(face);
        kind_[face.axis].leaf(leaf)[face.cell] = kind;
        if (kind != rough_face && kind != smooth_face) continue;
        const float u = face.velocity[face.axis];
        grid.velocity[face.axis].leaf(leaf)[face.cell] = u;
        energy += static_cast<double>(mass_[face.axis].leaf(leaf)[face.cell]) * static_cast<double>(u * u);
    }
    return energy;
}

double Viscosity::hold_walls(MacGrid& grid, const Solids& solids) {
    const std::size_t total = grid.leaves.size();
    kind_.resize(total, free_face);
    const double energy = sum_leaves(grid.leaves.ranks(), total - 1, [&](Range range, double* sums) {
        for (const std::size_t k : range)
            sums[k] = hold_faces(grid, solids, k + 1);
    });
    WallPass pass{};
    pass.leaves = &grid.leaves;
    pass.cell = cell_.leaf(std::size_t{0});
    point_to(std::as_const(kind_), pass.kind);
    point_to(std::as_const(grid.open), pass.open);
    point_to(edge_, pass.edge);
    const ViscosityKernels kernels = viscosity_kernels();
    for_leaves(active_.size(), [&](Range range) {
        for (const std::size_t k : range) {
            const auto leaf = static_cast<std::size_t>(active_[k]);
            if (near_walls(grid.leaves, solids, leaf)) kernels.meet_walls(pass, leaf);
        }
    });
    return energy;
}

void Viscosity::find_unknowns(const grid::LeafSet& leaves) {
    const std::size_t total = leaves.size();
    inverse_.resize(total, 0);
    UnknownPass pass{};
    pass.matrix = view();
    point_to(std::as_const(kind_), pass.kind);
    point_to(mass_, pass.mass);
    point_to(inverse_, pass.inverse);
    for (std::size_t axis = 0; axis < 3 && multigrid_; ++axis) {
        grid::Stencil& stencil = stencils_[axis];
        stencil.resize(total);
        pass.diagonal[axis] = stencil.diagonal.leaf(std::size_t{0});
        point_to(stencil.coupling, pass.coupling[axis]);
        for (const std::int32_t l : idle_) {
            for (grid::Field<float>* field :
                 {&stencil.diagonal, &stencil.coupling.x, &stencil.coupling.y, &stencil.coupling.z})
                std::fill_n(field->leaf(l), leaf_cells, 0.f);
        }
    }
    const ViscosityKernels kernels = viscosity_kernels();
    for_leaves(active_.size(), [&](Range r) { kernels.find_unknowns(pass, r.first, r.last); });
    for (std::size_t axis = 0; axis < 3 && multigrid_; ++axis)
        cycles_[axis].set_up(leaves, stencils_[axis], grid::Excess::mass);
}

ViscousView Viscosity::view() const {
    ViscousView view{};
    view.list = active_.data();
    view.neighbors = neighbors_;
    view.cell = cell_.leaf(std::size_t{0});
    point_to(edge_, view.edge);
    point_to(mass_, view.mass);
    point_to(inverse_, view.inverse);
    return view;
}

void Viscosity::restrict_to_unknowns(grid::AxisFields<float>& faces) const {
    for (std::size_t l = 0; l < faces.x.leaves(); ++l) {
        const bool liquid = std::binary_search(active_.begin(), active_.end(), static_cast<std::int32_t>(l));
        for (int axis = 0; axis < 3; ++axis) {
            for (int n = 0; n < leaf_cells; ++n)
                faces[axis].leaf(l)[n] *= liquid && mass_[axis].leaf(l)[n] > 0 ? 1.f : 0.f;
        }
    }
}

std::size_t Viscosity::unknowns() const {
    std::size_t count = 0;
    for (const std::int32_t l : active_) {
        for (int axis = 0; axis < 3; ++axis) {
            const float* mass = mass_[axis].leaf(l);
            count += static_cast<std::size_t>(std::count_if(mass, mass + leaf_cells, [](float m) { return m > 0; }));
        }
    }
    return count;
}

}  // namespace spindrift::flip
