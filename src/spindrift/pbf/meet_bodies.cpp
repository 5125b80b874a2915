// What liquid and bodies do to each other besides the coarse pressure. Everything that changes a particle's velocity
// beside a body is taken from the body, particle by particle.

#include <algorithm>
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

void Solver::make_room_for_pushes(const collision::Walls& walls) {
    const auto takes_part = [&](std::uint16_t field) { return walls.fields[field].body >= 0; };
    if (std::none_of(walls.fields.begin(), walls.fields.end(), [](const auto& field) { return field.body >= 0; }))
        return;
    contact_pushes_.resize(contact_fields_.size());
    std::int32_t count = 0;
    for (std::size_t k = 0; k < contact_fields_.size(); ++k)
        contact_pushes_[k] = takes_part(contact_fields_[k]) ? count++ : no_push;
    for (Buffer<float>* buffer : {&no_pushes_, &pushes_a_, &pushes_b_})
        buffer->resize(static_cast<std::size_t>(count) * push_floats);
    std::fill(no_pushes_.data(), no_pushes_.data() + no_pushes_.size(), 0.f);
}

const float* Solver::pushes_in(const Float4* iterate) const {
    if (contact_pushes_.empty()) return nullptr;
    if (iterate == scratch_a_.data()) return pushes_a_.data();
    return iterate == scratch_b_.data() ? pushes_b_.data() : no_pushes_.data();
}

/// Of the moves that bodies caused in the iterations, with the masses of mass().
Vec3d Solver::momentum_of_pushes(const ParticleStore& particles) const {
    if (contact_pushes_.empty()) return {};
    const float* moved = pushes_in(x_final_->data());
    return parallel_sum<Vec3d>(lists_.clusters().size(), [&](Range range) {
        Vec3d sum{};
        for (std::size_t n : range) {
            const neighbors::Cluster& c = lists_.clusters()[n];
            for (std::uint32_t k = contact_starts_[n]; k < contact_starts_[n + 1]; ++k) {
                if (contact_pushes_[k] == no_push) continue;
                const float* move = moved + push_floats * static_cast<std::size_t>(contact_pushes_[k]);
                for (std::uint32_t lane = 0; lane < c.count; ++lane) {
                    if (particles.is_held(c.first + lane)) continue;
                    const Vec3f by{move[lane], move[8 + lane], move[16 + lane]};
                    sum += vec_cast<double>(by * mass(c.first + lane));
                }
            }
        }
        return sum;
    });
}

/// Lists know the neighbours that particles have before the iterations, and pairs that meet later may know each other
/// from one side only: a little momentum comes from nowhere. Where nothing else could take it, the liquid as a whole
/// does: this is the move, in the mean, that nobody caused.
Vec3d Solver::move_from_nowhere(const ParticleStore& particles) const {
    struct Sums {
        Vec3d moved{};
        double mass = 0;
    };
    const Sums sums = parallel_reduce(
        particles.size(), default_chunk, Sums{},
        [&, x = particles.position(), x_new = x_final_->data()](Range range) {
            Sums sum;
            for (std::size_t i : range) {
                sum.moved += vec_cast<double>(x_new[i].xyz() - x[i].xyz()) * static_cast<double>(mass(i));
                sum.mass += static_cast<double>(mass(i));
            }
            return sum;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.moved + b.moved, a.mass + b.mass};
        });
    return sums.mass == 0 ? Vec3d{} : (sums.moved - momentum_of_pushes(particles)) / sums.mass;
}

/// Velocity of a particle beside a body that pushed it by `pushed` (a velocity): rough bodies rub and drag, and what
/// would be inside by the end of the next step is stopped or bounces off.
Vec3f Solver::touch_body(const collision::WallField& wall, Vec3f x, Vec3f v, Vec3f pushed, std::size_t i,
                         float dt) const {
    const collision::FieldSample here = wall.distance(x);
    const Vec3f n = here.gradient, wall_velocity = wall.velocity_at(x);
    const float h = tables_.scales()[tables_.single() ? 0 : liquid_[i]].h, s = here.distance;
    Vec3f relative = v - wall_velocity;
    const collision::WallFinish surface = wall.surface_at(x);
    if (surface.friction > 0 && s < h) {
        const Liquid& liquid = tables_.liquids()[tables_.single() ? 0 : liquid_[i]];
        const auto drag = static_cast<float>(ViscositySolver::wall_drag(liquid, static_cast<double>(dt)));
        relative *= std::exp(-drag * surface.friction * share_behind(s / h));
        if (s < h * static_cast<float>(0.6 / support_ratio))
            relative = collision::apply_friction(relative, n, surface.friction, std::max(0.f, dot(pushed, n)));
    }
    const float slowest = -std::max(0.f, s - collision::contact_gap) * h_ / dt, speed = dot(relative, n);
    if (speed < slowest) relative += n * (std::max(slowest, -surface.bounce * speed) - speed);
    return wall_velocity + relative;
}

