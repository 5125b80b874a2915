#include "spindrift/cache/simulation_hash.h"

#include <algorithm>
#include <utility>

#include "spindrift/cache/scene_files.h"
#include "spindrift/core/hash.h"

namespace spindrift::cache {

namespace {

/// Cameras matter where they choose levels of detail, and so does the shape of what they see.
void drop_cameras(Scene& scene) {
    const lod::LodParams levels = scene.lod;
    const std::array<int, 2> resolution = scene.render.resolution;
    scene.lod = {};
    scene.render = {};
    if (levels.model == lod::Model::none) return scene.camera.clear();
    scene.lod = levels;
    scene.render.resolution = resolution;
    std::erase_if(scene.camera, [&](const geometry::CameraParams& camera) {
        return !levels.cameras.empty() && std::ranges::find(levels.cameras, camera.name) == levels.cameras.end();
    });
}

/// Everything that changes neither where particles go nor what frames hold.
Scene without_looks(Scene scene) {
    scene.frames[1] = scene.frames[0];
    drop_cameras(scene);
    scene.mesh = {};
    scene.output = {.channels = scene.output.channels, .grids = scene.output.grids};
    scene.file.clear();
    for (collision::ColliderParams& each : scene.collider) {
        each.visible = true;
        each.color.reset();
        each.opacity = 1;
        each.ior = collision::ColliderParams{}.ior;
    }
    for (bodies::BodyParams& each : scene.body) {
        each.visible = true;
        each.color.reset();
        each.opacity = 1;
        each.ior = bodies::BodyParams{}.ior;
    }
    for (LiquidParams& each : scene.liquid) {
        each.ior.reset();
        each.clarity.reset();
        each.cloudiness.reset();
    }
    return without_folders(std::move(scene));
}

}  // namespace

std::string simulation_hash(const Scene& scene) {
    return Hash64().add(write_scene(without_looks(scene))).add(content_of_files(scene)).hex();
}

}  // namespace spindrift::cache
