#include "spindrift/stages/pictures/surroundings.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "spindrift/image/read_image.h"
#include "spindrift/stages/pictures/collider_meshes.h"

namespace spindrift::stages {

namespace {

using render::FloorPattern;

/// Of the coarsest liquid.
float particle_radius(const Scene& scene) {
    double spacing = 0;
    for (const LiquidParams& each : scene.liquid)
        spacing = std::max(spacing, each.spacing);
    return static_cast<float>(0.5 * spacing);
}

Box3d shifted(const Box3d& box, Vec3d by) {
    return {box.lo + by, box.hi + by};
}

/// The floor under everything: of the domain, or a collider plane that lies flat.
std::optional<double> ground_height(const Scene& scene) {
    if (scene.domain) {
        const auto& open = scene.domain->open;
        const bool has_floor = std::find(open.begin(), open.end(), collision::Side::bottom) == open.end();
        if (has_floor) return scene.domain->box.lo.y;
    }
    for (const collision::ColliderParams& collider : scene.collider) {
        if (!collider.plane) continue;
        const Vec3d n = collider.plane->normal;
        if (n.x == 0 && n.z == 0 && n.y > 0) return collider.plane->point.y;
    }
    return {};
}

/// The round number (1, 2 or 5 times a power of ten) next below.
double round_down(double value) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    const double digit = value / power;
    return (digit < 2 ? 1 : digit < 5 ? 2 : 5) * power;
}

}  // namespace

render::RenderScene surroundings(const Scene& scene, Vec3d origin) {
    render::RenderScene around;
    around.radius = particle_radius(scene);
    for (const collision::ColliderParams& collider : scene.collider) {
        if (collider.visible && is_plain_box(collider)) around.solids.push_back(shifted(*collider.box, -origin));
    }
    if (scene.domain) around.domain = shifted(scene.domain->box, -origin);
    if (const auto height = ground_height(scene)) around.ground = *height - origin.y;
    return around;
}

std::filesystem::path floor_image(const Scene& scene) {
    const render::FloorParams& floor = scene.render.floor;
    const bool wanted = floor.pattern == FloorPattern::image || floor.pattern == FloorPattern::automatic;
    return wanted && !floor.image.empty() ? scene.file.parent_path() / floor.image : std::filesystem::path{};
}

std::shared_ptr<const image::Image> read_floor_image(const Scene& scene) {
    const std::filesystem::path path = floor_image(scene);
    return path.empty() ? nullptr : std::make_shared<const image::Image>(image::read_image(path));
}

render::Floor floor_of(const Scene& scene, const image::Image* image, double size, bool clear, Vec3d origin) {
    const render::FloorParams& params = scene.render.floor;
    render::Floor floor;
    if (params.color) floor.color = vec_cast<float>(*params.color);
    floor.image = image;
    floor.corner = -origin;
    const bool tiled = params.pattern == FloorPattern::checker || (params.pattern == FloorPattern::automatic && clear);
    if (!image && !tiled) return floor;
    constexpr double tile_share = 0.1;
    floor.tiles = params.size > 0 ? params.size : round_down(image ? size : tile_share * size);
    return floor;
}

}  // namespace spindrift::stages
