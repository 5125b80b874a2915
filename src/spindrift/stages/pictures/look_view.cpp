#include "spindrift/stages/pictures/look_view.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/scene_files.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/params/affects.h"
#include "spindrift/stages/frame/filled_particles.h"
#include "spindrift/stages/frame/frame_bodies.h"
#include "spindrift/stages/frame/frame_wet.h"
#include "spindrift/stages/pictures/particle_look.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {

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
        const sim::BodyFrame bodies = read_bodies(scene, cache.cache, frame);
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
            entry->second =
                measure_shot(view.scene, planning_frames(view.cache->cache), body_boxes(view.scene, *view.cache));
        extents.push_back(entry->second);
    }
    return extents;
}

}  // namespace

std::string LookCache::scene_name() const {
    return fs::path(cache.manifest().scene_name).stem().string();
}

std::shared_ptr<const LookCache> open_look_cache(const Scene& scene, const fs::path& folder) {
    auto cache = std::make_shared<const LookCache>(LookCache{scene, cache::Cache::open(folder)});
    if (cache->particles().empty())
        throw IoError(IoError::Kind::missing, folder,
                      "the cache has no frames to draw yet; simulate some with `spindrift run`");
    return cache;
}

Scene with_look(Scene simulated, const Scene& wanted) {
    const Scene moved = cache::relocated(wanted, simulated.file.parent_path());
    take_affecting(simulated, moved, Affects::look);
    simulated.mesh = moved.mesh;
    simulated.whitewater = moved.whitewater;
    return simulated;
}

const io::FrameEntry& LookView::frame(int number) const {
    if (const io::FrameEntry* entry = cache->cache.find(cache::series::particles, number)) return *entry;
    const std::vector<io::FrameEntry>& all = cache->particles();
    throw UsageError(fmt::format("{} has no frame {}; it has {} to {}", cache->cache.folder().string(), number,
                                 all.front().frame, all.back().frame));
}

void plan_views(std::span<LookView> views) {
    const std::vector<Extent> extents = measured(views);
    for (LookView& view : views) {
        view.shot = plan_shot(view.scene, view.camera, joined_extent(views, extents, color_source(view.scene)));
        view.sampler = std::make_shared<FrameSampler>(view.scene, view.cache->cache);
    }
}

render::Picture draw_view(const LookView& view, const io::FrameEntry& frame, const render::RenderHooks& hooks) {
    const cache::Cache& cache = view.cache->cache;
    FrameContent content{.frame = frame.frame, .label = frame_label(frame)};
    content.wet = read_wet_images(view.scene, cache, frame.frame);
    content.bodies = read_bodies(view.scene, cache, frame.frame);
    content.mesh = read_mesh_look(view.scene, cache, frame, *view.sampler);
    if (needs_particles(view.scene, content.mesh.has_value())) content.particles = read_filled_particles(cache, frame);
    if (std::optional<WhitewaterLook> look = read_whitewater_look(view.scene, cache, frame))
        content.whitewater = std::make_shared<WhitewaterLook>(std::move(*look));
    return draw_frame(view.scene, view.shot, content, hooks);
}

std::vector<ViewInput> view_inputs(const LookView& view, const io::FrameEntry& frame) {
    const cache::Cache& cache = view.cache->cache;
    return {{"particles", frame.hash},
            {"wet", wet_hash(view.scene, cache, frame.frame)},
            {"mesh", mesh_hash(view.scene, cache, frame)},
            {"bodies", body_hash(view.scene, cache, frame.frame)},
            {"whitewater", whitewater_hash(view.scene, cache, frame)}};
}

}  // namespace spindrift::stages
