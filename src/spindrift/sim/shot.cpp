#include "spindrift/sim/shot.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/text.h"
#include "spindrift/io/npz.h"
#include "spindrift/render/render.h"
#include "spindrift/sim/color_legend.h"
#include "spindrift/sim/mesh_inputs.h"
#include "spindrift/sim/particle_look.h"

namespace spindrift::sim {

namespace {

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

/// What stands still and needs no mesh, moved by `-origin`.
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

struct DrawnParticles {
    std::vector<Vec3f> positions{};
    std::vector<float> radii{};
    ParticleColors colors{};
};

DrawnParticles drawn_particles(const Scene& scene, const ChannelSet& particles, Vec3d origin) {
    return {particle_positions(particles, origin), particle_radii(particles), particle_colors(scene, particles)};
}

/// The round number (1, 2 or 5 times a power of ten) next below.
double round_down(double value) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    const double digit = value / power;
    return (digit < 2 ? 1 : digit < 5 ? 2 : 5) * power;
}

/// Liquid as clear as it is in a tank of the shot's size, over tiles that show how it bends the view.
void add_mesh(render::RenderScene& picture, const Scene& scene, const Shot& shot, const MeshLook& mesh,
              Vec3d origin) {
    constexpr double clear_share = 0.5, tile_share = 0.1;
    picture.liquids = mesh.bodies(scene, origin, static_cast<float>(clear_share * shot.size));
    picture.floor.tiles = round_down(tile_share * shot.size);
    picture.floor.corner = -origin;
    if (color_source(scene) == "liquid" && scene.liquid.size() > 1) picture.swatches = liquid_swatches(scene);
}

Box3d frame_bounds(const Scene& scene, const ChannelSet& particles) {
    render::RenderScene frame = surroundings(scene, {});
    const std::vector<Vec3f> x = particle_positions(particles, {});
    const std::vector<float> r = particle_radii(particles);
    frame.positions = x;
    frame.radii = r;
    return render::bounds(frame);
}

void extend(Extent& extent, const Scene& scene, const ChannelSet& particles) {
    const Box3d box = frame_bounds(scene, particles);
    const bool empty = box.lo.x > box.hi.x;
    if (!empty) extent.box = extent.box ? Box3d{min(extent.box->lo, box.lo), max(extent.box->hi, box.hi)} : box;
    const ParticleColors colors = particle_colors(scene, particles);
    if (!uses_color_map(color_source(scene))) return;
    const auto [low, high] = color_range(scene, colors);
    extent.range = extent.range ? std::array{std::min((*extent.range)[0], low), std::max((*extent.range)[1], high)}
                                : std::array{low, high};
}

double shot_size(const Box3d& box) {
    const Vec3d size = box.size();
    const double longest = std::max({size.x, size.y, size.z});
    return longest > 0 && std::isfinite(longest) ? longest : 1;
}

const render::CameraParams* find_camera(const Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (const render::CameraParams& camera : scene.camera) {
        if (name.empty() || camera.name == name) return &camera;
        names.push_back(camera.name);
    }
    if (name.empty()) return nullptr;
    throw UsageError(fmt::format("the scene has no camera '{}'{}; {}", name, suggestion(name, names),
                                 names.empty() ? "leave --camera out for one that sees everything"
                                               : fmt::format("there are: {}", fmt::join(names, ", "))));
}

render::CameraParams standing(const render::Camera& camera) {
    render::CameraParams params;
    params.position = camera.position;
    params.target = camera.target;
    params.up = camera.up;
    params.fov_deg = camera.fov_deg;
    return params;
}

}  // namespace

std::vector<std::size_t> spread(std::size_t n, std::size_t count) {
    std::vector<std::size_t> indices;
    count = std::min(n, count);
    for (std::size_t k = 0; k < count; ++k)
        indices.push_back(count == 1 ? n - 1 : k * (n - 1) / (count - 1));
    return indices;
}

std::vector<std::filesystem::path> planning_frames(const std::filesystem::path& folder, const io::Stage& particles) {
    constexpr std::size_t enough = 12;
    std::vector<std::filesystem::path> files;
    for (const std::size_t i : spread(particles.frames.size(), enough))
        files.push_back(folder / particles.frames[i].file);
    return files;
}

std::string frame_label(const io::FrameEntry& frame) {
    return fmt::format("frame {}   {:.2f} s", frame.frame, frame.time);
}

Extent measure_shot(const Scene& scene, std::span<const std::filesystem::path> samples) {
    Extent extent;
    for (const std::filesystem::path& sample : samples)
        extend(extent, scene, io::read_npz(sample));
    if (scene.domain)
        extent.box = scene.domain->box;
    else if (const auto boxes = ColliderMeshes().boxes(scene); !boxes.empty())
        extent.box = render::enclose(extent.box.value_or(render::empty_box), boxes);
    return extent;
}

Shot plan_shot(const Scene& scene, const std::string& camera_name, const Extent& extent) {
    const render::CameraParams* camera = find_camera(scene, camera_name);
    const auto [width, height] = scene.render.resolution;
    const double aspect = static_cast<double>(width) / height;
    const std::array<double, 2> range = extent.range.value_or(std::array{0.0, 1.0});
    const Box3d box = extent.box.value_or(Box3d{});
    return {camera ? *camera : standing(render::automatic_camera(box, aspect)), scene.render.range.value_or(range),
            shot_size(box), std::make_shared<ColliderMeshes>()};
}

ChannelSet read_drawn_particles(const Scene& scene, const std::filesystem::path& file, bool has_mesh) {
    if (has_mesh && scene.render.show != render::Show::both) return {};
    return io::read_npz(file);
}

render::Picture draw_frame(const Scene& scene, const Shot& shot, int frame, const ChannelSet& particles,
                        const std::string& label, const WetImages& wet, const MeshLook* mesh) {
    render::Camera camera = shot.camera.at(frame);
    const Vec3d origin = camera.target;
    render::RenderScene picture = surroundings(scene, origin);
    const DrawnParticles drawn = !mesh || scene.render.show == render::Show::both
                                     ? drawn_particles(scene, particles, origin)
                                     : DrawnParticles{};
    picture.positions = drawn.positions;
    picture.radii = drawn.radii;
    picture.values = drawn.colors.values;
    picture.colors = drawn.colors.colors;
    picture.swatches = drawn.colors.swatches;
    if (mesh) add_mesh(picture, scene, shot, *mesh, origin);
    picture.meshes = shot.colliders->bodies(scene, frame, origin, wet);
    picture.range = shot.range;
    picture.label = label;
    render::RenderParams look = scene.render;
    look.color = color_source(scene);
    picture.legend = legend_title(scene, look.color);
    picture.whole = drawn.colors.whole || is_whole_channel(scene, look.color);
    if (look.slice) look.slice->point = look.slice->point - origin;
    camera.position = camera.position - origin;
    camera.target = {};
    return render::render(picture, camera, look);
}

std::string look_hash(const Scene& scene, const Shot& shot) {
    Scene look;
    look.channel = scene.channel;
    look.liquid = scene.liquid;
    look.domain = scene.domain;
    look.collider = scene.collider;
    look.render = scene.render;
    look.render.range = shot.range;
    look.camera = {shot.camera};
    const std::string surface = scene.render.show == render::Show::implicit ? mesh_inputs_hash(scene) : "";
    return Hash64().add(write_scene(look)).add(fmt::format("size {}{}", shot.size, surface)).hex();
}

}  // namespace spindrift::sim
