#pragma once
// Which places of a surface the pixels of a picture over its UVs show.
//
//   for (const WetTexel& each : find_wet_texels(mesh, 512, "rock.obj")) use(each.texel, each.on(mesh));

#include <cstdint>
#include <filesystem>
#include <vector>

#include "spindrift/geometry/mesh.h"

namespace spindrift::collision {

/// One pixel and a place that it shows; where UVs overlap a pixel has several.
struct WetTexel {
    std::uint32_t texel;  ///< rows from the top
    std::uint32_t triangle;
    float b, c;  ///< weights of the second and third corner

    Vec3f on(const geometry::Mesh& mesh) const {
        const auto& [p, q, r] = mesh.triangles[triangle];
        return mesh.points[p] * (1 - b - c) + mesh.points[q] * b + mesh.points[r] * c;
    }
};

/// In order of the triangles, then one pixel around them all against seams. The picture is a square and repeats outside
/// of 0 to 1. Throws IoError in the name of `file` if there are no UVs, or if they lie over the picture many times.
std::vector<WetTexel> find_wet_texels(const geometry::Mesh& mesh, int resolution, const std::filesystem::path& file);

}  // namespace spindrift::collision
