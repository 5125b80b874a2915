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

collision::FieldSettings field_settings(const BodyParams& params, std::size_t index, double spacing, double support) {
    collision::FieldSettings settings;
    settings.cell = params.cell.value_or(spacing);
    settings.mode = params.kind == Kind::cloth ? collision::Mode::shell : collision::Mode::solid_inside;
    settings.thickness = params.thickness.value_or(0);
    settings.band = collision::band_radii * support;
    settings.depth = collision::depth_radii * support;
    settings.name = params.name.empty() ? fmt::format("{}", index) : params.name;
    return settings;
}

}  // namespace spindrift::bodies
