#include "spindrift/sim/simulation.h"

#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/exact_sum.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/emitters/emitter.h"
#include "spindrift/filling/carried_channels.h"
#include "spindrift/filling/fills.h"
#include "spindrift/flip/step.h"
#include "spindrift/fluid/liquid_of.h"
#include "spindrift/params/value.h"
#include "spindrift/pbf/step.h"
#include "spindrift/scene/mixed_liquid.h"
#include "spindrift/sim/make_solver.h"

namespace spindrift::sim {

namespace {

/// Farthest that float coordinates may be from their origin, in support radii, before the origin moves: 1e-4 h there.
constexpr double farthest_from_origin = 1024;

Vec3d mean_position(const ParticleStore& particles) {
    const auto [x, y, z] = exact_item_sums<3>(particles.size(), [x = particles.position()](std::size_t i) {
        const Vec3d p = vec_cast<double>(x[i].xyz());
        return std::array{p.x, p.y, p.z};
    });
    return particles.size() == 0 ? Vec3d{} : Vec3d{x, y, z} / static_cast<double>(particles.size());
}

}  // namespace

Simulation::Simulation(const Scene& scene, const std::filesystem::path& field_cache)
    : scene_(scene),
      properties_(make_property_rule(scene)),
      environment_(scene_, field_cache),
      solver_(make_solver(scene, liquids())),
      sources_(scene),
      mixes_(scene),
      bodies_({.params = scene_.body,
               .colliders = scene_.collider,
               .domain = scene_.domain,
               .folder = scene_.file.parent_path(),
               .cache = field_cache,
               .spacing = environment_.spacing(),
               .support = environment_.support(),
               .fps = scene_.fps,
               .first_frame = static_cast<double>(scene_.frames[0])}),
      wet_maps_(scene_),
      bound_(scene_, properties_),
      frame_(scene.frames[0]) {
    if (liquids().size() > 1) particles_.request_channel(fluid::phase_channel);
    if (sources_.needs_births()) keep_births();
    filling::declare_channels(scene_, particles_);
    solver_->declare_channels(particles_);
    make_parts();
}

void Simulation::add_force(std::shared_ptr<const forces::Force> force) {
    if (!force) throw UsageError("add_force() needs a force");
    environment_.add_force(std::move(force));
    forces_ = forces_at(elapsed_);
}

void Simulation::add_constraint(std::shared_ptr<constraints::Constraint> constraint, int importance) {
    auto* const iterating = dynamic_cast<pbf::Solver*>(solver_.get());
    if (!iterating) {
        throw UsageError(
            "add_constraint: constraints take part in the iterations of position based fluids; give the scene solver = "
            "\"pbf\"");
    }
    iterating->add_constraint(std::move(constraint), importance);
}

std::size_t Simulation::liquid_of(std::size_t i) const {
    return fluid::LiquidOf(particles_)(i);
}

void Simulation::keep_births() {
    particles_.request_channel(emitters::birth_channel);
}

void Simulation::fill() {
    pass();
    filling::Fills::Particles all;
    std::vector<std::uint16_t> phases;
    frame_ = scene_.frames[0];
    elapsed_ = 0;
    bodies_.reset();
    const filling::Fills fills(scene_, environment_.colliders());
    for (std::size_t liquid = 0; liquid < scene_.liquid.size(); ++liquid) {
        filling::Fills::Particles sampled = fills.sample(liquid);
        make_room_for_bodies(sampled);
        all.append(sampled);
        phases.resize(all.positions.size(), static_cast<std::uint16_t>(liquid));
    }
    const std::vector<Vec3d>&positions = all.positions, &velocities = all.velocities;
    if (positions.empty() && !sources_.has_emitters()) {
        SceneProblem problem;
        problem.where.file = scene_.file.string();
        problem.text = fmt::format(
            "the liquid has no particles: its fill shapes lie inside colliders, outside the domain or are smaller than "
            "the spacing of {} m",
            environment_.spacing());
        throw SceneError({problem});
    }

    choose_origin(positions.empty() ? sources_.positions() : positions);
    const Range born = particles_.append(positions.size());
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const Vec3f x = vec_cast<float>(positions[k] - particles_.origin);
        const Vec3f v = vec_cast<float>(velocities[k]);
        const std::size_t i = born.first + k;
        particles_.position()[i] = {x.x, x.y, x.z, 0};
        particles_.velocity()[i] = {v.x, v.y, v.z, particles_.velocity()[i].w};
    }
    if (ChannelArray* phase = particles_.find_channel(fluid::phase_channel)) {
        for (std::size_t k = 0; k < phases.size(); ++k)
            phase->as<std::uint16_t>()[particles_.slot(born.first + k)] = phases[k];
    }
    begin_channels(born, all);
    wet_maps_.dry_all();
    place_environment();
    sources_.emit(particles_, {0, 0}, walls_, environment_.support(), forces_);
    bound_ = health::EnergyBound(scene_, properties_);
    bound_.take_in(particles_, {0, particles_.size()});
    const fluid::StepReport report = solver_->observe(particles_, walls_with_bodies());
    choose_levels();
    max_speed_ = report.max_speed;
    relative_speed_ = report.relative_speed;
}

