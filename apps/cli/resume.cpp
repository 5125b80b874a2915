#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/run.h"

#include "spindrift/cache/scene_copy.h"
#include "spindrift/core/parallel.h"

namespace spindrift::cli {

void resume(const ResumeCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const std::filesystem::path folder = find_cache(command.path);
    Scene scene = cache::load_cached_scene(folder);
    if (command.last) {
        scene.frames[1] = *command.last;
        validate_scene(scene);
    }
    stages::RunOptions options;
    options.folder = folder;
    options.from = command.from;
    options.must_exist = true;
    options.command = command.words;
    simulate(scene, options, terminal);
}

}  // namespace spindrift::cli
