#include "spindrift/bodies/rigid/rigid_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "spindrift/bodies/rigid/obstacles.h"
#include "spindrift/bodies/shape.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

namespace spindrift::bodies {

namespace {

using geometry::Mesh;
using geometry::Pose;

/// Of wood, if the scene does not say.
constexpr double usual_density = 500;

MassProperties weigh(const BodyParams& params, const std::string& name, const Mesh& mesh) {
    const bool closed = encloses(mesh);
    const Mesh hull = closed || mesh.points.size() < 4 ? Mesh{} : convex_hull(mesh);
    if (!closed && !(params.mass && encloses(hull))) {
        throw UsageError(fmt::format(
            "{}: its mesh is open or flat and encloses no volume that could be weighed; close the mesh, or give "
            "its 'mass' in kg: it is then spread over the convex hull",
            name));
    }
    MassProperties body = integrate(closed ? mesh : hull);
    if (body.volume < 0) {
        log_warning(
            fmt::format("{}: the faces of its mesh look inward; it is weighed as if they looked outward", name));
        body.volume = -body.volume;
        set_mass(body, -body.mass);
    }
    set_mass(body, params.mass ? *params.mass : params.density.value_or(usual_density) * body.volume);
    return body;
}

}  // namespace

RigidBody make_rigid_body(const BodyParams& params, const RigidBodySetup& setup) {
    RigidBody body;
    body.params = params;
    body.name = setup.name;
    body.first_frame = setup.first_frame;
    body.mesh = read_shape(params, setup.folder);
    body.weight = weigh(params, setup.name, body.mesh);
    body.shape = make_shape(params, body.mesh, body.weight);
    if (params.hinge) {
        const bool keyed = params.motion == Motion::keyed && params.release;
        const double frame = keyed ? std::max<double>(*params.release, setup.first_frame) : setup.first_frame;
        const Pose at = bullet_frame(body, key_pose(body, frame));
        const Vec3d axis = normalize(params.hinge->axis);
        body.hinge = HingePlace{params.hinge->point, axis, at.to_local(params.hinge->point), at.turn_back(axis),
                                params.hinge->friction};
    }
    return body;
}

Pose key_pose(const RigidBody& body, double frame) {
    const double at = body.params.motion == Motion::keyed ? frame : body.first_frame;
    Pose pose = geometry::make_pose(body.params.position.at(at), body.params.rotation_deg.at(at));
    pose.position = pose.to_world(body.weight.center);
    return pose;
}

Pose center_pose(const BodyState& state) {
    return make_pose(state.center, state.turn);
}

Pose bullet_frame(const RigidBody& body, const Pose& center) {
    const Pose& own = body.shape.frame;
    return {center.position, center.turn(own.x), center.turn(own.y), center.turn(own.z)};
}

Pose from_bullet_frame(const RigidBody& body, const Pose& frame) {
    Pose own = body.shape.frame;
    own.position = {};
    return compose(frame, inverse(own));
}

Pose shape_pose(const RigidBody& body, const Pose& center) {
    Pose pose = center;
    pose.position = center.to_world(-body.weight.center);
    return pose;
}

Inertia world_inertia(const RigidBody& body, const Pose& center) {
    const Pose frame = bullet_frame(body, center);
    Inertia inertia;
    inertia.axis = {frame.x, frame.y, frame.z};
    inertia.moment = body.shape.moment;
    return inertia;
}

BodyState start_state(const RigidBody& body, double fps) {
    const Pose pose = key_pose(body, body.first_frame);
    BodyState state;
    state.center = pose.position;
    state.turn = turn_of(pose);
    if (body.params.motion == Motion::dynamic) {
        state.velocity = body.params.velocity;
        state.spin = body.params.spin_deg * (std::numbers::pi / 180);
    } else if (body.params.motion == Motion::keyed) {
        // One that is let go at once goes on as its keys came.
        constexpr double moment = 1e-3;
        const double from = body.params.is_free(body.first_frame) ? body.first_frame - moment : body.first_frame;
        const fluid::Twist velocity =
            velocity_between(key_pose(body, from), key_pose(body, from + moment), moment / fps);
        state.velocity = velocity.linear;
        state.spin = velocity.angular;
    }
    return state;
}

}  // namespace spindrift::bodies
