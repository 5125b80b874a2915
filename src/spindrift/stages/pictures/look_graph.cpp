#include "spindrift/stages/pictures/look_graph.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/cache/scene_copy.h"
#include "spindrift/cache/scene_files.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/log.h"
#include "spindrift/io/npz.h"
#include "spindrift/params/write.h"
#include "spindrift/render/graph_images.h"
#include "spindrift/render/looks/graph_text.h"
#include "spindrift/scene/json.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using render::Module;
using render::ModuleKind;

/// What a view changes of the scene's look.
void apply(const render::ModuleParams& view, render::RenderParams& look) {
    // Neither other modules nor files change what a view shows.
    look.module.clear();
    look.graph.clear();
    look.formats = render::RenderParams{}.formats;
    if (view.show) look.show = *view.show;
    if (view.quality) look.quality = *view.quality;
    if (view.samples) look.samples = *view.samples;
    if (view.resolution) look.resolution = *view.resolution;
    if (view.label) look.label = *view.label;
    if (view.range) look.range = *view.range;
    if (view.slice) look.slice = *view.slice;
    if (!view.color.empty()) look.color = view.color;
    if (!view.channel.empty()) look.color = view.channel;
}

/// The cache that a folder is, or that belongs to a scene file, with the scene's own colours and the look of another.
std::shared_ptr<const LookCache> open_other(const Scene& scene, const fs::path& path) {
    if (!fs::exists(path))
        throw IoError(IoError::Kind::missing, path, "there is no such cache or scene for a module to show");
    const fs::path folder = fs::is_directory(path) ? path : cache_folder(load_scene(path));
    Scene other = cache::load_cached_scene(folder);
    if (!fs::is_directory(path)) other = with_look(other, load_scene(path));
    other.render = cache::relocated(scene, other.file.parent_path()).render;
    other.camera = scene.camera;
    return open_look_cache(other, folder);
}

/// Seen after walking around the target, on the same height.
geometry::CameraParams turned(const geometry::Camera& camera, double degrees) {
    const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    const auto around = [&](Vec3d v) { return Vec3d{c * v.x + s * v.z, v.y, c * v.z - s * v.x}; };
    geometry::CameraParams params;
    params.position = camera.target + around(camera.position - camera.target);
    params.target = camera.target;
    params.up = around(camera.up);
    params.fov_deg = camera.fov_deg;
    return params;
}

std::size_t count_particles(const fs::path& file) {
    const std::vector<io::NpzEntry> channels = io::list_npz(file);
    return channels.empty() ? 0 : channels.front().size;
}

}  // namespace

LookGraph::LookGraph(const Scene& scene, const fs::path& folder, render::Graph graph, const LookChoice& choice)
    : graph_(std::move(graph)), home_(open_look_cache(scene, folder)) {
    std::set<std::size_t> needed;
    for (const std::size_t module : choice.modules) {
        for (const std::size_t each : graph_.needed_for(module))
            needed.insert(each);
    }
    for (const std::size_t i : needed) {
        if (graph_.modules[i].kind == ModuleKind::beauty || graph_.modules[i].kind == ModuleKind::false_color)
            add_view(scene, graph_.modules[i], i, choice.camera);
    }
    plan_views(views_);
    for (const LookView& view : views_)
        shots_.push_back(view.shot);
    for (const std::size_t module : choice.modules)
        looks_[module] = look_for(module);
}

void LookGraph::add_view(const Scene& scene, const Module& module, std::size_t index, const std::string& camera) {
    const std::shared_ptr<const LookCache> cache = cache_of(scene, module.params.cache);
    LookView view{cache, cache->scene, module.params.camera.empty() ? camera : module.params.camera};
    apply(module.params, view.scene.render);
    view_of_[index] = views_.size();
    views_.push_back(std::move(view));
}

std::shared_ptr<const LookCache> LookGraph::cache_of(const Scene& scene, const std::string& path) {
    if (path.empty()) return home_;
    const fs::path place = fs::weakly_canonical(scene.file.parent_path() / path);
    std::shared_ptr<const LookCache>& cache = caches_[place];
    if (!cache) cache = open_other(scene, place);
    return cache;
}

std::vector<io::FrameEntry> LookGraph::frames(std::optional<int> first, std::optional<int> last) const {
    const std::vector<io::FrameEntry> all = home_->cache.frames_between(first, last, "to render");
    std::vector<io::FrameEntry> common;
    for (const io::FrameEntry& frame : all) {
        const auto has = [&](const LookView& v) { return v.cache->cache.find(cache::series::particles, frame.frame); };
        if (std::all_of(views_.begin(), views_.end(), has)) common.push_back(frame);
    }
    if (common.empty())
        throw UsageError(fmt::format("the caches that are shown together have no frame from {} to {} in common",
                                     all.front().frame, all.back().frame));
    if (common.size() < all.size())
        log_info(fmt::format("{} of {} frames are left out, since not all caches that are shown have them",
                             all.size() - common.size(), all.size()));
    return common;
}

