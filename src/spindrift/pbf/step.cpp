#include "spindrift/pbf/step.h"

#include <cmath>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

namespace {

/// Where the particle stands that pads neighbour lists: out of reach of every valid coordinate.
constexpr Float4 far_particle{3e7f, 0, 0, 0};

/// Gain of the boundary density: 1 keeps the volume of a lattice that starts half a spacing off the walls;
/// docs/decisions/0005.
constexpr float wall_gain = 1;

/// Strength of the terms that keep particles from pairing up, in the first iteration, and from sticking to walls, in
/// each; docs/decisions/0005.
constexpr float separation = 1, wall_separation = 1;

/// Largest move of one iteration beside walls, in support radii: a quarter of the spacing.
constexpr float largest_wall_move = static_cast<float>(0.25 / support_ratio);

/// Largest XSPH coefficient of one pass, more passes beyond it (Alduan et al. 2017, section 4.1); and the smallest.
constexpr double largest_pass_coefficient = 0.5;
constexpr double smallest_pass_coefficient = 0.12;

/// Passes of one step: what is stiffer than these make it acts like them, and is reported.
constexpr int most_viscosity_passes = 100;

/// Spectral radius assumed by the Chebyshev iteration, and the fewest iterations it is worth; docs/decisions/0004.
constexpr double chebyshev_radius = 0.8;
constexpr int fewest_accelerated = 3;

/// The energy guard: iterations that add more than this share of the kinetic energy, or this much in units of
/// (spacing / dt)^2 per particle, are the start of a burst; the next steps run without acceleration.
constexpr double guard_share = 0.1, guard_energy = 0.01;
constexpr int guarded_steps = 20;

WallView view(const collision::Walls& walls) {
    return {walls.boxes.data(), static_cast<std::uint32_t>(walls.boxes.size()), walls.planes.data(),
            static_cast<std::uint32_t>(walls.planes.size())};
}

}  // namespace

Solver::Solver(const SolverParams& params, std::vector<Liquid> liquids)
    : params_(params),
      liquids_(std::move(liquids)),
      liquid_(liquids_.at(0)),
      h_(static_cast<float>(liquid_.support_radius())),
      kernels_(kernels()) {}

StepReport Solver::step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                        double dt) {
    StepReport report;
    predict(particles, forces, walls, static_cast<float>(dt));
    sort(particles, report);
    project_coarse(particles, forces, walls, static_cast<float>(dt));
    find_neighbors(particles);
    mark_walls(particles, walls);
    solve_density(particles, walls, report);
    update_velocities(particles, walls, static_cast<float>(dt), report);
    apply_viscosity(particles, dt, report);
    finish(particles, walls, dt, report);
    walls_ = walls;
    particle_count_ = particles.size();
    return report;
}

StepReport Solver::observe(ParticleStore& particles, const collision::Walls& walls) {
    StepReport report;
    for (Float4& x : particles.position())
        x = {x.x / h_, x.y / h_, x.z / h_, 0};
    sort(particles, report);
    find_neighbors(particles);
    mark_walls(particles, walls);
    std::copy(particles.position().begin(), particles.position().end(), scratch_a_.data());
    x_final_ = &scratch_a_;
    finish(particles, walls, 0, report);
    walls_ = walls;
    particle_count_ = particles.size();
    return report;
}

void Solver::predict(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                     float dt) {
    const auto scope = timer_.scope("predict");
    const float per_h = 1 / h_;
    parallel_for(particles.size(), [&, x = particles.position(), v = particles.velocity()](Range range) {
        for (std::size_t i : range) {
            const Vec3f from = x[i].xyz();
            Vec3f v_i = forces.accelerate(from, v[i].xyz(), dt);
            Vec3f to = (from + v_i * dt) * per_h;
            if (!walls.is_clear(from * per_h, to)) {
                if (const collision::WallHit hit = walls.trace(from * per_h, to); hit.hit) v_i = respond(v_i, hit);
            }
            x[i] = {to.x, to.y, to.z, 0};
            v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
        }
    });
}

void Solver::sort(ParticleStore& particles, StepReport& report) {
    const auto scope = timer_.scope("sort");
    const std::size_t n = particles.size();
    for (Buffer<Float4>* scratch : {&scratch_a_, &scratch_b_}) {
        // As large as the store's own arrays, which they are swapped with.
        scratch->reserve(std::max(particles.capacity(), n) + ParticleStore::padding);
        scratch->resize(n + ParticleStore::padding);
    }
    const neighbors::SortResult sorted =
        grid_.sort(n, particles.position().data(), particles.velocity().data(), scratch_a_.data(), scratch_b_.data());
    report.escaped = sorted.escaped;
    report.not_finite = sorted.not_finite;
    particles.position_buffer().swap(scratch_a_);
    particles.velocity_buffer().swap(scratch_b_);
    particles.set_size(sorted.kept);
    for (Buffer<Float4>* buffer : {&particles.position_buffer(), &scratch_a_, &scratch_b_}) {
        (*buffer)[sorted.kept] = far_particle;
    }
    particles.velocity_buffer()[sorted.kept] = {0, 0, 0, 0};
}

