#include "spindrift/bodies/rigid/rigid_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "spindrift/bodies/rigid/contact_solver.h"
#include "spindrift/core/errors.h"

namespace spindrift::bodies {

namespace {

using geometry::Pose;

/// Share of the smaller one's thinnest side that may be inside another: scenes put things down by eye.
constexpr double most_depth = 0.2;

Box3d world_bounds(const RigidBody& body, const BodyState& state) {
    const Pose pose = shape_pose(body, center_pose(state));
    Box3d box{pose.to_world(vec_cast<double>(body.mesh.points.front())), {}};
    box.hi = box.lo;
    for (const Vec3f& point : body.mesh.points) {
        const Vec3d p = pose.to_world(vec_cast<double>(point));
        box.lo = min(box.lo, p);
        box.hi = max(box.hi, p);
    }
    return box;
}

/// Beyond an open side a body may wait for its way in.
void check_domain(const RigidBody& body, const BodyState& state, const collision::DomainParams& domain) {
    const Box3d box = world_bounds(body, state);
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2;
        const bool outside = side % 2 ? box.lo[axis] >= domain.box.hi[axis] : box.hi[axis] <= domain.box.lo[axis];
        const auto at = std::find(domain.open.begin(), domain.open.end(), static_cast<collision::Side>(side));
        if (outside && at == domain.open.end()) {
            throw UsageError(fmt::format(
                "{} lies outside the domain at the start; move it, or make the box of the domain larger", body.name));
        }
    }
}

/// How often a mesh winds around a point: 1 inside, 0 outside.
double winding(const geometry::Mesh& mesh, Vec3d point) {
    double angle = 0;
    for (const geometry::Triangle& triangle : mesh.triangles) {
        const Vec3d a = vec_cast<double>(mesh.points[triangle[0]]) - point;
        const Vec3d b = vec_cast<double>(mesh.points[triangle[1]]) - point;
        const Vec3d c = vec_cast<double>(mesh.points[triangle[2]]) - point;
        const double la = length(a), lb = length(b), lc = length(c);
        angle += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return std::abs(angle) / (4 * std::numbers::pi);
}

/// Triangles do not know their inside: only bodies at the surface would be found by contacts.
void check_mesh(const RigidBody& body, const BodyState& state, const Obstacles& obstacles, std::size_t k) {
    const geometry::Mesh* mesh = obstacles.mesh(k);
    if (!mesh || obstacles.mode(k) == collision::Mode::shell || !encloses(*mesh)) return;
    const Obstacle& obstacle = obstacles.all()[k];
    const bool inside = winding(*mesh, obstacle.pose.to_local(state.center)) > 0.5;
    if (inside == (obstacles.mode(k) == collision::Mode::solid_outside)) return;
    throw UsageError(
        fmt::format("{} is inside the solid of {} at the start; move one of them", body.name, obstacle.name));
}

std::string depth_problem(const RigidBody& a, const std::string& b, double depth) {
    return fmt::format("{} and {} are inside each other at the start, by {:.3g} m; move one of them", a.name, b, depth);
}

struct Listed {
    std::vector<const RigidBody*> bodies{};
    std::vector<ContactBody> contacts{};
};

Listed list_bodies(std::span<const std::optional<RigidBody>> bodies, std::span<const BodyState> states) {
    Listed listed;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i]) continue;
        const RigidBody& body = *bodies[i];
        ContactBody contact;
        contact.shape = &body.shape;
        contact.mass = body.params.is_free(body.first_frame) ? body.weight.mass : 0;
        contact.frame = bullet_frame(body, center_pose(states[i]));
        listed.bodies.push_back(&body);
        listed.contacts.push_back(contact);
    }
    return listed;
}

}  // namespace

void check_start(std::span<const std::optional<RigidBody>> bodies, std::span<const BodyState> states,
                 const Obstacles& obstacles, const std::optional<collision::DomainParams>& domain) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i] || !bodies[i]->params.is_free(bodies[i]->first_frame)) continue;
        if (domain) check_domain(*bodies[i], states[i], *domain);
        for (std::size_t k = 0; k < obstacles.all().size(); ++k)
            check_mesh(*bodies[i], states[i], obstacles, k);
    }
    const Listed listed = list_bodies(bodies, states);
    for (const Overlap& overlap : find_overlaps({.bodies = listed.contacts, .obstacles = obstacles.all()})) {
        const auto [low, high] = std::minmax(overlap.a, overlap.b);
        const RigidBody& a = *listed.bodies[static_cast<std::size_t>(high)];
        const RigidBody* b = low < 0 ? nullptr : listed.bodies[static_cast<std::size_t>(low)];
        const double size = b ? std::min(a.shape.thinnest, b->shape.thinnest) : a.shape.thinnest;
        if (overlap.depth <= most_depth * size) continue;
        const std::string& other = b ? b->name : obstacles.all()[static_cast<std::size_t>(-1 - low)].name;
        throw UsageError(depth_problem(a, other, overlap.depth));
    }
}

}  // namespace spindrift::bodies
