// What a frame's statistics tell of what went wrong. An event is a kind, a colon, what happened and what to do about
// it.

#include <fmt/format.h>

#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

void Simulation::describe_events(io::FrameStatistics& statistics) {
    std::vector<std::string>& events = statistics.events;
    for (const fluid::StepFlagInfo& each : fluid::step_flags) {
        if (!sums_.flags.has(each.flag)) continue;
        events.emplace_back(scene_.solver.info().grid && each.event_on_grid ? each.event_on_grid : each.event);
    }
    if (const std::size_t leaked = environment_.colliders().empty() ? 0 : count_leaked(); leaked > 0) {
        events.push_back(fmt::format(
            "leaks: {} particles are inside colliders; give the collider a finer 'cell', or a larger 'thickness' if it "
            "is a shell",
            leaked));
    }
    if (sums_.escaped > 0)
        events.push_back(fmt::format("escaped: {} particles left the range of coordinates", sums_.escaped));
    verdict_ = health::Health(scene_, bound_)
                   .judge({.particles = &particles_,
                           .density = density_,
                           .bodies = &bodies_,
                           .frame = frame_,
                           .substeps = sums_.substeps});
    events.insert(events.end(), verdict_.events.begin(), verdict_.events.end());
}

}  // namespace spindrift::sim
