#include "spindrift/bodies/rigid/contact_points.h"

#include <algorithm>
#include <cmath>

namespace spindrift::bodies {

namespace {

/// Up to this share of its size a body may be in another without being pushed out: boxes that only just touch would
/// have no contact that could hold them in the next step.
constexpr double contact_slack = 0.002;

/// Of a cylinder four corners on each rim, the lowest one first.
std::vector<Vec3d> corners_towards(const RigidShape& shape, Vec3d normal) {
    if (!shape.ends) return shape.corners;
    Vec3d down{-normal.x, 0, -normal.z};
    down = length(down) > 1e-9 ? normalize(down) : Vec3d{1, 0, 0};
    const Vec3d side{down.z, 0, -down.x};
    std::vector<Vec3d> corners;
    for (const double y : {-shape.ends->half_length, shape.ends->half_length}) {
        for (const Vec3d& direction : {down, side, -down, -side})
            corners.push_back(Vec3d{0, y, 0} + direction * shape.ends->radius);
    }
    return corners;
}

}  // namespace

bool is_near(const ContactBody& body, const collision::PlaneShape& plane) {
    return dot(body.frame.position - plane.point, plane.normal) < (1 + contact_reach) * body.shape->reach;
}

bool has_corners(const ContactBody& body) {
    return !body.shape->corners.empty() || body.shape->ends;
}

std::vector<PlaneTouch> touch_plane(const ContactBody& body, const collision::PlaneShape& plane) {
    std::vector<PlaneTouch> touches;
    for (const Vec3d& corner : corners_towards(*body.shape, body.frame.turn_back(plane.normal))) {
        const Vec3d point = body.frame.to_world(corner);
        const double distance = dot(point - plane.point, plane.normal);
        if (distance <= contact_reach * body.shape->reach) touches.push_back({corner, point, distance});
    }
    return touches;
}

SurfacePair pair_of(const ContactBody* a, const ContactBody* b) {
    const ContactBody &first = a ? *a : *b, &second = b ? *b : *a;
    SurfacePair pair;
    pair.friction = std::sqrt((a ? a->grip : obstacle_grip) * (b ? b->grip : obstacle_grip));
    // Colliders give back all that a body does.
    pair.restitution = std::sqrt(first.restitution * second.restitution);
    pair.slack = contact_slack * std::min(first.shape->thinnest, second.shape->thinnest);
    return pair;
}

double impulse_before(std::span<const BodyContact> pressed, int a, int b, Vec3d at, double distance) {
    double impulse = 0;
    for (const BodyContact& contact : pressed) {
        const bool same = contact.a == a && contact.b == b, swapped = contact.a == b && contact.b == a;
        if (!(same || swapped) || length(contact.point - at) >= distance) continue;
        distance = length(contact.point - at);
        impulse = contact.impulse;
    }
    return impulse;
}

}  // namespace spindrift::bodies
