#include "spindrift/stages/pictures/collider_meshes.h"

#include <algorithm>

#include "spindrift/collision/walls/colliders.h"

namespace spindrift::stages {

namespace {

/// Whatever is solid all around would hide the liquid in it: at most this much of it is drawn.
constexpr float container_opacity = 0.15f;

/// Frames on which a collider that moves is looked at to find out where it goes.
constexpr int frames_looked_at = 9;

}  // namespace

bool is_plain_box(const collision::ColliderParams& collider) {
    return collider.box && collider.is_analytic() && !collider.color && collider.opacity == 1;
}

const geometry::Mesh* ColliderMeshes::mesh(const Scene& scene, std::size_t collider, int frame) {
    const collision::ColliderParams& params = scene.collider[collider];
    if (params.plane) return nullptr;
    return &sources_.try_emplace(collider, params, scene.file.parent_path()).first->second.at(frame);
}

std::vector<render::MeshBody> ColliderMeshes::bodies(const Scene& scene, int frame, Vec3d origin,
                                                     const WetImages& wet) {
    std::vector<render::MeshBody> bodies;
    for (std::size_t i = 0; i < scene.collider.size(); ++i) {
        const collision::ColliderParams& collider = scene.collider[i];
        if (!collider.visible || !collider.is_active(frame) || is_plain_box(collider)) continue;
        render::MeshBody body{.mesh = mesh(scene, i, frame), .pose = collision::pose_of(collider, frame)};
        if (!body.mesh) continue;
        body.pose.position -= origin;
        if (collider.color) body.color = vec_cast<float>(*collider.color);
        body.opacity = static_cast<float>(collider.opacity);
        if (collider.mode == collision::Mode::solid_outside) body.opacity = std::min(body.opacity, container_opacity);
        body.ior = static_cast<float>(collider.ior);
        body.thin = collider.mode != collision::Mode::solid_inside;
        body.id = render::body_id::first_collider + static_cast<std::uint32_t>(i);
        if (const double open = scene.render.shutter; open > 0 && collider.moves()) {
            body.pose = collision::pose_of(collider, frame - 0.5 * open);
            body.pose_end = collision::pose_of(collider, frame + 0.5 * open);
            body.pose.position -= origin;
            body.pose_end->position -= origin;
        }
        if (const auto texture = wet.find(i); texture != wet.end()) body.wet = &texture->second;
        bodies.push_back(body);
    }
    return bodies;
}

std::vector<Box3d> ColliderMeshes::boxes(const Scene& scene) {
    const auto [first, last] = scene.frames;
    const bool moving = std::ranges::any_of(
        scene.collider, [](const auto& each) { return each.moves() || each.deforms() || each.active; });
    const int count = moving ? frames_looked_at : 1;
    std::vector<Box3d> boxes;
    for (int k = 0; k < count; ++k) {
        const int frame = first + static_cast<int>(static_cast<long>(last - first) * k / std::max(1, count - 1));
        for (const render::MeshBody& body : bodies(scene, frame, {}))
            boxes.push_back(render::bounds(body));
    }
    return boxes;
}

}  // namespace spindrift::stages
