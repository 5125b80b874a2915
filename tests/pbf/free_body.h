#pragma once
// A box that liquid moves, with nothing else in the world: the simplest bodies a solver can be coupled to.

#include <array>
#include <cmath>

#include "spindrift/bodies/body_state.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/fields/volume_samples.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift {

/// Solves a symmetric positive definite 6 x 6 system.
inline std::array<double, 6> solve6(std::array<std::array<double, 6>, 6> a, std::array<double, 6> b) {
    for (int k = 0; k < 6; ++k) {
        for (int i = k + 1; i < 6; ++i) {
            const double f = a[i][k] / a[k][k];
            for (int j = k; j < 6; ++j)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = 5; k >= 0; --k) {
        for (int j = k + 1; j < 6; ++j)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b;
}

class FreeBox final : public fluid::Coupling {
  public:
    bodies::BodyState state;
    double mass;
    bool turns = true;
    fluid::Twist taken{};  ///< from the liquid, in all

    FreeBox(Vec3d size, double density, double cell, double support)
        : mass(size.x * size.y * size.z * density),
          size_(size),
          field_(collision::make_field(geometry::make_box({-size * 0.5, size * 0.5}),
                                       {.cell = cell, .band = 2.4 * support, .depth = 1.6 * support})),
          inside_(collision::sample_volume(field_, size.x * size.y * size.z)) {}

    void begin(const collision::Walls& fixed, const collision::StepUnits& units, Vec3d gravity) {
        fixed_ = &fixed;
        units_ = units;
        state.velocity += gravity * units.dt;
    }
    void end() {
        state.center += state.velocity * units_.dt;
        state.turn = bodies::turned(state.turn, state.spin, units_.dt);
    }

    std::size_t size() const override { return 1; }
    Body body(std::size_t) const override { return {state.center - units_.origin, {state.velocity, state.spin}, true}; }
    void respond(std::span<const fluid::Twist> impulses, std::span<fluid::Twist> changes) const override {
        changes[0] = answer(impulses[0]);
    }
    void press(std::span<const fluid::Twist> impulses) override { add(impulses[0]); }
    const collision::Walls& place() override {
        walls_ = *fixed_;
        const geometry::Pose before = bodies::make_pose(state.center, state.turn);
        const geometry::Pose now = bodies::make_pose(state.center + state.velocity * units_.dt,
                                                     bodies::turned(state.turn, state.spin, units_.dt));
        collision::WallField wall = collision::place_field(field_, {before, now}, units_);
        wall.velocity = vec_cast<float>(state.velocity + cross(state.spin, units_.origin - state.center));
        wall.spin = vec_cast<float>(state.spin * units_.h);
        wall.body = 0;
        wall.inside = inside_.points.data();
        wall.inside_count = inside_.points.size();
        walls_.fields.push_back(wall);
        return walls_;
    }
    void take(std::span<fluid::BodyPush> pushes) override {
        std::array<std::array<double, 6>, 6> k{};
        std::array<double, 6> j{};
        for (int a = 0; a < 3; ++a) {
            k[a][a] = mass;
            for (int b = 0; b < 3; ++b)
                k[3 + a][3 + b] = turns ? inertia(a, b) : (a == b ? 1e30 : 0);
        }
        for (const fluid::BodyPush& push : pushes) {
            const auto g = row(push);
            const double size = length(vec_cast<double>(push.impulse));
            for (int a = 0; a < 6; ++a) {
                j[a] += g[a] * size;
                for (int b = 0; b < 6; ++b)
                    k[a][b] += static_cast<double>(push.mass) * g[a] * g[b];
            }
        }
        const auto dv = solve6(k, j);
        fluid::Twist total{};
        for (fluid::BodyPush& push : pushes) {
            const auto g = row(push);
            double along = 0;
            for (int a = 0; a < 6; ++a)
                along += g[a] * dv[a];
            push.returned = push.impulse * static_cast<float>(along / static_cast<double>(length(push.impulse)));
            const Vec3d kept =
                vec_cast<double>(push.impulse) - vec_cast<double>(push.returned) * static_cast<double>(push.mass);
            total += {kept, cross(arm(push), kept)};
        }
        add(total);
    }

  private:
    Vec3d arm(const fluid::BodyPush& push) const { return vec_cast<double>(push.point) + units_.origin - state.center; }
    std::array<double, 6> row(const fluid::BodyPush& push) const {
        const Vec3d u = normalize(vec_cast<double>(push.impulse)), t = cross(arm(push), u);
        return {u.x, u.y, u.z, t.x, t.y, t.z};
    }
    double inertia(int a, int b) const {
        const geometry::Pose pose = bodies::make_pose({}, state.turn);
        const Vec3d axes[3] = {pose.x, pose.y, pose.z};
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            sum += axes[k][a] * axes[k][b] * (dot(size_, size_) - size_[k] * size_[k]) * mass / 12;
        return sum;
    }
    fluid::Twist answer(const fluid::Twist& impulse) const {
        const geometry::Pose pose = bodies::make_pose({}, state.turn);
        const Vec3d local = pose.turn_back(impulse.angular);
        Vec3d spin{};
        for (int k = 0; k < 3; ++k)
            spin[k] = local[k] / ((dot(size_, size_) - size_[k] * size_[k]) * mass / 12);
        return {impulse.linear / mass, turns ? pose.turn(spin) : Vec3d{}};
    }
    void add(const fluid::Twist& impulse) {
        taken += impulse;
        const fluid::Twist change = answer(impulse);
        state.velocity += change.linear;
        state.spin += change.angular;
    }

    Vec3d size_;
    collision::Field field_;
    collision::VolumeSamples inside_;
    const collision::Walls* fixed_ = nullptr;
    collision::StepUnits units_{};
    collision::Walls walls_;
};

}  // namespace spindrift
