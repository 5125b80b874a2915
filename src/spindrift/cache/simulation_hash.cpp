#include "spindrift/cache/simulation_hash.h"

#include <algorithm>
#include <utility>

#include "spindrift/cache/scene_files.h"
#include "spindrift/core/hash.h"
#include "spindrift/params/affects.h"

namespace spindrift::cache {

namespace {

/// Cameras matter where they choose levels of detail, and so does the shape of what they see.
void take_cameras(Scene& inputs, const Scene& scene) {
    if (scene.lod.model == lod::Model::none) {
        inputs.lod = {};
        return;
    }
    inputs.render.resolution = scene.render.resolution;
    const std::vector<std::string>& chosen = scene.lod.cameras;
    for (const geometry::CameraParams& camera : scene.camera) {
        if (chosen.empty() || std::ranges::find(chosen, camera.name) != chosen.end()) inputs.camera.push_back(camera);
    }
}

/// Whatever changes where particles go or what frames hold; how many frames there are does neither.
Scene simulation_inputs(const Scene& scene) {
    Scene inputs = only_affecting(scene, Affects::simulation);
    inputs.frames[1] = inputs.frames[0];
    take_cameras(inputs, scene);
    inputs.file.clear();
    return without_folders(std::move(inputs));
}

}  // namespace

std::string simulation_hash(const Scene& scene) {
    Scene simulated = scene;
    simulated.whitewater.reset();
    return Hash64().add(write_scene(simulation_inputs(simulated))).add(content_of_files(simulated)).hex();
}

}  // namespace spindrift::cache
