#pragma once
// What `run` and `resume` have in common.

#include "cli/terminal.h"

#include "spindrift/scene/scene.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::cli {

/// Simulates with progress on the terminal and says in the end what was done and what may come next.
void simulate(const Scene& scene, const stages::RunOptions& options, Terminal& terminal);

}  // namespace spindrift::cli
