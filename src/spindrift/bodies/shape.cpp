#include "spindrift/bodies/shape.h"

#include <fmt/format.h>

#include "spindrift/bodies/soft/soft_mesh.h"
#include "spindrift/collision/fields/mesh_source.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::bodies {

geometry::Mesh read_shape(const BodyParams& params, const std::filesystem::path& folder) {
    if (!params.capsule && !params.sheet) return collision::MeshSource(params.shape(), folder).at(0);
    geometry::Mesh mesh =
        params.sheet ? geometry::make_sheet(params.sheet->size, params.sheet->cells)
                     : geometry::make_capsule(params.capsule->base, params.capsule->top, params.capsule->radius);
    geometry::transform(mesh, params.scale, {});
    return mesh;
}

geometry::Mesh read_surface(const BodyParams& params, const std::filesystem::path& folder) {
    geometry::Mesh mesh = read_shape(params, folder);
    return params.kind == Kind::soft ? make_solid_mesh(mesh, params).surface : mesh;
}

namespace {

/// A body as small as a few particles is known by cells of its own size, no smaller than its largest side wants.
double default_cell(const BodyParams& params, Vec3d size, double spacing) {
    if (params.deforms()) return spacing;
    constexpr double across = 6, along = 64;
    const double least = std::min({size.x, size.y, size.z}), largest = std::max({size.x, size.y, size.z});
    return std::min(spacing, std::max(least / across, largest / along));
}

}  // namespace

collision::FieldSettings field_settings(const BodyParams& params, std::size_t index, Vec3d size, double spacing,
                                        double support) {
    collision::FieldSettings settings;
    settings.cell = params.cell.value_or(default_cell(params, size, spacing));
    settings.mode = params.kind == Kind::cloth ? collision::Mode::shell : collision::Mode::solid_inside;
    settings.thickness = params.thickness.value_or(0);
    settings.band = collision::band_radii * support;
    settings.depth = collision::depth_radii * support;
    settings.name = params.name.empty() ? fmt::format("{}", index) : params.name;
    return settings;
}

}  // namespace spindrift::bodies
