#pragma once
// Surfaces of bodies as the scene gives them, each file read once, however many frames ask.
//
//   BodyShapes shapes;
//   const geometry::Mesh& crate = shapes.of(scene, 0);

#include <cstddef>
#include <map>

#include "spindrift/geometry/mesh.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

class BodyShapes {
  public:
    /// In the body's own space. Throws IoError for files that cannot be read.
    const geometry::Mesh& of(const Scene& scene, std::size_t body);

  private:
    std::map<std::size_t, geometry::Mesh> shapes_;
};

}  // namespace spindrift::stages
