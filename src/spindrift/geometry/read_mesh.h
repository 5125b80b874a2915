#pragma once
// Meshes from files: Wavefront .obj, .ply, .stl and glTF (.gltf .glb).
//
//   MeshFile file = read_mesh("bowl.obj");
//   std::string state = describe_defects(file.report);          // "open (12 edges)"

#include <filesystem>

#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/mesh_report.h"

namespace spindrift::geometry {

struct MeshFile {
    Mesh mesh;  ///< already cleaned
    MeshReport report;
};

/// Reads by the ending of the name, large or small letters; throws IoError. Polygons become triangles, coordinates are
/// taken as metres with y up, as they are.
MeshFile read_mesh(const std::filesystem::path& path);

}  // namespace spindrift::geometry
