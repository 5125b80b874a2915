#include "spindrift/stages/whitewater/whitewater_inputs.h"

#include <fmt/format.h>

#include "spindrift/cache/scene_files.h"
#include "spindrift/core/hash.h"
#include "spindrift/params/affects.h"

namespace spindrift::stages {

std::string whitewater_inputs_hash(const Scene& scene) {
    // Another one whenever the same particles and settings give other whitewater than before.
    constexpr int whitewater_version = 4;
    const Scene simulated = only_affecting(scene, Affects::simulation);
    Scene inputs;
    inputs.whitewater = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    inputs.frames[0] = inputs.frames[1] = scene.frames[0];
    inputs.fps = scene.fps;
    inputs.seed = scene.seed;
    inputs.gravity = scene.gravity;
    inputs.force = simulated.force;
    inputs.domain = simulated.domain;
    inputs.collider = simulated.collider;
    inputs.body = simulated.body;
    inputs.killer = simulated.killer;
    inputs.liquid = only_affecting(scene, Affects::surface).liquid;
    inputs.file = scene.file;
    const std::string files = cache::content_of_files(inputs);
    return Hash64()
        .add(fmt::format("{}\n", whitewater_version))
        .add(write_scene(cache::without_folders(inputs)))
        .add(files)
        .hex();
}

}  // namespace spindrift::stages
