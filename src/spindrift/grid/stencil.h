#pragma once
// A symmetric matrix on a sparse grid that couples each cell with the six beside it.
//
//   (A p)_c = diagonal_c p_c - sum over the six faces of coupling_face p_other
//
// coupling[axis] at a cell is that of its lower face. A diagonal of 0 says that the cell is no unknown; its faces have
// no coupling then. Elsewhere the diagonal is at least the sum of the couplings; what is above is the excess.
//
//   Stencil stencil;
//   stencil.resize(leaves.size());                          // then fill the leaves from 1 on
//   stencil.coupling[0].leaf(l)[cell_index(3, 0, 0)] = 1;   // of cells 2 and 3 of a row

#include "spindrift/grid/field.h"

namespace spindrift::grid {

struct Stencil {
    AxisFields<float> coupling;
    Field<float> diagonal;

    explicit Stencil(const std::string& name = "grid") : coupling(name), diagonal(name) {}
    void resize(std::size_t leaves) {
        coupling.resize(leaves, 0.f);
        diagonal.resize(leaves, 0.f);
    }
};

}  // namespace spindrift::grid
