// What bodies go on from, and what others see of them.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/bodies/bodies.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/exact_sum.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::bodies {

BodiesState Bodies::state() const {
    BodiesState all;
    all.bodies.assign(world_.states().begin(), world_.states().end());
    for (std::size_t i = 0; i < params_.size(); ++i) {
        if (soft_[i]) all.bodies[i] = soft_[i]->state();
    }
    all.contacts = world_.contacts();
    all.impulses = impulses_;
    all.ledger = ledger_;
    return all;
}

void Bodies::restore(const BodiesState& state) {
    const auto fits = [&](std::size_t i) {
        const std::size_t points = soft_[i] ? soft_[i]->state().points.size() : 0;
        return state.bodies[i].points.size() == points && state.bodies[i].velocities.size() == points;
    };
    if (state.bodies.size() != params_.size() || state.impulses.size() != params_.size())
        throw UsageError(fmt::format("the state is of {} bodies, the scene has {}", state.bodies.size(), size()));
    for (std::size_t i = 0; i < params_.size(); ++i) {
        if (!fits(i)) throw UsageError(fmt::format("the state of body {} has another number of points", i));
        if (soft_[i]) {
            soft_[i]->state() = state.bodies[i];
        } else {
            world_.states()[i] = state.bodies[i];
        }
    }
    world_.contacts() = state.contacts;
    impulses_ = state.impulses;
    ledger_ = state.ledger;
}

double Bodies::fastest() const {
    double largest = 0;
    for (std::size_t i = 0; i < params_.size(); ++i)
        largest = std::max(largest, fastest(i));
    return largest;
}

double Bodies::fastest(std::size_t body) const {
    if (!soft_[body]) {
        const Box3d box = geometry::bounds(world_.mesh(body));
        const BodyState& state = world_.states()[body];
        return length(state.velocity) + length(state.spin) * 0.5 * length(box.size());
    }
    double largest = 0;
    for (const Vec3d& v : soft_[body]->state().velocities)
        largest = std::max(largest, length(v));
    return largest;
}

geometry::Mesh Bodies::surface(std::size_t body) const {
    geometry::Mesh mesh;
    std::vector<Vec3f> velocity;
    if (soft_[body]) {
        mesh = soft_[body]->surface();
        velocity = soft_[body]->surface_velocities();
    } else {
        mesh = world_.mesh(body);
        geometry::transform(mesh, 1, world_.pose(body));
        const BodyState& state = world_.states()[body];
        for (const Vec3f& p : mesh.points)
            velocity.push_back(vec_cast<float>(state.velocity + cross(state.spin, vec_cast<double>(p) - state.center)));
    }
    geometry::Attribute v{"v", 3, {}};
    for (const Vec3f& each : velocity)
        v.values.insert(v.values.end(), {each.x, each.y, each.z});
    mesh.attributes.push_back(std::move(v));
    return mesh;
}

geometry::Pose Bodies::pose(std::size_t body) const {
    return soft_[body] ? geometry::Pose{} : world_.pose(body);
}

BodyState Bodies::as_whole(std::size_t body) const {
    if (!soft_[body]) return world_.states()[body];
    const Body whole = soft_[body]->as_whole({});
    BodyState state;
    state.center = whole.center;
    state.velocity = whole.velocity.linear;
    state.spin = whole.velocity.angular;
    return state;
}

/// What is in a body carries it as if it were not there: it floats up by the weight of that liquid and follows its
/// motion, the faster the more they differ.
void Bodies::float_along(std::span<const Float4> position, std::span<const Float4> velocity,
                         const std::function<double(std::size_t)>& mass_of) {
    for (std::size_t b = 0; b < params_.size(); ++b) {
        if (soft_[b] || params_[b].coupling != bodies::Coupling::to_body || !is_free(b)) continue;
        const collision::StepUnits metres{step_.units.origin, 1, step_.dt};
        const collision::WallField wall = place_rigid(b, metres);
        const Vec3d center = world_.center(b) - step_.units.origin;
        const fluid::Twist twist = world_.velocity(b);
        const auto sums = exact_item_sums<10>(position.size(), [&](std::size_t i) {
            const Vec3f x = position[i].xyz();
            if (!wall.may_reach(x, x, 0) || wall.distance_only(x) > 0) return std::array<double, 10>{};
            const double m = mass_of(i);
            const Vec3d arm = vec_cast<double>(x) - center;
            const Vec3d against = vec_cast<double>(velocity[i].xyz()) - twist.linear - cross(twist.angular, arm);
            const Vec3d moment = arm * m, momentum = against * m, angular = cross(arm, against) * m;
            return std::array{m,          moment.x,   moment.y,  moment.z,  momentum.x,
                              momentum.y, momentum.z, angular.x, angular.y, angular.z};
        });
        const struct {
            double mass;
            Vec3d moment, momentum, angular;
        } in{sums[0], {sums[1], sums[2], sums[3]}, {sums[4], sums[5], sums[6]}, {sums[7], sums[8], sums[9]}};
        if (in.mass == 0) continue;
        const MassProperties& own = world_.mass(b);
        const double size = std::cbrt(std::max(own.volume, 1e-30));
        const double share =
            std::min(1.0, length(in.momentum) / in.mass * step_.dt / size) * own.mass / (own.mass + in.mass);
        const fluid::Twist impulse{in.momentum * share - step_.gravity * (in.mass * step_.dt),
                                   in.angular * share - cross(in.moment, step_.gravity * step_.dt)};
        book(b, impulse);
        world_.press(b, impulse);
    }
}

}  // namespace spindrift::bodies
