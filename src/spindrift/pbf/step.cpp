#include "spindrift/pbf/step.h"

#include <algorithm>
#include <bit>
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

/// A viscosity pass is worth its cost from this share on; less waits for later steps.
constexpr double smallest_viscosity_share = 0.12;

/// Attraction per unit of f between particles 0.7 support radii apart is that of a density error of f; measured so that
/// kappa = 1 makes beads a few particles wide, docs/decisions/0008.
constexpr double attraction_scale = 12;

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

/// The same walls in a smaller unit of length.
collision::Walls in_units_of(const collision::Walls& walls, float h) {
    collision::Walls scaled = walls;
    for (collision::WallBox& box : scaled.boxes) {
        for (int a = 0; a < 3; ++a) {
            box.lo[a] /= h;
            box.hi[a] /= h;
        }
    }
    for (collision::WallPlane& plane : scaled.planes)
        plane.offset /= h;
    return scaled;
}

/// A liquid travels through the sort in the slot of the position that multipliers have afterwards.
float liquid_as_float(std::uint32_t liquid) {
    return std::bit_cast<float>(liquid);
}

/// Liquids by slot, nullptr if there is one.
const std::uint16_t* phases(const ParticleStore& particles, const LiquidTables& tables) {
    if (tables.single()) return nullptr;
    const ChannelArray* channel = particles.find_channel(phase_channel);
    SPINDRIFT_CHECK(channel != nullptr);
    return channel->as<std::uint16_t>().data();
}

}  // namespace

Solver::Solver(const SolverParams& params, std::vector<Liquid> liquids)
    : params_(params),
      tables_(std::move(liquids)),
      h_(static_cast<float>(tables_.unit())),
      kernels_(kernels()),
      grid_(tables_.resolutions()) {
    for (const LiquidScale& scale : tables_.scales())
        masses_.push_back(scale.density * scale.h * scale.h * scale.h);
}

StepReport Solver::step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                        double dt) {
    StepReport report;
    give_back_memory(particles.size());
    set_walls(walls);
    predict(particles, forces, walls, static_cast<float>(dt));
    sort(particles, report);
    find_held(particles);
    project_coarse(particles, forces, walls, static_cast<float>(dt));
    find_neighbors(particles);
    mark_walls(particles, walls);
    weigh_stiffness(particles);
    apply_tension(particles, dt, report);
    solve_constraints(particles, walls, dt, report);
    update_velocities(particles, walls, static_cast<float>(dt), report);
    apply_viscosity(particles, dt, report);
    if (!constraints_.only_density()) constraints_.end_step(particles, x_final_->data());
    finish(particles, walls, dt, report);
    return report;
}

StepReport Solver::observe(ParticleStore& particles, const collision::Walls& walls) {
    StepReport report;
    set_walls(walls);
    enter_units(particles);
    sort(particles, report);
    find_neighbors(particles);
    mark_walls(particles, walls);
    weigh_stiffness(particles);
    std::copy(particles.position().begin(), particles.position().end(), scratch_a_.data());
    x_final_ = &scratch_a_;
    finish(particles, walls, 0, report);
    return report;
}

/// Everything that steps rebuild is thrown away once less than half of it is needed.
void Solver::give_back_memory(std::size_t particles) {
    most_particles_ = std::max(most_particles_, particles);
    if (2 * particles >= most_particles_) return;
    most_particles_ = particles;
    grid_ = neighbors::LeafGrid(tables_.resolutions());
    lists_.clear();
    coarse_ = CoarseProjection();
    viscosity_ = ViscositySolver();
    scratch_a_ = Buffer<Float4>("solver scratch");
    scratch_b_ = Buffer<Float4>("solver scratch");
    liquid_ = Buffer<std::uint8_t>("liquids");
    inverse_density_ = Buffer<float>("liquids");
    stiffness_ = Buffer<float>("liquids");
    x_final_ = nullptr;
}

void Solver::set_walls(const collision::Walls& walls) {
    const std::vector<float>& h = tables_.resolutions().h;
    class_walls_.clear();
    wall_views_.clear();
    for (const float radius : h)
        class_walls_.push_back(in_units_of(walls, radius));
    for (const collision::Walls& scaled : class_walls_)
        wall_views_.push_back(view(scaled));
}

FluidView Solver::fluid() const {
    const bool single = tables_.single();
    return {.liquid = single ? nullptr : liquid_.data(),
            .scales = tables_.scales().data(),
            .pairs = tables_.pairs().data(),
            .shares = tables_.shares().data(),
            .inverse_density = single ? nullptr : inverse_density_.data(),
            .walls = wall_views_.data()};
}

