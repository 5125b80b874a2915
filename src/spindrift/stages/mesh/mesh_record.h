#pragma once
// What the mesh of a frame measures, as manifest.json, mesh/quality.jsonl and the program's summary tell it.
//
//   MeshRecord record{.frame = 42, .particles = 8000};
//   add_quality(record, geometry::measure(mesh, false));
//   std::string line = to_json(record);
//   for (const MeshRecord& each : mesh_records(manifest)) plot(each.frame, each.volume_ratio());

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/io/manifest.h"

namespace spindrift::stages {

/// Of several liquids: of the closed meshes of all together.
struct MeshRecord {
    int frame = 0;
    std::size_t particles = 0;
    std::size_t points = 0, triangles = 0;
    double volume = 0, particle_volume = 0;  ///< m^3
    double area = 0;                         ///< m^2
    std::size_t pieces = 0;
    std::int64_t genus = 0;  ///< -1 if a mesh is not closed
    bool watertight = true, manifold = true, oriented = true;
    double shortest = 0, mean = 0, longest = 0;  ///< edges, m
    std::size_t slivers = 0;
    std::int64_t crossings = -1;  ///< -1: not counted
    std::size_t dropped = 0;      ///< pieces that were too small
    std::size_t skipped = 0;      ///< particles that are not finite
    std::size_t added = 0;        ///< particles between those at the surface
    double seconds = 0;

    /// Volume of the mesh by that of the particles; 1 where there is nothing.
    double volume_ratio() const { return particle_volume > 0 ? volume / particle_volume : 1; }
    bool sound() const { return watertight && manifold && oriented && crossings <= 0; }

    friend bool operator==(const MeshRecord&, const MeshRecord&) = default;
};

/// Adds a closed mesh of the frame.
void add_quality(MeshRecord& record, const geometry::MeshQuality& quality);

/// JSON object without a line break.
std::string to_json(const MeshRecord& record);

/// Nothing if this is not what to_json() wrote.
std::optional<MeshRecord> parse_mesh_record(std::string_view json);

/// Whether an entry of the manifest holds one.
bool tells_quality(const io::FrameEntry& entry);
/// Of all frames of a series that tell theirs, in order.
std::vector<MeshRecord> mesh_records(std::span<const io::FrameEntry> frames);
/// Of the meshes of a cache, or of its level sets if there are no meshes.
std::vector<MeshRecord> mesh_records(const io::Manifest& manifest);

/// `3 frames: all watertight and manifold; volume 0.998 to 1.004 of the particles'`, or which frame is not and why.
std::string describe(std::span<const MeshRecord> records);

}  // namespace spindrift::stages
