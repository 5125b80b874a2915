#include "spindrift/whitewater/mover.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spindrift::whitewater {

namespace {

/// Draws of a particle's random numbers.
enum Draw : std::uint64_t { draw_diameter, draw_life };

/// Drops that strike the liquid faster than this go under.
constexpr float plunge_speed = 2;

}  // namespace

float size_of(const WhitewaterParams& params, Kind kind) {
    const std::array<double, kind_count> sizes{params.spray.size, params.foam.size, params.bubbles.size,
                                               params.mist.size};
    return static_cast<float>(sizes[static_cast<std::size_t>(kind)]);
}

Mover::Mover(const WhitewaterParams& params, std::uint64_t seed, const Interval& interval, Substep substep)
    : params_(params),
      seed_(seed),
      interval_(interval),
      h_(interval.flow.before.h()),
      span_(interval.flow.span),
      substep_(substep),
      eddies_(seed, 0.5 * interval.time) {
    for (std::size_t k = 0; k < kind_count; ++k)
        sizes_[k] = size_of(params, static_cast<Kind>(k));
    if (interval.walls) walls_ = &interval.walls(substep.from, substep.to);
    if (interval.forces) fields_ = interval.forces(0.5 * (substep.from + substep.to));
    const double frame = interval.frame - 1 + 0.5 * (static_cast<double>(substep.from) + substep.to);
    air_ = {fields_.gravity, vec_cast<float>(params.spray.wind.at(frame))};
    fields_.gravity = {};
    const float g = length(air_.gravity);
    weight_ = std::sqrt(g / earth_gravity);
    if (g > 0) up_ = -air_.gravity / g;
}

float Mover::life_of(Kind kind, std::int64_t id) const {
    const auto drawn = [&](double half_life) {
        const float u = std::max(random(id, draw_life + 8 * static_cast<std::uint64_t>(kind)), 0x1p-25f);
        return static_cast<float>(-half_life * std::log2(static_cast<double>(u)));
    };
    switch (kind) {
        case Kind::spray:
            return params_.spray.life ? static_cast<float>(*params_.spray.life) : endless;
        case Kind::foam:
            return drawn(params_.foam.half_life);
        case Kind::bubbles:
            return params_.bubbles.half_life ? drawn(*params_.bubbles.half_life) : endless;
        case Kind::mist:
            return drawn(params_.mist.half_life);
    }
    return endless;
}

/// Of those that its kind has, as far as they are not larger than what a particle stands for.
float Mover::own_diameter(Kind kind, std::int64_t id) const {
    const bool is_bubble = kind == Kind::bubbles;
    std::array<double, 2> range = is_bubble ? params_.bubbles.diameter_mm : params_.spray.diameter_mm;
    if (interval_.volume > 0) {
        const double most = 1e3 * std::cbrt(6 / std::numbers::pi * static_cast<double>(interval_.volume));
        range = {std::min(range[0], most), std::min(range[1], most)};
    }
    return diameter_of(range, is_bubble ? params_.bubbles.mean_mm : params_.spray.mean_mm, random(id, draw_diameter));
}

void Mover::begin(Particles& all, std::size_t i, const Birth& birth, FlowReader& reader) const {
    const Flow::Sample liquid = reader.at(birth.x, birth.share, birth.v);
    Kind kind = birth.kind;
    const float w = layer(0);
    if (!birth.has_kind) {
        kind = liquid.phi > w ? Kind::spray : liquid.phi < -w ? Kind::bubbles : Kind::foam;
        if (birth.cause == static_cast<std::uint8_t>(Potential::isolation) && liquid.phi > -w) kind = Kind::spray;
    }
    const float diameter = birth.diameter > 0 ? birth.diameter : own_diameter(kind, all.id[i]);
    all.kind[i] = kind;
    all.pscale[i] = 0.5f * diameter * size(kind);
    all.life[i] = params_.has(kind) ? life_of(kind, all.id[i]) : -1;
    if (kind == Kind::foam) all.v[i] = liquid.v;
    if (!walls_) return;
    const Vec3f from = birth.from / h_;
    Vec3f to = birth.x / h_;
    if (walls_->is_clear(from, to, collision::Start::now)) return;
    walls_->trace(from, to, collision::Start::now);
    all.x[i] = to * h_;
}