void Solver::project_coarse(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                            float dt) {
    const auto scope = timer_.scope("coarse");
    if (!params_.coarse) return;
    coarse_.project(grid_, walls, forces.gravity * dt, particles.position().data(), particles.velocity().data(),
                    dt / h_);
}

void Solver::find_neighbors(const ParticleStore& particles) {
    const auto scope = timer_.scope("neighbors");
    lists_.build(grid_, particles.position().data(), particles.size());
}

void Solver::mark_walls(const ParticleStore& particles, const collision::Walls& walls) {
    const auto scope = timer_.scope("walls");
    if (walls.empty()) return;
    // Beyond the support by what the iterations may move: half a spacing was never reached in any test scene.
    constexpr float reach = 1 + static_cast<float>(0.5 / support_ratio);
    const std::span<neighbors::Cluster> clusters = lists_.clusters();
    parallel_for(clusters.size(), [&, x = particles.position()](Range range) {
        for (std::size_t n : range) {
            Vec3f lo = x[clusters[n].first].xyz(), hi = lo;
            for (std::uint32_t k = 1; k < clusters[n].count; ++k) {
                lo = min(lo, x[clusters[n].first + k].xyz());
                hi = max(hi, x[clusters[n].first + k].xyz());
            }
            clusters[n].near_wall = walls.near(lo, hi, reach);
        }
    });
}

void Solver::solve_density(ParticleStore& particles, const collision::Walls& walls, StepReport& report) {
    const bool accelerated = params_.acceleration != Acceleration::none && params_.iterations >= fewest_accelerated &&
                             guarded_steps_left == 0;
    const double radius = accelerated ? chebyshev_radius : 0;
    report.guarded = guarded_steps_left > 0;
    guarded_steps_left = std::max(0, guarded_steps_left - 1);

    // The predicted positions stay for the velocity update; iterates alternate between the two scratch buffers.
    Float4* x = particles.position().data();
    Float4* x_before = x;
    x_final_ = nullptr;
    double omega = 1;
    for (int k = 1; k <= params_.iterations; ++k) {
        const DensitySums sums = compute_multipliers(x, walls, nullptr);
        report.mean_density_error = sums.error / static_cast<double>(std::max<std::size_t>(1, particles.size()));
        report.converged = params_.tolerance == 0 || report.mean_density_error < params_.tolerance;
        if (params_.tolerance > 0 && report.converged && k > 1) break;

        omega = k == 1 ? 1 : k == 2 ? 2 / (2 - radius * radius) : 4 / (4 - radius * radius * omega);
        Buffer<Float4>& next = x_final_ == &scratch_a_ ? scratch_b_ : scratch_a_;
        correct_positions(x, x_before, next.data(), static_cast<float>(omega), k == 1 ? separation : 0, walls);
        report.iterations = k;
        x_before = x;
        x = next.data();
        x_final_ = &next;
    }
}

DensitySums Solver::compute_multipliers(Float4* x, const collision::Walls& walls, float* constraint) {
    const auto scope = timer_.scope("density");
    const Prototype& p = prototype();
    const DensityPass pass{.lists = lists_.view(),
                           .x = x,
                           .density_scale = static_cast<float>(p.density_scale),
                           .multiplier = static_cast<float>(p.relaxation * p.gradient_scale / p.gradient_sum),
                           .wall_gain = wall_gain,
                           .walls = view(walls),
                           .constraint = constraint};
    return parallel_reduce(
        lists_.clusters().size(), neighbors::clusters_per_task, DensitySums{},
        [&](Range r) {
            return kernels_.density(pass, static_cast<std::uint32_t>(r.first), static_cast<std::uint32_t>(r.last));
        },
        [](const DensitySums& a, const DensitySums& b) {
            return DensitySums{a.error + b.error, std::max(a.largest_error, b.largest_error)};
        });
}

