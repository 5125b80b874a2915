#include "spindrift/pbf/step.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

namespace {

/// Where the particle stands that pads neighbour lists: out of reach of every valid coordinate.
constexpr Float4 far_particle{3e7f, 0, 0, 0};

/// A viscosity pass is worth its cost from this share on; less waits for later steps.
constexpr double smallest_viscosity_share = 0.12;

/// The energy guard: iterations that add more than this share of the kinetic energy, or this much in units of
/// (spacing / dt)^2 per particle, are the start of a burst; the next steps run without acceleration.
constexpr double guard_share = 0.1, guard_energy = 0.01;
constexpr int guarded_steps = 20;

/// Liquids by slot, nullptr if there is one.
const std::uint16_t* phases(const ParticleStore& particles, const LiquidTables& tables) {
    if (tables.single()) return nullptr;
    const ChannelArray* channel = particles.find_channel(phase_channel);
    SPINDRIFT_CHECK(channel != nullptr);
    return channel->as<std::uint16_t>().data();
}

}  // namespace

Solver::Solver(const SolverParams& params, std::vector<Liquid> liquids, fluid::Mixture mixture)
    : params_(params),
      tables_(std::move(liquids)),
      h_(static_cast<float>(tables_.unit())),
      loops_(make_host_loops(params.bits)),
      sorted_(tables_.resolutions()),
      properties_(fluid::PropertyRule(tables_.liquids(), params.viscosity_channel, mixture)),
      mixing_(std::move(mixture)) {}

StepReport Solver::step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                        double dt, Coupling* coupling) {
    StepReport report;
    check_ranks(coupling);
    give_back_memory(particles.size());
    predict(particles, forces, walls, static_cast<float>(dt));
    sort(particles, report);
    sorted_.find_held(particles);
    report.coarse_iterations = project(particles, walls, static_cast<float>(dt), coupling);
    // Pressure has changed where bodies will be.
    const collision::Walls& now = coupling ? coupling->place() : walls;
    body_move_ = body_move(forces.gravity, dt);
    walls_.set(now, tables_.resolutions().h);
    find_neighbors(particles);
    find_levels(particles);
    mark_walls(particles, now);
    mix(particles, forces.gravity, now, dt);
    weigh_stiffness(particles);
    const Iterate start = apply_tension(particles, dt, report);
    const Iterate solved = solve_constraints(particles, start, now, dt, report);
    update_velocities(particles, solved, now, static_cast<float>(dt), report);
    apply_viscosity(particles, solved, dt, report);
    if (coupling) meet_bodies(particles, solved, now, dt, *coupling);
    if (!constraints_.only_density()) constraints_.end_step(particles, solved.x);
    finish(particles, solved, now, dt, report);
    return report;
}

void Solver::share(ranks::Ranks& ranks, const ranks::Cuts& cuts) {
    context_.ranks = &ranks;
    sorted_.share(ranks, cuts);
}

/// What one rank alone can do so far.
void Solver::check_ranks(const Coupling* coupling) const {
    if (context_.ranks->is_alone()) return;
    if (params_.coarse) throw UsageError("the coarse projection runs on one rank so far; write coarse = false");
    if (tables_.resolutions().h.size() > 1) throw UsageError("liquids of several spacings run on one rank so far");
    if (!mixing_.mixture().empty()) throw UsageError("mixtures run on one rank so far");
    if (coupling) throw UsageError("bodies that liquid moves run on one rank so far");
    if (!constraints_.only_density()) throw UsageError("constraints of a program run on one rank so far");
}

/// A particle in a narrow gap between bodies is pushed as far as it may in each iteration. In steps shorter than
/// gravity asks for that would be faster and faster, which makes the next step shorter still.
float Solver::body_move(Vec3f gravity, double dt) const {
    const auto g = static_cast<double>(length(gravity));
    if (g == 0) return 1;
    const double finest = tables_.unit() / support_ratio * static_cast<double>(tables_.resolutions().h.back());
    return static_cast<float>(std::min(1.0, dt / std::sqrt(params_.fall * finest / g)));
}

