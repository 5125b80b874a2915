#pragma once
// What the meshes of a cache measure, for `spindrift info`.
//
//   text += mesh_plots(stages::mesh_records(manifest));

#include <string>
#include <vector>

#include "spindrift/params/value.h"
#include "spindrift/stages/mesh/mesh_record.h"

namespace spindrift::cli {

/// A name, the values' course, and their least and largest.
std::string plot_line(const char* name, const char* unit, const std::vector<double>& values);

/// Empty if there are no meshes.
std::string mesh_plots(const std::vector<stages::MeshRecord>& records);

/// One object for each frame.
Value mesh_list(const std::vector<stages::MeshRecord>& records);

}  // namespace spindrift::cli
