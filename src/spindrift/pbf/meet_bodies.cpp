// What liquid and bodies do to each other besides the coarse pressure. Everything that changes a particle's velocity
// beside a body is taken from the body, particle by particle.

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

namespace {

/// Clusters whose pushes are collected by one task.
constexpr std::size_t clusters_per_list = 512;

/// Share of a particle's support beyond a plane at distance s, roughly: for drag alone.
float share_behind(float s) {
    return 0.5f * std::clamp(1 - s, 0.f, 1.f) * std::clamp(1 - s, 0.f, 1.f);
}

}  // namespace

/// Of the moves that bodies caused in the iterations, with the relative masses of Properties.
Vec3d Solver::momentum_of_pushes(const ParticleStore& particles, const Iterate& solved) const {
    if (contacts_.push_count() == 0) return {};
    const auto [x, y, z] = sorted_.sums<3>([&, moved = solved.pushes](std::size_t leaf, Range) {
        Vec3d sum{};
        for (std::size_t n : lists_.clusters_of(leaf)) {
            const neighbors::Cluster& c = lists_.clusters()[n];
            contacts_.for_each_push(n, [&](std::size_t, std::size_t push) {
                const float* move = moved + push_floats * push;
                for (std::uint32_t lane = 0; lane < c.count; ++lane) {
                    if (particles.is_held(c.first + lane)) continue;
                    const Vec3f by{move[lane], move[8 + lane], move[16 + lane]};
                    sum += vec_cast<double>(by * properties_.mass(c.first + lane));
                }
            });
        }
        return std::array{sum.x, sum.y, sum.z};
    });
    return {x, y, z};
}

/// Lists know the neighbours that particles have before the iterations, and pairs that meet later may know each other
/// from one side only: a little momentum comes from nowhere. Where nothing else could take it, the liquid as a whole
/// does: this is the move, in the mean, that nobody caused.
Vec3d Solver::move_from_nowhere(const ParticleStore& particles, const Iterate& solved) const {
    const auto [x_sum, y_sum, z_sum, mass] =
        sorted_.sums<4>([&, x = particles.position(), x_new = solved.x](std::size_t, Range own) {
            Vec3d moved{};
            double sum = 0;
            for (std::size_t i : own) {
                moved += vec_cast<double>(x_new[i].xyz() - x[i].xyz()) * static_cast<double>(properties_.mass(i));
                sum += static_cast<double>(properties_.mass(i));
            }
            return std::array{moved.x, moved.y, moved.z, sum};
        });
    if (mass == 0) return {};
    return (Vec3d{x_sum, y_sum, z_sum} - momentum_of_pushes(particles, solved)) / mass;
}

/// Velocity of a particle beside a body that pushed it by `pushed` (a velocity): rough bodies rub and drag, and what
/// would be inside by the end of the next step is stopped or bounces off.
Vec3f Solver::touch_body(const collision::WallField& wall, Vec3f x, Vec3f v, Vec3f pushed, std::size_t i,
                         float dt) const {
    const collision::FieldSample here = wall.distance(x);
    const Vec3f n = here.gradient, wall_velocity = wall.velocity_at(x);
    const float h = tables_.scales()[properties_.liquid(i)].h, s = here.distance;
    Vec3f relative = v - wall_velocity;
    const collision::WallFinish surface = wall.surface_at(x);
    if (surface.friction > 0 && s < h) {
        const auto drag = static_cast<float>(ViscositySolver::wall_drag(properties_, i, static_cast<double>(dt)));
        relative *= std::exp(-drag * surface.friction * share_behind(s / h));
        if (s < h * static_cast<float>(0.6 / support_ratio))
            relative = collision::apply_friction(relative, n, surface.friction, std::max(0.f, dot(pushed, n)));
    }
    const float slowest = -std::max(0.f, s - collision::contact_gap) * h_ / dt, speed = dot(relative, n);
    if (speed < slowest) relative += n * (std::max(slowest, -surface.bounce * speed) - speed);
    return wall_velocity + relative;
}

