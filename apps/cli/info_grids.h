#pragma once
// What the files of a cache tell of the solver's grids, for `spindrift info`.
//
//   text += grid_table(last_grids(folder, manifest));

#include <filesystem>
#include <string>
#include <vector>

#include "spindrift/io/manifest.h"
#include "spindrift/params/value.h"

namespace spindrift::cli {

/// One grid of a file: cells that hold something, and the range of their values, of all components.
struct GridRow {
    std::string name, type, unit;
    double cell = 0;  ///< m
    std::size_t cells = 0;
    double low = 0, high = 0;
};

/// Of an OpenVDB file, whoever wrote it. Throws IoError if it cannot be read.
std::vector<GridRow> grids_of(const std::filesystem::path& path);
/// Those of the last frame that has any; none if they cannot be read, of which `resume` has more to say.
std::vector<GridRow> last_grids(const std::filesystem::path& folder, const io::Manifest& manifest);

std::string grid_table(const std::vector<GridRow>& grids);
Value grid_list(const std::vector<GridRow>& grids);

}  // namespace spindrift::cli
