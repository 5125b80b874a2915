// What leaves a simulation and what it goes on from: snapshots, and the statistics of a frame.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/core/log.h"
#include "spindrift/emitters/emitter.h"
#include "spindrift/filling/carried_channels.h"
#include "spindrift/fluid/liquid_of.h"
#include "spindrift/scene/mixed_liquid.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

namespace {

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

/// Older frames have the numbers of position based fluids by name.
std::vector<double> solver_state(const nlohmann::json& state) {
    if (state.contains("solver")) return state.at("solver");
    const nlohmann::json& due = state.at("viscosity_due");
    return {state.at("guarded_steps_left"), due.at(0), due.at(1)};
}

/// Of all particles.
struct LiquidSums {
    Vec3d momentum{};
    double kinetic = 0, potential = 0, volume = 0, measured_volume = 0;

    LiquidSums operator+(const LiquidSums& b) const {
        return {momentum + b.momentum, kinetic + b.kinetic, potential + b.potential, volume + b.volume,
                measured_volume + b.measured_volume};
    }
};

/// Densities are relative; at surfaces they are too low to tell of room.
LiquidSums sum_up(const ParticleStore& particles, const fluid::PropertyRule& rule, std::span<const float> density,
                  Vec3d gravity) {
    const fluid::PropertyRule::Reader read(rule, particles);
    return parallel_reduce(
        particles.size(), default_chunk, LiquidSums{},
        [&](Range range) {
            LiquidSums part;
            for (std::size_t i : range) {
                const Vec3d v = vec_cast<double>(particles.velocity()[i].xyz());
                const Vec3d x = vec_cast<double>(particles.position()[i].xyz()) + particles.origin;
                const double mass = read.mass(i);
                part.momentum += v * mass;
                part.kinetic += 0.5 * mass * dot(v, v);
                part.potential -= mass * dot(gravity, x);
                const double volume = rule.liquids()[read.liquid(i)].particle_volume();
                part.volume += volume;
                part.measured_volume += volume / std::max(1.0, static_cast<double>(density[i]));
            }
            return part;
        },
        [](const LiquidSums& a, const LiquidSums& b) { return a + b; });
}

}  // namespace

void Simulation::measure_density() {
    if (!density_.empty() && density_.size() == particles_.size()) return;
    SPINDRIFT_CHECK(solver_->can_measure());
    density_report_ = solver_->measure_density(particles_, density_);
    const bool has_vorticity = filling::has_built_in(scene_, BuiltInChannel::vorticity);
    if (has_vorticity) {
        vorticity_.assign(particles_.size(), {});
        solver_->measure_vorticity(particles_, vorticity_);
    }
    // Particles that came in since the step stand at the distances of liquid at rest and do not turn; those killed
    // since go.
    density_.resize(particles_.size(), 1);
    drop_dead(particles_, density_);
    if (has_vorticity) drop_dead(particles_, vorticity_);
    particles_.settle();
}

FrameView Simulation::view() {
    measure_density();
    const std::size_t n = particles_.size();
    const bool at_origin = particles_.origin == Vec3d{};
    static constexpr ChannelType number{ScalarType::f32, 1}, vector{ScalarType::f32, 3};
    const auto hot = [n](const char* name, ConstChannel<Float4> values) {
        return ChannelView{.name = name,
                           .type = vector,
                           .size = n,
                           .data = reinterpret_cast<const std::byte*>(values.data()),
                           .stride = sizeof(Float4)};
    };
    const ConstChannel<Float4> x = std::as_const(particles_).position();
    std::vector<ChannelView> channels;
    if (!at_origin) {
        channels.push_back(made_channel<Vec3d>(
            "P", {ScalarType::f64, 3}, n,
            [x, origin = particles_.origin](std::size_t i) { return origin + vec_cast<double>(x[i].xyz()); }));
    }
    channels.push_back(hot(at_origin ? "P" : "P_local", x));
    channels.push_back(hot("v", std::as_const(particles_).velocity()));
    const fluid::PropertyRule::Reader read(properties_, particles_);
    channels.push_back(made_channel<float>("density", number, n, [this, read](std::size_t i) {
        return density_[i] * static_cast<float>(read.density(i));
    }));
    channels.push_back(made_channel<float>("pscale", number, n, [this, read](std::size_t i) {
        return static_cast<float>(0.5 * liquids()[read.liquid(i)].spacing);
    }));
    for (const ChannelArray& channel : particles_.channels())
        channels.push_back(view_of(channel));
    add_derived_channels(channels);
    return {std::move(channels), moment_};
}

