#include "spindrift/bodies/shape.h"

#include "spindrift/collision/mesh_source.h"
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

}  // namespace spindrift::bodies
