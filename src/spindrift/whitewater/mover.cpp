#include "spindrift/whitewater/mover.h"

#include <algorithm>
#include <cmath>

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
      flow_(interval.flow),
      substep_(substep),
      eddies_(seed, 0.5 * interval.time) {
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

void Mover::begin(Particles& all, std::size_t i, const Birth& birth) const {
    const Flow::Sample liquid = flow_.at(birth.x, birth.share, birth.v);
    Kind kind = birth.kind;
    const float w = layer(0);
    if (!birth.has_kind) {
        kind = liquid.phi > w ? Kind::spray : liquid.phi < -w ? Kind::bubbles : Kind::foam;
        if (birth.cause == static_cast<std::uint8_t>(Potential::isolation) && liquid.phi > -w) kind = Kind::spray;
    }
    const bool is_bubble = kind == Kind::bubbles;
    const float u = random(all.id[i], draw_diameter);
    const float diameter = birth.diameter > 0 ? birth.diameter
                           : is_bubble        ? diameter_of(params_.bubbles.diameter_mm, params_.bubbles.mean_mm, u)
                                              : diameter_of(params_.spray.diameter_mm, params_.spray.mean_mm, u);
    all.kind[i] = kind;
    all.pscale[i] = 0.5f * diameter * size_of(params_, kind);
    all.life[i] = params_.has(kind) ? life_of(kind, all.id[i]) : -1;
    if (walls_) {
        const float per_h = 1 / flow_.before.h();
        const Vec3f from = birth.from * per_h;
        Vec3f to = birth.x * per_h;
        if (!walls_->is_clear(from, to, collision::Start::now)) {
            walls_->trace(from, to, collision::Start::now);
            all.x[i] = to * flow_.before.h();
        }
    }
}

void Mover::move(Particles& all, std::size_t i, float from) const {
    const float start = std::max(from, substep_.from), dt = (substep_.to - start) * flow_.span;
    if (!(dt > 0) || all.age[i] >= all.life[i]) return;
    const Vec3f x = all.x[i];
    switch (all.kind[i]) {
        case Kind::spray:
            move_spray(all, i, dt);
            break;
        case Kind::mist:
            move_mist(all, i, start, dt);
            break;
        case Kind::bubbles:
            move_bubble(all, i, start, dt);
            break;
        case Kind::foam:
            move_foam(all, i, start, dt);
            break;
    }
    meet_walls(all, i, x, start > substep_.from ? collision::Start::now : collision::Start::before_step);
    all.age[i] += dt;
    const Vec3f now = all.x[i];
    const Box3f& box = interval_.bounds;
    if (!is_finite(now) || !box.contains(now) || (interval_.is_killed && interval_.is_killed(now))) {
        all.life[i] = -1;
        return;
    }
    const bool rides = all.kind[i] == Kind::foam || all.kind[i] == Kind::bubbles;
    const Flow::Sample liquid = rides ? flow_.at(now, substep_.to, all.v[i]) : flow_.at(now, substep_.to);
    if (all.kind[i] == Kind::mist) {
        if (liquid.phi < 0) all.life[i] = -1;
        return;
    }
    const Kind kind = kind_at(all, i, liquid);
    if (kind != all.kind[i]) change(all, i, kind);
}

void Mover::move_spray(Particles& all, std::size_t i, float dt) const {
    const float diameter = 2 * all.pscale[i] / size_of(params_, Kind::spray);
    if (!fields_.fields.empty()) all.v[i] = fields_.accelerate(all.x[i], all.v[i], dt);
    fly(all.x[i], all.v[i], terminal_speed(diameter, params_.spray.terminal), air_, dt);
}

void Mover::move_mist(Particles& all, std::size_t i, float share, float dt) const {
    const float diameter = 2 * all.pscale[i] / size_of(params_, Kind::mist);
    const Flow::Sample liquid = flow_.at(all.x[i], share + 0.5f * dt / flow_.span);
    Air air = air_;
    air.wind += liquid.v * std::exp(-std::max(liquid.phi, 0.f) / static_cast<float>(params_.mist.reach));
    const float eddy = static_cast<float>(params_.mist.eddy);
    air.wind += eddies_.at(all.x[i] / eddy) * static_cast<float>(params_.mist.turbulence);
    if (!fields_.fields.empty()) all.v[i] = fields_.accelerate(all.x[i], all.v[i], dt);
    fly(all.x[i], all.v[i], terminal_speed(diameter, Terminal::measured), air, dt);
}

void Mover::move_bubble(Particles& all, std::size_t i, float share, float dt) const {
    const float diameter = 2 * all.pscale[i] / size_of(params_, Kind::bubbles);
    const Vec3f rise = up_ * (rise_speed(diameter) * weight_ * static_cast<float>(params_.bubbles.rise));
    const Vec3f there = flow_.at(all.x[i], share, all.v[i] - rise).v;
    const Vec3f halfway = all.x[i] + (there + rise) * (0.5f * dt);
    const Vec3f liquid = flow_.at(halfway, share + 0.5f * dt / flow_.span, there).v;
    float_up(all.x[i], all.v[i], liquid, rise, dt);
}

void Mover::move_foam(Particles& all, std::size_t i, float share, float dt) const {
    const float step = dt / flow_.span;
    const Vec3f x = all.x[i];
    const Vec3f k1 = flow_.at(x, share, all.v[i]).v;
    const Vec3f k2 = flow_.at(x + k1 * (0.5f * dt), share + 0.5f * step, k1).v;
    const Vec3f k3 = flow_.at(x + k2 * (0.75f * dt), share + 0.75f * step, k2).v;
    const Vec3f v = k1 * (2 / 9.f) + k2 * (1 / 3.f) + k3 * (4 / 9.f);
    all.x[i] = x + v * dt;
    put_on_surface(all.x[i], v);
    all.v[i] = v;
}

void Mover::put_on_surface(Vec3f& x, Vec3f v) const {
    const float most = 0.25f * flow_.before.h();
    for (int pass = 0; pass < 2; ++pass) {
        const Flow::Surface surface = flow_.surface_at(x, substep_.to, v);
        const float steep = dot(surface.slope, surface.slope);
        if (!(steep > 0.04f)) return;
        const Vec3f way = surface.slope * (surface.phi / steep);
        const float far = length(way);
        x -= far > most ? way * (most / far) : way;
    }
}

void Mover::meet_walls(Particles& all, std::size_t i, Vec3f from, collision::Start start) const {
    if (!walls_) return;
    const float h = flow_.before.h(), per_h = 1 / h;
    Vec3f to = all.x[i] * per_h;
    if (walls_->is_clear(from * per_h, to, start)) return;
    collision::WallHit hit = walls_->trace(from * per_h, to, start);
    all.x[i] = to * h;
    if (!hit.hit) return;
    const bool bounces = all.kind[i] == Kind::spray;
    hit.surface = {bounces ? static_cast<float>(params_.spray.friction) : 0.f,
                   bounces ? static_cast<float>(params_.spray.bounce) : 0.f, 0};
    all.v[i] = collision::respond(all.v[i], hit);
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
    all.pscale[i] *= size_of(params_, kind) / size_of(params_, all.kind[i]);
    all.kind[i] = kind;
    all.life[i] = params_.has(kind) ? all.age[i] + life_of(kind, all.id[i]) : -1;
}

}  // namespace spindrift::whitewater
