#include "spindrift/filling/sources.h"

#include <algorithm>

#include "spindrift/core/random.h"
#include "spindrift/filling/emitter_surface.h"
#include "spindrift/fluid/liquid_of.h"

namespace spindrift::filling {

namespace {

/// The scene is valid: a name that is given is there.
std::optional<std::size_t> find_liquid(const Scene& scene, const std::string& name) {
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        if (scene.liquid[i].name == name) return i;
    }
    return {};
}

std::vector<emitters::Emitter> make_emitters(const Scene& scene) {
    std::vector<emitters::Emitter> made;
    for (const emitters::EmitterParams& params : scene.emitter) {
        const std::size_t liquid = find_liquid(scene, params.liquid).value_or(0);
        const std::uint64_t seed = hash_counter(static_cast<std::uint64_t>(scene.seed), made.size(), 0);
        const double spacing = scene.liquid[liquid].spacing;
        made.emplace_back(params, liquid, spacing, seed, make_surface(scene, params, spacing, seed));
    }
    return made;
}

std::vector<emitters::Killer> make_killers(const Scene& scene) {
    std::vector<emitters::Killer> made;
    for (const emitters::KillerParams& params : scene.killer) {
        const std::optional<std::size_t> liquid = find_liquid(scene, params.liquid);
        double spacing = 0;
        for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
            if (!liquid || i == *liquid) spacing = std::max(spacing, scene.liquid[i].spacing);
        }
        made.emplace_back(params, liquid, fluid::support_ratio * spacing);
    }
    return made;
}

/// How far from a nozzle particles are held, in spacings: one support radius, so that what is released has a full
/// neighbourhood behind it.
constexpr double held_distance = fluid::support_ratio;

bool kills_by_age(const emitters::KillerParams& killer) {
    return killer.age.has_value();
}

}  // namespace

Sources::Sources(const Scene& scene)
    : first_frame_(scene.frames[0]),
      fps_(scene.fps),
      needs_births_(!scene.emitter.empty() || std::any_of(scene.killer.begin(), scene.killer.end(), kills_by_age)),
      params_(scene.emitter),
      emitters_(make_emitters(scene)),
      mixes_(scene),
      killers_(make_killers(scene)) {
    for (std::size_t e = 0; e < emitters_.size(); ++e)
        values_.push_back(birth_values(scene, emitters_[e].liquid(), params_[e].channels, params_[e].color));
}

double Sources::speed(double time) const {
    double fastest = 0;
    for (const emitters::Emitter& emitter : emitters_)
        fastest = std::max(fastest, emitter.speed(frame_at(time), fps_));
    return fastest;
}

std::vector<Vec3d> Sources::positions() const {
    std::vector<Vec3d> all;
    for (std::size_t e = 0; e < emitters_.size(); ++e) {
        const emitters::EmitterParams& params = params_[e];
        if (emitters_[e].surface()) {
            all.push_back(emitters_[e].surface()->center(first_frame_));
            continue;
        }
        const Vec3d middle = params.is_nozzle() ? Vec3d{} : bounds(params.shape()).center();
        all.push_back(pose_at(params, first_frame_).to_world(middle));
    }
    return all;
}

void Sources::emit(ParticleStore& particles, Substep step, const collision::Walls& walls, double h,
                   const forces::ForceSet& forces) {
    emitters::Emission emission{.frame = frame_at(step.time), .fps = fps_, .dt = step.dt, .particles = &particles};
    emission.is_free = [&](Vec3d p, double gap) {
        return walls.is_free(vec_cast<float>((p - particles.origin) / h), static_cast<float>(gap / h));
    };
    for (std::size_t e = 0; e < emitters_.size(); ++e) {
        const std::vector<emitters::Birth> births = emitters_[e].emit(emission);
        const Range born = particles.append(births.size());
        apply_channel_values(particles, born, values_[e]);
        mix(particles, born, births, e, step.time);
        place(particles, born, births, emitters_[e], step.time, walls, h, forces);
        std::vector<Vec3f> uv, rest;
        for (const emitters::Birth& birth : births) {
            uv.push_back(birth.uv);
            rest.push_back(vec_cast<float>(birth.left));
        }
        apply_vectors(particles, born, emitters::uv_channel, uv);
        apply_vectors(particles, born, "rest", rest);
    }
}

void Sources::mix(ParticleStore& particles, Range born, const std::vector<emitters::Birth>& births, std::size_t emitter,
                  double time) const {
    if (mixes_.empty()) return;
    // Those of a sheet follow each other.
    for (std::size_t first = 0, last = 0; first < births.size(); first = last) {
        while (last < births.size() && births[last].age == births[first].age)
            ++last;
        const double frame = frame_at(time - births[first].age);
        mixes_.apply(particles, {born.first + first, born.first + last},
                     mixes_.at(emitters_[emitter].liquid(), params_[emitter].mix, frame));
    }
}

