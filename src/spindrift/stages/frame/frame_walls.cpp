#include "spindrift/stages/frame/frame_walls.h"

#include "spindrift/cache/series.h"

namespace spindrift::stages {

FrameWalls::FrameWalls(const Scene& scene, const cache::Cache& cache) : scene_(scene) {
    if (!scene.mesh.clip) return;
    environment_.emplace(scene, cache.folder() / cache::field_folder);
    bodies_.emplace(scene, cache, environment_->spacing(), environment_->support());
}

collision::Walls FrameWalls::at(int frame, Vec3d origin) {
    if (!environment_) return {};
    collision::Walls walls = environment_->walls(origin);
    const double now = frame;
    const collision::StepUnits units{.origin = origin, .h = environment_->support(), .dt = 1 / scene_.fps};
    environment_->place({.from = now, .to = now}, units, walls);
    bodies_->place(frame, units, walls);
    return walls;
}

}  // namespace spindrift::stages