/// A particle of the first layer stands half a spacing off a wall.
void Simulation::make_room_for_bodies(filling::Fills::Particles& sampled) {
    if (bodies_.empty()) return;
    const collision::Walls none;
    bodies_.begin_step({.frame = frame_number(0), .units = {{}, 1, 0}}, none);
    const collision::Walls& solid = bodies_.place();
    const auto gap = static_cast<float>(0.45 * environment_.spacing());
    sampled.keep_if([&](Vec3d x) { return solid.is_free(vec_cast<float>(x), gap); });
}

const collision::Walls& Simulation::walls_with_bodies() {
    if (bodies_.empty()) return walls_;
    bodies_.begin_step({.frame = frame_number(elapsed_), .units = {particles_.origin, environment_.support(), 0}},
                       walls_);
    return bodies_.place();
}

/// Near the world's origin floats are fine as they are; elsewhere they count from the middle of the liquid.
void Simulation::choose_origin(const std::vector<Vec3d>& positions) {
    Vec3d lo = positions.at(0), hi = lo;
    for (Vec3d p : positions) {
        lo = min(lo, p);
        hi = max(hi, p);
    }
    const double reach = farthest_from_origin * environment_.support();
    const Vec3d farthest = max(hi, -lo);
    const bool near_origin = std::max({farthest.x, farthest.y, farthest.z}) < reach;
    particles_.origin = near_origin ? Vec3d{} : (lo + hi) * 0.5;
}

void Simulation::begin_channels(Range born, const filling::Fills::Particles& sampled) {
    // Particles of a liquid follow each other.
    for (std::size_t first = born.first, last = first; first < born.last; first = last) {
        const std::size_t liquid = liquid_of(first);
        while (last < born.last && liquid_of(last) == liquid)
            ++last;
        filling::apply_channel_values(particles_, {first, last}, filling::birth_values(scene_, liquid));
    }
    filling::apply_vectors(particles_, born, "uv", sampled.uv);
    std::vector<Vec3f> rest;
    for (const Vec3d p : sampled.positions)
        rest.push_back(vec_cast<float>(p));
    filling::apply_vectors(particles_, born, "rest", rest);
    begin_mixes(born, sampled.fill);
}

/// Particles of a fill follow each other.
void Simulation::begin_mixes(Range born, const std::vector<std::uint32_t>& fills) {
    if (mixes_.empty()) return;
    const double frame = scene_.frames[0];
    for (std::size_t first = born.first, last = first; first < born.last; first = last) {
        const std::size_t liquid = liquid_of(first), fill = fills[first - born.first];
        while (last < born.last && fills[last - born.first] == fill && liquid_of(last) == liquid)
            ++last;
        mixes_.apply(particles_, {first, last}, mixes_.at(liquid, scene_.liquid[liquid].fill[fill].mix, frame));
    }
}

void Simulation::place_environment() {
    forces_ = forces_at(elapsed_);
    walls_ = environment_.walls(particles_.origin);
    place_walls(0);
}

void Simulation::place_walls(double dt) {
    environment_.place({frame_number(elapsed_), frame_number(elapsed_ + dt)},
                       {particles_.origin, environment_.support(), dt}, walls_);
}

