#pragma once
// What the writers of meshes share.
//
//   const SplitPoints split = split_at_seams(mesh);
//   FreeNames names({"x", "y", "z"});
//   std::string property = names.take("x");                     // "x_"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// Points with one texture coordinate each: `source` names the mesh's point. All are empty if corners have no
/// coordinates; the mesh's own points and triangles are meant then.
struct SplitPoints {
    std::vector<std::uint32_t> source;
    std::vector<Uv> uv;
    std::vector<Triangle> triangles;
};

/// The first coordinate of a point keeps its number, so a mesh without seams keeps the order of its points.
SplitPoints split_at_seams(const Mesh& mesh);

/// That attributes have their values and corners their coordinates: our own mistake if not.
void check_sizes(const Mesh& mesh);

/// The attribute `uv` of two numbers, unless the corners have coordinates of their own, which count then.
const Attribute* point_uv(const Mesh& mesh);

/// Whether this is an attribute of that name and width.
inline bool is_attribute(const Attribute& each, std::string_view name, int width) {
    return each.name == name && each.width == width;
}

/// Names of letters, digits and underscores, each given out once.
class FreeNames {
  public:
    explicit FreeNames(std::vector<std::string> taken) : taken_(std::move(taken)) {}
    /// The name, with what formats do not allow replaced, and underscores behind it if it is taken.
    std::string take(std::string_view wanted);

  private:
    std::vector<std::string> taken_;
};

}  // namespace spindrift::geometry
