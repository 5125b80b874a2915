// The beginning of a step: forces, and the way to where they lead.

#include <algorithm>
#include <bit>

#include "spindrift/pbf/motion_kernels.h"

namespace spindrift::pbf {

namespace {

/// Particles whose ways are looked at together.
constexpr std::size_t batch = 64;

/// Ways of some particles, in support radii; the bits of the liquid in the fourth number of `to`.
struct Ways {
    Float4 from[batch], to[batch];
    std::uint8_t meets[batch / 8];

    bool meets_field(std::size_t k) const { return meets[k / 8] >> (k % 8) & 1; }
};

/// A liquid travels through the sort in the slot of the position that multipliers have afterwards.
float liquid_as_float(std::uint32_t liquid) {
    return std::bit_cast<float>(liquid);
}

/// How far the first layer of a particle's liquid stands off walls.
float first_layer(const PredictPass& pass, const Float4& to) {
    return static_cast<float>(0.5 / support_ratio) * pass.scales[std::bit_cast<std::uint32_t>(to.w)].h;
}

/// A particle that is inside an obstacle as the step begins is put where the first layer stands, so that iterations do
/// not throw it out: velocities count from here.
void stop_at_walls(const collision::Walls& walls, const Float4& from, float first_layer, Float4& to, Float4& v) {
    Vec3f end = to.xyz();
    const collision::WallHit hit = walls.trace(from.xyz(), end);
    if (!hit.hit) return;
    // A body answers to what hits it: see meet_bodies().
    const bool fixed = hit.body < 0;
    if (fixed && walls.are_entered(from.xyz())) {
        const Vec3f in_layer = end + hit.normal * (first_layer - collision::contact_gap);
        if (walls.is_free(in_layer, collision::contact_gap)) end = in_layer;
    }
    to = {end.x, end.y, end.z, to.w};
    if (!fixed) return;
    const Vec3f slowed = respond(v.xyz(), hit);
    v = {slowed.x, slowed.y, slowed.z, v.w};
}

/// Gives particles the velocities that forces lead them with, and finds their ways.
void push(const PredictPass& pass, std::size_t first, std::size_t count, Ways& ways) {
    const float per_h = 1 / pass.h;
    const bool sticky = pass.walls->sticky();
    Float4 pushed[batch];
    std::copy_n(pass.v + first, count, pushed);
    pass.forces->apply({.x = pass.x + first, .v = pushed, .count = count, .dt = pass.dt, .particles = pass.particles});
    for (std::size_t k = 0; k < count; ++k) {
        Float4& v = pass.v[first + k];
        const Vec3f x = pass.x[first + k].xyz(), start = x * per_h;
        Vec3f v_new = pass.particles->is_held(first + k) ? v.xyz() : pushed[k].xyz();
        if (sticky) {
            const collision::WallHit held = pass.walls->contact(start, wall_contact);
            if (held.body < 0) v_new = cling(v_new, held, pass.dt);
        }
        const Vec3f end = (x + v_new * pass.dt) * per_h;
        ways.from[k] = {start.x, start.y, start.z, 0};
        ways.to[k] = {end.x, end.y, end.z, pass.phase ? liquid_as_float(pass.phase[ParticleStore::slot_of(v)]) : 0};
        v = {v_new.x, v_new.y, v_new.z, v.w};
    }
}

}  // namespace

void predict(const PredictPass& pass, Range range) {
    const std::vector<collision::WallField>& fields = pass.walls->fields;
    Ways ways;
    for (std::size_t first = range.first; first < range.last; first += batch) {
        const std::size_t count = std::min(batch, range.last - first);
        push(pass, first, count, ways);
        if (!fields.empty()) {
            pass.loops->find_meetings({.fields = fields.data(),
                                       .field_count = static_cast<std::uint32_t>(fields.size()),
                                       .from = ways.from,
                                       .to = ways.to,
                                       .count = static_cast<std::uint32_t>(count),
                                       .meets = ways.meets});
        }
        for (std::size_t k = 0; k < count; ++k) {
            const Float4& from = ways.from[k];
            Float4& to = ways.to[k];
            if ((!fields.empty() && ways.meets_field(k)) || !pass.walls->is_clear_of_plain(from.xyz(), to.xyz()))
                stop_at_walls(*pass.walls, from, first_layer(pass, to), to, pass.v[first + k]);
            pass.x[first + k] = to;
        }
    }
}

}  // namespace spindrift::pbf
