#include "spindrift/bodies/rigid/rigid_world.h"

#include <fmt/format.h>

#include "spindrift/bodies/rigid/rigid_checks.h"
#include "spindrift/bodies/rigid/rigid_parts.h"

namespace spindrift::bodies {

using fluid::Twist;
using geometry::Pose;

RigidWorld::RigidWorld(const Setup& setup) : parts_(std::make_unique<Parts>(setup)) {
    for (std::size_t i = 0; i < setup.params.size(); ++i) {
        const BodyParams& params = setup.params[i];
        const std::string name = params.name.empty() ? fmt::format("body {}", i + 1) : params.name;
        parts_->bodies.emplace_back();
        if (params.deforms()) continue;
        parts_->bodies.back() =
            make_rigid_body(params, {.name = name, .folder = setup.folder, .first_frame = setup.first_frame});
    }
    const std::size_t count = setup.params.size();
    parts_->states.resize(count);
    parts_->held.resize(count);
    parts_->free.resize(count);
    parts_->start.resize(count);
    parts_->impulses.resize(count);
    parts_->changes.resize(count);
    reset();
}

RigidWorld::~RigidWorld() = default;
RigidWorld::RigidWorld(RigidWorld&&) noexcept = default;
RigidWorld& RigidWorld::operator=(RigidWorld&&) noexcept = default;

void RigidWorld::reset() {
    Parts& p = *parts_;
    p.contacts.clear();
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
        p.held[i] = {};
        if (p.bodies[i]) p.states[i] = start_state(p.body(i), p.fps);
    }
    p.obstacles.place(p.first_frame, 0, p.fps);
    check_start(p.bodies, p.states, p.obstacles, p.domain);
    begin_step({.frame = p.first_frame});
}

const MassProperties& RigidWorld::mass(std::size_t body) const {
    return parts_->body(body).weight;
}

const geometry::Mesh& RigidWorld::mesh(std::size_t body) const {
    return parts_->body(body).mesh;
}

bool RigidWorld::is_free(std::size_t body) const {
    return parts_->free[body];
}

Pose RigidWorld::pose(std::size_t body) const {
    return shape_pose(parts_->body(body), center_pose(parts_->states[body]));
}

Pose RigidWorld::pose_after(std::size_t body) const {
    const Parts& p = *parts_;
    const RigidBody& rigid = p.body(body);
    if (!p.free[body]) return shape_pose(rigid, key_pose(rigid, p.step.frame + p.step.dt * p.fps));
    const Twist motion = velocity(body);
    const BodyState& state = p.states[body];
    return shape_pose(
        rigid, make_pose(state.center + motion.linear * p.step.dt, turned(state.turn, motion.angular, p.step.dt)));
}

Vec3d RigidWorld::center(std::size_t body) const {
    return parts_->states[body].center;
}

Twist RigidWorld::velocity(std::size_t body) const {
    parts_->update();
    Twist sum = parts_->start[body];
    return sum += parts_->changes[body];
}

void RigidWorld::respond(std::span<const Twist> impulses, std::span<Twist> changes) const {
    parts_->islands.solve(impulses, changes);
}

void RigidWorld::press(std::size_t body, const Twist& impulse) {
    if (!parts_->free[body]) return;
    parts_->impulses[body] += impulse;
    parts_->stale = true;
}

std::span<BodyState> RigidWorld::states() {
    return parts_->states;
}

std::span<const BodyState> RigidWorld::states() const {
    return parts_->states;
}

std::vector<BodyContact>& RigidWorld::contacts() {
    return parts_->contacts;
}

const std::vector<BodyContact>& RigidWorld::contacts() const {
    return parts_->contacts;
}

Twist RigidWorld::held_impulse(std::size_t body) const {
    return parts_->held[body];
}

}  // namespace spindrift::bodies