void Mover::move(Particles& all, std::size_t i, float from, FlowReader& reader) const {
    const float start = std::max(from, substep_.from);
    const Step step{start, (substep_.to - start) * span_};
    if (!(step.dt > 0) || all.age[i] >= all.life[i]) return;
    const Vec3f x = all.x[i];
    const Kind before = all.kind[i];
    Flow::Sample liquid;
    switch (before) {
        case Kind::spray:
            move_spray(all, i, step.dt);
            break;
        case Kind::mist:
            move_mist(all, i, step, reader);
            break;
        case Kind::bubbles:
            move_bubble(all, i, step, reader);
            break;
        case Kind::foam:
            liquid = move_foam(all, i, step, reader);
            break;
    }
    const bool met =
        meet_walls(all, i, x, start > substep_.from ? collision::Start::now : collision::Start::before_step);
    all.age[i] += step.dt;
    const Vec3f now = all.x[i];
    if (is_lost(now)) {
        all.life[i] = -1;
        return;
    }
    // What rides on the liquid is where its own velocity has brought the liquid too.
    if (before == Kind::bubbles || (before == Kind::foam && met))
        liquid = reader.at(now, substep_.to, all.v[i]);
    else if (before != Kind::foam)
        liquid = reader.at(now, substep_.to);
    if (before == Kind::mist) {
        if (liquid.phi < 0) all.life[i] = -1;
        return;
    }
    const Kind kind = kind_at(all, i, liquid);
    if (kind == Kind::foam && before != Kind::foam) all.v[i] = liquid.v;
    if (kind != before) change(all, i, kind);
}

bool Mover::is_lost(Vec3f x) const {
    return !is_finite(x) || !interval_.bounds.contains(x) || (interval_.is_killed && interval_.is_killed(x));
}

void Mover::move_spray(Particles& all, std::size_t i, float dt) const {
    const float diameter = 2 * all.pscale[i] / size(Kind::spray);
    if (!fields_.fields.empty()) all.v[i] = fields_.accelerate(all.x[i], all.v[i], dt);
    fly(all.x[i], all.v[i], terminal_speed(diameter, params_.spray.terminal), air_, dt);
}

void Mover::move_mist(Particles& all, std::size_t i, Step step, FlowReader& reader) const {
    const float diameter = 2 * all.pscale[i] / size(Kind::mist);
    const Flow::Sample liquid = reader.at(all.x[i], step.share + 0.5f * step.dt / span_);
    Air air = air_;
    air.wind += liquid.v * std::exp(-std::max(liquid.phi, 0.f) / static_cast<float>(params_.mist.reach));
    const float eddy = static_cast<float>(params_.mist.eddy);
    air.wind += eddies_.at(all.x[i] / eddy) * static_cast<float>(params_.mist.turbulence);
    if (!fields_.fields.empty()) all.v[i] = fields_.accelerate(all.x[i], all.v[i], step.dt);
    fly(all.x[i], all.v[i], terminal_speed(diameter, Terminal::measured), air, step.dt);
}

/// A bubble that has caught up rises from what carries it, so that its own velocity tells the liquid's.
void Mover::move_bubble(Particles& all, std::size_t i, Step step, FlowReader& reader) const {
    const float diameter = 2 * all.pscale[i] / size(Kind::bubbles);
    const Vec3f rise = up_ * (rise_speed(diameter) * weight_ * static_cast<float>(params_.bubbles.rise));
    const Vec3f there = all.v[i] - rise, halfway = all.x[i] + all.v[i] * (0.5f * step.dt);
    const Vec3f liquid = reader.at(halfway, step.share + 0.5f * step.dt / span_, there).v;
    float_up(all.x[i], all.v[i], liquid, rise, step.dt);
}