/// The particles of a cluster beside one body.
void Solver::meet_body(const Meeting& meeting, const collision::WallField& wall, std::size_t contact, std::size_t push,
                       std::vector<BodyPush>& pushes) const {
    const neighbors::Cluster& c = lists_.clusters()[meeting.cluster];
    const float speed = h_ / meeting.dt;
    const float* move = meeting.solved.pushes + push_floats * push;
    // What was nowhere near in the last iteration is not touched.
    const float* distances = contacts_.distances(contact);
    const float farthest = wall.surface.friction > 0 ? 1.25f : 0.25f + wall.fastest / speed;
    for (std::uint32_t lane = 0; lane < c.count; ++lane) {
        const std::size_t i = c.first + lane;
        if (meeting.particles.is_held(i)) continue;
        Float4& v = meeting.particles.velocity()[i];
        const Vec3f pushed = Vec3f{move[lane], move[8 + lane], move[16 + lane]} * speed;
        const Vec3f x = meeting.solved.x[i].xyz(), before = v.xyz();
        const float s = distances[lane] * tables_.scales()[properties_.liquid(i)].h;
        if (pushed == Vec3f{} && s > farthest + length(before) / speed) continue;
        const Vec3f after = touch_body(wall, x, before, pushed, i, meeting.dt);
        const Vec3f given = pushed + after - before;
        if (given == Vec3f{}) continue;
        v = {after.x, after.y, after.z, v.w};
        const auto mass = static_cast<float>(properties_.mass_in_kg(i));
        pushes.push_back({.particle = static_cast<std::uint32_t>(i),
                          .body = static_cast<std::uint32_t>(wall.body),
                          .point = x * h_,
                          .impulse = given * -mass,
                          .mass = mass});
    }
}

/// Particles go along with what gave way; only walls that take no part stop them.
void Solver::shift_back(const Iterate& solved, std::span<const BodyPush> pushes, const collision::Walls& walls) const {
    const auto goes_back = [](const BodyPush& push) { return push.shift != Vec3f{}; };
    if (std::none_of(pushes.begin(), pushes.end(), goes_back)) return;
    collision::Walls fixed = walls;
    std::erase_if(fixed.fields, [](const auto& field) { return field.body >= 0; });
    for (const BodyPush& push : pushes) {
        if (!goes_back(push)) continue;
        Float4& x = solved.x[push.particle];
        Vec3f to = x.xyz() + push.shift / h_;
        if (!fixed.is_clear(x.xyz(), to, collision::Start::now)) fixed.trace(x.xyz(), to, collision::Start::now);
        x = {to.x, to.y, to.z, x.w};
    }
}

/// Hands over to bodies what the liquid beside them got from them in this step, and gives back to the liquid what they
/// do not take because they give way.
void Solver::meet_bodies(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, double dt,
                         Coupling& coupling) {
    const auto scope = context_.timer.scope("bodies");
    std::vector<BodyPush> pushes;
    if (contacts_.push_count() > 0) {
        const std::size_t clusters = lists_.clusters().size();
        std::vector<std::vector<BodyPush>> found((clusters + clusters_per_list - 1) / clusters_per_list);
        parallel_for(clusters, clusters_per_list, [&](Range range) {
            for (std::size_t n : range) {
                contacts_.for_each_push(n, [&](std::size_t contact, std::size_t push) {
                    meet_body({particles, solved, n, static_cast<float>(dt)}, walls.fields[contacts_.field(contact)],
                              contact, push, found[range.first / clusters_per_list]);
                });
            }
        });
        for (const std::vector<BodyPush>& part : found)
            pushes.insert(pushes.end(), part.begin(), part.end());
    }
    coupling.take(pushes);
    for (const BodyPush& push : pushes) {
        Float4& v = particles.velocity()[push.particle];
        v = {v.x + push.returned.x, v.y + push.returned.y, v.z + push.returned.z, v.w};
    }
    shift_back(solved, pushes, walls);
}

}  // namespace spindrift::pbf