StepReport Solver::observe(ParticleStore& particles, const collision::Walls& walls) {
    StepReport report;
    walls_.set(walls, tables_.resolutions().h);
    enter_units(particles);
    sort(particles, report);
    find_neighbors(particles);
    levels_.take_all(lists_, sorted_);
    mark_walls(particles, walls);
    weigh_stiffness(particles);
    iterates_.copy_predicted(particles);
    finish(particles, iterates_.last(), walls, 0, report);
    return report;
}

/// Everything that steps rebuild is thrown away once less than half of it is needed.
void Solver::give_back_memory(std::size_t particles) {
    most_particles_ = std::max(most_particles_, particles);
    if (2 * particles >= most_particles_) return;
    most_particles_ = particles;
    sorted_.give_back_memory();
    lists_.clear();
    projection_ = Projection();
    viscosity_.give_back_memory();
    mixing_.give_back_memory();
    iterates_ = Iterates();
    properties_ = fluid::Properties(properties_.rule());
    strengths_ = PairStrengths();
    contacts_ = Contacts();
    levels_ = LodIterations();
}

FluidView Solver::fluid() {
    return {.liquid = properties_.liquids(),
            .scales = tables_.scales().data(),
            .pairs = tables_.pairs().data(),
            .shares = tables_.shares().data(),
            .density = properties_.density().each,
            .inverse_density = properties_.lightness().each,
            .walls = walls_.views(),
            .contacts = contacts_.view()};
}

void Solver::predict(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                     float dt) {
    const auto scope = context_.timer.scope("predict");
    const PredictPass pass{.x = particles.position().data(),
                           .v = particles.velocity().data(),
                           .phase = phases(particles, tables_),
                           .scales = tables_.scales().data(),
                           .forces = &forces,
                           .particles = &particles,
                           .walls = &walls,
                           .loops = loops_.get(),
                           .h = h_,
                           .dt = dt};
    parallel_for(particles.size(), [&](Range range) { pbf::predict(pass, range); });
}

void Solver::enter_units(ParticleStore& particles) {
    const std::uint16_t* phase = phases(particles, tables_);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        Float4& x = particles.position()[i];
        x = {x.x / h_, x.y / h_, x.z / h_, phase ? std::bit_cast<float>(std::uint32_t{phase[particles.slot(i)]}) : 0};
    }
}

void Solver::sort(ParticleStore& particles, StepReport& report) {
    const auto scope = context_.timer.scope("sort");
    sorted_.sort(particles, iterates_.arrays(), report);
    particles.position_buffer()[sorted_.size()] = far_particle;
    for (Buffer<Float4>& array : iterates_.arrays().of)
        array[sorted_.size()] = far_particle;
    particles.velocity_buffer()[sorted_.size()] = {0, 0, 0, 0};
    fill_properties(particles);
}

/// Liquids came along in the positions' fourth number, which multipliers have from here on.
void Solver::fill_properties(ParticleStore& particles) {
    properties_.fill(particles, sorted_.owned(), sorted_.size(), [x = particles.position()](std::size_t i) {
        return std::size_t{std::bit_cast<std::uint32_t>(std::exchange(x[i].w, 0.f))};
    });
    properties_.refresh(sorted_);
    strengths_.resize(sorted_.size(), properties_);
}

void Solver::find_neighbors(ParticleStore& particles) {
    const auto scope = context_.timer.scope("neighbors");
    sorted_.refresh(particles.position_buffer().data());
    lists_.build(sorted_.grid(), particles.position().data(), sorted_.size());
}

void Solver::find_levels(const ParticleStore& particles) {
    const ChannelArray* channel = particles.find_channel(level_channel);
    if (!channel || channel->type() != level_type) return levels_.take_all(lists_, sorted_);
    const auto scope = context_.timer.scope("levels");
    levels_.find(lists_, particles, channel->as<std::uint8_t>(), static_cast<std::uint8_t>(params_.iterations),
                 sorted_);
}

