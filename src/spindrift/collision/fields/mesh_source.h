#pragma once
// Where a collider's triangles come from: its shape, one file, or a file per frame.
//
//   MeshSource source(params, scene_folder);
//   const geometry::Mesh& now = source.at(12);           // of frame 12; the first or last file beyond the sequence

#include <filesystem>
#include <map>
#include <string>

#include "spindrift/collision/params.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/mesh_report.h"

namespace spindrift::collision {

class MeshSource {
  public:
    /// Throws IoError if there is no file to begin with, or if a sequence has gaps.
    MeshSource(const ColliderParams& params, const std::filesystem::path& folder);

    bool deforms() const { return first_ != last_ || params_.scale.moves(); }
    /// The file a frame shows, also if it has to be one before or behind the sequence; for messages.
    std::filesystem::path file(int frame) const;
    /// In the body's space, scaled. Keeps the two files read last. Throws IoError.
    const geometry::Mesh& at(int frame);
    /// Of the file read first.
    const geometry::MeshReport& report();

  private:
    int number(int frame) const;
    void find_files();

    ColliderParams params_;
    std::filesystem::path folder_, pattern_;
    int first_ = 0, last_ = 0;              ///< numbers of files
    std::map<int, geometry::Mesh> meshes_;  ///< by number of file, or by frame if the size changes
    geometry::MeshReport report_;
    bool reported_ = false;
};

}  // namespace spindrift::collision
