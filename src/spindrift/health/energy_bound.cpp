#include "spindrift/health/energy_bound.h"

#include <algorithm>
#include <cmath>

namespace spindrift::health {

namespace {

/// Height of the lowest corner of the domain, if every side that something may fall on is closed.
std::optional<double> find_floor(const std::optional<collision::DomainParams>& domain, Vec3d up) {
    constexpr double level = 1e-6;
    if (!domain) return {};
    double height = 0;
    for (int a = 0; a < 3; ++a) {
        const bool low = up[a] > 0;
        if (std::abs(up[a]) > level && is_open(*domain, a, low)) return {};
        height += up[a] * (low ? domain->box.lo[a] : domain->box.hi[a]);
    }
    return height;
}

/// m/s that surface tension gives to drops of one particle.
double tension_speed(const fluid::Liquid& liquid, bool on_grid) {
    if (on_grid) return std::sqrt(8 * liquid.surface_tension / (liquid.density * liquid.spacing));
    return liquid.has_tension() ? liquid.support_radius() / liquid.tension_time : 0;
}

/// m/s2 of all fields but drags, which give no more than the speed of their wind.
double field_acceleration(const forces::ForceSet& forces) {
    double sum = 0;
    for (const auto& field : forces.fields) {
        if (field->largest_speed() == 0) sum += static_cast<double>(field->largest_acceleration());
    }
    return sum;
}

double wind_speed(const forces::ForceSet& forces) {
    float fastest = 0;
    for (const auto& field : forces.fields)
        fastest = std::max(fastest, field->largest_speed());
    return static_cast<double>(fastest);
}

}  // namespace

bool is_open(const collision::DomainParams& domain, int axis, bool low) {
    const auto side = static_cast<collision::Side>(2 * axis + (low ? 0 : 1));
    return std::find(domain.open.begin(), domain.open.end(), side) != domain.open.end();
}

EnergyBound::EnergyBound(const Scene& scene, const fluid::PropertyRule& rule)
    : lightest_(rule.liquids().size(), rule.reference_density()), bodies_(scene.body) {
    const Vec3d g = scene.gravity.at(scene.frames[0]);
    gravity_changes_ = scene.gravity.moves();
    gravity_ = gravity_changes_ ? 0 : length(g);
    up_ = gravity_ > 0 ? g / -gravity_ : Vec3d{};
    if (gravity_ > 0) floor_ = find_floor(scene.domain, up_);
    heaviest_ = rule.reference_density();
    for (std::size_t n = 0; n < rule.kinds().size(); ++n) {
        const fluid::Liquid& liquid = rule.kinds()[n];
        double& lightest = lightest_[n / rule.kinds_per_liquid()];
        lightest = std::min(lightest, liquid.density);
        // Particles that find their distances go a spacing in a frame.
        speed_ = std::max({speed_, tension_speed(liquid, scene.solver.info().grid), liquid.spacing * scene.fps});
    }
    for (const bodies::BodyParams& body : scene.body)
        speed_ = std::max(speed_, length(body.velocity));
}

void EnergyBound::take_in(const ParticleStore& particles, Range born) {
    for (const std::size_t i : born) {
        const Vec3f v = particles.velocity()[i].xyz();
        const double height = dot(vec_cast<double>(particles.position()[i].xyz()) + particles.origin, up_);
        speed_ = std::max(speed_, static_cast<double>(length(v)));
        top_ = std::max(top_, height);
        bottom_ = std::min(bottom_, height);
    }
}

void EnergyBound::feel(const Substep& substep) {
    double driver = 0;
    for (const collision::WallField& field : substep.walls->fields)
        driver = std::max(driver, static_cast<double>(field.fastest));
    for (std::size_t i = 0; i < substep.bodies->size(); ++i) {
        if (!bodies_[i].is_free(substep.frame))
            driver = std::max(driver, substep.bodies->fastest(i));
        else if (time_ == 0)
            top_ = std::max(top_, dot(substep.bodies->as_whole(i).center, up_));
    }
    speed_ = std::max({speed_, driver, wind_speed(*substep.forces)});
    lifted_ += driver * substep.dt;
    gained_ += field_acceleration(*substep.forces) * substep.dt;
    if (gravity_changes_) gained_ += static_cast<double>(length(substep.forces->gravity)) * substep.dt;
    time_ += substep.dt;
}

double EnergyBound::speed_of_bodies() const {
    const double start = speed_ + gained_;
    if (!(top_ >= bottom_)) return start;
    const double lowest = floor_ ? std::min(*floor_, bottom_) : bottom_ - (start + 0.5 * gravity_ * time_) * time_;
    return std::sqrt(start * start + 2 * gravity_ * (top_ + lifted_ - lowest));
}

double EnergyBound::speed_of_liquid(std::size_t liquid) const {
    return speed_of_bodies() * std::sqrt(heaviest_ / lightest_[liquid]);
}

std::vector<double> EnergyBound::state() const {
    return {speed_, gained_, lifted_, top_, bottom_, time_};
}

void EnergyBound::set_state(std::span<const double> state, const ParticleStore& particles) {
    if (state.size() != 6) return take_in(particles, {0, particles.size()});
    speed_ = state[0];
    gained_ = state[1];
    lifted_ = state[2];
    top_ = state[3];
    bottom_ = state[4];
    time_ = state[5];
}

}  // namespace spindrift::health
