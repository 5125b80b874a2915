#include "spindrift/sim/simulation.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/core/log.h"
#include "spindrift/emitters/emitter.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/sim/carried_channels.h"

namespace spindrift::sim {

namespace {

/// Farthest that float coordinates may be from their origin, in support radii, before the origin moves: 1e-4 h there.
constexpr double farthest_from_origin = 1024;

/// The time in which surface tension acts. In real units it follows from the tension in N/m; else from the spacing, so
/// that kappa looks the same at every scale: at 1 drops of about two spacings hold against gravity.
double tension_time(const LiquidParams& liquid) {
    constexpr double gravity = 9.81;
    const double d = liquid.spacing;
    if (liquid.surface_tension.value_or(0) > 0)
        return std::sqrt(pbf::tension_of_unit_time * liquid.properties().density * d * d * d / *liquid.surface_tension);
    return 0.5 * std::sqrt(d / gravity);
}

std::vector<pbf::Liquid> make_liquids(const Scene& scene) {
    SPINDRIFT_CHECK(!scene.liquid.empty());
    std::vector<pbf::Liquid> liquids;
    for (const LiquidParams& liquid : scene.liquid) {
        const MaterialProperties properties = liquid.properties();
        const bool real = liquid.surface_tension.has_value();
        const double kappa = real ? (*liquid.surface_tension > 0 ? 1 : 0) : liquid.tension;
        liquids.push_back({.spacing = liquid.spacing,
                           .density = properties.density,
                           .viscosity = properties.viscosity,
                           .attraction = liquid.attraction.value_or(0.5 * kappa),
                           .tensile = liquid.tensile.value_or(0.2 * kappa),
                           .tension_time = tension_time(liquid)});
    }
    return liquids;
}

double finest_spacing(const std::vector<pbf::Liquid>& liquids) {
    double finest = liquids[0].spacing;
    for (const pbf::Liquid& liquid : liquids)
        finest = std::min(finest, liquid.spacing);
    return finest;
}

double largest_support(const std::vector<pbf::Liquid>& liquids) {
    double largest = 0;
    for (const pbf::Liquid& liquid : liquids)
        largest = std::max(largest, liquid.support_radius());
    return largest;
}

Vec3d mean_position(const ParticleStore& particles) {
    const Vec3d sum = parallel_sum<Vec3d>(particles.size(), [x = particles.position()](Range range) {
        Vec3d s{};
        for (std::size_t i : range)
            s += vec_cast<double>(x[i].xyz());
        return s;
    });
    return particles.size() == 0 ? Vec3d{} : sum / static_cast<double>(particles.size());
}

double max_speed(const ParticleStore& particles) {
    const float squared = parallel_reduce(
        particles.size(), default_chunk, 0.f,
        [v = particles.velocity()](Range range) {
            float largest = 0;
            for (std::size_t i : range)
                largest = std::max(largest, dot(v[i].xyz(), v[i].xyz()));
            return largest;
        },
        [](float a, float b) { return std::max(a, b); });
    return std::sqrt(squared);
}

/// Takes the values of killed particles away, as settle() does with the particles.
template <class T>
void drop_dead(const ParticleStore& particles, std::vector<T>& values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles.is_alive(i)) values[kept++] = values[i];
    }
    values.resize(kept);
}

/// 0 to 1 across the box along each axis.
Vec3f place_in(const Box3d& box, Vec3d p) {
    const Vec3d from_low = p - box.lo, size = box.size();
    return vec_cast<float>(Vec3d{from_low.x / size.x, from_low.y / size.y, from_low.z / size.z});
}

}  // namespace

