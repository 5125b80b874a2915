#pragma once
// What the files of a cache tell of the solver's grids, for `spindrift info`.
//
//   text += grid_table(last_grids(folder, manifest));

#include <filesystem>
#include <string>
#include <vector>

#include "spindrift/grid/volume.h"
#include "spindrift/io/manifest.h"
#include "spindrift/params/value.h"

namespace spindrift::cli {

/// Those of the last frame that has any; none if they cannot be read, of which `resume` has more to say.
std::vector<grid::Volume> last_grids(const std::filesystem::path& folder, const io::Manifest& manifest);

std::string grid_table(const std::vector<grid::Volume>& grids);
Value grid_list(const std::vector<grid::Volume>& grids);

}  // namespace spindrift::cli
