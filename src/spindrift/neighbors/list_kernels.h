#pragma once
// The part of building neighbour lists that is compiled per instruction set.

#include "spindrift/core/isa.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/neighbors/list_view.h"

namespace spindrift::neighbors {

struct ListKernelInput {
    GridView grid;
    const Float4* x;
    std::uint32_t far_particle;
};

struct ListKernels {
    void (*build)(const ListKernelInput&, Cluster* first, Cluster* last, ListOutput&);
};

SPINDRIFT_DISPATCH(ListKernels, list_kernels)

}  // namespace spindrift::neighbors
