#include "spindrift/stages/pictures/setup_look.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "spindrift/emitters/pose.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/write_mesh.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using emitters::EmitterParams;
using geometry::Mesh;

/// Linear; nothing else in pictures has it unless the scene says so.
constexpr Vec3d emitter_color{1, 0.3, 0.02};

void append(Mesh& mesh, const Mesh& more) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), more.points.begin(), more.points.end());
    for (const geometry::Triangle& t : more.triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

/// A plate as large as the opening and an arrow out of it, in the axes of the nozzle.
Mesh nozzle_mesh(const EmitterParams& emitter) {
    const double wide = emitter.disc ? emitter.disc->radius : 0.5 * emitter.rectangle->size[0];
    const double high = emitter.disc ? wide : 0.5 * emitter.rectangle->size[1];
    // Of a long slot the arrow is as long as a square opening of the same size has it.
    const double large = std::sqrt(wide * high), thick = 0.05 * large;
    Mesh drawn;
    if (emitter.disc)
        append(drawn, geometry::make_cylinder({0, 0, -thick}, {0, 0, 0}, wide));
    else
        append(drawn, geometry::make_box({{-wide, -high, -thick}, {wide, high, 0}}));
    append(drawn, geometry::make_cylinder({0, 0, 0}, {0, 0, 2 * large}, thick));
    append(drawn, geometry::make_sphere({0, 0, 2 * large}, 2 * thick));
    return drawn;
}

Mesh volume_mesh(const EmitterParams& emitter) {
    if (emitter.box) return geometry::make_box(*emitter.box);
    if (emitter.sphere) return geometry::make_sphere(emitter.sphere->center, emitter.sphere->radius);
    return geometry::make_cylinder(emitter.cylinder->base, emitter.cylinder->top, emitter.cylinder->radius);
}

collision::ColliderParams shown(const EmitterParams& emitter, double frame, const fs::path& file) {
    collision::ColliderParams solid;
    solid.color = emitter_color;
    if (!emitter.mesh.empty()) {
        solid.mesh = emitter.mesh;
        solid.scale = emitter.scale;
        solid.start = emitter.start;
        solid.position = emitter.position;
        solid.rotation_deg = emitter.rotation_deg;
        return solid;
    }
    Mesh mesh = emitter.is_nozzle() ? nozzle_mesh(emitter) : volume_mesh(emitter);
    geometry::transform(mesh, 1, emitters::pose_at(emitter, frame));
    geometry::write_obj(file, mesh);
    solid.mesh = file.string();
    if (!emitter.is_nozzle()) solid.opacity = 0.3;
    return solid;
}

}  // namespace

Scene with_emitters_shown(const Scene& scene, const fs::path& folder) {
    Scene drawn = scene;
    for (std::size_t i = 0; i < scene.emitter.size(); ++i) {
        const EmitterParams& emitter = scene.emitter[i];
        const auto solid = std::ranges::find(drawn.collider, emitter.collider, &collision::ColliderParams::name);
        if (!emitter.collider.empty()) {
            if (solid != drawn.collider.end()) solid->color = emitter_color;
            continue;
        }
        drawn.collider.push_back(
            shown(emitter, scene.frames[0], fs::absolute(folder) / fmt::format("emitter{}.obj", i)));
        drawn.collider.back().name = emitter.name.empty() ? fmt::format("emitter {}", i) : emitter.name;
    }
    return drawn;
}

}  // namespace spindrift::stages
