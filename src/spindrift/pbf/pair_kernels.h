#pragma once
// What the loops over pairs share: eight particles in the lanes, the lists of their neighbours, walls near them; for
// files built per instruction set.
//
//   for_each_segment(lists, fluid, cluster, [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale)
//   {
//       for (std::uint32_t k = 0; k < size; ++k) sum = sum + inside(i, &x[list[k]].x, F8(scale.h2));
//   });

#include "spindrift/core/simd.h"
#include "spindrift/pbf/kernels.h"
#include "spindrift/pbf/wall_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

// The loops of each file, for the table of kernels().
void density(const DensityPass& pass, std::uint32_t first, std::uint32_t last);
void stiffness(const StiffnessPass& pass, std::uint32_t first, std::uint32_t last);
std::uint64_t count_pairs(const neighbors::ListView& lists, const FluidView& fluid, const Float4* x,
                          std::uint32_t first, std::uint32_t last);
void correct(const CorrectionPass& pass, std::uint32_t first, std::uint32_t last);
void viscosity(const ViscosityPass& pass, std::uint32_t first, std::uint32_t last);
void vorticity(const VorticityPass& pass, std::uint32_t first, std::uint32_t last);
void filled_shares(const FilledPass& pass, std::uint32_t first, std::uint32_t last);
void exchange(const MixingPass& pass, std::uint32_t first, std::uint32_t last);
void settling_weights(const SettlingPass& pass, std::uint32_t first, std::uint32_t last);
void settle(const SettlingPass& pass, std::uint32_t first, std::uint32_t last);

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;
using neighbors::Cluster;

/// A change of positions or velocities, for eight particles.
struct Correction {
    F8 x, y, z;
};

/// max(h^2 - r^2, 0).
SPINDRIFT_INLINE F8 inside(const F8x4& i, const float* j, F8 h2) {
    const F8 dx = i.x - broadcast(j), dy = i.y - broadcast(j + 1), dz = i.z - broadcast(j + 2);
    return max(fnmadd(dx, dx, fnmadd(dy, dy, fnmadd(dz, dz, h2))), F8(0.f));
}

/// Calls body(list, size, pair scale) for the neighbours of each radius.
template <class Body>
SPINDRIFT_INLINE void for_each_segment(const neighbors::ListView& lists, const FluidView& fluid, const Cluster& c,
                                       const Body& body) {
    const LiquidScale& own = fluid.of(c.first);
    const PairScale* pairs = fluid.pairs_of(own);
    body(lists.list(c), c.list_size, pairs[own.resolution]);
    if (!c.crosses) return;
    neighbors::SegmentWalk walk = lists.segments(c);
    for (neighbors::Segment segment{}; walk.next(segment);)
        body(segment.list, segment.size, pairs[segment.resolution]);
}

/// Positions in the support radii of the class, as walls have them.
SPINDRIFT_INLINE F8x4 in_radii(const F8x4& p, float h) {
    const F8 s(1 / h);
    return {p.x * s, p.y * s, p.z * s, p.w};
}

SPINDRIFT_INLINE NearWalls near_walls(const FluidView& fluid, const Cluster& c, std::uint32_t cluster) {
    const std::uint32_t* starts = fluid.contacts.starts;
    if (!starts) return {c.near_wall != 0};
    return {c.near_wall != 0, starts[cluster], starts[cluster + 1]};
}

/// The numbers of a cluster's particles.
SPINDRIFT_INLINE F8 of_cluster(const fluid::PerParticle& values, const Cluster& c) {
    return values.each ? load(values.each + c.first) : F8(values.one);
}

/// The number of one particle for all lanes.
SPINDRIFT_INLINE F8 of_particle(const fluid::PerParticle& values, std::uint32_t particle) {
    return values.each ? broadcast(values.each + particle) : F8(values.one);
}

}  // namespace

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