void Solver::correct_positions(const Float4* x, const Float4* x_before, Float4* x_next, float omega,
                               float separation_strength, const collision::Walls& walls) {
    const auto scope = timer_.scope("correction");
    const CorrectionPass pass{.lists = lists_.view(),
                              .x = x,
                              .x_before = x_before,
                              .x_next = x_next,
                              .omega = omega,
                              .wall_multiplier = static_cast<float>(wall_gain / prototype().gradient_scale),
                              .separation = separation_strength,
                              .wall_separation = wall_separation,
                              .largest_move = largest_wall_move,
                              .walls = view(walls)};
    parallel_for(lists_.clusters().size(), neighbors::clusters_per_task, [&](Range r) {
        kernels_.correct(pass, static_cast<std::uint32_t>(r.first), static_cast<std::uint32_t>(r.last));
    });
}

void Solver::update_velocities(ParticleStore& particles, const collision::Walls& walls, float dt, StepReport& report) {
    const auto scope = timer_.scope("velocity");
    const float scale = h_ / dt;
    struct Energy {
        double before = 0, after = 0;
    };
    const Energy energy = parallel_reduce(
        particles.size(), default_chunk, Energy{},
        [&, x = particles.position(), v = particles.velocity(), x_new = x_final_->data()](Range range) {
            Energy sum;
            for (std::size_t i : range) {
                const Vec3f v_before = v[i].xyz();
                const Vec3f v_i = v_before + (x_new[i].xyz() - x[i].xyz()) * scale;
                v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
                sum.before += static_cast<double>(dot(v_before, v_before));
                sum.after += static_cast<double>(dot(v_i, v_i));
            }
            return sum;
        },
        [](const Energy& a, const Energy& b) {
            return Energy{a.before + b.before, a.after + b.after};
        });

    const double unit = std::pow(liquid_.spacing / static_cast<double>(dt), 2) * static_cast<double>(particles.size());
    if (energy.after - energy.before > guard_share * energy.before + guard_energy * unit) {
        guarded_steps_left = guarded_steps;
        report.guarded = true;
    }
    apply_wall_friction(particles, walls, dt);
}

void Solver::apply_wall_friction(ParticleStore& particles, const collision::Walls& walls, float dt) {
    const auto rough = [](const auto& wall) { return wall.friction > 0; };
    if (std::none_of(walls.boxes.begin(), walls.boxes.end(), rough) &&
        std::none_of(walls.planes.begin(), walls.planes.end(), rough)) {
        return;
    }
    // The first layer of particles feels the wall; what pushed it off the wall in this step is the normal load.
    constexpr float reach = static_cast<float>(0.6 / support_ratio);
    const std::span<const neighbors::Cluster> clusters = lists_.clusters();
    parallel_for(clusters.size(),
                 [&, x = particles.position(), v = particles.velocity(), x_new = x_final_->data()](Range range) {
                     for (std::size_t n : range) {
                         if (!clusters[n].near_wall) continue;
                         for (std::size_t i : Range{clusters[n].first, clusters[n].first + clusters[n].count}) {
                             const collision::WallHit hit = walls.contact(x_new[i].xyz(), reach);
                             if (!hit.hit) continue;
                             const float push = dot(x_new[i].xyz() - x[i].xyz(), hit.normal) * h_ / dt;
                             const Vec3f v_i = collision::apply_friction(v[i].xyz(), hit.normal, hit.friction, push);
                             v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
                         }
                     }
                 });
}

void Solver::apply_viscosity(ParticleStore& particles, double dt, StepReport& report) {
    const auto scope = timer_.scope("viscosity");
    // 22 nu dt / h^2 makes XSPH with poly6 diffuse momentum at nu (checked by the shear-wave test).
    // A little of it waits until a pass is worth its cost.
    const double h = liquid_.support_radius();
    const double coefficient = viscosity_due + 22 * liquid_.viscosity * dt / (h * h) + params_.smoothing;
    viscosity_due = coefficient < smallest_pass_coefficient ? coefficient : 0;
    if (viscosity_due > 0 || coefficient == 0) return;
    const double wanted = std::ceil(coefficient / largest_pass_coefficient);
    report.viscosity_limited = wanted > most_viscosity_passes;
    const int passes = static_cast<int>(std::min<double>(wanted, most_viscosity_passes));
    const double pass_coefficient = std::min(coefficient / passes, largest_pass_coefficient);
    Buffer<Float4>& next = x_final_ == &scratch_a_ ? scratch_b_ : scratch_a_;
    for (int k = 0; k < passes; ++k) {
        const ViscosityPass pass{.lists = lists_.view(),
                                 .x = x_final_->data(),
                                 .v = particles.velocity().data(),
                                 .v_next = next.data(),
                                 .density_scale = static_cast<float>(prototype().density_scale),
                                 .coefficient = static_cast<float>(pass_coefficient)};
        parallel_for(lists_.clusters().size(), neighbors::clusters_per_task, [&](Range r) {
            kernels_.viscosity(pass, static_cast<std::uint32_t>(r.first), static_cast<std::uint32_t>(r.last));
        });
        particles.velocity_buffer().swap(next);
        particles.velocity_buffer()[particles.size()] = {0, 0, 0, 0};
    }
}

