#include "spindrift/stages/pictures/body_meshes.h"

#include "spindrift/bodies/shape.h"

namespace spindrift::stages {

namespace {

/// Where a rigid body is some seconds before or after the frame if it goes on as it does.
geometry::Pose pose_after(const sim::BodyFrame& frame, std::size_t body, double seconds) {
    const bodies::BodyState& state = frame.state.bodies[body];
    const Vec3d arm = frame.poses[body].turn_back(frame.poses[body].position - state.center);
    geometry::Pose pose = bodies::make_pose({}, bodies::turned(state.turn, state.spin, seconds));
    pose.position = state.center + state.velocity * seconds + pose.turn(arm);
    return pose;
}

}  // namespace

std::vector<render::MeshBody> BodyMeshes::drawn(const Scene& scene, const sim::BodyFrame& frame, Vec3d origin) {
    std::vector<render::MeshBody> all;
    for (std::size_t i = 0; i < frame.poses.size(); ++i) {
        const bodies::BodyParams& params = scene.body[i];
        if (!params.visible) continue;
        render::MeshBody body;
        body.mesh = &shapes_.of(scene, i);
        if (params.deforms()) {
            geometry::Mesh& now = deformed_[i] = sim::body_surface(frame, i, *body.mesh, scene.file);
            body.mesh = &now;
        } else if (const double open = scene.render.shutter; open > 0) {
            body.pose = pose_after(frame, i, -0.5 * open / scene.fps);
            body.pose_end = pose_after(frame, i, 0.5 * open / scene.fps);
            body.pose_end->position -= origin;
        } else {
            body.pose = frame.poses[i];
        }
        body.pose.position -= origin;
        if (params.color) body.color = vec_cast<float>(*params.color);
        body.opacity = static_cast<float>(params.opacity);
        body.ior = static_cast<float>(params.ior);
        body.thin = params.kind == bodies::Kind::cloth;
        body.id = render::body_id::first_body + static_cast<std::uint32_t>(i);
        all.push_back(body);
    }
    return all;
}

}  // namespace spindrift::stages
