#include "spindrift/stages/frame/body_shapes.h"

#include "spindrift/bodies/shape.h"

namespace spindrift::stages {

const geometry::Mesh& BodyShapes::of(const Scene& scene, std::size_t body) {
    const auto known = shapes_.find(body);
    if (known != shapes_.end()) return known->second;
    return shapes_.emplace(body, bodies::read_surface(scene.body[body], scene.file.parent_path())).first->second;
}

}  // namespace spindrift::stages
