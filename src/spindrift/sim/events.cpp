// What a frame's statistics tell of what went wrong. An event is a kind, a colon, what happened and what to do about
// it.

#include <fmt/format.h>

#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

void Simulation::describe_events(io::FrameStatistics& statistics) {
    std::vector<std::string>& events = statistics.events;
    if (limited_) {
        events.push_back(
            fmt::format("substeps limited: particles moved farther than {}.cfl allows; raise solver.substeps",
                        scene_.solver.on_grid() ? "flip" : "solver"));
    }
    if (guarded_) events.push_back("energy guard: iterations were adding energy and ran without acceleration");
    if (not_converged_) {
        events.push_back(
            scene_.solver.on_grid()
                ? "not converged: the pressure did not meet flip.tolerance; raise the least of solver.substeps"
                : "not converged: solver.tolerance was not met within solver.iterations");
    }
    if (viscosity_limited_) {
        events.push_back("viscosity limited: the implicit solve did not converge; raise the least of solver.substeps");
    }
    if (tension_limited_) {
        events.push_back(
            "tension limited: substeps are too long for the surface tension, which acts more weakly; raise the most of "
            "solver.substeps");
    }
    if (const std::size_t leaked = colliders_.empty() ? 0 : count_leaked(); leaked > 0) {
        events.push_back(fmt::format(
            "leaks: {} particles are inside colliders; give the collider a finer 'cell', or a larger 'thickness' if it "
            "is a shell",
            leaked));
    }
    if (escaped_ > 0) events.push_back(fmt::format("escaped: {} particles left the range of coordinates", escaped_));
    verdict_ = Health(scene_, bound_)
                   .judge({.particles = &particles_,
                           .density = density_,
                           .bodies = &bodies_,
                           .frame = frame_,
                           .substeps = substeps_});
    events.insert(events.end(), verdict_.events.begin(), verdict_.events.end());
}

}  // namespace spindrift::sim
