// What a step leaves behind: positions in metres, speeds for the next step's length, densities and vorticity on
// request.

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

void Solver::finish(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, double dt,
                    StepReport& report) {
    const auto scope = context_.timer.scope("finish");
    const std::span<const neighbors::Leaf> leaves = sorted_.leaves();
    const Channel<Float4> x = particles.position(), v = particles.velocity();
    std::vector<Vec3f> leaf_velocities(leaves.size());
    std::vector<float> fastest(leaves.size());
    const auto [energy] = sorted_.sums<1>([&](std::size_t leaf, Range own_particles) {
        Vec3f total{};
        double sum = 0;
        float speed2 = 0;
        for (std::size_t i : own_particles) {
            const Float4 x_new = solved.x[i];
            x[i] = {x_new.x * h_, x_new.y * h_, x_new.z * h_, 0};
            total += v[i].xyz();
            const float own = dot(v[i].xyz(), v[i].xyz());
            speed2 = std::max(speed2, own);
            sum += static_cast<double>(0.5f * properties_.mass(i) * own);
        }
        leaf_velocities[leaf] = total / static_cast<float>(leaves[leaf].count);
        fastest[leaf] = speed2;
        return std::array{sum};
    });
    sorted_.refresh_leaves(leaf_velocities.data());
    report.max_speed = fastest.empty() ? 0 : std::sqrt(*std::max_element(fastest.begin(), fastest.end()));
    report.kinetic_energy = energy * properties_.reference_mass();
    report.relative_speed = parallel_reduce(
        sorted_.owned_leaves().size(), 8, 0.f,
        [&, first = sorted_.owned_leaves().first](Range range) {
            float largest = 0;
            for (std::size_t k : range)
                largest = std::max(largest, relative_speed(first + k, v, leaf_velocities, walls, dt));
            return largest;
        },
        [](float a, float b) { return std::max(a, b); });
    fluid::agree(report, *context_.ranks);
    sorted_.drop_ghosts(particles);
}

/// Largest speed in a leaf against what it may meet: walls if they are near, which may move themselves, else its own
/// and its neighbours' mean.
float Solver::relative_speed(std::size_t index, ConstChannel<Float4> v, std::span<const Vec3f> leaf_velocities,
                             const collision::Walls& walls, double dt) const {
    const neighbors::Leaf& leaf = sorted_.leaves()[index];
    const Vec3f mean = leaf_velocities[index];
    float deviation2 = 0, speed2 = 0;
    for (std::size_t i : leaf.particles()) {
        const Vec3f from_mean = v[i].xyz() - mean;
        deviation2 = std::max(deviation2, dot(from_mean, from_mean));
        speed2 = std::max(speed2, dot(v[i].xyz(), v[i].xyz()));
    }
    // Walls count some steps ahead.
    const float width = neighbors::leaf_width * tables_.resolutions().h[leaf.resolution];
    const Vec3f corner = vec_cast<float>(leaf.coord) * width;
    const float ahead = width + 4 * std::sqrt(speed2) * static_cast<float>(dt) / h_;
    const Vec3f far_corner = corner + Vec3f{width, width, width};
    if (walls.near_plain(corner, far_corner, ahead)) return std::sqrt(speed2);
    float against_fields = -1;
    for (const collision::WallField& field : walls.fields) {
        if (!field.near(corner, far_corner, ahead + 4 * field.fastest * static_cast<float>(dt) / h_)) continue;
        const Vec3f wall = field.velocity_at((corner + far_corner) * 0.5f);
        const float speed = field.moves() ? length(mean - wall) + std::sqrt(deviation2) : std::sqrt(speed2);
        against_fields = std::max(against_fields, speed);
    }
    if (against_fields >= 0) return against_fields;

    const std::int32_t* neighbors = sorted_.grid().view().neighbors + 27 * index;
    for (int k = 0; k < 27; ++k) {
        if (neighbors[k] < 0) continue;
        const Vec3f jump = leaf_velocities[static_cast<std::size_t>(neighbors[k])] - mean;
        deviation2 = std::max(deviation2, dot(jump, jump));
    }
    const neighbors::GridView grid = sorted_.grid().view();
    if (grid.cross_starts) {
        for (std::uint32_t k = grid.cross_starts[index]; k < grid.cross_starts[index + 1]; ++k) {
            const Vec3f jump = leaf_velocities[grid.cross_leaves[k]] - mean;
            deviation2 = std::max(deviation2, dot(jump, jump));
        }
    }
    return std::sqrt(deviation2);
}

DensityReport Solver::measure_density(ParticleStore&, std::vector<float>& relative_density) {
    SPINDRIFT_CHECK(iterates_.any());
    const auto scope = context_.timer.scope("measure");
    std::vector<float> constraint(sorted_.size());
    compute_multipliers(iterates_.x(), constraint.data(), all_clusters());
    relative_density.resize(sorted_.owned().size());
    double largest = 0;
    for (std::size_t i : sorted_.owned()) {
        largest = std::max(largest, static_cast<double>(constraint[i]));
        relative_density[i - sorted_.owned().first] = 1 + constraint[i];
    }
    std::uint64_t pairs = loops_->count_pairs(lists_.view(), fluid(), iterates_.x(), lists_.clusters().size());
    context_.ranks->sum({&pairs, 1});
    context_.ranks->most({&largest, 1});
    const auto count = static_cast<double>(std::max<std::uint64_t>(1, sorted_.global_size()));
    return {.mean_error = levels_.total_error() / count,
            .max_error = largest,
            .neighbors = static_cast<double>(pairs) / count};
}

void Solver::measure_vorticity(const ParticleStore& particles, Channel<Vec3f> vorticity) {
    const Range own = sorted_.owned();
    SPINDRIFT_CHECK(iterates_.any() && particles.size() >= own.size() && vorticity.size() >= own.size());
    // With ghosts around them, as lists count particles.
    Buffer<Float4>& v = iterates_.spare();
    std::copy_n(particles.velocity().data(), own.size(), v.data() + own.first);
    v[sorted_.size()] = {0, 0, 0, 0};
    sorted_.refresh(v.data());
    std::vector<Vec3f> curls(sorted_.size());
    const VorticityPass pass{.lists = lists_.view(),
                             .fluid = fluid(),
                             .x = iterates_.x(),
                             .v = v.data(),
                             .scale = static_cast<float>(prototype().curl_scale) / h_,
                             .vorticity = curls.data()};
    loops_->vorticity(pass, lists_.clusters().size());
    std::copy_n(curls.data() + own.first, own.size(), vorticity.data());
}

}  // namespace spindrift::pbf
