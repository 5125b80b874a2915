#include "spindrift/stages/mesh/mesh_inputs.h"

#include <fmt/format.h>

#include "spindrift/cache/scene_files.h"
#include "spindrift/core/hash.h"
#include "spindrift/params/affects.h"

namespace spindrift::stages {

namespace {

/// Another one whenever the same particles and settings give another mesh than before.
constexpr int surface_version = 1;

std::string hash_of(const Scene& inputs) {
    return Hash64().add(fmt::format("{}\n", surface_version)).add(write_scene(inputs)).hex();
}

}  // namespace

std::string mesh_inputs_hash(const Scene& scene) {
    Scene inputs = only_affecting(scene, Affects::surface);
    if (!scene.mesh.clip) {
        inputs.domain.reset();
        inputs.collider.clear();
        inputs.body.clear();
        return hash_of(inputs);
    }
    const std::string files = cache::content_of_files(inputs);
    return Hash64().add(hash_of(cache::without_folders(inputs))).add(files).hex();
}

std::string flag_inputs_hash(const Scene& scene) {
    Scene inputs;
    inputs.liquid = only_affecting(scene, Affects::surface).liquid;
    return hash_of(inputs);
}

}  // namespace spindrift::stages