std::vector<Vec3d> sample_liquid(const Scene& scene, std::size_t index, std::vector<Vec3d>& velocities,
                                 std::vector<Vec3f>* uv) {
    const LiquidParams& liquid = scene.liquid[index];
    if (liquid.fill.empty()) return {};
    const double h = pbf::support_ratio * liquid.spacing;
    const Vec3d reference = emitters::bounds(liquid.fill[0]).center();
    const collision::Walls walls = make_walls(scene.domain, scene.collider, reference, h);
    // Half of the distance that a lattice keeps from the walls it was cut for.
    constexpr float gap = static_cast<float>(0.25 / pbf::support_ratio);
    std::vector<emitters::FillParams> taken;
    for (std::size_t later = index + 1; later < scene.liquid.size(); ++later)
        taken.insert(taken.end(), scene.liquid[later].fill.begin(), scene.liquid[later].fill.end());
    std::vector<Vec3d> positions;
    for (std::size_t f = 0; f < liquid.fill.size(); ++f) {
        const auto seed = static_cast<std::uint64_t>(scene.seed) + f;
        const Box3d box = emitters::bounds(liquid.fill[f]);
        for (Vec3d p : emitters::sample_fill(liquid.fill[f], liquid.spacing, seed)) {
            const auto covers = [&](const emitters::FillParams& other) { return emitters::contains(other, p); };
            if (std::any_of(taken.begin(), taken.end(), covers)) continue;
            if (!walls.is_free(vec_cast<float>((p - reference) / h), gap)) continue;
            positions.push_back(p);
            velocities.push_back(liquid.fill[f].velocity);
            if (uv) uv->push_back(place_in(box, p));
        }
        taken.push_back(liquid.fill[f]);
    }
    return positions;
}

Simulation::Simulation(const Scene& scene)
    : scene_(scene),
      liquids_(make_liquids(scene)),
      finest_spacing_(finest_spacing(liquids_)),
      largest_support_(largest_support(liquids_)),
      solver_(scene.solver, liquids_),
      sources_(scene),
      forces_change_(forces::forces_change(scene.gravity, scene.force)),
      frame_(scene.frames[0]) {
    if (liquids_.size() > 1) particles_.add_channel(pbf::phase_channel, {ScalarType::u16, 1});
    if (sources_.needs_births()) keep_births();
    declare_channels(scene_, particles_);
}

std::size_t Simulation::liquid_of(std::size_t i) const {
    return sim::liquid_of(particles_, i);
}

void Simulation::keep_births() {
    if (!particles_.find_channel(emitters::birth_channel))
        particles_.add_channel(emitters::birth_channel, {ScalarType::f64, 1});
}

