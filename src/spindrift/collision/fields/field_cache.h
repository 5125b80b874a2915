#pragma once
// Fields kept in files, so that a scene that is run again need not make them again.
//
//   Field field = cached_field(cache / "fields", mesh, settings);     // fields/cup.59f1....field

#include <filesystem>
#include <optional>

#include "spindrift/collision/fields/make_field.h"

namespace spindrift::collision {

/// What make_field gives, from a file in the folder if one was made of the same mesh and settings; else made and kept.
/// A file that is damaged is made anew; one that cannot be written is a warning. No folder, no file.
Field cached_field(const std::filesystem::path& folder, const geometry::Mesh& mesh, const FieldSettings& settings);

/// Name of the file for a mesh and settings.
std::string field_file_name(const geometry::Mesh& mesh, const FieldSettings& settings);

void write_field(const std::filesystem::path& path, const Field& field);
/// Nothing if the file is missing or not exactly what was written.
std::optional<Field> read_field(const std::filesystem::path& path);

}  // namespace spindrift::collision
