#include "spindrift/sim/body_walls.h"

#include <algorithm>

#include "spindrift/bodies/shape.h"
#include "spindrift/collision/field_cache.h"
#include "spindrift/io/frames.h"
#include "spindrift/io/npz.h"
#include "spindrift/sim/body_files.h"
#include "spindrift/sim/run.h"

namespace spindrift::sim {

BodyWalls::BodyWalls(const Scene& scene, const std::filesystem::path& folder, double spacing, double support)
    : scene_(scene), folder_(folder) {
    for (std::size_t i = 0; i < scene.body.size(); ++i) {
        if (!scene.body[i].pushes_liquid()) continue;
        Entry entry;
        entry.body = i;
        entry.settings = bodies::field_settings(scene.body[i], i, spacing, support);
        if (!scene.body[i].deforms())
            entry.field = collision::cached_field(folder / field_folder, meshes_.shape(scene, i), entry.settings);
        entries_.push_back(std::move(entry));
    }
}

void BodyWalls::place(int frame, const collision::StepUnits& units, collision::Walls& walls) {
    if (entries_.empty()) return;
    const std::filesystem::path path = io::frame_path(folder_, body_stage, scene_.output.name, frame, "npz");
    const BodyFrame now = body_frame(scene_, io::read_npz(path, io::Lengths::any), path);
    for (Entry& entry : entries_) {
        geometry::Pose pose = now.poses[entry.body];
        if (scene_.body[entry.body].deforms()) {
            entry.field = collision::make_field(body_surface(now, entry.body, meshes_.shape(scene_, entry.body), path),
                                                entry.settings);
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

}  // namespace spindrift::sim
