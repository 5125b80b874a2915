#include "cli/commands.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include <fmt/format.h>

#include "spindrift/bodies/rigid/rigid_world.h"
#include "spindrift/bodies/soft/soft_body.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/text.h"
#include "spindrift/fluid/liquid.h"

namespace spindrift::cli {

namespace {

/// A line for each body: what it weighs.
std::string body_lines(const Scene& scene) {
    if (scene.body.empty()) return "";
    const std::filesystem::path folder = scene.file.parent_path();
    const bodies::RigidWorld world({.params = scene.body, .folder = folder, .fps = scene.fps});
    std::string text = fmt::format("{} {}\n", scene.body.size(), scene.body.size() == 1 ? "body" : "bodies");
    for (std::size_t i = 0; i < scene.body.size(); ++i) {
        const bodies::BodyParams& params = scene.body[i];
        double mass = 0, volume = 0;
        if (params.deforms()) {
            const double spacing = scene.liquid.at(0).spacing;
            const bodies::SoftBody body(
                params, {.folder = folder, .spacing = spacing, .support = fluid::support_ratio * spacing});
            mass = body.mass();
            volume = body.volume();
        } else {
            mass = world.mass(i).mass;
            volume = world.mass(i).volume;
        }
        text += fmt::format("  {}: {}, {:.4g} kg", params.name.empty() ? fmt::format("{}", i) : params.name,
                            word(params.kind), mass);
        if (volume > 0) text += fmt::format(", {:.4g} m^3, {:.4g} kg/m^3", volume, mass / volume);
        text += "\n";
    }
    return text;
}

}  // namespace

void check(const CheckCommand& command, Terminal& terminal) {
    const Interruptible work(terminal, "stopped before the check was complete");
    if (is_cache(command.source.path)) return check_cache(command, terminal);
    if (command.remove) throw UsageError("--remove is for caches; a scene has nothing to remove");
    const Scene scene = load_source(command.source);
    const Estimate e = estimate(scene);
    const std::string bodies = body_lines(scene);
    work.check();
    terminal.print(fmt::format("{}: ok: {}{} particles, frames {} to {} at {} fps\n{}{}", command.source.path.string(),
                               e.exact ? "" : "about ", format_count(e.particles), scene.frames[0], scene.frames[1],
                               format_number(scene.fps), stage_lines(e), bodies));
}

}  // namespace spindrift::cli
