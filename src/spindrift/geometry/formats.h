#pragma once
// The readers of single formats behind read_mesh.h. They take what a file holds and throw IoError; triangles may still
// have any defect.
//
//   Mesh mesh = read_stl("bolt.stl", read_file("bolt.stl"));

#include <filesystem>
#include <string>

#include "spindrift/core/errors.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

Mesh read_obj(const std::filesystem::path& path, std::string bytes);
Mesh read_ply(const std::filesystem::path& path, const std::string& bytes);
Mesh read_stl(const std::filesystem::path& path, const std::string& bytes);
/// Buffers of their own files are looked for beside `path`.
Mesh read_gltf(const std::filesystem::path& path, const std::string& bytes);

/// "bolt.stl: <text>; export it again".
IoError damaged(const std::filesystem::path& path, const std::string& text);

/// Number of a corner that no point has; clean() takes its triangle away.
inline constexpr std::uint32_t bad_corner = 0xffffffff;
/// A mesh may have fewer points than this, so that all numbers but `bad_corner` are good.
inline constexpr std::uint64_t most_points = 0xffffffff;

}  // namespace spindrift::geometry
