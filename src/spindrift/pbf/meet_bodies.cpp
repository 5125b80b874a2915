// What liquid and bodies do to each other besides the pressure of the projection.

#include <algorithm>
#include <array>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

namespace {

/// Clusters whose pushes are collected by one task.
constexpr std::size_t clusters_per_list = 512;

/// A particle that several bodies push clings to each with a part of its mass: with all of it at each, it would go
/// along with all of them at once, faster than any. Returns the parts.
std::vector<float> share_particles(std::vector<BodyPush>& pushes, std::size_t particles) {
    std::vector<float> sums(pushes.empty() ? 0 : particles, 0.f), shares(pushes.size());
    for (const BodyPush& push : pushes)
        sums[push.particle] += length(push.impulse);
    for (std::size_t k = 0; k < pushes.size(); ++k) {
        shares[k] = length(pushes[k].impulse) / sums[pushes[k].particle];
        pushes[k].mass *= shares[k];
    }
    return shares;
}

}  // namespace

BodyPass Solver::body_pass(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, float dt) {
    return {.clusters = lists_.clusters().data(),
            .contacts = contacts_.view(),
            .x = solved.x,
            .pushes = solved.pushes,
            .v = particles.velocity().data(),
            .mass = properties_.masses(),
            .reference_mass = properties_.reference_mass(),
            .scales = tables_.scales().data(),
            .viscosity = properties_.viscosity(),
            .liquids = tables_.liquids().data(),
            .fields = walls.fields.data(),
            .h = h_,
            .dt = dt};
}

/// Lists know the neighbours that particles have before the iterations, and pairs that meet later may know each other
/// from one side only: a little momentum comes from nowhere. Where nothing else could take it, the liquid as a whole
/// does: this is the move, in the mean, that nobody caused.
Vec3d Solver::move_from_nowhere(const VelocityPass& moves, const BodyPass& bodies) const {
    const auto [x, y, z, mass] = sorted_.sums<4>([&](std::size_t, Range own) { return momentum_of_moves(moves, own); });
    if (mass == 0) return {};
    if (contacts_.push_count() == 0) return Vec3d{x, y, z} / mass;
    const auto [by_x, by_y, by_z] = sorted_.sums<3>([&](std::size_t leaf, Range) {
        const Range of_leaf = lists_.clusters_of(leaf);
        const Vec3d sum = momentum_of_pushes(bodies, static_cast<std::uint32_t>(of_leaf.first),
                                             static_cast<std::uint32_t>(of_leaf.last));
        return std::array{sum.x, sum.y, sum.z};
    });
    return Vec3d{x - by_x, y - by_y, z - by_z} / mass;
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
        const BodyPass pass = body_pass(particles, solved, walls, static_cast<float>(dt));
        const std::size_t clusters = lists_.clusters().size();
        std::vector<std::vector<BodyPush>> found((clusters + clusters_per_list - 1) / clusters_per_list);
        parallel_for(clusters, clusters_per_list, [&](Range range) {
            pbf::meet_bodies(pass, static_cast<std::uint32_t>(range.first), static_cast<std::uint32_t>(range.last),
                             found[range.first / clusters_per_list]);
        });
        for (const std::vector<BodyPush>& part : found)
            pushes.insert(pushes.end(), part.begin(), part.end());
    }
    const std::vector<float> shares = share_particles(pushes, particles.size());
    coupling.take(pushes);
    for (std::size_t k = 0; k < pushes.size(); ++k) {
        Float4& v = particles.velocity()[pushes[k].particle];
        const Vec3f returned = pushes[k].returned * shares[k];
        v = {v.x + returned.x, v.y + returned.y, v.z + returned.z, v.w};
        pushes[k].shift *= shares[k];
    }
    shift_back(solved, pushes, walls);
}

}  // namespace spindrift::pbf
