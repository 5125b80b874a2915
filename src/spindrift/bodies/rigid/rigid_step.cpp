#include <utility>

#include "spindrift/bodies/rigid/rigid_parts.h"
#include "spindrift/bodies/rigid/rigid_world.h"

namespace spindrift::bodies {

using fluid::Twist;
using geometry::Pose;

Twist RigidParts::key_velocity(std::size_t i) const {
    if (body(i).params.motion != Motion::keyed || step.dt == 0) return {};
    return velocity_between(key_pose(body(i), step.frame), key_pose(body(i), step.frame + step.dt * fps), step.dt);
}

ContactIslands RigidParts::make_islands() const {
    std::vector<ContactIslands::Body> list(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i]) continue;
        list[i].mass = free[i] ? body(i).weight.mass : 0;
        list[i].inertia = world_inertia(body(i), center_pose(states[i]));
        list[i].center = states[i].center;
        list[i].grip = body(i).params.grip;
        list[i].hinge = body(i).params.hinge;
    }
    return {list, contacts};
}

void RigidParts::update() {
    if (stale) islands.solve(impulses, changes);
    stale = false;
}

/// With all impulses, as if nothing touched. A spin goes with the momentum at the middle of the step: a body that
/// nothing touches keeps its angular momentum exactly, and its energy nearly.
ContactBody RigidParts::contact_body(std::size_t i, Twist& before) const {
    const RigidBody& rigid = body(i);
    const Pose center = center_pose(states[i]);
    ContactBody contact;
    contact.number = static_cast<int>(i);
    contact.shape = &rigid.shape;
    contact.frame = bullet_frame(rigid, center);
    contact.grip = rigid.params.grip;
    contact.restitution = rigid.params.restitution;
    contact.hinge = rigid.hinge;
    before = contact.velocity = start[i];
    if (!free[i]) return contact;
    contact.mass = rigid.weight.mass;
    const Inertia inertia = world_inertia(rigid, center);
    before.linear += impulses[i].linear / contact.mass;
    before.angular += inertia.spin(impulses[i].angular);
    const Pose halfway = make_pose(states[i].center, turned(states[i].turn, before.angular, 0.5 * step.dt));
    contact.velocity.linear = before.linear;
    contact.velocity.angular = world_inertia(rigid, halfway).spin(inertia.momentum(before.angular));
    return contact;
}

void RigidParts::move(std::size_t i, const Twist& before, const ContactBody& given, const Pose& frame,
                      const Twist& after) {
    const RigidBody& rigid = body(i);
    BodyState& state = states[i];
    const Inertia inertia = world_inertia(rigid, center_pose(state));
    held[i].linear = (after.linear - given.velocity.linear) * rigid.weight.mass;
    held[i].angular = inertia.momentum(after.angular - given.velocity.angular);
    const Pose center = from_bullet_frame(rigid, frame);
    state.center = frame.position;
    state.turn = turn_of(center);
    state.velocity = after.linear;
    state.spin = world_inertia(rigid, center).spin(inertia.momentum(before.angular) + held[i].angular);
}

void RigidParts::follow_keys(std::size_t i) {
    const Pose end = key_pose(body(i), step.frame + step.dt * fps);
    states[i].center = end.position;
    states[i].turn = turn_of(end);
    states[i].velocity = start[i].linear;
    states[i].spin = start[i].angular;
}

/// Iterations are slow where things lean on each other; the system of all that touch knows the answer at once, unless
/// contacts open or close.
std::vector<BodyContact> RigidParts::guess_contacts(std::span<const Twist> velocities) const {
    std::vector<Twist> momenta(bodies.size()), held_velocities(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i] || !free[i]) continue;
        momenta[i].linear = velocities[i].linear * body(i).weight.mass;
        momenta[i].angular = world_inertia(body(i), center_pose(states[i])).momentum(velocities[i].angular);
    }
    islands.solve(momenta, held_velocities);
    std::vector<BodyContact> guess = contacts;
    for (BodyContact& contact : guess) {
        const double impulse = islands.impulse(contact, held_velocities);
        if (impulse >= 0 && impulse <= 2 * contact.impulse) contact.impulse = impulse;
    }
    return guess;
}

