#include "commands.h"
#include "estimate.h"
#include "inputs.h"
#include <fmt/format.h>

#include "spindrift/core/text.h"

namespace spindrift::cli {

void check(const CheckCommand& command, Terminal& terminal) {
    const Scene scene = load_source(command.source);
    const Estimate e = estimate(scene);
    terminal.print(fmt::format("{}: ok: {}{} particles, frames {} to {} at {} fps, {} of memory, {} on disk\n",
                               command.source.path.string(), e.exact ? "" : "about ", format_count(e.particles),
                               scene.frames[0], scene.frames[1], format_number(scene.fps), format_bytes(e.memory_bytes),
                               format_bytes(e.frame_bytes * e.frames)));
}

}  // namespace spindrift::cli
