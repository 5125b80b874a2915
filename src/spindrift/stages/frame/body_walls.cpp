#include "spindrift/stages/frame/body_walls.h"

#include <algorithm>

#include "spindrift/bodies/shape.h"
#include "spindrift/collision/fields/field_cache.h"
#include "spindrift/stages/frame/frame_bodies.h"

namespace spindrift::stages {

namespace {

/// Between two poses that are turned against each other by less than a half turn: the first at 0, the second at 1.
geometry::Pose blend(const geometry::Pose& a, const geometry::Pose& b, double share) {
    if (share == 0) return a;
    if (share == 1) return b;
    const auto mix = [&](Vec3d p, Vec3d q) { return p * (1 - share) + q * share; };
    const Vec3d x = mix(a.x, b.x), z = cross(x, mix(a.y, b.y));
    if (!(length(x) > 0) || !(length(z) > 0)) return share < 0.5 ? a : b;
    geometry::Pose pose{.position = mix(a.position, b.position), .x = normalize(x), .z = normalize(z)};
    pose.y = cross(pose.z, pose.x);
    return pose;
}

}  // namespace

BodyWalls::BodyWalls(const Scene& scene, const cache::Cache& cache, double spacing, double support)
    : scene_(scene), cache_(cache) {
    for (std::size_t i = 0; i < scene.body.size(); ++i) {
        if (!scene.body[i].pushes_liquid()) continue;
        Entry entry;
        entry.body = i;
        const bool deforms = scene.body[i].deforms();
        const Vec3d size = deforms ? Vec3d{} : geometry::bounds(shapes_.of(scene, i)).size();
        entry.settings = bodies::field_settings(scene.body[i], i, size, spacing, support);
        if (!deforms)
            entry.field =
                collision::cached_field(cache.folder() / cache::field_folder, shapes_.of(scene, i), entry.settings);
        entries_.push_back(std::move(entry));
    }
}

const sim::BodyFrame& BodyWalls::bodies_at(int frame) {
    const auto known = read_.find(frame);
    if (known != read_.end()) return known->second;
    if (read_.size() > 1) read_.erase(read_.begin());
    return read_[frame] = read_bodies(scene_, cache_, frame);
}

void BodyWalls::make_field_of(Entry& entry, int frame) {
    entry.field = collision::make_field(
        sim::body_surface(bodies_at(frame), entry.body, shapes_.of(scene_, entry.body), cache_.folder()),
        entry.settings);
}

void BodyWalls::add(const Entry& entry, const collision::Placement& placement, const collision::StepUnits& units,
                    collision::Walls& walls) const {
    collision::WallField wall = collision::place_field(entry.field, placement, units);
    if (!entry.field.closed) {
        const double least = 2.0 * collision::least_half_thickness * entry.field.cell;
        wall.thickness = static_cast<float>(std::max(entry.settings.thickness, least) / units.h);
    }
    walls.fields.push_back(wall);
}

void BodyWalls::place(int frame, const collision::StepUnits& units, collision::Walls& walls) {
    place_between(frame, {0, 0}, units, walls);
}

void BodyWalls::place_between(int frame, std::array<double, 2> shares, const collision::StepUnits& units,
                              collision::Walls& walls) {
    if (entries_.empty()) return;
    const bool moves = shares[1] > 0;
    const std::vector<geometry::Pose> now = bodies_at(frame).poses;
    const std::vector<geometry::Pose> next = moves ? bodies_at(frame + 1).poses : now;
    for (Entry& entry : entries_) {
        if (scene_.body[entry.body].deforms()) {
            if (fields_at_ != frame) make_field_of(entry, frame);
            add(entry, {}, units, walls);
            continue;
        }
        const geometry::Pose &a = now[entry.body], &b = next[entry.body];
        add(entry, {blend(a, b, shares[0]), blend(a, b, shares[1])}, units, walls);
    }
    fields_at_ = frame;
}

}  // namespace spindrift::stages
