// The way back: velocities to particles, and particles to where they go.

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/step.h"

namespace spindrift::flip {

namespace {

using neighbors::Leaf;

/// Walls that push liquid may go less far in a step than liquid may: faces that were open when it began are theirs by
/// its end, and what the step moves through them is pressed together. With 1.6 cells it is 4 % for a cup that is
/// dragged away, with 2.5 cells 10 %.
constexpr float weight_of_walls = 2.5f;
/// The same for several bodies, between which gaps close: with half a cell per step crowds in a flood are seldom
/// thrown.
constexpr float weight_of_bodies = 8;

/// Air, for drops that fly on their own: of a ball as large as a particle.
constexpr float air_density = 1.2f, drag_coefficient = 0.47f;

/// Velocity after dt of drag alone: v / (1 + k |v| dt) is exact for quadratic drag.
Vec3f slowed_by_air(Vec3f v, double density, double spacing, float dt) {
    const double radius = std::cbrt(3 / (4 * 3.14159265358979)) * spacing;
    const auto k = static_cast<float>(0.375 * static_cast<double>(drag_coefficient * air_density) / (density * radius));
    return v / (1 + k * length(v) * dt);
}

bool is_stuck(Vec3f went, Vec3f wanted) {
    return dot(went, went) < 1e-3f * dot(wanted, wanted);
}

/// Between walls that leave no way a particle has no more velocity against them than it went with: its own would grow,
/// step by step.
Vec3f velocity_of_stuck(Vec3f went, Vec3f after, const collision::WallHit& hit) {
    return length(went - hit.velocity) < length(after - hit.velocity) ? went : after;
}

/// Around the ways of particles.
Box3f box_around(const std::vector<Float4>& from, const Float4* to) {
    Box3f box{from[0].xyz(), from[0].xyz()};
    for (std::size_t k = 0; k < from.size(); ++k) {
        box = {min(box.lo, min(from[k].xyz(), to[k].xyz())), max(box.hi, max(from[k].xyz(), to[k].xyz()))};
    }
    return box;
}

}  // namespace

void Solver::move_liquid(ParticleStore& particles, std::size_t leaf, float dt) {
    const std::int32_t own = scattered_.leaf_of[leaf];
    if (own == 0) return;
    const TransferKernels kernels = transfer_kernels();
    thread_local std::vector<float> now(copy_floats), before(copy_floats);
    const auto copy = [&](const grid::AxisFields<float>& fields, int margin, std::vector<float>& out) {
        const float* const bases[3] = {fields[0].leaf(std::size_t{0}), fields[1].leaf(std::size_t{0}),
                                       fields[2].leaf(std::size_t{0})};
        kernels.copy(grid_.leaves, bases, static_cast<std::size_t>(own), margin, out.data());
    };
    copy(grid_.velocity, copy_margin, now);
    const double share = flip_share(double{dt});
    const bool blends = share > 0;
    if (blends) copy(grid_.before, 1, before);
    const AdvectPass pass{.x = particles.position().data(),
                          .v = particles.velocity().data(),
                          .affine = affine(particles),
                          .corner = vec_cast<float>(sorted_.leaves()[leaf].coord * grid::leaf_width),
                          .per_cell = 1 / cell_,
                          .velocity = now.data(),
                          .change_from = blends ? before.data() : nullptr,
                          .blend = static_cast<float>(share),
                          .dt = dt};
    cells_.for_each_run(leaf, without(cells_.wet(leaf), slivers(leaf)),
                        [&](std::uint32_t first, std::uint32_t last) { kernels.advect(pass, first, last); });
    if (pass.affine) calm_beside_walls(particles, leaf);
}

/// Pressure weighs faces by the share that walls leave open, particles by how many are near. Where walls cut cells the
/// two differ, and affine velocities, which lose nothing on the way through the grid, would gain from it in each step.
void Solver::calm_beside_walls(ParticleStore& particles, std::size_t leaf) const {
    const LeafMask cut = both(solids_.cut(static_cast<std::size_t>(scattered_.leaf_of[leaf])), cells_.wet(leaf));
    if (!any(cut)) return;
    float* const gradients = affine(particles);
    cells_.for_each_run(leaf, cut, [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t i = first; i < last; ++i)
            std::fill_n(gradients + affine_floats * particles.slot(i), affine_floats, 0.f);
    });
}

/// Cells of a leaf of the sort that walls leave next to nothing of.
const LeafMask& Solver::slivers(std::size_t leaf) const {
    const std::int32_t own = scattered_.leaf_of[leaf];
    return own == 0 ? no_cells : solids_.slivers(static_cast<std::size_t>(own));
}

void Solver::move_spray(ParticleStore& particles, std::size_t leaf, const Surroundings& around) {
    float* const gradients = affine(particles);
    // In slivers beside walls the grid knows no flow: who is there slides out by itself.
    const LeafMask alone = either(cells_.spray(leaf), both(cells_.wet(leaf), slivers(leaf)));
    cells_.for_each_run(leaf, alone, [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t i = first; i < last; ++i) {
            Float4& x = particles.position()[i];
            Float4& v = particles.velocity()[i];
            const Vec3f falling = v.xyz() + around.forces.gravity * around.dt;
            const Vec3f faster = slowed_by_air(falling, density_of(i), liquid().spacing, around.dt);
            const Vec3f to = x.xyz() + faster * around.dt;
            x = {to.x, to.y, to.z, x.w};
            v = {faster.x, faster.y, faster.z, v.w};
            if (gradients) std::fill_n(gradients + affine_floats * particles.slot(i), affine_floats, 0.f);
        }
    });
}