void LookGraph::turn(int frame, double degrees) {
    for (std::size_t v = 0; v < views_.size(); ++v)
        views_[v].shot.camera = turned(shots_[v].camera.at(frame), degrees);
    frame_.reset();
    for (auto& [module, look] : looks_)
        look = look_for(module);
}

render::Picture LookGraph::picture_for(std::size_t encode, int frame) {
    if (frame_ != frame) made_.clear();
    frame_ = frame;
    const std::size_t wanted = graph_.modules[encode].inputs.at(0);
    for (const std::size_t i : graph_.needed_for(wanted)) {
        if (!made_.contains(i)) made_[i] = run(graph_.modules[i], i, frame);
    }
    return made_.at(wanted);
}

render::Picture LookGraph::run(const Module& module, std::size_t index, int frame) const {
    const render::ModuleParams& params = module.params;
    const auto input = [&](std::size_t i) -> const render::Picture& { return made_.at(module.inputs[i]); };
    switch (module.kind) {
        case ModuleKind::beauty:
        case ModuleKind::false_color: {
            const LookView& view = views_[view_of_.at(index)];
            return draw_view(view, view.frame(frame), {watcher_, nullptr, listener_});
        }
        case ModuleKind::layer:
            return {render::show_layer(*input(0).layers, params.layer, params.range), {}};
        case ModuleKind::text: {
            render::Picture picture = input(0);
            render::write_words(picture.image, words(module, index, frame), params.corner);
            return picture;
        }
        case ModuleKind::composite:
            return {render::composite(input(0), input(1), params.mode, params.amount), {}};
        case ModuleKind::side_by_side: {
            const int columns = params.columns.value_or(static_cast<int>(module.inputs.size()));
            return {render::side_by_side(images(module), params.labels, columns), {}};
        }
        case ModuleKind::scale:
            return {render::scale_to_width(input(0).image, params.width), {}};
        case ModuleKind::encode:
            break;
    }
    return {};
}

std::vector<render::Image> LookGraph::images(const Module& module) const {
    std::vector<render::Image> all;
    for (const std::size_t input : module.inputs)
        all.push_back(made_.at(input).image);
    return all;
}

/// The fields are those of the first cache that the text's picture shows.
std::string LookGraph::words(const Module& module, std::size_t index, int frame) const {
    const LookView& view = views_[views_for(index).at(0)];
    const io::FrameEntry& entry = view.frame(frame);
    render::TextFields fields{.scene = view.cache->scene_name(), .frame = frame, .time = entry.time};
    if (render::has_field(module.params.text, "particles"))
        fields.particles = count_particles(view.cache->cache.path(entry));
    return render::fill_in(module.params.text, fields);
}

std::vector<std::size_t> LookGraph::views_for(std::size_t module) const {
    std::vector<std::size_t> found;
    for (const std::size_t i : graph_.needed_for(module)) {
        if (const auto view = view_of_.find(i); view != view_of_.end()) found.push_back(view->second);
    }
    return found;
}

/// Hash of all that the picture of an encode depends on but what is in the caches.
std::string LookGraph::look_for(std::size_t encode) const {
    Hash64 hash;
    for (const std::size_t i : graph_.needed_for(graph_.modules[encode].inputs.at(0)))
        hash.add(json_text(write_struct(graph_.modules[i].params, WriteScope::changed)));
    for (const std::size_t v : views_for(encode))
        hash.add(look_hash(views_[v].scene, views_[v].shot)).add(views_[v].cache->scene_name());
    return hash.hex();
}

BodyNames LookGraph::body_names(std::size_t encode) const {
    return layer_names(views_[views_for(encode).at(0)].scene);
}

cache::Inputs LookGraph::made_from(std::size_t encode, int frame) const {
    // Of each thing the hashes of all views, or nothing if none of them has it.
    std::vector<std::pair<std::string, std::string>> things;
    std::vector<bool> any;
    for (const std::size_t v : views_for(encode)) {
        const std::vector<ViewInput> inputs = view_inputs(views_[v], views_[v].frame(frame));
        const bool is_first = things.empty();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (is_first) {
                things.emplace_back(inputs[i].name, inputs[i].hash);
                any.push_back(!inputs[i].hash.empty());
            } else {
                things[i].second += " " + inputs[i].hash;
                any[i] = any[i] || !inputs[i].hash.empty();
            }
        }
    }
    cache::Inputs made;
    for (std::size_t i = 0; i < things.size(); ++i) {
        made.add(things[i].first, any[i] ? things[i].second : "");
        if (i == 0) made.add("look", looks_.at(encode));
    }
    return made;
}

}  // namespace spindrift::stages