void RigidWorld::begin_step(const Step& step) {
    Parts& p = *parts_;
    p.step = step;
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
        p.impulses[i] = {};
        if (!p.bodies[i]) continue;
        // Steps may begin a rounding before their frame.
        p.free[i] = p.body(i).params.is_free(step.frame + 1e-6);
        p.start[i] = p.free[i] ? Twist{p.states[i].velocity, p.states[i].spin} : p.key_velocity(i);
        if (p.free[i])
            p.impulses[i].linear = step.gravity * (p.body(i).weight.mass * step.dt);
        else
            p.states[i].center = key_pose(p.body(i), step.frame).position;
        if (!p.free[i]) p.states[i].turn = turn_of(key_pose(p.body(i), step.frame));
    }
    p.islands = p.make_islands();
    p.stale = true;
}

bool RigidWorld::let_go(std::span<const Twist> impulses) {
    Parts& p = *parts_;
    std::vector<Twist> all = p.impulses, changes(p.bodies.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] += p.free[i] && p.bodies[i] ? impulses[i] : Twist{};
    p.islands.solve(all, changes);
    if (!p.islands.let_go(changes)) return false;
    p.stale = true;
    return true;
}

void RigidWorld::take(std::span<fluid::BodyPush> pushes, Vec3d origin) {
    Parts& p = *parts_;
    std::vector<ContactIslands::Block> clinging(p.bodies.size(), ContactIslands::Block{});
    std::vector<Twist> pushed(p.bodies.size()), moved(p.bodies.size());
    for (fluid::BodyPush& push : pushes) {
        push.returned = {};
        if (!p.counts(push)) continue;
        const Vec3d impulse = vec_cast<double>(push.impulse), arm = p.arm(push, origin);
        const Six row = contact_row(normalize(impulse), arm);
        pushed[push.body] += {impulse, cross(arm, impulse)};
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                clinging[push.body][i][j] += double{push.mass} * row[i] * row[j];
        }
    }
    p.update();
    p.islands.solve_with(clinging, pushed, moved);
    std::vector<Twist> changes = p.changes;
    for (std::size_t i = 0; i < changes.size(); ++i)
        changes[i] += moved[i];
    if (p.islands.let_go(changes)) {
        p.stale = true;
        p.islands.solve_with(clinging, pushed, moved);
    }
    for (fluid::BodyPush& push : pushes) {
        if (!p.counts(push)) continue;
        const Vec3d direction = normalize(vec_cast<double>(push.impulse));
        const double speed = dot(contact_row(direction, p.arm(push, origin)), to_six(moved[push.body]));
        push.returned = vec_cast<float>(direction * speed);
    }
    // What particles get back is rounded: bodies get what is left after that.
    for (const fluid::BodyPush& push : pushes) {
        if (!p.counts(push)) continue;
        const Vec3d left = vec_cast<double>(push.impulse) - vec_cast<double>(push.returned) * double{push.mass};
        press(push.body, {left, cross(p.arm(push, origin), left)});
    }
}

void RigidWorld::end_step() {
    Parts& p = *parts_;
    p.obstacles.place(p.step.frame, p.step.dt, p.fps);
    std::vector<ContactBody> list;
    std::vector<Twist> before(p.bodies.size());
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
        if (p.bodies[i]) list.push_back(p.contact_body(i, before[i]));
    }
    const std::vector<BodyContact> guess = p.guess_contacts(before);
    ContactOutcome outcome =
        solve_contacts({.bodies = list, .obstacles = p.obstacles.all(), .pressed = guess, .dt = p.step.dt});
    for (std::size_t k = 0; k < list.size(); ++k) {
        const auto i = static_cast<std::size_t>(list[k].number);
        p.held[i] = {};
        if (p.free[i])
            p.move(i, before[i], list[k], outcome.frames[k], outcome.velocities[k]);
        else
            p.follow_keys(i);
    }
    p.contacts = std::move(outcome.contacts);
}

}  // namespace spindrift::bodies