void Solver::meet_walls(ParticleStore& particles, const Leaf& leaf, const Surroundings& around,
                        const std::vector<Float4>& from, std::vector<fluid::BodyPush>& pushes) const {
    const collision::Walls& walls = around.walls;
    if (walls.empty()) return;
    Float4* const x = particles.position().data() + leaf.first;
    Float4* const v = particles.velocity().data() + leaf.first;
    const Box3f box = box_around(from, x);
    const float per_cell = 1 / cell_;
    if (!walls.near(box.lo * per_cell, box.hi * per_cell, collision::contact_gap)) return;
    const bool sticky = walls.sticky();
    for (std::uint32_t k = 0; k < leaf.count; ++k) {
        const Vec3f start = from[k].xyz() * per_cell;
        Vec3f to = x[k].xyz() * per_cell, velocity = v[k].xyz();
        if (sticky) {
            const collision::WallHit held = walls.contact(start, 0.3f);
            if (held.body < 0) velocity = cling(velocity, held, around.dt);
        }
        if (!walls.is_clear(start, to)) {
            const Vec3f way = to - start;
            collision::WallHit hit = walls.trace(start, to);
            // Among bumps a long way may lead nowhere where a short one goes on.
            for (float part = 0.5f; part > 0.1f && hit.hit && is_stuck(to - start, way); part *= 0.5f) {
                to = start + way * part;
                hit = walls.trace(start, to);
            }
            if (hit.hit) {
                const Vec3f after = respond(velocity, hit);
                if (hit.body >= 0) {
                    const auto mass = static_cast<float>(mass_of(leaf.first + k));
                    pushes.push_back({.particle = leaf.first + k,
                                      .body = static_cast<std::uint32_t>(hit.body),
                                      .point = to * cell_,
                                      .impulse = (velocity - after) * mass,
                                      .mass = mass});
                }
                velocity = is_stuck(to - start, way) ? velocity_of_stuck((to - start) * (cell_ / around.dt), after, hit)
                                                     : after;
                x[k] = {to.x * cell_, to.y * cell_, to.z * cell_, x[k].w};
            }
        }
        v[k] = {velocity.x, velocity.y, velocity.z, v[k].w};
    }
}

void Solver::advect_leaf(ParticleStore& particles, std::size_t leaf, const Surroundings& around, LeafEnd& end) {
    const Leaf& own = sorted_.leaves()[leaf];
    thread_local std::vector<Float4> from;
    const Float4* const start = particles.position().data() + own.first;
    from.assign(start, start + own.count);
    move_liquid(particles, leaf, around.dt);
    move_spray(particles, leaf, around);
    meet_walls(particles, own, around, from, end.pushes);
    float squared = 0;
    for (std::uint32_t i = own.first; i < own.first + own.count; ++i) {
        const Vec3f v = particles.velocity()[i].xyz();
        const float speed2 = dot(v, v);
        squared = std::max(squared, speed2);
        // A comparison with NaN would lose it.
        if (!(speed2 < 1e30f)) squared = std::numeric_limits<float>::infinity();
        end.energy += static_cast<double>(speed2 * properties_.density()[i]);
    }
    end.energy *= 0.5 * density() * liquid().particle_volume();
    end.fastest = std::sqrt(squared);
}

void Solver::advect(ParticleStore& particles, const Surroundings& around, fluid::Coupling* coupling,
                    fluid::StepReport& report) {
    const auto scope = context_.timer.scope("advect");
    std::vector<LeafEnd> ends(sorted_.leaves().size());
    parallel_for(sorted_.owned_leaves().size(), 4, [&, first = sorted_.owned_leaves().first](Range range) {
        for (std::size_t k : range)
            advect_leaf(particles, first + k, around, ends[first + k]);
    });
    report.kinetic_energy = sorted_.sums<1>([&](std::size_t leaf, Range) { return std::array{ends[leaf].energy}; })[0];
    for (const LeafEnd& end : ends) {
        report.max_speed = std::max(report.max_speed, static_cast<double>(end.fastest));
    }
    const bool crowd = coupling && coupling->size() > 1;
    report.relative_speed = static_cast<double>(std::max({fastest_face(), weight_of_walls * pressure_.fastest_push(),
                                                          crowd ? weight_of_bodies * pressure_.fastest_body() : 0.f}));
    for (const fluid::HeldParticles::Held& held : sorted_.held()) {
        const Vec3f to = held.x.xyz() + held.v.xyz() * around.dt;
        particles.position()[held.index] = {to.x, to.y, to.z, 0};
        particles.velocity()[held.index] = held.v;
    }
    if (coupling) give_pushes(particles, ends, coupling);
    fluid::agree(report, *context_.ranks);
}

void Solver::give_pushes(ParticleStore& particles, std::vector<LeafEnd>& ends, fluid::Coupling* coupling) {
    std::vector<fluid::BodyPush> pushes;
    for (const LeafEnd& end : ends)
        pushes.insert(pushes.end(), end.pushes.begin(), end.pushes.end());
    coupling->take(pushes);
    for (const fluid::BodyPush& push : pushes) {
        Float4& v = particles.velocity()[push.particle];
        v = {v.x + push.returned.x, v.y + push.returned.y, v.z + push.returned.z, v.w};
    }
}

}  // namespace spindrift::flip
