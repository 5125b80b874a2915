#include "spindrift/bodies/rigid_world.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "spindrift/bodies/contact_islands.h"
#include "spindrift/bodies/contact_solver.h"
#include "spindrift/bodies/obstacles.h"
#include "spindrift/bodies/rigid_body.h"
#include "spindrift/bodies/rigid_checks.h"

namespace spindrift::bodies {

using geometry::Pose;
using pbf::Twist;

struct RigidWorld::Parts {
    std::vector<std::optional<RigidBody>> bodies{};  ///< those that deform are empty
    Obstacles obstacles;
    std::optional<collision::DomainParams> domain{};
    double fps = 24, first_frame = 1;

    std::vector<BodyState> states{};
    std::vector<BodyContact> contacts{};
    std::vector<Twist> held{};

    // Of the step.
    Step step{};
    std::vector<bool> free{};
    std::vector<Twist> start{};     ///< velocities without impulses
    std::vector<Twist> impulses{};  ///< so far
    std::vector<Twist> changes{};   ///< what those do, unless it is stale
    bool stale = true;
    ContactIslands islands{};

    explicit Parts(const Setup& setup)
        : obstacles({.colliders = setup.colliders, .domain = setup.domain, .folder = setup.folder}),
          domain(setup.domain),
          fps(setup.fps),
          first_frame(setup.first_frame) {}

    const RigidBody& body(std::size_t i) const { return *bodies[i]; }
    /// As keys move it in this step.
    Twist key_velocity(std::size_t i) const;
    ContactIslands make_islands() const;
    void update();
    ContactBody contact_body(std::size_t i, Twist& before) const;
    void move(std::size_t i, const Twist& before, const ContactBody& given, const Pose& frame, const Twist& after);
    void follow_keys(std::size_t i);
};

Twist RigidWorld::Parts::key_velocity(std::size_t i) const {
    if (body(i).params.motion != Motion::keyed || step.dt == 0) return {};
    return velocity_between(key_pose(body(i), step.frame), key_pose(body(i), step.frame + step.dt * fps), step.dt);
}

ContactIslands RigidWorld::Parts::make_islands() const {
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

void RigidWorld::Parts::update() {
    if (stale) islands.solve(impulses, changes);
    stale = false;
}

/// With all impulses, as if nothing touched. A spin goes with the momentum at the middle of the step: a body that
/// nothing touches keeps its angular momentum exactly, and its energy nearly.
ContactBody RigidWorld::Parts::contact_body(std::size_t i, Twist& before) const {
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

void RigidWorld::Parts::move(std::size_t i, const Twist& before, const ContactBody& given, const Pose& frame,
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

void RigidWorld::Parts::follow_keys(std::size_t i) {
    const Pose end = key_pose(body(i), step.frame + step.dt * fps);
    states[i].center = end.position;
    states[i].turn = turn_of(end);
    states[i].velocity = start[i].linear;
    states[i].spin = start[i].angular;
}

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

void RigidWorld::begin_step(const Step& step) {
    Parts& p = *parts_;
    p.step = step;
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
        p.impulses[i] = {};
        if (!p.bodies[i]) continue;
        // Steps may begin a rounding before their frame.
        p.free[i] = p.body(i).params.is_free(step.frame + 1e-6);
        p.start[i] = p.free[i] ? Twist{p.states[i].velocity, p.states[i].spin} : p.key_velocity(i);
        if (p.free[i]) p.impulses[i].linear = step.gravity * (p.body(i).weight.mass * step.dt);
        else p.states[i].center = key_pose(p.body(i), step.frame).position;
        if (!p.free[i]) p.states[i].turn = turn_of(key_pose(p.body(i), step.frame));
    }
    p.islands = p.make_islands();
    p.stale = true;
}

const MassProperties& RigidWorld::mass(std::size_t body) const {
    return parts_->body(body).weight;
}

const geometry::Mesh& RigidWorld::mesh(std::size_t body) const {
    return parts_->body(body).mesh;
}

bool RigidWorld::is_rigid(std::size_t body) const {
    return parts_->bodies[body].has_value();
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
    return shape_pose(rigid, make_pose(state.center + motion.linear * p.step.dt,
                                       turned(state.turn, motion.angular, p.step.dt)));
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

void RigidWorld::take(std::span<pbf::BodyPush> pushes, Vec3d origin) {
    Parts& p = *parts_;
    struct Row {
        Vec3d direction, arm;
        Six g;
    };
    const auto row_of = [&](const pbf::BodyPush& push) {
        const Vec3d impulse = vec_cast<double>(push.impulse), direction = normalize(impulse);
        const Vec3d arm = origin + vec_cast<double>(push.point) - p.states[push.body].center;
        return Row{direction, arm, contact_row(direction, arm)};
    };
    const auto counts = [&](const pbf::BodyPush& push) {
        return push.body < p.bodies.size() && p.free[push.body] && push.impulse != Vec3f{};
    };
    std::vector<ContactIslands::Block> clinging(p.bodies.size(), ContactIslands::Block{});
    std::vector<Twist> pushed(p.bodies.size()), moved(p.bodies.size());
    for (const pbf::BodyPush& push : pushes) {
        if (!counts(push)) continue;
        const Row row = row_of(push);
        pushed[push.body] += {vec_cast<double>(push.impulse), cross(row.arm, vec_cast<double>(push.impulse))};
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                clinging[push.body][i][j] += push.mass * row.g[i] * row.g[j];
        }
    }
    p.islands.solve_with(clinging, pushed, moved);
    for (pbf::BodyPush& push : pushes) {
        push.returned = {};
        if (!counts(push)) continue;
        const Row row = row_of(push);
        push.returned = vec_cast<float>(row.direction * dot(row.g, to_six(moved[push.body])));
        const Vec3d left = vec_cast<double>(push.impulse) - vec_cast<double>(push.returned) * double{push.mass};
        press(push.body, {left, cross(row.arm, left)});
    }
}

void RigidWorld::end_step() {
    Parts& p = *parts_;
    p.obstacles.place(p.step.frame, p.step.dt, p.fps);
    std::vector<ContactBody> list;
    std::vector<Twist> before;
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
        if (!p.bodies[i]) continue;
        before.emplace_back();
        list.push_back(p.contact_body(i, before.back()));
    }
    ContactOutcome outcome =
        solve_contacts({.bodies = list, .obstacles = p.obstacles.all(), .dt = p.step.dt});
    for (std::size_t k = 0; k < list.size(); ++k) {
        const auto i = static_cast<std::size_t>(list[k].number);
        p.held[i] = {};
        if (p.free[i]) p.move(i, before[k], list[k], outcome.frames[k], outcome.velocities[k]);
        else p.follow_keys(i);
    }
    p.contacts = std::move(outcome.contacts);
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
