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
    const std::size_t leaves = sorted_.leaves().size();
    std::vector<Vec3f> mean_velocity(leaves);
    std::vector<float> fastest2(leaves);
    const FinishPass end{.x_new = solved.x,
                         .x = particles.position().data(),
                         .v = particles.velocity().data(),
                         .mass = properties_.masses(),
                         .h = h_,
                         .mean_velocity = mean_velocity.data(),
                         .fastest2 = fastest2.data()};
    const auto [energy] =
        sorted_.sums<1>([&](std::size_t leaf, Range own) { return std::array{finish_leaf(end, leaf, own)}; });
    sorted_.refresh_leaves(mean_velocity.data());
    report.max_speed = leaves == 0 ? 0 : std::sqrt(*std::max_element(fastest2.begin(), fastest2.end()));
    report.kinetic_energy = energy * properties_.reference_mass();
    const SpeedPass speeds{.grid = sorted_.grid().view(),
                           .v = end.v,
                           .mean_velocity = mean_velocity.data(),
                           .walls = &walls,
                           .h = h_,
                           .dt = static_cast<float>(dt)};
    report.relative_speed = parallel_reduce(
        sorted_.owned_leaves().size(), 8, 0.f,
        [&, first = sorted_.owned_leaves().first](Range range) {
            float largest = 0;
            for (std::size_t k : range)
                largest = std::max(largest, relative_speed(speeds, first + k));
            return largest;
        },
        [](float a, float b) { return std::max(a, b); });
    fluid::agree(report, *context_.ranks);
    sorted_.drop_ghosts(particles);
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