std::string Simulation::state() const {
    const Vec3d origin = particles_.origin;
    nlohmann::json state;
    state["frame"] = frame_;
    state["elapsed"] = elapsed_;
    state["origin"] = {origin.x, origin.y, origin.z};
    state["next_id"] = particles_.next_id;
    state["solver"] = solver_->state();
    state["relative_speed"] = relative_speed_;
    FrameSums::describe(sums_, [&](const char* key, const auto& member) { state[key] = member; });
    for (const fluid::StepFlagInfo& each : fluid::step_flags)
        state[each.key] = sums_.flags.has(each.flag);
    state["energy_bound"] = bound_.state();
    state["emitters"] = nlohmann::json::array();
    for (const emitters::EmitterState& e : sources_.states())
        state["emitters"].push_back({e.carried, e.sheets, e.emitted, e.drift.x, e.drift.y, e.drift.z});
    state["held"] = nlohmann::json::array();
    for (const filling::Sources::HeldSheet& sheet : sources_.held())
        state["held"].push_back({sheet.first, sheet.last, sheet.until});
    return state.dump();
}

Snapshot Simulation::snapshot() {
    Snapshot snapshot{view().copy(), state()};
    for (const std::unique_ptr<StatePart>& part : parts_) {
        if (part->is_state()) snapshot.parts[part->name()] = part->save();
    }
    return snapshot;
}

std::vector<grid::Volume> Simulation::volumes() {
    // What was measured is in an order that may be gone afterwards.
    pass();
    density_.clear();
    return solver_->volumes(particles_, walls_with_bodies());
}

void Simulation::add_derived_channels(std::vector<ChannelView>& out) const {
    const std::size_t n = particles_.size();
    constexpr ChannelType number{ScalarType::f32, 1};
    const ChannelArray* birth = particles_.find_channel(emitters::birth_channel);
    if (birth && birth->type() == ChannelType{ScalarType::f64, 1}) {
        out.push_back(made_channel<float>("age", number, n, [born = birth->as<double>(), now = time()](std::size_t i) {
            return static_cast<float>(now - born[i]);
        }));
    }
    if (filling::has_built_in(scene_, BuiltInChannel::vorticity)) {
        out.push_back(
            made_channel<Vec3f>("vorticity", {ScalarType::f32, 3}, n, [this](std::size_t i) { return vorticity_[i]; }));
    }
    const fluid::PropertyRule::Reader read(properties_, particles_);
    if (filling::has_built_in(scene_, BuiltInChannel::viscosity)) {
        out.push_back(made_channel<float>("viscosity", number, n, [read](std::size_t i) { return read.viscosity(i); }));
    }
    if (filling::has_built_in(scene_, BuiltInChannel::rest_density)) {
        out.push_back(made_channel<float>("rest_density", number, n,
                                          [read](std::size_t i) { return static_cast<float>(read.density(i)); }));
    }
    if (mixes_.empty()) return;
    out.push_back(
        made_channel<Vec3f>("Cd", {ScalarType::f32, 3}, n, [read, colors = MixtureColors(scene_)](std::size_t i) {
            return colors.of([&](std::size_t k) { return read.share(i, k); });
        }));
}

void Simulation::restore(const Snapshot& snapshot, const std::filesystem::path& source) {
    filling::check_own_channels(snapshot.channels, source);
    filling::check_carried_channels(scene_, snapshot.channels, source);
    pass();
    // A frame that turns out to be broken leaves nothing of itself behind.
    ParticleStore before = std::exchange(particles_, ParticleStore());
    try {
        take_frame(snapshot, source);
        for (const std::unique_ptr<StatePart>& part : parts_) {
            const auto data = snapshot.parts.find(part->name());
            if (part->is_state()) part->load(data != snapshot.parts.end() ? &data->second : nullptr, source);
        }
    } catch (...) {
        particles_ = std::move(before);
        throw;
    }
    if (sources_.needs_births()) keep_births();
    solver_->declare_channels(particles_);
    max_speed_ = max_speed(particles_);
    density_.clear();
    place_environment();
}

void Simulation::take_frame(const Snapshot& snapshot, const std::filesystem::path& source) {
    try {
        take_particles(snapshot.channels);
        take_state(snapshot.state);
    } catch (const nlohmann::json::exception&) {
        throw broken_frame(source, "its solver state in manifest.json is damaged");
    } catch (const UsageError& error) {
        throw broken_frame(source, error.what());
    }
}