void Solver::predict(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                     float dt) {
    const auto scope = timer_.scope("predict");
    const float per_h = 1 / h_;
    const std::uint16_t* phase = phases(particles, tables_);
    parallel_for(particles.size(), [&, x = particles.position(), v = particles.velocity()](Range range) {
        for (std::size_t i : range) {
            const Vec3f from = x[i].xyz();
            Vec3f v_i = particles.is_held(i) ? v[i].xyz() : forces.accelerate(from, v[i].xyz(), dt);
            Vec3f to = (from + v_i * dt) * per_h;
            if (!walls.is_clear(from * per_h, to)) {
                if (const collision::WallHit hit = walls.trace(from * per_h, to); hit.hit) v_i = respond(v_i, hit);
            }
            x[i] = {to.x, to.y, to.z, phase ? liquid_as_float(phase[particles.slot(i)]) : 0};
            v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
        }
    });
}

void Solver::enter_units(ParticleStore& particles) {
    held_.clear();
    const std::uint16_t* phase = phases(particles, tables_);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        Float4& x = particles.position()[i];
        x = {x.x / h_, x.y / h_, x.z / h_, phase ? liquid_as_float(phase[particles.slot(i)]) : 0};
    }
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
    particle_count_ = sorted.kept;
    identify_liquids(particles);
}

void Solver::identify_liquids(ParticleStore& particles) {
    if (tables_.single()) return;
    const std::size_t n = particles.size();
    liquid_.resize(n + ParticleStore::padding);
    inverse_density_.resize(n + ParticleStore::padding);
    stiffness_.resize(n + ParticleStore::padding);
    parallel_for(n, [&, x = particles.position()](Range range) {
        for (std::size_t i : range) {
            liquid_[i] = static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(x[i].w));
            inverse_density_[i] = 1 / tables_.scales()[liquid_[i]].density;
            x[i].w = 0;
        }
    });
    for (std::size_t i = n; i < n + ParticleStore::padding; ++i) {
        liquid_[i] = 0;
        inverse_density_[i] = 1;
        stiffness_[i] = 0;
    }
}

void Solver::project_coarse(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                            float dt) {
    const auto scope = timer_.scope("coarse");
    if (!params_.coarse) return;
    const std::uint8_t* liquid = tables_.single() ? nullptr : liquid_.data();
    coarse_.project(grid_, walls, {liquid, tables_.scales()}, forces.gravity * dt, particles.position().data(),
                    particles.velocity().data(), dt / h_);
    keep_held_velocities(particles);
    for (const Held& held : held_)
        particles.position()[held.index] = held.x;
}

void Solver::find_held(const ParticleStore& particles) {
    held_.clear();
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles.is_held(i))
            held_.push_back({static_cast<std::uint32_t>(i), particles.position()[i], particles.velocity()[i]});
    }
}

void Solver::keep_held_velocities(ParticleStore& particles) const {
    for (const Held& held : held_)
        particles.velocity()[held.index] = held.v;
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
    parallel_for(clusters.size(), [&, x = particles.position(), liquids = fluid()](Range range) {
        for (std::size_t n : range) {
            Vec3f lo = x[clusters[n].first].xyz(), hi = lo;
            for (std::uint32_t k = 1; k < clusters[n].count; ++k) {
                lo = min(lo, x[clusters[n].first + k].xyz());
                hi = max(hi, x[clusters[n].first + k].xyz());
            }
            clusters[n].near_wall = walls.near(lo, hi, reach * liquids.of(clusters[n].first).h);
        }
    });
}