std::size_t Simulation::count_leaked() const {
    const auto scale = static_cast<float>(1 / environment_.support());
    const auto depth = static_cast<float>(-0.5 * environment_.spacing() / environment_.support());
    return parallel_sum<std::size_t>(particles_.size(), [&, x = particles_.position()](Range range) {
        std::size_t leaked = 0;
        for (std::size_t i : range)
            leaked += !walls_.is_free(x[i].xyz() * scale, depth);
        return leaked;
    });
}

forces::ForceSet Simulation::forces_at(double seconds) const {
    const forces::Moment moment{.frame = frame_number(seconds), .seconds = time() - elapsed_ + seconds};
    return environment_.forces(particles_.origin, moment);
}

double Simulation::largest_acceleration() const {
    if (!environment_.forces_change()) return forces_.largest_acceleration();
    // What is about to grow counts before it has grown.
    double largest = 0;
    for (const double seconds : {elapsed_, 0.5 * (elapsed_ + frame_seconds()), frame_seconds()})
        largest = std::max<double>(largest, forces_at(seconds).largest_acceleration());
    return largest;
}

void Simulation::follow_liquid() {
    // By whole leaves, so that what is on grids stays on their cells.
    const double leaf = grid::leaf_width * environment_.support();
    const Vec3d middle = mean_position(particles_) / leaf;
    const Vec3i leaves{static_cast<int>(std::lround(middle.x)), static_cast<int>(std::lround(middle.y)),
                       static_cast<int>(std::lround(middle.z))};
    const Vec3d mean = vec_cast<double>(leaves) * leaf;
    const double reach = farthest_from_origin * environment_.support();
    if (std::max({std::abs(mean.x), std::abs(mean.y), std::abs(mean.z)}) < reach) return;
    // The solver looks at fields that are about to be placed anew.
    measure_density();
    parallel_for(particles_.size(), [&, x = particles_.position()](Range range) {
        for (std::size_t i : range) {
            const Vec3f moved = vec_cast<float>(vec_cast<double>(x[i].xyz()) - mean);
            x[i] = {moved.x, moved.y, moved.z, 0};
        }
    });
    particles_.origin += mean;
    solver_->shift_origin(-leaves);
    place_environment();
}

double Simulation::time() const {
    return static_cast<double>(frame_ - scene_.frames[0]) * frame_seconds() + elapsed_;
}

double Simulation::choose_dt() const {
    const double longest = solver_->longest_step({.speed = std::max(relative_speed_, sources_.speed(time())),
                                                  .acceleration = largest_acceleration(),
                                                  .frame = frame_seconds()});
    const double wanted = std::min(longest, frame_seconds() / scene_.solver.substeps[0]);
    const double dt = std::max(wanted, frame_seconds() / scene_.solver.substeps[1]);

    // Equal parts of what is left of the frame; a remainder below rounding does not make one more.
    const double left = frame_seconds() - elapsed_;
    return left / std::max(1.0, std::ceil(left / dt - 1e-6));
}

fluid::StepReport Simulation::advance(double dt) {
    pass();
    const auto start = std::chrono::steady_clock::now();
    if (environment_.forces_change()) forces_ = forces_at(elapsed_ + 0.5 * dt);
    if (environment_.colliders().moves()) place_walls(dt);
    if (grains_change(scene_)) change_grains(elapsed_ + 0.5 * dt);
    sources_.release(particles_, time());
    const bool coupled = !bodies_.empty();
    if (coupled) {
        bodies_.begin_step({.frame = frame_number(elapsed_),
                            .dt = dt,
                            .gravity = vec_cast<double>(forces_.gravity),
                            .units = {particles_.origin, environment_.support(), dt}},
                           walls_);
    }
    const collision::Walls& walls = coupled ? bodies_.place() : walls_;
    const fluid::StepReport report = [&] {
        try {
            return solver_->step(particles_, forces_, walls, dt, coupled ? &bodies_ : nullptr);
        } catch (const DivergedError& error) {
            throw diverged(error.what());
        }
    }();
    if (coupled) move_bodies();
    const std::size_t before = particles_.size();
    sources_.emit(particles_, {time() + dt, dt}, walls, environment_.support(), forces_);
    bound_.take_in(particles_, {before, particles_.size()});
    bound_.feel({.dt = dt, .forces = &forces_, .walls = &walls_, .bodies = &bodies_, .frame = frame_number(elapsed_)});
    sources_.kill(particles_, time() + dt, false);
    density_.clear();
    last_step_ = report;
    max_speed_ = report.max_speed;
    relative_speed_ = report.relative_speed;
    sums_.add(report);
    sums_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (report.not_finite > 0 || !std::isfinite(report.max_speed)) {
        throw diverged(fmt::format("{} particles have no finite position or velocity",
                                   std::max<std::size_t>(1, report.not_finite)));
    }
    wet_colliders(dt);
    return report;
}