/// Throws UsageError with what is wrong.
void Simulation::take_particles(const ChannelSet& in) {
    const ChannelArray* local = in.find("P_local") ? in.find("P_local") : in.find("P");
    const ChannelArray *velocity = in.find("v"), *id = in.find("id");
    const ChannelType vector{ScalarType::f32, 3}, number{ScalarType::i64, 1};
    if (!local || local->type() != vector) throw UsageError("it has no position channel P of three floats");
    if (!velocity || velocity->type() != vector) throw UsageError("it has no velocity channel v of three floats");
    if (!id || id->type() != number) throw UsageError("it has no channel id of 64-bit integers");
    particles_.append(in.size());
    for (const ChannelArray& channel : in.channels) {
        if (filling::is_derived(channel.name()) || (channel.name() == "Cd" && !mixes_.empty())) continue;
        ChannelArray* own = particles_.find_channel(channel.name());
        if (!own) own = &particles_.add_channel(channel.name(), channel.type());
        std::copy(channel.data(), channel.data() + channel.size_bytes(), own->data());
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Vec3f x = local->as<Vec3f>()[i], v = velocity->as<Vec3f>()[i];
        particles_.position()[i] = {x.x, x.y, x.z, 0};
        particles_.velocity()[i] = {v.x, v.y, v.z, particles_.velocity()[i].w};
    }
    if (const std::size_t edited = mixes_.repair(particles_); edited > 0)
        log_warning(
            fmt::format("mix_*: the shares of components of {} particles did not add up to 1; they were scaled so "
                        "that they do",
                        edited));
    const ChannelArray* phase = particles_.find_channel(fluid::phase_channel);
    if (!phase && liquids().size() > 1) throw UsageError("it has no channel phase to tell the liquids apart");
    if (!phase) return;
    for (const std::uint16_t liquid : phase->as<std::uint16_t>()) {
        if (liquid >= liquids().size())
            throw UsageError("its channel phase names a liquid that the scene does not have");
    }
}

void Simulation::take_state(const std::string& json) {
    const nlohmann::json state = nlohmann::json::parse(json);
    frame_ = state.at("frame");
    elapsed_ = state.at("elapsed");
    const auto& origin = state.at("origin");
    particles_.origin = {origin.at(0), origin.at(1), origin.at(2)};
    particles_.next_id = state.at("next_id");
    solver_->set_state(solver_state(state));
    relative_speed_ = state.at("relative_speed");
    sums_ = {};
    FrameSums::describe(sums_, [&](const char* key, auto& member) { state.at(key).get_to(member); });
    for (const fluid::StepFlagInfo& each : fluid::step_flags)
        sums_.flags.set(each.flag, state.at(each.key).get<bool>());
    std::vector<emitters::EmitterState> sources;
    for (const nlohmann::json& e : state.value("emitters", nlohmann::json::array()))
        sources.push_back({e.at(0), e.at(1), e.at(2), {e.at(3), e.at(4), e.at(5)}});
    if (!sources_.set_states(sources)) throw UsageError("its state of the emitters is not that of the scene's");
    std::vector<filling::Sources::HeldSheet> held;
    for (const nlohmann::json& sheet : state.value("held", nlohmann::json::array()))
        held.push_back({sheet.at(0), sheet.at(1), sheet.at(2)});
    sources_.set_held(std::move(held), particles_);
    bound_ = health::EnergyBound(scene_, properties_);
    bound_.set_state(state.value("energy_bound", std::vector<double>{}), particles_);
}

io::FrameStatistics Simulation::statistics() {
    measure_density();
    io::FrameStatistics s;
    s.frame = frame_;
    s.time = time();
    s.particles = particles_.size();
    s.substeps = sums_.substeps;
    s.iterations = sums_.substeps > 0 ? sums_.iterations / sums_.substeps : 0;
    s.mean_density_error = density_report_.mean_error;
    s.max_density_error = density_report_.max_error;
    s.max_speed = max_speed_;
    s.seconds = sums_.seconds;

    const Vec3d g = scene_.gravity.at(frame_number(elapsed_));
    const LiquidSums sums = sum_up(particles_, properties_, density_, g);
    const fluid::Unseen unseen = solver_->unseen();
    s.momentum = sums.momentum + unseen.momentum;
    s.kinetic_energy = sums.kinetic + unseen.kinetic;
    s.potential_energy = sums.potential - dot(g, unseen.moment + particles_.origin * unseen.mass);
    s.volume = sums.volume + unseen.volume;
    s.measured_volume = sums.measured_volume + unseen.volume;

    if (!bodies_.empty()) describe_bodies(s);
    solver_->timer().visit([&](std::string_view path, double seconds, long) { s.phases.emplace_back(path, seconds); });
    describe_events(s);
    return s;
}

}  // namespace spindrift::sim
