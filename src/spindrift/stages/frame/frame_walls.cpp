#include "spindrift/stages/frame/frame_walls.h"

#include <algorithm>

#include "spindrift/cache/series.h"
#include "spindrift/fluid/liquid.h"

namespace spindrift::stages {

FrameWalls::FrameWalls(const Scene& scene, const cache::Cache& cache) : scene_(scene) {
    double finest = scene.liquid.at(0).spacing, coarsest = finest;
    for (const LiquidParams& liquid : scene.liquid) {
        finest = std::min(finest, liquid.spacing);
        coarsest = std::max(coarsest, liquid.spacing);
    }
    support_ = fluid::support_ratio * coarsest;
    if (!scene.mesh.clip) return;
    const collision::Colliders::Setup setup{.params = scene.collider,
                                            .folder = scene.file.parent_path(),
                                            .cache = cache.folder() / cache::field_folder,
                                            .spacing = finest,
                                            .support = support_,
                                            .fps = scene.fps};
    colliders_.emplace(setup);
    bodies_.emplace(scene, cache, finest, support_);
}

collision::Walls FrameWalls::at(int frame, Vec3d origin) {
    if (!colliders_) return {};
    collision::Walls walls = collision::make_walls(scene_.domain, scene_.collider, origin, support_);
    const double now = frame;
    const collision::StepUnits units{.origin = origin, .h = support_, .dt = 1 / scene_.fps};
    colliders_->place({.from = now, .to = now}, units, walls);
    bodies_->place(frame, units, walls);
    return walls;
}

}  // namespace spindrift::stages
