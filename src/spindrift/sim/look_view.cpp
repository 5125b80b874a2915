#include "spindrift/sim/look_view.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/sim/body_files.h"
#include "spindrift/sim/collider_files.h"
#include "spindrift/sim/particle_look.h"
#include "spindrift/sim/run.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

template <class T, class Join>
void join(std::optional<T>& all, const std::optional<T>& more, const Join& how) {
    if (more) all = all ? how(*all, *more) : *more;
}

/// What views have in common that are coloured by `color`.
Extent joined_extent(std::span<const LookView> views, std::span<const Extent> extents, const std::string& color) {
    Extent all;
    for (std::size_t i = 0; i < views.size(); ++i) {
        join(all.box, extents[i].box, [](const Box3d& a, const Box3d& b) {
            return Box3d{min(a.lo, b.lo), max(a.hi, b.hi)};
        });
        if (color_source(views[i].scene) != color) continue;
        join(all.range, extents[i].range, [](const auto& a, const auto& b) {
            return std::array{std::min(a[0], b[0]), std::max(a[1], b[1])};
        });
    }
    return all;
}

/// Around the bodies of the frames that speak for the shot.
std::vector<Box3d> body_boxes(const Scene& scene, const LookCache& cache) {
    std::vector<Box3d> boxes;
    if (scene.body.empty()) return boxes;
    BodyMeshes meshes;
    for (const int frame : planning_numbers(cache.particles())) {
        const BodyFrame bodies = read_bodies(scene, cache.folder, cache.manifest, frame);
        for (const render::MeshBody& body : meshes.drawn(scene, bodies, {}))
            boxes.push_back(render::bounds(body));
    }
    return boxes;
}

/// Views that differ in neither are measured once.
std::vector<Extent> measured(std::span<const LookView> views) {
    std::map<std::pair<const LookCache*, std::string>, Extent> known;
    std::vector<Extent> extents;
    for (const LookView& view : views) {
        const auto [entry, is_new] = known.try_emplace({view.cache.get(), color_source(view.scene)});
        if (is_new)
            entry->second = measure_shot(view.scene, planning_frames(view.cache->folder, view.cache->particles()),
                                         body_boxes(view.scene, *view.cache));
        extents.push_back(entry->second);
    }
    return extents;
}

void take_colors(Scene& scene, const Scene& wanted) {
    for (std::size_t i = 0; i < std::min(scene.liquid.size(), wanted.liquid.size()); ++i) {
        scene.liquid[i].color = wanted.liquid[i].color;
        scene.liquid[i].ior = wanted.liquid[i].ior;
        scene.liquid[i].clarity = wanted.liquid[i].clarity;
        scene.liquid[i].cloudiness = wanted.liquid[i].cloudiness;
    }
    for (std::size_t i = 0; i < std::min(scene.collider.size(), wanted.collider.size()); ++i) {
        scene.collider[i].visible = wanted.collider[i].visible;
        scene.collider[i].color = wanted.collider[i].color;
        scene.collider[i].opacity = wanted.collider[i].opacity;
        scene.collider[i].ior = wanted.collider[i].ior;
    }
    for (std::size_t i = 0; i < std::min(scene.body.size(), wanted.body.size()); ++i) {
        scene.body[i].visible = wanted.body[i].visible;
        scene.body[i].color = wanted.body[i].color;
        scene.body[i].opacity = wanted.body[i].opacity;
        scene.body[i].ior = wanted.body[i].ior;
    }
}

}  // namespace

const io::Stage& LookCache::particles() const {
    return manifest.stages.at(particle_stage);
}

std::string LookCache::scene_name() const {
    return fs::path(manifest.scene_name).stem().string();
}

std::shared_ptr<const LookCache> open_look_cache(const Scene& scene, const fs::path& folder) {
    auto cache = std::make_shared<LookCache>(LookCache{scene, folder, io::load_manifest(folder)});
    if (cache->manifest.stages[particle_stage].frames.empty())
        throw IoError(IoError::Kind::missing, folder,
                      "the cache has no frames to draw yet; simulate some with `spindrift run`");
    return cache;
}

Scene with_look(Scene simulated, const Scene& wanted) {
    const Scene moved = relocated(wanted, simulated.file.parent_path());
    simulated.camera = moved.camera;
    simulated.render = moved.render;
    simulated.mesh = moved.mesh;
    take_colors(simulated, moved);
    return simulated;
}

const io::FrameEntry& LookView::frame(int number) const {
    const io::Stage& particles = cache->particles();
    if (const io::FrameEntry* entry = io::find_frame(particles, number)) return *entry;
    throw UsageError(fmt::format("{} has no frame {}; it has {} to {}", cache->folder.string(), number,
                                 particles.frames.front().frame, particles.frames.back().frame));
}

void plan_views(std::span<LookView> views) {
    const std::vector<Extent> extents = measured(views);
    for (LookView& view : views)
        view.shot = plan_shot(view.scene, view.camera, joined_extent(views, extents, color_source(view.scene)));
}

render::Picture draw_view(const LookView& view, const io::FrameEntry& frame, const render::RenderHooks& hooks) {
    const LookCache& cache = *view.cache;
    Surrounding around;
    around.wet = read_wet_images(view.scene, cache.folder, cache.manifest, frame.frame);
    around.bodies = read_bodies(view.scene, cache.folder, cache.manifest, frame.frame);
    const std::optional<MeshLook> mesh = read_mesh_look(view.scene, cache.folder, cache.manifest, frame);
    const ChannelSet particles = read_drawn_particles(view.scene, cache.folder / frame.file, mesh.has_value());
    return draw_frame(view.scene, view.shot, frame.frame, particles, frame_label(frame), around,
                      mesh ? &*mesh : nullptr, hooks);
}

ViewInputs view_inputs(const LookView& view, const io::FrameEntry& frame) {
    const LookCache& cache = *view.cache;
    return {frame.hash, wet_hash(view.scene, cache.manifest, frame.frame),
            mesh_hash(view.scene, cache.folder, cache.manifest, frame),
            body_hash(view.scene, cache.manifest, frame.frame)};
}

}  // namespace spindrift::sim