/// Ralston's third order; its first velocity is the one that the last step has ended with.
Flow::Sample Mover::move_foam(Particles& all, std::size_t i, Step step, FlowReader& reader) const {
    const float share = step.dt / span_;
    const Vec3f x = all.x[i], k1 = all.v[i];
    const Vec3f k2 = reader.at(x + k1 * (0.5f * step.dt), step.share + 0.5f * share, k1).v;
    const Vec3f k3 = reader.at(x + k2 * (0.75f * step.dt), step.share + 0.75f * share, k2).v;
    all.x[i] = x + (k1 * (2 / 9.f) + k2 * (1 / 3.f) + k3 * (4 / 9.f)) * step.dt;
    const Flow::Sample liquid = put_on_surface(all.x[i], k3, reader);
    // Foam that nothing carries any more flies on.
    all.v[i] = liquid.phi < h_ ? liquid.v : k1;
    return liquid;
}

/// Twice x <- x - phi grad phi / |grad phi|^2, once where that is near enough; returns the liquid there.
Flow::Sample Mover::put_on_surface(Vec3f& x, Vec3f v, FlowReader& reader) const {
    const float most = 0.5f * h_, near = 0.05f * h_;
    Flow::Sample here;
    for (int pass = 0; pass < 2; ++pass) {
        const Flow::Surface surface = reader.surface_at(x, substep_.to, v);
        here = surface;
        const float steep = dot(surface.slope, surface.slope);
        if (!(steep > 0.04f)) return here;
        const Vec3f way = surface.slope * (surface.phi / steep);
        const float far = length(way), share = far > most ? most / far : 1.f;
        x -= way * share;
        here.phi = surface.phi * (1 - share);
        if (far < near) return here;
    }
    return here;
}

/// Whether there was a wall.
bool Mover::meet_walls(Particles& all, std::size_t i, Vec3f from, collision::Start start) const {
    if (!walls_) return false;
    const float per_h = 1 / h_;
    Vec3f to = all.x[i] * per_h;
    if (walls_->is_clear(from * per_h, to, start)) return false;
    collision::WallHit hit = walls_->trace(from * per_h, to, start);
    all.x[i] = to * h_;
    if (!hit.hit) return true;
    const bool bounces = all.kind[i] == Kind::spray;
    hit.surface = {bounces ? static_cast<float>(params_.spray.friction) : 0.f,
                   bounces ? static_cast<float>(params_.spray.bounce) : 0.f, 0};
    all.v[i] = collision::respond(all.v[i], hit);
    return true;
}

Kind Mover::kind_at(const Particles& all, std::size_t i, const Flow::Sample& liquid) const {
    const float w = layer(all.pscale[i]), phi = liquid.phi;
    switch (all.kind[i]) {
        case Kind::spray: {
            // On its way out of the liquid it stays what it is.
            const bool leaves = phi > 0 && dot(all.v[i] - liquid.v, up_) > 0;
            if (phi >= 0.5f * w || leaves) return Kind::spray;
            return length(all.v[i] - liquid.v) > plunge_speed || phi < -1.5f * w ? Kind::bubbles : Kind::foam;
        }
        case Kind::foam:
            return phi > 1.5f * w ? Kind::spray : phi < -1.5f * w ? Kind::bubbles : Kind::foam;
        case Kind::bubbles: {
            const bool plunges = dot(all.v[i] - liquid.v, up_) < -0.2f && phi < w;
            if (phi > 1.5f * w) return Kind::spray;
            return phi > -0.5f * w && !plunges ? Kind::foam : Kind::bubbles;
        }
        case Kind::mist:
            break;
    }
    return Kind::mist;
}

void Mover::change(Particles& all, std::size_t i, Kind kind) const {
    all.pscale[i] *= size(kind) / size(all.kind[i]);
    all.kind[i] = kind;
    all.life[i] = params_.has(kind) ? all.age[i] + life_of(kind, all.id[i]) : -1;
}

}  // namespace spindrift::whitewater
