#include "spindrift/sim/collider_files.h"

#include <string>
#include <vector>

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

/// Calls change(name) for the name of every file that the scene needs.
template <class Change>
void change_files(Scene& scene, const Change& change) {
    std::vector<std::string*> files;
    for (collision::ColliderParams& each : scene.collider)
        files.insert(files.end(), {&each.mesh, &each.vdb, &each.friction_map, &each.bounce_map, &each.stickiness_map});
    for (LiquidParams& liquid : scene.liquid) {
        for (emitters::FillParams& fill : liquid.fill)
            files.push_back(&fill.mesh);
    }
    for (emitters::EmitterParams& emitter : scene.emitter)
        files.insert(files.end(), {&emitter.mesh, &emitter.emission_map});
    for (std::string* file : files) {
        if (!file->empty()) *file = change(fs::path(*file)).generic_string();
    }
}

}  // namespace

Scene relocated(Scene scene, const fs::path& folder) {
    const fs::path home = scene.file.parent_path();
    change_files(scene, [&](const fs::path& file) {
        return file.is_absolute() ? file : fs::proximate(fs::absolute(home / file), fs::absolute(folder));
    });
    return scene;
}

Scene without_folders(Scene scene) {
    change_files(scene, [](const fs::path& file) { return file.filename(); });
    return scene;
}

}  // namespace spindrift::sim