void Simulation::fill() {
    std::vector<Vec3d> positions, velocities;
    std::vector<Vec3f> uv;
    std::vector<std::uint16_t> phases;
    for (std::size_t liquid = 0; liquid < scene_.liquid.size(); ++liquid) {
        const std::vector<Vec3d> sampled = sample_liquid(scene_, liquid, velocities, &uv);
        positions.insert(positions.end(), sampled.begin(), sampled.end());
        phases.resize(positions.size(), static_cast<std::uint16_t>(liquid));
    }
    if (positions.empty() && !sources_.has_emitters()) {
        SceneProblem problem;
        problem.where.file = scene_.file.string();
        problem.text = fmt::format(
            "the liquid has no particles: its fill shapes lie inside colliders, outside the domain or are smaller than "
            "the spacing of {} m",
            finest_spacing_);
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
    if (ChannelArray* phase = particles_.find_channel(pbf::phase_channel)) {
        for (std::size_t k = 0; k < phases.size(); ++k)
            phase->as<std::uint16_t>()[particles_.slot(born.first + k)] = phases[k];
    }
    begin_channels(born, positions, uv);
    frame_ = scene_.frames[0];
    elapsed_ = 0;
    place_environment();
    sources_.emit(particles_, {0, 0}, walls_, largest_support_, forces_);
    const pbf::StepReport report = solver_.observe(particles_, walls_);
    max_speed_ = report.max_speed;
    relative_speed_ = report.relative_speed;
}

/// Near the world's origin floats are fine as they are; elsewhere they count from the middle of the liquid.
void Simulation::choose_origin(const std::vector<Vec3d>& positions) {
    Vec3d lo = positions.at(0), hi = lo;
    for (Vec3d p : positions) {
        lo = min(lo, p);
        hi = max(hi, p);
    }
    const double reach = farthest_from_origin * largest_support_;
    const Vec3d farthest = max(hi, -lo);
    const bool near_origin = std::max({farthest.x, farthest.y, farthest.z}) < reach;
    particles_.origin = near_origin ? Vec3d{} : (lo + hi) * 0.5;
}

void Simulation::begin_channels(Range born, const std::vector<Vec3d>& positions, const std::vector<Vec3f>& uv) {
    // Particles of a liquid follow each other.
    for (std::size_t first = born.first, last = first; first < born.last; first = last) {
        const std::size_t liquid = liquid_of(first);
        while (last < born.last && liquid_of(last) == liquid)
            ++last;
        apply_channel_values(particles_, {first, last}, birth_values(scene_, liquid));
    }
    apply_vectors(particles_, born, "uv", uv);
    std::vector<Vec3f> rest;
    for (const Vec3d p : positions)
        rest.push_back(vec_cast<float>(p));
    apply_vectors(particles_, born, "rest", rest);
}

void Simulation::place_environment() {
    forces_ = forces_at(elapsed_);
    walls_ = collision::make_walls(scene_.domain, scene_.collider, particles_.origin, largest_support_);
}

forces::ForceSet Simulation::forces_at(double seconds) const {
    const forces::Moment moment{.frame = frame_number(seconds), .seconds = time() - elapsed_ + seconds};
    return forces::make_forces(scene_.gravity, scene_.force, particles_.origin, moment);
}

double Simulation::largest_acceleration() const {
    if (!forces_change_) return forces_.largest_acceleration();
    // What is about to grow counts before it has grown.
    double largest = 0;
    for (const double seconds : {elapsed_, 0.5 * (elapsed_ + frame_seconds()), frame_seconds()})
        largest = std::max<double>(largest, forces_at(seconds).largest_acceleration());
    return largest;
}

void Simulation::follow_liquid() {
    const Vec3d mean = mean_position(particles_);
    const double reach = farthest_from_origin * largest_support_;
    if (std::max({std::abs(mean.x), std::abs(mean.y), std::abs(mean.z)}) < reach) return;
    parallel_for(particles_.size(), [&, x = particles_.position()](Range range) {
        for (std::size_t i : range) {
            const Vec3f moved = vec_cast<float>(vec_cast<double>(x[i].xyz()) - mean);
            x[i] = {moved.x, moved.y, moved.z, 0};
        }
    });
    particles_.origin += mean;
    place_environment();
}

double Simulation::time() const {
    return static_cast<double>(frame_ - scene_.frames[0]) * frame_seconds() + elapsed_;
}

double Simulation::choose_dt() const {
    // No particle moves more than cfl * h against its surroundings, gravity moves a resting one by a small share of the
    // spacing, surface tension acts within its own time.
    const double acceleration = largest_acceleration();
    const double by_gravity = acceleration > 0 ? std::sqrt(scene_.solver.fall * finest_spacing_ / acceleration) : 1e30;
    const double fastest = std::max(relative_speed_, sources_.speed(time()));
    const double speed = fastest + acceleration * std::min(by_gravity, frame_seconds());
    const double by_speed = speed > 0 ? scene_.solver.cfl * pbf::support_ratio * finest_spacing_ / speed : 1e30;
    double by_tension = 1e30;
    for (const pbf::Liquid& liquid : liquids_) {
        if (liquid.has_tension()) by_tension = std::min(by_tension, pbf::largest_tension_step * liquid.tension_time);
    }
    const double wanted = std::min({by_gravity, by_speed, by_tension, frame_seconds() / scene_.solver.substeps[0]});
    const double dt = std::max(wanted, frame_seconds() / scene_.solver.substeps[1]);

    // Equal parts of what is left of the frame; a remainder below rounding does not make one more.
    const double left = frame_seconds() - elapsed_;
    return left / std::max(1.0, std::ceil(left / dt - 1e-6));
}

pbf::StepReport Simulation::advance(double dt) {
    const auto start = std::chrono::steady_clock::now();
    if (forces_change_) forces_ = forces_at(elapsed_ + 0.5 * dt);
    sources_.release(particles_, time());
    const pbf::StepReport report = solver_.step(particles_, forces_, walls_, dt);
    sources_.emit(particles_, {time() + dt, dt}, walls_, largest_support_, forces_);
    sources_.kill(particles_, time() + dt, false);
    density_.clear();
    max_speed_ = report.max_speed;
    relative_speed_ = report.relative_speed;
    substeps_ += 1;
    iterations_ += report.iterations;
    guarded_ = guarded_ || report.guarded;
    viscosity_limited_ = viscosity_limited_ || report.viscosity_limited;
    not_converged_ = not_converged_ || !report.converged;
    escaped_ += report.escaped;
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (report.not_finite > 0 || !std::isfinite(report.max_speed)) {
        throw DivergedError(fmt::format(
            "the simulation diverged after frame {} at {:.4f} s: {} particles have no finite position or velocity; try "
            "more substeps (--substeps {}:{}) or more iterations (--set solver.iterations={})",
            frame_, time(), std::max<std::size_t>(1, report.not_finite), 2 * std::max(1, substeps_),
            std::max(scene_.solver.substeps[1], 4 * substeps_), 2 * scene_.solver.iterations));
    }
    return report;
}

bool Simulation::advance_frame(const Progress& progress) {
    constexpr double rounding = 1e-9;
    if (elapsed_ == 0) {
        substeps_ = 0;
        iterations_ = 0;
        seconds_ = 0;
        escaped_ = 0;
        guarded_ = not_converged_ = limited_ = viscosity_limited_ = false;
        solver_.timer().reset();
    }
    while (elapsed_ < frame_seconds() * (1 - rounding)) {
        if (progress.interrupted()) return false;
        const double dt = choose_dt();
        limited_ = limited_ || (relative_speed_ * dt > 1.01 * scene_.solver.cfl * pbf::support_ratio * finest_spacing_);
        advance(dt);
        elapsed_ += dt;
    }
    frame_ += 1;
    elapsed_ = 0;
    sources_.kill(particles_, time(), true);
    follow_liquid();
    return true;
}

void Simulation::measure_density() {
    if (!density_.empty() && density_.size() == particles_.size()) return;
    SPINDRIFT_CHECK(solver_.has_neighbors());
    density_report_ = solver_.measure_density(density_);
    const bool has_vorticity = has_built_in(scene_, BuiltInChannel::vorticity);
    if (has_vorticity) {
        vorticity_.assign(particles_.size(), {});
        solver_.measure_vorticity(particles_, vorticity_);
    }
    // Particles that came in since the step stand at the distances of liquid at rest and do not turn; those killed
    // since go.
    density_.resize(particles_.size(), 1);
    drop_dead(particles_, density_);
    if (has_vorticity) drop_dead(particles_, vorticity_);
    particles_.settle();
}

Snapshot Simulation::snapshot() {
    measure_density();
    Snapshot snapshot;
    const std::size_t n = particles_.size();
    const bool at_origin = particles_.origin == Vec3d{};
    ChannelSet& out = snapshot.channels;
    // Five that every frame has, three that are derived.
    out.channels.reserve(8 + particles_.channels().size());
    ChannelArray& position = out.add("P", {at_origin ? ScalarType::f32 : ScalarType::f64, 3}, n);
    ChannelArray* local = at_origin ? &position : &out.add("P_local", {ScalarType::f32, 3}, n);
    ChannelArray& velocity = out.add("v", {ScalarType::f32, 3}, n);
    ChannelArray& density = out.add("density", {ScalarType::f32, 1}, n);
    ChannelArray& pscale = out.add("pscale", {ScalarType::f32, 1}, n);
    parallel_for(n, [&](Range range) {
        for (std::size_t i : range) {
            const Vec3f x = particles_.position()[i].xyz();
            local->as<Vec3f>()[i] = x;
            if (!at_origin) position.as<Vec3d>()[i] = particles_.origin + vec_cast<double>(x);
            velocity.as<Vec3f>()[i] = particles_.velocity()[i].xyz();
            const pbf::Liquid& liquid = liquids_[liquid_of(i)];
            density.as<float>()[i] = density_[i] * static_cast<float>(liquid.density);
            pscale.as<float>()[i] = static_cast<float>(0.5 * liquid.spacing);
        }
    });
    for (const ChannelArray& channel : particles_.channels()) {
        ChannelArray& copy = out.add(channel.name(), channel.type(), n);
        std::copy(channel.data(), channel.data() + channel.size_bytes(), copy.data());
    }
    add_derived_channels(out);
    const Vec3d origin = particles_.origin;
    nlohmann::json state;
    state["frame"] = frame_;
    state["elapsed"] = elapsed_;
    state["origin"] = {origin.x, origin.y, origin.z};
    state["next_id"] = particles_.next_id;
    state["guarded_steps_left"] = solver_.guarded_steps_left;
    state["viscosity_due"] = {solver_.viscosity_time_due, solver_.viscosity_steps_due};
    state["relative_speed"] = relative_speed_;
    state["substeps"] = substeps_;
    state["iterations"] = iterations_;
    state["seconds"] = seconds_;
    state["escaped"] = escaped_;
    state["guarded"] = guarded_;
    state["not_converged"] = not_converged_;
    state["limited"] = limited_;
    state["viscosity_limited"] = viscosity_limited_;
    state["emitters"] = nlohmann::json::array();
    for (const emitters::EmitterState& e : sources_.states())
        state["emitters"].push_back({e.carried, e.sheets, e.emitted, e.drift.x, e.drift.y, e.drift.z});
    state["held"] = nlohmann::json::array();
    for (const Sources::HeldSheet& sheet : sources_.held())
        state["held"].push_back({sheet.first, sheet.last, sheet.until});
    snapshot.state = state.dump();
    return snapshot;
}

void Simulation::add_derived_channels(ChannelSet& out) const {
    const std::size_t n = particles_.size();
    const ChannelArray* birth = particles_.find_channel(emitters::birth_channel);
    if (birth && birth->type() == ChannelType{ScalarType::f64, 1}) {
        const Channel<float> age = out.add("age", {ScalarType::f32, 1}, n).as<float>();
        for (std::size_t i = 0; i < n; ++i)
            age[i] = static_cast<float>(time() - birth->as<double>()[i]);
    }
    if (has_built_in(scene_, BuiltInChannel::vorticity)) {
        const Channel<Vec3f> vorticity = out.add("vorticity", {ScalarType::f32, 3}, n).as<Vec3f>();
        std::copy(vorticity_.begin(), vorticity_.end(), vorticity.begin());
    }
    if (has_built_in(scene_, BuiltInChannel::viscosity)) {
        const Channel<float> viscosity = out.add("viscosity", {ScalarType::f32, 1}, n).as<float>();
        for (std::size_t i = 0; i < n; ++i)
            viscosity[i] = static_cast<float>(liquids_[liquid_of(i)].viscosity);
    }
}

void Simulation::restore(const Snapshot& snapshot, const std::filesystem::path& source) {
    const auto broken = [&](const std::string& what) {
        return IoError(
            IoError::Kind::corrupt, source,
            fmt::format("cannot go on from this frame: {}; start again from an earlier one with --from", what));
    };
    const ChannelSet& in = snapshot.channels;
    const ChannelArray* local = in.find("P_local") ? in.find("P_local") : in.find("P");
    const ChannelArray* velocity = in.find("v");
    const ChannelArray* id = in.find("id");
    const ChannelType vector{ScalarType::f32, 3};
    if (!local || local->type() != vector) throw broken("it has no position channel P of three floats");
    if (!velocity || velocity->type() != vector) throw broken("it has no velocity channel v of three floats");
    if (!id || id->type() != ChannelType{ScalarType::i64, 1}) throw broken("it has no channel id of 64-bit integers");

    check_carried_channels(scene_, in, source);

    particles_ = ParticleStore();
    particles_.append(in.size());
    for (const ChannelArray& channel : in.channels) {
        if (is_derived(channel.name())) continue;
        ChannelArray* own = particles_.find_channel(channel.name());
        if (!own) own = &particles_.add_channel(channel.name(), channel.type());
        std::copy(channel.data(), channel.data() + channel.size_bytes(), own->data());
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Vec3f x = local->as<Vec3f>()[i], v = velocity->as<Vec3f>()[i];
        particles_.position()[i] = {x.x, x.y, x.z, 0};
        particles_.velocity()[i] = {v.x, v.y, v.z, particles_.velocity()[i].w};
    }
    if (const ChannelArray* phase = particles_.find_channel(pbf::phase_channel)) {
        if (phase->type() != ChannelType{ScalarType::u16, 1})
            throw broken("its channel phase is not of 16-bit integers");
        for (const std::uint16_t liquid : phase->as<std::uint16_t>()) {
            if (liquid >= liquids_.size())
                throw broken("its channel phase names a liquid that the scene does not have");
        }
    } else if (liquids_.size() > 1) {
        throw broken("it has no channel phase to tell the liquids apart");
    }

    try {
        const nlohmann::json state = nlohmann::json::parse(snapshot.state);
        frame_ = state.at("frame");
        elapsed_ = state.at("elapsed");
        const auto& origin = state.at("origin");
        particles_.origin = {origin.at(0), origin.at(1), origin.at(2)};
        particles_.next_id = state.at("next_id");
        solver_.guarded_steps_left = state.at("guarded_steps_left");
        solver_.viscosity_time_due = state.at("viscosity_due").at(0);
        solver_.viscosity_steps_due = state.at("viscosity_due").at(1);
        relative_speed_ = state.at("relative_speed");
        substeps_ = state.at("substeps");
        iterations_ = state.at("iterations");
        seconds_ = state.at("seconds");
        escaped_ = state.at("escaped");
        guarded_ = state.at("guarded");
        not_converged_ = state.at("not_converged");
        limited_ = state.at("limited");
        viscosity_limited_ = state.at("viscosity_limited");
        std::vector<emitters::EmitterState> sources;
        for (const nlohmann::json& e : state.value("emitters", nlohmann::json::array()))
            sources.push_back({e.at(0), e.at(1), e.at(2), {e.at(3), e.at(4), e.at(5)}});
        if (!sources_.set_states(sources)) throw broken("its state of the emitters is not that of the scene's");
        std::vector<Sources::HeldSheet> held;
        for (const nlohmann::json& sheet : state.value("held", nlohmann::json::array()))
            held.push_back({sheet.at(0), sheet.at(1), sheet.at(2)});
        sources_.set_held(std::move(held), particles_);
    } catch (const nlohmann::json::exception&) {
        throw broken("its solver state in manifest.json is damaged");
    }
    if (sources_.needs_births()) keep_births();
    max_speed_ = max_speed(particles_);
    density_.clear();
    place_environment();
}

io::FrameStatistics Simulation::statistics() {
    measure_density();
    io::FrameStatistics s;
    s.frame = frame_;
    s.time = time();
    s.particles = particles_.size();
    s.substeps = substeps_;
    s.iterations = substeps_ > 0 ? static_cast<double>(iterations_) / substeps_ : 0;
    s.mean_density_error = density_report_.mean_error;
    s.max_density_error = density_report_.max_error;
    s.max_speed = max_speed_;
    s.seconds = seconds_;

    struct Sums {
        Vec3d momentum;
        double kinetic = 0, potential = 0, volume = 0;
    };
    const Vec3d g = scene_.gravity.at(frame_number(elapsed_));
    const Sums sums = parallel_reduce(
        particles_.size(), default_chunk, Sums{},
        [&](Range range) {
            Sums part;
            for (std::size_t i : range) {
                const Vec3d v = vec_cast<double>(particles_.velocity()[i].xyz());
                const Vec3d x = vec_cast<double>(particles_.position()[i].xyz()) + particles_.origin;
                const pbf::Liquid& liquid = liquids_[liquid_of(i)];
                const double mass = liquid.particle_mass();
                part.momentum += v * mass;
                part.kinetic += 0.5 * mass * dot(v, v);
                part.potential -= mass * dot(g, x);
                part.volume += liquid.particle_volume();
            }
            return part;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.momentum + b.momentum, a.kinetic + b.kinetic, a.potential + b.potential, a.volume + b.volume};
        });
    s.momentum = sums.momentum;
    s.kinetic_energy = sums.kinetic;
    s.potential_energy = sums.potential;
    s.volume = sums.volume;

    solver_.timer().visit([&](std::string_view path, double seconds, long) { s.phases.emplace_back(path, seconds); });
    if (limited_) {
        s.events.push_back("substeps limited: particles moved farther than solver.cfl allows; raise solver.substeps");
    }
    if (guarded_) s.events.push_back("energy guard: iterations were adding energy and ran without acceleration");
    if (not_converged_) s.events.push_back("not converged: solver.tolerance was not met within solver.iterations");
    if (viscosity_limited_) {
        s.events.push_back(
            "viscosity limited: this liquid is stiffer than one substep can make it; raise the least of "
            "solver.substeps for more");
    }
    if (escaped_ > 0) s.events.push_back(fmt::format("{} particles left the range of coordinates", escaped_));
    return s;
}

}  // namespace spindrift::sim
