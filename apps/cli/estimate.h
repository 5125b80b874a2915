#pragma once
// What a scene would take, before it is simulated.
//
//   const Estimate e = estimate(scene);     // e.particles, e.run.memory_bytes, e.mesh.seconds
//   terminal.print(stage_lines(e));

#include <optional>
#include <string>

#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift::cli {

/// Of all frames of a verb.
struct StageEstimate {
    double seconds = 0;       ///< on two cores
    double memory_bytes = 0;  ///< of the whole program
    double disk_bytes = 0;
};

struct Estimate {
    double particles = 0;
    bool exact = false;   ///< placed, not only reckoned from volumes
    double substeps = 0;  ///< per frame
    int frames = 0;
    double field_bytes = 0;  ///< of distance fields, which the others have in theirs
    StageEstimate run, mesh, render;
    std::optional<StageEstimate> whitewater{};  ///< as much as a splash has; calm liquid has none
};

/// Throws SceneError if there would be no particles.
Estimate estimate(const Scene& scene);

/// A line for each verb: time, memory, disk.
std::string stage_lines(const Estimate& estimate);
/// The same as a table by verb.
Value stage_table(const Estimate& estimate);

}  // namespace spindrift::cli
