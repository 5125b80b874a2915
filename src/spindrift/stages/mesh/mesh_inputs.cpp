#include "spindrift/stages/mesh/mesh_inputs.h"

#include <fmt/format.h>

#include "spindrift/cache/scene_files.h"
#include "spindrift/core/hash.h"

namespace spindrift::stages {

namespace {

/// Another one whenever the same particles and settings give another mesh than before.
constexpr int surface_version = 1;

/// As walls see them: how they look or feel does not matter.
collision::ColliderParams shape_of(collision::ColliderParams collider) {
    const collision::ColliderParams plain;
    collider.visible = plain.visible;
    collider.color = plain.color;
    collider.opacity = plain.opacity;
    collider.ior = plain.ior;
    collider.friction = plain.friction;
    collider.bounce = plain.bounce;
    collider.stickiness = plain.stickiness;
    collider.friction_map = collider.bounce_map = collider.stickiness_map = "";
    collider.wet_map = plain.wet_map;
    return collider;
}

bodies::BodyParams shape_of(bodies::BodyParams body) {
    const bodies::BodyParams plain;
    body.visible = plain.visible;
    body.color = plain.color;
    body.opacity = plain.opacity;
    body.ior = plain.ior;
    return body;
}

Scene liquids_of(const Scene& scene) {
    Scene inputs;
    for (const LiquidParams& liquid : scene.liquid) {
        LiquidParams each;
        each.name = liquid.name;
        each.spacing = liquid.spacing;
        inputs.liquid.push_back(each);
    }
    return inputs;
}

std::string hash_of(const Scene& inputs) {
    return Hash64().add(fmt::format("{}\n", surface_version)).add(write_scene(inputs)).hex();
}

}  // namespace

std::string mesh_inputs_hash(const Scene& scene) {
    Scene inputs = liquids_of(scene);
    inputs.mesh = scene.mesh;
    // Which files are wanted does not change what is in them.
    inputs.mesh.formats = surface::MeshParams().formats;
    inputs.mesh.liquids = surface::MeshParams().liquids;
    inputs.fps = scene.fps;
    if (!scene.mesh.clip) return hash_of(inputs);
    inputs.domain = scene.domain;
    for (const collision::ColliderParams& collider : scene.collider)
        inputs.collider.push_back(shape_of(collider));
    for (const bodies::BodyParams& body : scene.body)
        inputs.body.push_back(shape_of(body));
    inputs.file = scene.file;
    const std::string files = cache::content_of_files(inputs);
    return Hash64().add(hash_of(cache::without_folders(inputs))).add(files).hex();
}

std::string flag_inputs_hash(const Scene& scene) {
    return hash_of(liquids_of(scene));
}

}  // namespace spindrift::stages