void Solver::finish(ParticleStore& particles, const collision::Walls& walls, double dt, StepReport& report) {
    const auto scope = timer_.scope("finish");
    const std::span<const neighbors::Leaf> leaves = grid_.leaves();
    const Channel<Float4> x = particles.position(), v = particles.velocity();
    leaf_velocity_.resize(leaves.size());
    struct Sums {
        float max_speed2 = 0;
        double speed2 = 0;
    };
    const Sums sums = parallel_reduce(
        leaves.size(), 8, Sums{},
        [&](Range range) {
            Sums s;
            for (std::size_t leaf : range) {
                Vec3f total{};
                for (std::size_t i : Range{leaves[leaf].first, leaves[leaf].first + leaves[leaf].count}) {
                    const Float4 x_new = (*x_final_)[i];
                    x[i] = {x_new.x * h_, x_new.y * h_, x_new.z * h_, 0};
                    total += v[i].xyz();
                    const float speed2 = dot(v[i].xyz(), v[i].xyz());
                    s.max_speed2 = std::max(s.max_speed2, speed2);
                    s.speed2 += static_cast<double>(speed2);
                }
                leaf_velocity_[leaf] = total / static_cast<float>(leaves[leaf].count);
            }
            return s;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{std::max(a.max_speed2, b.max_speed2), a.speed2 + b.speed2};
        });
    report.max_speed = std::sqrt(sums.max_speed2);
    report.kinetic_energy = 0.5 * liquid_.particle_mass() * sums.speed2;
    report.relative_speed = parallel_reduce(
        leaves.size(), 8, 0.f,
        [&](Range range) {
            float largest = 0;
            for (std::size_t leaf : range)
                largest = std::max(largest, relative_speed(leaf, v, walls, dt));
            return largest;
        },
        [](float a, float b) { return std::max(a, b); });
}

/// Largest speed in a leaf against what it may meet: walls if they are near, else its own and its neighbours' mean.
float Solver::relative_speed(std::size_t index, ConstChannel<Float4> v, const collision::Walls& walls,
                             double dt) const {
    const neighbors::Leaf& leaf = grid_.leaves()[index];
    const Vec3f mean = leaf_velocity_[index];
    float deviation2 = 0, speed2 = 0;
    for (std::size_t i : Range{leaf.first, leaf.first + leaf.count}) {
        const Vec3f from_mean = v[i].xyz() - mean;
        deviation2 = std::max(deviation2, dot(from_mean, from_mean));
        speed2 = std::max(speed2, dot(v[i].xyz(), v[i].xyz()));
    }
    // Walls count some steps ahead.
    constexpr float width = neighbors::leaf_width;
    const Vec3f corner = vec_cast<float>(leaf.coord) * width;
    const float ahead = width + 4 * std::sqrt(speed2) * static_cast<float>(dt) / h_;
    if (walls.near(corner, corner + Vec3f{width, width, width}, ahead)) return std::sqrt(speed2);

    const std::int32_t* neighbors = grid_.view().neighbors + 27 * index;
    for (int k = 0; k < 27; ++k) {
        if (neighbors[k] < 0) continue;
        const Vec3f jump = leaf_velocity_[static_cast<std::size_t>(neighbors[k])] - mean;
        deviation2 = std::max(deviation2, dot(jump, jump));
    }
    return std::sqrt(deviation2);
}

DensityReport Solver::measure_density(std::vector<float>& relative_density) {
    SPINDRIFT_CHECK(x_final_ != nullptr);
    const auto scope = timer_.scope("measure");
    const std::size_t cluster_total = lists_.clusters().size();
    relative_density.resize(particle_count_);
    const DensitySums sums = compute_multipliers(x_final_->data(), walls_, relative_density.data());
    for (float& value : relative_density)
        value += 1;
    const auto pairs = parallel_reduce(
        cluster_total, neighbors::clusters_per_task, std::uint64_t{0},
        [&](Range r) {
            return kernels_.count_pairs(lists_.view(), x_final_->data(), static_cast<std::uint32_t>(r.first),
                                        static_cast<std::uint32_t>(r.last));
        },
        std::plus<>());
    const auto count = static_cast<double>(std::max<std::size_t>(1, particle_count_));
    return {.mean_error = sums.error / count,
            .max_error = sums.largest_error,
            .neighbors = static_cast<double>(pairs) / count};
}

}  // namespace spindrift::pbf
