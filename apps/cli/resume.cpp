#include "commands.h"
#include "inputs.h"
#include "run.h"

#include "spindrift/core/parallel.h"

namespace spindrift::cli {

void resume(const ResumeCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const std::filesystem::path folder = find_cache(command.path);
    Scene scene = sim::load_cached_scene(folder);
    if (command.last) {
        scene.frames[1] = *command.last;
        validate_scene(scene);
    }
    sim::RunOptions options;
    options.folder = folder;
    options.from = command.from;
    options.must_exist = true;
    simulate(scene, options, terminal);
}

}  // namespace spindrift::cli
