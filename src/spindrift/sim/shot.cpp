#include "spindrift/sim/shot.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/io/npz.h"
#include "spindrift/preview/color_map.h"
#include "spindrift/preview/render.h"

namespace spindrift::sim {

namespace {

constexpr const char* speed = "speed";

/// Title of the colour bar.
std::string legend(const std::string& color) {
    struct Unit {
        const char *name, *unit;
    };
    static constexpr Unit units[] = {{speed, "m/s"},       {"v", "m/s"},           {"density", "kg/m^3"},
                                     {"pscale", "m"},      {"age", "s"},           {"P", "m"},
                                     {"vorticity", "1/s"}, {"viscosity", "m^2/s"}, {"temperature", "K"}};
    const auto* known =
        std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.name == color; });
    return known == std::end(units) ? color : fmt::format("{}  {}", color, known->unit);
}

const ChannelArray& color_channel(const ChannelSet& particles, const std::string& color) {
    if (const ChannelArray* channel = particles.find(color == speed ? "v" : color)) return *channel;
    std::vector<std::string> names{speed};
    for (const ChannelArray& channel : particles.channels)
        names.push_back(channel.name());
    throw UsageError(fmt::format("the particles have no channel '{}' to colour them by{}; there are: {}", color,
                                 suggestion(color, names), fmt::join(names, ", ")));
}

/// The channel's values, of vectors their lengths.
std::vector<float> color_values(const ChannelSet& particles, const std::string& color) {
    const ChannelArray& channel = color_channel(particles, color);
    const int width = channel.type().width;
    std::vector<float> values(channel.size());
    parallel_for(values.size(), [&](Range range) {
        for (std::size_t i : range) {
            double squares = 0;
            for (int c = 0; c < width; ++c)
                squares += channel.value(i, c) * channel.value(i, c);
            values[i] = static_cast<float>(width == 1 ? channel.value(i) : std::sqrt(squares));
        }
    });
    return values;
}

/// Relative to an origin, where floats are fine enough however far the liquid has fallen.
std::vector<Vec3f> positions(const ChannelSet& particles, Vec3d origin) {
    const ChannelArray* p = particles.find("P");
    if (!p || p->type().width != 3) throw UsageError("the frame has no channel P of three coordinates to draw");
    std::vector<Vec3f> x(p->size());
    parallel_for(x.size(), [&](Range range) {
        for (std::size_t i : range)
            x[i] = vec_cast<float>(Vec3d{p->value(i, 0), p->value(i, 1), p->value(i, 2)} - origin);
    });
    return x;
}

float particle_radius(const Scene& scene) {
    return static_cast<float>(0.5 * scene.liquid.at(0).spacing);
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

/// What stands still, moved by `-origin`.
preview::PreviewScene surroundings(const Scene& scene, Vec3d origin) {
    preview::PreviewScene around;
    around.radius = particle_radius(scene);
    for (const collision::ColliderParams& collider : scene.collider) {
        if (collider.box) around.solids.push_back(shifted(*collider.box, -origin));
    }
    if (scene.domain) around.domain = shifted(scene.domain->box, -origin);
    if (const auto height = ground_height(scene)) around.ground = *height - origin.y;
    return around;
}

/// What the frames looked at so far have in common.
struct Extent {
    std::optional<Box3d> box;
    std::optional<std::array<double, 2>> range;
};

Box3d frame_bounds(const Scene& scene, const ChannelSet& particles) {
    preview::PreviewScene frame = surroundings(scene, {});
    const std::vector<Vec3f> x = positions(particles, {});
    frame.positions = x;
    return preview::bounds(frame);
}

/// Colours of densities are centred on the rest density, others go as far as the particles do.
std::array<double, 2> frame_range(const Scene& scene, const ChannelSet& particles) {
    const std::vector<float> values = color_values(particles, scene.render.color);
    if (scene.render.color != "density") return preview::automatic_range(values);
    const double rest = scene.liquid.at(0).properties().density;
    return {0.9 * rest, 1.1 * rest};
}

void extend(Extent& extent, const Scene& scene, const ChannelSet& particles) {
    const Box3d box = frame_bounds(scene, particles);
    extent.box = extent.box ? Box3d{min(extent.box->lo, box.lo), max(extent.box->hi, box.hi)} : box;
    const auto [low, high] = frame_range(scene, particles);
    extent.range = extent.range ? std::array{std::min((*extent.range)[0], low), std::max((*extent.range)[1], high)}
                                : std::array{low, high};
}

const preview::CameraParams* find_camera(const Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (const preview::CameraParams& camera : scene.camera) {
        if (name.empty() || camera.name == name) return &camera;
        names.push_back(camera.name);
    }
    if (name.empty()) return nullptr;
    throw UsageError(fmt::format("the scene has no camera '{}'{}; {}", name, suggestion(name, names),
                                 names.empty() ? "leave --camera out for one that sees everything"
                                               : fmt::format("there are: {}", fmt::join(names, ", "))));
}

preview::CameraParams standing(const preview::Camera& camera) {
    preview::CameraParams params;
    params.position = camera.position;
    params.target = camera.target;
    params.up = camera.up;
    params.fov_deg = camera.fov_deg;
    return params;
}

}  // namespace

Shot plan_shot(const Scene& scene, const std::string& camera_name, std::span<const std::filesystem::path> samples) {
    const preview::CameraParams* camera = find_camera(scene, camera_name);
    Extent extent;
    for (const std::filesystem::path& sample : samples)
        extend(extent, scene, io::read_npz(sample));
    if (scene.domain) extent.box = scene.domain->box;
    if (scene.render.range) extent.range = scene.render.range;
    const auto [width, height] = scene.render.resolution;
    const double aspect = static_cast<double>(width) / height;
    return {camera ? *camera : standing(preview::automatic_camera(extent.box.value_or(Box3d{}), aspect)),
            extent.range.value_or(std::array{0.0, 1.0})};
}

preview::Image draw_frame(const Scene& scene, const Shot& shot, int frame, const ChannelSet& particles,
                          const std::string& label) {
    preview::Camera camera = shot.camera.at(frame);
    const Vec3d origin = camera.target;
    const std::vector<Vec3f> x = positions(particles, origin);
    const std::vector<float> values = color_values(particles, scene.render.color);
    preview::PreviewScene picture = surroundings(scene, origin);
    picture.positions = x;
    picture.values = values;
    picture.range = shot.range;
    picture.legend = legend(scene.render.color);
    picture.label = label;
    camera.position = camera.position - origin;
    camera.target = {};
    return preview::render(picture, camera, scene.render);
}

std::string look_hash(const Scene& scene, const Shot& shot) {
    Scene look;
    look.liquid = scene.liquid;
    look.domain = scene.domain;
    look.collider = scene.collider;
    look.render = scene.render;
    look.render.range = shot.range;
    look.camera = {shot.camera};
    return Hash64().add(write_scene(look)).hex();
}

}  // namespace spindrift::sim
