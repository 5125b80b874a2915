#include "spindrift/sim/collider_meshes.h"

#include <algorithm>
#include <filesystem>

#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/read_mesh.h"
#include "spindrift/sim/collider_files.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

/// Whatever is solid all around would hide the liquid in it: at most this much of it is drawn.
constexpr float container_opacity = 0.15f;

/// Frames on which a collider that moves is looked at to find out where it goes.
constexpr int frames_looked_at = 9;

}  // namespace

std::optional<geometry::Mesh> collider_mesh(const Scene& scene, std::size_t collider, int frame) {
    const collision::ColliderParams& params = scene.collider.at(collider);
    if (params.box) return geometry::make_box(*params.box);
    if (params.sphere) return geometry::make_sphere(params.sphere->center, params.sphere->radius);
    if (params.cylinder)
        return geometry::make_cylinder(params.cylinder->base, params.cylinder->top, params.cylinder->radius);
    if (params.mesh.empty()) return {};
    return geometry::read_mesh(collider_file(scene, collider, frame)).mesh;
}

geometry::Pose collider_pose(const collision::ColliderParams& collider, double frame) {
    return geometry::make_pose(collider.position.at(frame), collider.rotation_deg.at(frame));
}

bool is_plain_box(const collision::ColliderParams& collider) {
    return collider.box && collider.is_analytic() && !collider.color && collider.opacity == 1;
}

const geometry::Mesh* ColliderMeshes::mesh(const Scene& scene, std::size_t collider, int frame) {
    entries_.resize(std::max(entries_.size(), scene.collider.size()));
    std::optional<Entry>& entry = entries_[collider];
    const bool from_file = !scene.collider[collider].mesh.empty();
    const fs::path file = from_file ? collider_file(scene, collider, frame) : fs::path{};
    if (!entry || entry->file != file) entry = Entry{file, collider_mesh(scene, collider, frame)};
    return entry->mesh ? &*entry->mesh : nullptr;
}

std::vector<preview::MeshBody> ColliderMeshes::bodies(const Scene& scene, int frame, Vec3d origin) {
    std::vector<preview::MeshBody> bodies;
    for (std::size_t i = 0; i < scene.collider.size(); ++i) {
        const collision::ColliderParams& collider = scene.collider[i];
        if (!collider.visible || is_plain_box(collider)) continue;
        preview::MeshBody body{.mesh = mesh(scene, i, frame), .pose = collider_pose(collider, frame)};
        if (!body.mesh) continue;
        body.pose.position -= origin;
        body.scale = collider.scale;
        if (collider.color) body.color = vec_cast<float>(*collider.color);
        body.opacity = static_cast<float>(collider.opacity);
        if (collider.mode == collision::Mode::solid_outside) body.opacity = std::min(body.opacity, container_opacity);
        bodies.push_back(body);
    }
    return bodies;
}

std::vector<Box3d> ColliderMeshes::boxes(const Scene& scene) {
    const auto [first, last] = scene.frames;
    const bool moving =
        std::ranges::any_of(scene.collider, [](const auto& each) { return each.moves() || each.is_sequence(); });
    const int count = moving ? frames_looked_at : 1;
    std::vector<Box3d> boxes;
    for (int k = 0; k < count; ++k) {
        const int frame = first + static_cast<int>(static_cast<long>(last - first) * k / std::max(1, count - 1));
        for (const preview::MeshBody& body : bodies(scene, frame, {}))
            boxes.push_back(preview::bounds(body));
    }
    return boxes;
}

}  // namespace spindrift::sim