void Solver::meet_bodies(ParticleStore& particles, const collision::Walls& walls, float dt, Range clusters,
                         std::vector<BodyPush>& pushes) {
    const float* moved = pushes_in(x_final_->data());
    const float speed = h_ / dt;
    const Channel<Float4> v = particles.velocity();
    for (std::size_t n : clusters) {
        const neighbors::Cluster& c = lists_.clusters()[n];
        for (std::uint32_t k = contact_starts_[n]; k < contact_starts_[n + 1]; ++k) {
            if (contact_pushes_[k] == no_push) continue;
            const collision::WallField& wall = walls.fields[contact_fields_[k]];
            const float* move = moved + push_floats * static_cast<std::size_t>(contact_pushes_[k]);
            // What was nowhere near in the last iteration is not touched.
            const float* known = contacts_.data() + contact_floats * k;
            const float farthest = wall.surface.friction > 0 ? 1.25f : 0.25f + wall.fastest / speed;
            for (std::uint32_t lane = 0; lane < c.count; ++lane) {
                const std::size_t i = c.first + lane;
                if (particles.is_held(i)) continue;
                const Vec3f pushed = Vec3f{move[lane], move[8 + lane], move[16 + lane]} * speed;
                const Vec3f x = (*x_final_)[i].xyz(), before = v[i].xyz();
                const float s = known[lane] * tables_.scales()[tables_.single() ? 0 : liquid_[i]].h;
                if (pushed == Vec3f{} && s > farthest + length(before) / speed) continue;
                const Vec3f after = touch_body(wall, x, before, pushed, i, dt);
                const Vec3f given = pushed + after - before;
                if (given == Vec3f{}) continue;
                v[i] = {after.x, after.y, after.z, v[i].w};
                const auto mass =
                    static_cast<float>(tables_.liquids()[tables_.single() ? 0 : liquid_[i]].particle_mass());
                pushes.push_back({.particle = static_cast<std::uint32_t>(i),
                                  .body = static_cast<std::uint32_t>(wall.body),
                                  .point = x * h_,
                                  .impulse = given * -mass,
                                  .mass = mass});
            }
        }
    }
}

/// Particles go along with what gave way; only walls that take no part stop them.
void Solver::shift_back(const collision::Walls& walls) {
    const auto goes_back = [](const BodyPush& push) { return push.shift != Vec3f{}; };
    if (std::none_of(pushes_.begin(), pushes_.end(), goes_back)) return;
    collision::Walls fixed = walls;
    std::erase_if(fixed.fields, [](const auto& field) { return field.body >= 0; });
    for (const BodyPush& push : pushes_) {
        if (!goes_back(push)) continue;
        Float4& x = (*x_final_)[push.particle];
        Vec3f to = x.xyz() + push.shift / h_;
        if (!fixed.is_clear(x.xyz(), to, collision::Start::now)) fixed.trace(x.xyz(), to, collision::Start::now);
        x = {to.x, to.y, to.z, x.w};
    }
}

/// Hands over to bodies what the liquid beside them got from them in this step, and gives back to the liquid what they
/// do not take because they give way.
void Solver::meet_bodies(ParticleStore& particles, const collision::Walls& walls, double dt, Coupling& coupling) {
    const auto scope = timer_.scope("bodies");
    pushes_.clear();
    if (!contact_pushes_.empty()) {
        const std::size_t clusters = lists_.clusters().size();
        std::vector<std::vector<BodyPush>> found((clusters + clusters_per_list - 1) / clusters_per_list);
        parallel_for(clusters, clusters_per_list, [&](Range range) {
            meet_bodies(particles, walls, static_cast<float>(dt), range, found[range.first / clusters_per_list]);
        });
        for (const std::vector<BodyPush>& part : found)
            pushes_.insert(pushes_.end(), part.begin(), part.end());
    }
    coupling.take(pushes_);
    for (const BodyPush& push : pushes_) {
        Float4& v = particles.velocity()[push.particle];
        v = {v.x + push.returned.x, v.y + push.returned.y, v.z + push.returned.z, v.w};
    }
    shift_back(walls);
}

}  // namespace spindrift::pbf
