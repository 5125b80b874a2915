#pragma once
// What stands still around the liquid of a picture: plain boxes, the floor, the edges of the domain.
//
//   render::RenderScene picture = surroundings(scene, camera.target);
//   picture.floor = floor_of(scene, image, 1.25, true);

#include <filesystem>
#include <memory>

#include "spindrift/image/image.h"
#include "spindrift/render/render_scene.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// What stands still and needs no mesh, moved by `-origin`.
render::RenderScene surroundings(const Scene& scene, Vec3d origin);

/// The file on the floor; empty if there is none.
std::filesystem::path floor_image(const Scene& scene);

/// Reads it; nullptr if there is none. Throws IoError.
std::shared_ptr<const image::Image> read_floor_image(const Scene& scene);

/// The floor of a shot whose longest side is `size` metres. `clear` says that liquid bends the view of it.
render::Floor floor_of(const Scene& scene, const image::Image* image, double size, bool clear, Vec3d origin);

}  // namespace spindrift::stages
