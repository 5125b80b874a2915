#include "spindrift/stages/frame/body_walls.h"

#include <algorithm>

#include "spindrift/bodies/shape.h"
#include "spindrift/collision/fields/field_cache.h"
#include "spindrift/stages/frame/frame_bodies.h"

namespace spindrift::stages {

BodyWalls::BodyWalls(const Scene& scene, const cache::Cache& cache, double spacing, double support)
    : scene_(scene), cache_(cache) {
    for (std::size_t i = 0; i < scene.body.size(); ++i) {
        if (!scene.body[i].pushes_liquid()) continue;
        Entry entry;
        entry.body = i;
        entry.settings = bodies::field_settings(scene.body[i], i, spacing, support);
        if (!scene.body[i].deforms())
            entry.field =
                collision::cached_field(cache.folder() / cache::field_folder, shapes_.of(scene, i), entry.settings);
        entries_.push_back(std::move(entry));
    }
}

void BodyWalls::place(int frame, const collision::StepUnits& units, collision::Walls& walls) {
    if (entries_.empty()) return;
    const sim::BodyFrame now = read_bodies(scene_, cache_, frame);
    for (Entry& entry : entries_) {
        geometry::Pose pose = now.poses[entry.body];
        if (scene_.body[entry.body].deforms()) {
            entry.field = collision::make_field(
                sim::body_surface(now, entry.body, shapes_.of(scene_, entry.body), cache_.folder()), entry.settings);
            pose = {};
        }
        collision::WallField wall = collision::place_field(entry.field, {pose, pose}, units);
        if (!entry.field.closed) {
            const double least = 2.0 * collision::least_half_thickness * entry.field.cell;
            wall.thickness = static_cast<float>(std::max(entry.settings.thickness, least) / units.h);
        }
        walls.fields.push_back(wall);
    }
}

}  // namespace spindrift::stages