/// Components whose grains have no speed of their own over time keep theirs.
void Simulation::change_grains(double seconds) {
    const fluid::Carrier carrier = carrier_of(scene_);
    const double gravity = length(scene_.gravity.at(frame_number(seconds)));
    std::vector<double> speeds;
    for (const ComponentParams& component : scene_.component) {
        const auto grains = grains_of(scene_.liquid[0], component, frame_number(seconds));
        speeds.push_back(grains ? fluid::settling_speed(*grains, carrier, gravity, scene_.mixture.settling) : 0);
    }
    if (auto* const pairs = dynamic_cast<pbf::Solver*>(solver_.get())) pairs->set_settling_speeds(speeds);
    if (auto* const cells = dynamic_cast<flip::Solver*>(solver_.get())) cells->set_settling_speeds(speeds);
}

DivergedError Simulation::diverged(const std::string& what) const {
    return DivergedError(fmt::format("the simulation diverged after frame {} at {:.4f} s: {}; try {}", frame_, time(),
                                     what, health::advice_for_accuracy(scene_, sums_.substeps)));
}

void Simulation::move_bodies() {
    const auto scope = solver_->timer().scope("move_bodies");
    const ParticleStore& particles = particles_;
    bodies_.float_along(
        {particles.position().data(), particles.size()}, {particles.velocity().data(), particles.size()},
        [read = fluid::PropertyRule::Reader(properties_, particles)](std::size_t i) { return read.mass(i); });
    bodies_.end_step();
}

void Simulation::wet_colliders(double dt) {
    if (wet_maps_.empty()) return;
    const auto start = std::chrono::steady_clock::now();
    const auto scope = solver_->timer().scope("wet_colliders");
    double largest = 0;
    for (const fluid::Liquid& liquid : liquids())
        largest = std::max(largest, liquid.spacing);
    const ParticleStore& particles = particles_;
    wet_maps_.update(environment_.colliders().surfaces(frame_number(elapsed_ + dt)),
                     {.position = {particles.position().data(), particles.size()},
                      .origin = particles.origin,
                      .spacing_of = [&, of = fluid::LiquidOf(particles)](
                                        std::size_t i) { return particles.is_alive(i) ? liquids()[of(i)].spacing : 0; },
                      .largest_spacing = largest},
                     dt);
    sums_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool Simulation::make_colliders_ready(const Progress& progress) {
    try {
        const Interruptible work(progress, "stopped before the frame");
        environment_.colliders().make_ready(frame_);
        return true;
    } catch (const InterruptedError&) {
        return false;
    }
}

bool Simulation::advance_frame(const Progress& progress) {
    constexpr double rounding = 1e-9;
    if (elapsed_ == 0) {
        if (!make_colliders_ready(progress)) return false;
        sums_ = {};
        bodies_.begin_frame();
        solver_->timer().reset();
        choose_levels();
    }
    while (elapsed_ < frame_seconds() * (1 - rounding)) {
        if (progress.interrupted()) return false;
        const double dt = choose_dt();
        sums_.flags.set(fluid::StepFlag::limited, dt > 1.01 * solver_->longest_step_at(relative_speed_));
        advance(dt);
        elapsed_ += dt;
    }
    frame_ += 1;
    elapsed_ = 0;
    pass();
    sources_.kill(particles_, time(), true);
    follow_liquid();
    return true;
}

}  // namespace spindrift::sim