/// Finds the clusters where liquids meet and makes particles there softer, so that light ones are not thrown about by
/// heavy ones: k_i = 1 / max(S / m_i, sum_j |V_j grad W_ij|^2 / m_j).
void Solver::weigh_stiffness(const ParticleStore& particles) {
    if (tables_.single()) return;
    const auto scope = timer_.scope("stiffness");
    const std::span<neighbors::Cluster> clusters = lists_.clusters();
    // Liquids that answer alike share a kind.
    std::vector<std::uint8_t> kind(tables_.size());
    for (std::size_t l = 0; l < tables_.size(); ++l) {
        for (std::size_t m = 0; m <= l; ++m) {
            if (!tables_.alike(l, m)) continue;
            kind[l] = static_cast<std::uint8_t>(m);
            break;
        }
    }
    const neighbors::ListView lists = lists_.view();
    const StiffnessPass pass{
        .lists = lists, .fluid = fluid(), .x = particles.position().data(), .stiffness = stiffness_.data()};
    parallel_for(clusters.size(), neighbors::clusters_per_task, [&](Range range) {
        for (std::size_t n : range) {
            neighbors::Cluster& c = clusters[n];
            const std::uint8_t own = kind[liquid_[c.first]];
            const auto differs = [&](std::uint32_t j) { return j < particle_count_ && kind[liquid_[j]] != own; };
            const std::uint32_t* list = lists.list(c);
            c.mixed = c.crosses || std::any_of(list, list + c.list_size, differs);
        }
        kernels_.stiffness(pass, static_cast<std::uint32_t>(range.first), static_cast<std::uint32_t>(range.last));
    });
}

/// Surface tension, once per step and before the iterations: inside an accelerated iteration attraction explodes.
void Solver::apply_tension(ParticleStore& particles, double dt, StepReport& report) {
    x_final_ = nullptr;
    const std::vector<Liquid>& liquids = tables_.liquids();
    if (std::none_of(liquids.begin(), liquids.end(), [](const Liquid& l) { return l.has_tension(); })) return;
    const auto scope = timer_.scope("tension");
    std::vector<float> attraction, tensile;
    for (std::size_t l = 0; l < liquids.size(); ++l) {
        const double wanted = std::pow(dt / liquids[l].tension_time, 2);
        const double share = std::min(wanted, largest_tension_step * largest_tension_step);
        report.tension_limited = report.tension_limited || (liquids[l].has_tension() && wanted > 1.01 * share);
        const double unit = share * static_cast<double>(tables_.scales()[l].multiplier);
        attraction.push_back(static_cast<float>(unit * attraction_scale * liquids[l].attraction));
        tensile.push_back(static_cast<float>(unit * liquids[l].tensile));
    }
    x_final_ = &scratch_a_;
    correct_positions({.x = particles.position().data(),
                       .x_before = particles.position().data(),
                       .x_next = scratch_a_.data(),
                       .omega = 1,
                       .term = PairTerm::tension,
                       .term_strength = tensile.data(),
                       .attraction = attraction.data()});
}

/// Density and the constraints that others added: every iteration projects them in ascending importance.
void Solver::solve_constraints(ParticleStore& particles, const collision::Walls& walls, double dt, StepReport& report) {
    Iteration iteration = first_iteration(particles, report);
    if (!constraints_.only_density()) begin_constraints(particles, walls, dt, iteration);
    for (; iteration.number <= params_.iterations && !iteration.enough; ++iteration.number) {
        for (const ConstraintList::Entry& entry : constraints_.entries()) {
            if (!entry.constraint) {
                project_density(iteration, report);
            } else {
                const auto scope = timer_.scope("constraints");
                constraints_.project(entry, iteration.number, iteration.x, iteration.x_before);
            }
        }
    }
    if (!constraints_.only_density()) constraints_.keep_out_of_walls(particles.position().data(), iteration.x);
}

Solver::Iteration Solver::first_iteration(ParticleStore& particles, StepReport& report) {
    const bool accelerated = params_.acceleration != Acceleration::none && params_.iterations >= fewest_accelerated &&
                             guarded_steps_left == 0;
    report.guarded = guarded_steps_left > 0;
    guarded_steps_left = std::max(0, guarded_steps_left - 1);
    Iteration first;
    first.radius = accelerated ? chebyshev_radius : 0;
    first.x = first.x_before = x_final_ ? x_final_->data() : particles.position().data();
    return first;
}

/// Constraints move iterates in place, so the first one is a copy: the velocity update needs the predicted positions.
void Solver::begin_constraints(ParticleStore& particles, const collision::Walls& walls, double dt,
                               Iteration& iteration) {
    const auto scope = timer_.scope("constraints");
    if (!x_final_) {
        parallel_for(particles.size(), [from = particles.position().data(), to = scratch_a_.data()](Range range) {
            std::copy(from + range.first, from + range.last, to + range.first);
        });
        x_final_ = &scratch_a_;
        iteration.x = iteration.x_before = scratch_a_.data();
    }
    const ConstraintList::Step step{.particles = &particles,
                                    .walls = &walls,
                                    .liquids = &tables_.liquids(),
                                    .liquid = tables_.single() ? nullptr : liquid_.data(),
                                    .unit = static_cast<double>(h_),
                                    .dt = dt,
                                    .iterations = params_.iterations};
    constraints_.begin_step(step, iteration.x);
}

