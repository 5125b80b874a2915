// What bodies do to the particles beside them after the iterations. Everything that changes a particle's velocity there
// is taken from the body, particle by particle.

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/pbf/motion_kernels.h"
#include "spindrift/pbf/viscosity.h"

namespace spindrift::pbf {

namespace {

using collision::WallField;

/// Share of a particle's support beyond a plane at distance s, roughly: for drag alone.
float share_behind(float s) {
    return 0.5f * std::clamp(1 - s, 0.f, 1.f) * std::clamp(1 - s, 0.f, 1.f);
}

std::size_t liquid_of(const BodyPass& pass, std::size_t i) {
    return pass.mass.liquid ? pass.mass.liquid[i] : 0;
}

Vec3f move_of(const float* moves, std::uint32_t lane) {
    return {moves[lane], moves[8 + lane], moves[16 + lane]};
}

bool is_held(const Float4& v) {
    return (std::bit_cast<std::uint32_t>(v.w) & ParticleStore::held_bit) != 0;
}

/// Velocity of a particle beside a body that pushed it by `pushed` (a velocity): rough bodies rub and drag, and what
/// would be inside by the end of the next step is stopped or bounces off.
Vec3f touch_body(const BodyPass& pass, const WallField& wall, std::size_t i, Vec3f pushed) {
    const Vec3f x = pass.x[i].xyz();
    const collision::FieldSample here = wall.distance(x);
    const Vec3f n = here.gradient, wall_velocity = wall.velocity_at(x);
    const float h = pass.scales[liquid_of(pass, i)].h, s = here.distance;
    Vec3f relative = pass.v[i].xyz() - wall_velocity;
    const collision::WallFinish surface = wall.surface_at(x);
    if (surface.friction > 0 && s < h) {
        const auto drag = static_cast<float>(ViscositySolver::wall_drag(
            static_cast<double>(pass.viscosity[i]), pass.liquids[liquid_of(pass, i)].support_radius(),
            static_cast<double>(pass.dt)));
        relative *= std::exp(-drag * surface.friction * share_behind(s / h));
        if (s < h * wall_contact)
            relative = collision::apply_friction(relative, n, surface.friction, std::max(0.f, dot(pushed, n)));
    }
    const float slowest = -std::max(0.f, s - collision::contact_gap) * pass.h / pass.dt, speed = dot(relative, n);
    if (speed < slowest) relative += n * (std::max(slowest, -surface.bounce * speed) - speed);
    return wall_velocity + relative;
}

/// The particles of a cluster beside one body.
void meet_body(const BodyPass& pass, const neighbors::Cluster& c, std::uint32_t contact,
               std::vector<fluid::BodyPush>& pushes) {
    const WallField& wall = pass.fields[pass.contacts.field[contact]];
    const float speed = pass.h / pass.dt;
    const float* const moves = pass.pushes + push_floats * static_cast<std::size_t>(pass.contacts.push[contact]);
    // What was nowhere near in the last iteration is not touched.
    const float* const distances = pass.contacts.known + contact_floats * contact;
    const float farthest = wall.surface.friction > 0 ? 1.25f : 0.25f + wall.fastest / speed;
    for (std::uint32_t lane = 0; lane < c.count; ++lane) {
        const std::size_t i = c.first + lane;
        Float4& v = pass.v[i];
        if (is_held(v)) continue;
        const Vec3f pushed = move_of(moves, lane) * speed, before = v.xyz();
        const float s = distances[lane] * pass.scales[liquid_of(pass, i)].h;
        if (pushed == Vec3f{} && s > farthest + length(before) / speed) continue;
        const Vec3f after = touch_body(pass, wall, i, pushed), given = pushed + after - before;
        if (given == Vec3f{}) continue;
        v = {after.x, after.y, after.z, v.w};
        const auto mass = static_cast<float>(static_cast<double>(pass.mass[i]) * pass.reference_mass);
        pushes.push_back({.particle = static_cast<std::uint32_t>(i),
                          .body = static_cast<std::uint32_t>(wall.body),
                          .point = pass.x[i].xyz() * pass.h,
                          .impulse = given * -mass,
                          .mass = mass});
    }
}

}  // namespace

void meet_bodies(const BodyPass& pass, std::uint32_t first, std::uint32_t last, std::vector<fluid::BodyPush>& pushes) {
    for (std::uint32_t n = first; n < last; ++n) {
        for (std::uint32_t k = pass.contacts.starts[n]; k < pass.contacts.starts[n + 1]; ++k) {
            if (pass.contacts.push[k] != no_push) meet_body(pass, pass.clusters[n], k, pushes);
        }
    }
}

Vec3d momentum_of_pushes(const BodyPass& pass, std::uint32_t first, std::uint32_t last) {
    Vec3d sum{};
    for (std::uint32_t n = first; n < last; ++n) {
        const neighbors::Cluster& c = pass.clusters[n];
        for (std::uint32_t k = pass.contacts.starts[n]; k < pass.contacts.starts[n + 1]; ++k) {
            if (pass.contacts.push[k] == no_push) continue;
            const float* const moves = pass.pushes + push_floats * static_cast<std::size_t>(pass.contacts.push[k]);
            for (std::uint32_t lane = 0; lane < c.count; ++lane) {
                if (is_held(pass.v[c.first + lane])) continue;
                sum += vec_cast<double>(move_of(moves, lane) * pass.mass[c.first + lane]);
            }
        }
    }
    return sum;
}

}  // namespace spindrift::pbf
