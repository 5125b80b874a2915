#pragma once
// Where whitewater would be born, for the eye and for solvers of other programs: name.emit.0042.vdb.

#include <filesystem>

#include "spindrift/core/atomic_file.h"
#include "spindrift/stages/whitewater/liquid_frame.h"
#include "spindrift/stages/whitewater/whitewater_stage.h"

namespace spindrift::stages {

/// Grids on cells two spacings wide: `emit`, particles per cubic metre and second, `surface`, distance in m, and `vel`,
/// m/s.
WrittenFile write_emission(const std::filesystem::path& folder, const Scene& scene, const LiquidFrame& frame,
                           const EmissionRecord& record);

}  // namespace spindrift::stages