/// One correction of density; with a tolerance that is met it leaves the positions and the iterations end.
void Solver::project_density(Iteration& iteration, StepReport& report) {
    const int k = iteration.number;
    const DensitySums sums = compute_multipliers(iteration.x, nullptr);
    report.mean_density_error = sums.error / static_cast<double>(std::max<std::size_t>(1, particle_count_));
    report.converged = params_.tolerance == 0 || report.mean_density_error < params_.tolerance;
    iteration.enough = params_.tolerance > 0 && report.converged && k > 1;
    if (iteration.enough) return;

    const double radius2 = iteration.radius * iteration.radius;
    iteration.omega = k == 1 ? 1 : k == 2 ? 2 / (2 - radius2) : 4 / (4 - radius2 * iteration.omega);
    std::vector<float> separation_strength;
    for (const LiquidScale& scale : tables_.scales())
        separation_strength.push_back(separation * scale.density);
    // The predicted positions stay for the velocity update; iterates alternate between the two scratch buffers.
    Buffer<Float4>& next = spare_buffer();
    correct_positions({.x = iteration.x,
                       .x_before = iteration.x_before,
                       .x_next = next.data(),
                       .omega = static_cast<float>(iteration.omega),
                       .term = k == 1 ? PairTerm::separation : PairTerm::none,
                       .term_strength = separation_strength.data(),
                       .wall_separation = wall_separation});
    report.iterations = k;
    iteration.x_before = iteration.x;
    iteration.x = next.data();
    x_final_ = &next;
}

DensitySums Solver::compute_multipliers(Float4* x, float* constraint) {
    const auto scope = timer_.scope("density");
    const DensityPass pass{.lists = lists_.view(),
                           .fluid = fluid(),
                           .x = x,
                           .stiffness = tables_.single() ? nullptr : stiffness_.data(),
                           .wall_gain = wall_gain,
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

void Solver::correct_positions(CorrectionPass pass) {
    const auto scope = timer_.scope("correction");
    pass.lists = lists_.view();
    pass.fluid = fluid();
    pass.wall_multiplier = static_cast<float>(wall_gain / prototype().gradient_scale);
    pass.largest_move = largest_wall_move;
    parallel_for(lists_.clusters().size(), neighbors::clusters_per_task, [&](Range r) {
        kernels_.correct(pass, static_cast<std::uint32_t>(r.first), static_cast<std::uint32_t>(r.last));
    });
    for (const Held& held : held_)
        pass.x_next[held.index] = {held.x.x, held.x.y, held.x.z, 0};
}

void Solver::update_velocities(ParticleStore& particles, const collision::Walls& walls, float dt, StepReport& report) {
    const auto scope = timer_.scope("velocity");
    const float scale = h_ / dt;
    struct Energy {
        double before = 0, after = 0, unit = 0;
    };
    const Energy energy = parallel_reduce(
        particles.size(), default_chunk, Energy{},
        [&, x = particles.position(), v = particles.velocity(), x_new = x_final_->data()](Range range) {
            Energy sum;
            for (std::size_t i : range) {
                const Vec3f v_before = v[i].xyz();
                const Vec3f v_i = v_before + (x_new[i].xyz() - x[i].xyz()) * scale;
                v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
                sum.before += static_cast<double>(mass(i) * dot(v_before, v_before));
                sum.after += static_cast<double>(mass(i) * dot(v_i, v_i));
                sum.unit += static_cast<double>(mass(i));
            }
            return sum;
        },
        [](const Energy& a, const Energy& b) {
            return Energy{a.before + b.before, a.after + b.after, a.unit + b.unit};
        });

    const double finest = tables_.unit() / support_ratio * static_cast<double>(tables_.resolutions().h.back());
    const double unit = std::pow(finest / static_cast<double>(dt), 2) * energy.unit;
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
    viscosity_time_due += dt;
    viscosity_steps_due += 1;
    const double smoothing = params_.smoothing * viscosity_steps_due;
    const double wanted = ViscositySolver::largest_coefficient(tables_, viscosity_time_due, smoothing);
    if (wanted < smallest_viscosity_share) return;
    const ViscositySolver::Input input{.kernels = kernels_,
                                       .lists = lists_.view(),
                                       .cluster_count = lists_.clusters().size(),
                                       .fluid = fluid(),
                                       .tables = tables_,
                                       .masses = masses_,
                                       .x = x_final_->data(),
                                       .particles = particles.size(),
                                       .central = params_.viscosity == Viscosity::central,
                                       .dt = viscosity_time_due,
                                       .smoothing = smoothing};
    report.viscosity_limited =
        !viscosity_.apply(input, particles.velocity_buffer(), spare_buffer(), particles.position_buffer());
    viscosity_time_due = viscosity_steps_due = 0;
    keep_held_velocities(particles);
}

void Solver::finish(ParticleStore& particles, const collision::Walls& walls, double dt, StepReport& report) {
    const auto scope = timer_.scope("finish");
    const std::span<const neighbors::Leaf> leaves = grid_.leaves();
    const Channel<Float4> x = particles.position(), v = particles.velocity();
    leaf_velocity_.resize(leaves.size());
    struct Sums {
        float max_speed2 = 0;
        double energy = 0;
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
                    s.energy += static_cast<double>(0.5f * mass(i) * speed2);
                }
                leaf_velocity_[leaf] = total / static_cast<float>(leaves[leaf].count);
            }
            return s;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{std::max(a.max_speed2, b.max_speed2), a.energy + b.energy};
        });
    report.max_speed = std::sqrt(sums.max_speed2);
    report.kinetic_energy = sums.energy * tables_.reference_density() * std::pow(tables_.unit() / support_ratio, 3);
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
    const float width = neighbors::leaf_width * tables_.resolutions().h[leaf.resolution];
    const Vec3f corner = vec_cast<float>(leaf.coord) * width;
    const float ahead = width + 4 * std::sqrt(speed2) * static_cast<float>(dt) / h_;
    if (walls.near(corner, corner + Vec3f{width, width, width}, ahead)) return std::sqrt(speed2);

    const std::int32_t* neighbors = grid_.view().neighbors + 27 * index;
    for (int k = 0; k < 27; ++k) {
        if (neighbors[k] < 0) continue;
        const Vec3f jump = leaf_velocity_[static_cast<std::size_t>(neighbors[k])] - mean;
        deviation2 = std::max(deviation2, dot(jump, jump));
    }
    const neighbors::GridView grid = grid_.view();
    if (grid.cross_starts) {
        for (std::uint32_t k = grid.cross_starts[index]; k < grid.cross_starts[index + 1]; ++k) {
            const Vec3f jump = leaf_velocity_[grid.cross_leaves[k]] - mean;
            deviation2 = std::max(deviation2, dot(jump, jump));
        }
    }
    return std::sqrt(deviation2);
}