void Solver::mark_walls(const ParticleStore& particles, const collision::Walls& walls) {
    const auto scope = context_.timer.scope("walls");
    contacts_.find({.clusters = lists_.clusters().data(),
                    .x = particles.position().data(),
                    .scales = tables_.scales().data(),
                    .liquid = properties_.liquids(),
                    .walls = &walls},
                   lists_.clusters().size());
    iterates_.make_room_for_pushes(contacts_.push_count());
}

/// Where particles stand now is what lists were made of: both of a pair know each other, so what one gives the other
/// gets.
void Solver::mix(ParticleStore& particles, Vec3f gravity, const collision::Walls& walls, double dt) {
    if (mixing_.mixture().empty()) return;
    const auto scope = context_.timer.scope("mix");
    mixing_.advance(particles, {.loops = *loops_,
                                .lists = lists_.view(),
                                .cluster_count = lists_.clusters().size(),
                                .sorted = sorted_,
                                .fluid = fluid(),
                                .tables = tables_,
                                .walls = walls,
                                .gravity = gravity,
                                .dt = dt});
}

void Solver::update_velocities(ParticleStore& particles, const Iterate& solved, const collision::Walls& walls, float dt,
                               StepReport& report) {
    const auto scope = context_.timer.scope("velocity");
    VelocityPass pass{.x = particles.position().data(),
                      .x_new = solved.x,
                      .v = particles.velocity().data(),
                      .mass = properties_.masses(),
                      .scale = h_ / dt};
    if (!walls.empty() && walls.are_free() && constraints_.only_density()) {
        const Vec3d move = move_from_nowhere(pass, body_pass(particles, solved, walls, dt));
        pass.rest = vec_cast<float>(move) * pass.scale;
    }
    const auto [before, after, mass] = sorted_.sums<3>([&](std::size_t, Range own) {
        const KineticSums sums = pbf::update_velocities(pass, own);
        return std::array{sums.before, sums.after, sums.mass};
    });

    const double finest = tables_.unit() / support_ratio * static_cast<double>(tables_.resolutions().h.back());
    const double unit = std::pow(finest / static_cast<double>(dt), 2) * mass;
    if (after - before > guard_share * before + guard_energy * unit) {
        guarded_steps_left_ = guarded_steps;
        report.flags.set(fluid::StepFlag::guarded);
    }
    apply_wall_friction(pass, walls, dt);
}

void Solver::apply_wall_friction(const VelocityPass& moves, const collision::Walls& walls, float dt) {
    if (!walls.rough()) return;
    const FrictionPass pass{.clusters = lists_.clusters().data(),
                            .contacts = contacts_.view(),
                            .x = moves.x,
                            .x_new = moves.x_new,
                            .v = moves.v,
                            .walls = &walls,
                            .scale = moves.scale,
                            .dt = dt};
    parallel_for(lists_.clusters().size(), [&](Range range) {
        rub_at_walls(pass, static_cast<std::uint32_t>(range.first), static_cast<std::uint32_t>(range.last));
    });
}

void Solver::apply_viscosity(ParticleStore& particles, const Iterate& solved, double dt, StepReport& report) {
    const auto scope = context_.timer.scope("viscosity");
    viscosity_.due.time += dt;
    viscosity_.due.steps += 1;
    const double smoothing = params_.smoothing * viscosity_.due.steps;
    if (viscosity_.largest_coefficient(properties_, smoothing) < smallest_viscosity_share) return;
    const ViscositySolver::Input input{.loops = *loops_,
                                       .lists = lists_.view(),
                                       .cluster_count = lists_.clusters().size(),
                                       .sorted = sorted_,
                                       .fluid = fluid(),
                                       .tables = tables_,
                                       .properties = properties_,
                                       .x = solved.x,
                                       .central = params_.viscosity == Viscosity::central,
                                       .dt = viscosity_.due.time,
                                       .smoothing = smoothing};
    sorted_.refresh(particles.velocity_buffer().data());
    const bool converged =
        viscosity_.apply(input, particles.velocity_buffer(), iterates_.spare(), particles.position_buffer());
    report.flags.assign(fluid::StepFlag::viscosity_limited, !converged);
    viscosity_.due = {};
    sorted_.held().keep_velocities(particles);
}

}  // namespace spindrift::pbf