void Sources::place(ParticleStore& particles, Range born, const std::vector<emitters::Birth>& births,
                    const emitters::Emitter& emitter, double time, const collision::Walls& walls, double h,
                    const forces::ForceSet& forces) {
    const std::size_t liquid = emitter.liquid();
    const bool holds = emitter.sends_sheets();
    ChannelArray* const phase = particles.find_channel(fluid::phase_channel);
    ChannelArray* const birth = particles.find_channel(emitters::birth_channel);
    for (std::size_t k = 0; k < births.size(); ++k) {
        const emitters::Birth& b = births[k];
        const std::size_t i = born.first + k, slot = particles.slot(i);
        // Forces act from the moment of leaving a volume on, and of being released from a nozzle.
        if (phase) phase->as<std::uint16_t>()[slot] = static_cast<std::uint16_t>(liquid);
        const Vec3f left = vec_cast<float>(b.left - particles.origin), v_left = vec_cast<float>(b.velocity);
        Float4& velocity = particles.velocity()[i];
        velocity = {v_left.x, v_left.y, v_left.z, velocity.w};
        if (!holds) {
            const Float4 from{left.x, left.y, left.z, 0};
            forces.apply(
                {.x = &from, .v = &velocity, .count = 1, .dt = static_cast<float>(b.age), .particles = &particles});
        }
        const Vec3f v = velocity.xyz();
        const Vec3d moved = b.position - particles.origin + vec_cast<double>(v - v_left) * (0.5 * b.age);
        Vec3f x = vec_cast<float>(moved / h);
        if (b.start_now)
            walls.trace(vec_cast<float>((*b.start_now - particles.origin) / h), x, collision::Start::now);
        else
            walls.trace(left * static_cast<float>(1 / h), x);
        x *= static_cast<float>(h);
        particles.position()[i] = {x.x, x.y, x.z, 0};
        if (birth) birth->as<double>()[slot] = time - b.age;
        const double speed = b.start_now ? b.leaving : length(b.velocity);
        if (!holds || speed == 0) continue;
        const std::int64_t id = particles.next_id - static_cast<std::int64_t>(births.size() - k);
        const double until = time - b.age + held_distance * emitter.spacing() / speed;
        if (until <= time) continue;
        particles.hold(i);
        if (!held_.empty() && held_.back().last == id - 1 && held_.back().until == until)
            held_.back().last = id;
        else
            held_.push_back({id, id, until});
    }
}

const Sources::HeldSheet* Sources::find_held(std::int64_t id) const {
    const auto after = std::upper_bound(held_.begin(), held_.end(), id,
                                        [](std::int64_t value, const HeldSheet& sheet) { return value < sheet.first; });
    if (after == held_.begin() || (after - 1)->last < id) return nullptr;
    return &*(after - 1);
}

void Sources::release(ParticleStore& particles, double time) {
    const auto is_over = [&](const HeldSheet& sheet) { return sheet.until <= time; };
    if (std::none_of(held_.begin(), held_.end(), is_over)) return;
    const Channel<std::int64_t> id = particles.find_channel("id")->as<std::int64_t>();
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (!particles.is_held(i)) continue;
        const HeldSheet* sheet = find_held(id[particles.slot(i)]);
        if (!sheet || is_over(*sheet)) particles.release(i);
    }
    std::erase_if(held_, is_over);
}

void Sources::set_held(std::vector<HeldSheet> held, ParticleStore& particles) {
    held_ = std::move(held);
    if (held_.empty()) return;
    const Channel<std::int64_t> id = particles.find_channel("id")->as<std::int64_t>();
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (find_held(id[particles.slot(i)])) particles.hold(i);
    }
}

void Sources::kill(ParticleStore& particles, double time, bool whole_frame) const {
    emitters::Inspection now{.frame = frame_at(time), .time = time, .whole_frame = whole_frame};
    now.liquid_of = fluid::LiquidOf(particles);
    for (const emitters::Killer& killer : killers_)
        killer.apply(particles, now);
}

std::vector<emitters::EmitterState> Sources::states() const {
    std::vector<emitters::EmitterState> all;
    for (const emitters::Emitter& emitter : emitters_)
        all.push_back(emitter.state);
    return all;
}

bool Sources::set_states(const std::vector<emitters::EmitterState>& states) {
    if (states.size() != emitters_.size()) return false;
    for (std::size_t i = 0; i < states.size(); ++i)
        emitters_[i].state = states[i];
    return true;
}

}  // namespace spindrift::filling
