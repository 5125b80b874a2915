#pragma once
// Grids to and from OpenVDB files, as other programs exchange them: metres, voxels are cells, vectors staggered.
//
//   write_file("water.0042.vdb", vdb_content(volumes, {.frame = 42, .time = 1.75, .solver = "apic"}));
//   Volume pressure = read_vdb_volume("water.0042.vdb", "pressure");      // the same bits

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "spindrift/grid/volume.h"

namespace spindrift::grid {

struct VdbNotes {
    int frame = 0;
    double time = 0, fps = 24;
    std::string solver{};
};

/// The bytes of a file with these grids. Leaves that hold nothing but the background are left out. Same grids, same
/// bytes: the file's unique tag is made of its content.
std::string vdb_content(std::span<const Volume> volumes, const VdbNotes& notes);

/// All grids of floats and staggered vectors in a file; others are passed over. Throws IoError if it is not a whole
/// OpenVDB file, or a grid is turned, distorted or too large.
std::vector<Volume> read_vdb_volumes(const std::filesystem::path& path);

/// The one of this name; throws IoError if it is not among them.
Volume read_vdb_volume(const std::filesystem::path& path, const std::string& name);

}  // namespace spindrift::grid