DensityReport Solver::measure_density(std::vector<float>& relative_density) {
    SPINDRIFT_CHECK(x_final_ != nullptr);
    const auto scope = timer_.scope("measure");
    const std::size_t cluster_total = lists_.clusters().size();
    relative_density.resize(particle_count_);
    const DensitySums sums = compute_multipliers(x_final_->data(), relative_density.data());
    for (float& value : relative_density)
        value += 1;
    const auto pairs = parallel_reduce(
        cluster_total, neighbors::clusters_per_task, std::uint64_t{0},
        [&](Range r) {
            return kernels_.count_pairs(lists_.view(), fluid(), x_final_->data(), static_cast<std::uint32_t>(r.first),
                                        static_cast<std::uint32_t>(r.last));
        },
        std::plus<>());
    const auto count = static_cast<double>(std::max<std::size_t>(1, particle_count_));
    return {.mean_error = sums.error / count,
            .max_error = sums.largest_error,
            .neighbors = static_cast<double>(pairs) / count};
}

void Solver::measure_vorticity(const ParticleStore& particles, Channel<Vec3f> vorticity) {
    SPINDRIFT_CHECK(x_final_ != nullptr && particles.size() >= particle_count_ && vorticity.size() >= particle_count_);
    const VorticityPass pass{.lists = lists_.view(),
                             .fluid = fluid(),
                             .x = x_final_->data(),
                             .v = particles.velocity().data(),
                             .scale = static_cast<float>(prototype().curl_scale) / h_,
                             .vorticity = vorticity.data()};
    parallel_for(lists_.clusters().size(), neighbors::clusters_per_task, [&](Range r) {
        kernels_.vorticity(pass, static_cast<std::uint32_t>(r.first), static_cast<std::uint32_t>(r.last));
    });
}

}  // namespace spindrift::pbf
