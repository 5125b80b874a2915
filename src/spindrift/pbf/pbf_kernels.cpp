// The table of all loops, and the ways of particles against fields.

#include "spindrift/pbf/pair_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

void find_meetings_with(const MeetingPass& pass, const collision::WallField& field) {
    for (std::uint32_t first = 0; first < pass.count; first += 8) {
        const int count = static_cast<int>(pass.count - first < 8 ? pass.count - first : 8);
        const F8x4 from = load_groups(&pass.from[first].x, count), to = load_groups(&pass.to[first].x, count);
        pass.meets[first / 8] |= static_cast<std::uint8_t>(meets(field, from, to));
    }
}

/// Particles follow each other in space: most fields are away from all of a batch.
void find_meetings(const MeetingPass& pass) {
    Vec3f lo = pass.from[0].xyz(), hi = lo;
    for (std::uint32_t i = 0; i < pass.count; ++i) {
        lo = min(lo, min(pass.from[i].xyz(), pass.to[i].xyz()));
        hi = max(hi, max(pass.from[i].xyz(), pass.to[i].xyz()));
    }
    for (std::uint32_t first = 0; first < pass.count; first += 8)
        pass.meets[first / 8] = 0;
    for (std::uint32_t k = 0; k < pass.field_count; ++k) {
        const Box3f& box = pass.fields[k].bounds;
        if (lo.x > box.hi.x || lo.y > box.hi.y || lo.z > box.hi.z || hi.x < box.lo.x || hi.y < box.lo.y ||
            hi.z < box.lo.z)
            continue;
        find_meetings_with(pass, pass.fields[k]);
    }
}

}  // namespace

Kernels kernels() {
    return {density,  stiffness,        correct, viscosity,     vorticity,  filled_shares,
            exchange, settling_weights, settle,  find_meetings, count_pairs};
}

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
