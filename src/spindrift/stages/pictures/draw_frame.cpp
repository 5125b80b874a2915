#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/log.h"
#include "spindrift/io/npz.h"
#include "spindrift/render/render.h"
#include "spindrift/stages/frame/frame_particles.h"
#include "spindrift/stages/pictures/color_legend.h"
#include "spindrift/stages/pictures/dye_look.h"
#include "spindrift/stages/pictures/particle_look.h"
#include "spindrift/stages/pictures/shot.h"
#include "spindrift/stages/pictures/surroundings.h"

namespace spindrift::stages {

namespace {

struct DrawnParticles {
    std::vector<Vec3f> positions{}, velocities{};
    std::vector<float> radii{};
    ParticleColors colors{};
};

DrawnParticles drawn_particles(const Scene& scene, const ChannelSet& particles, Vec3d origin) {
    DrawnParticles drawn{
        particle_positions(particles, origin), {}, particle_radii(particles), particle_colors(scene, particles)};
    if (scene.render.shutter > 0) drawn.velocities = particle_velocities(particles);
    return drawn;
}

/// The camera as it is at a frame, seen from an origin.
geometry::Camera camera_at(const Shot& shot, double frame, Vec3d origin) {
    geometry::Camera camera = shot.camera.at(frame);
    camera.position = camera.position - origin;
    camera.target = camera.target - origin;
    return camera;
}

/// Opens the shutter around the frame.
void open_shutter(render::RenderScene& picture, const Scene& scene, const Shot& shot, int frame, Vec3d origin) {
    const double open = scene.render.shutter;
    if (!(open > 0)) return;
    picture.shutter = open / scene.fps;
    if (shot.camera.moves())
        picture.camera_move = {
            {camera_at(shot, frame - 0.5 * open, origin), camera_at(shot, frame + 0.5 * open, origin)}};
}

}  // namespace

bool needs_particles(const Scene& scene, bool has_mesh) {
    return !has_mesh || scene.render.show == render::Show::both || has_dye(scene);
}

render::Picture draw_frame(const Scene& scene, const Shot& shot, const FrameContent& content,
                           const render::RenderHooks& hooks) {
    const int frame = content.frame;
    const ChannelSet& particles = content.particles;
    const MeshLook* const mesh = content.mesh ? &*content.mesh : nullptr;
    const Vec3d origin = shot.camera.at(frame).target;
    render::RenderScene picture = surroundings(scene, origin);
    const DrawnParticles drawn =
        !mesh || scene.render.show == render::Show::both ? drawn_particles(scene, particles, origin) : DrawnParticles{};
    picture.positions = drawn.positions;
    picture.velocities = drawn.velocities;
    picture.radii = drawn.radii;
    picture.values = drawn.colors.values;
    picture.colors = drawn.colors.colors;
    picture.swatches = drawn.colors.swatches;
    if (mesh) {
        // Liquid as clear as it is in a tank of the shot's size.
        constexpr double clear_share = 0.5;
        picture.liquids = mesh->bodies(scene, origin, static_cast<float>(clear_share * shot.size));
        if (color_source(scene) == "liquid" && scene.liquid.size() > 1) picture.swatches = liquid_swatches(scene);
    }
    if (content.whitewater) content.whitewater->add_to(picture, scene, origin);
    const std::unique_ptr<render::Dye> dye =
        mesh ? make_dye(scene, particles, origin, static_cast<float>(0.5 * shot.size)) : nullptr;
    const std::vector<float> iors = mesh ? mixture_iors(scene, particles) : std::vector<float>{};
    for (render::LiquidBody& body : picture.liquids) {
        body.dye = dye.get();
        for (std::size_t l = 0; l < std::min(iors.size(), body.looks.size()); ++l)
            if (iors[l] > 0) body.looks[l].ior = iors[l];
    }
    const bool clear = std::ranges::any_of(picture.liquids, [](const auto& each) { return each.is_clear(); });
    picture.floor = floor_of(scene, shot.floor.get(), shot.size, clear, origin);
    picture.meshes = shot.colliders->bodies(scene, frame, origin, content.wet);
    const std::vector<render::MeshBody> bodies = shot.bodies->drawn(scene, content.bodies, origin);
    picture.meshes.insert(picture.meshes.end(), bodies.begin(), bodies.end());
    open_shutter(picture, scene, shot, frame, origin);
    picture.range = shot.range;
    if (scene.render.label) picture.label = content.label;
    render::RenderParams look = scene.render;
    look.color = color_source(scene);
    picture.legend = legend_title(scene, look.color);
    picture.whole = drawn.colors.whole || is_whole_channel(scene, look.color);
    if (look.slice) look.slice->point = look.slice->point - origin;
    render::RenderStatistics statistics;
    render::RenderHooks watched = hooks;
    if (!watched.statistics) watched.statistics = &statistics;
    render::Picture drawn_picture = render::render(picture, camera_at(shot, frame, origin), look, watched);
    if (watched.statistics->eye_in_liquid)
        log_warning(
            fmt::format("frame {}: the camera is inside the liquid, which fills the picture; move "
                        "[[camera]] position if that is not meant",
                        frame));
    return drawn_picture;
}

std::vector<std::pair<std::uint32_t, std::string>> layer_names(const Scene& scene) {
    std::vector<std::pair<std::uint32_t, std::string>> names{
        {render::body_id::sky, "sky"}, {render::body_id::floor, "floor"}, {render::body_id::other, "boxes"}};
    for (std::uint32_t i = 0; i < scene.collider.size(); ++i)
        names.emplace_back(render::body_id::first_collider + i, scene.collider[i].name);
    for (std::uint32_t i = 0; i < scene.body.size(); ++i)
        names.emplace_back(render::body_id::first_body + i, scene.body[i].name);
    for (std::uint32_t i = 0; i < scene.liquid.size(); ++i)
        names.emplace_back(render::body_id::first_liquid + i, scene.liquid[i].name);
    names.emplace_back(render::body_id::first_cloud, "whitewater");
    names.emplace_back(render::body_id::first_particles, "particles");
    return names;
}

}  // namespace spindrift::stages
