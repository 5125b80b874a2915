#pragma once
// Whitewater of a cache, as `spindrift whitewater` and `spindrift run` make it.

#include "cli/terminal.h"

#include "spindrift/scene/scene.h"
#include "spindrift/stages/whitewater/whitewater_stage.h"

namespace spindrift::cli {

void make_whitewater(const Scene& scene, const stages::WhitewaterOptions& options, Terminal& terminal);

}  // namespace spindrift::cli
