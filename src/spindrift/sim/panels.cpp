#include "spindrift/sim/panels.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/io/manifest.h"
#include "spindrift/io/npz.h"
#include "spindrift/render/contact_sheet.h"
#include "spindrift/sim/particle_look.h"
#include "spindrift/sim/run.h"
#include "spindrift/sim/shot.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

/// A source that has been looked at.
struct Cache {
    Scene scene;
    fs::path folder;
    io::Manifest manifest;
    std::string scene_name;
    std::vector<io::FrameEntry> frames;  ///< to draw
    Extent extent;
};

io::FrameEntry chosen_frame(const fs::path& folder, const io::Stage& particles, int frame) {
    if (const io::FrameEntry* entry = io::find_frame(particles, frame)) return *entry;
    throw UsageError(fmt::format("{} has no frame {}; it has {} to {}", folder.string(), frame,
                                 particles.frames.front().frame, particles.frames.back().frame));
}

Cache open_cache(const PanelSource& source, int width) {
    io::Manifest manifest = io::load_manifest(source.folder);
    const io::Stage& particles = manifest.stages[particle_stage];
    if (particles.frames.empty())
        throw IoError(IoError::Kind::missing, source.folder,
                      "the cache has no frames to draw yet; simulate some with `spindrift run`");
    Cache cache{source.scene, source.folder, manifest, fs::path(manifest.scene_name).stem().string(), {}, {}};
    for (const int frame : source.frames)
        cache.frames.push_back(chosen_frame(source.folder, particles, frame));
    if (source.frames.empty()) cache.frames.push_back(particles.frames.back());
    auto& [scene_width, scene_height] = cache.scene.render.resolution;
    scene_height = std::max(1, static_cast<int>(static_cast<long>(scene_height) * width / scene_width));
    scene_width = width;
    cache.extent = measure_shot(cache.scene, planning_frames(source.folder, particles));
    return cache;
}

template <class T, class Join>
std::optional<T> joined(const std::optional<T>& a, const std::optional<T>& b, const Join& join) {
    return a && b ? join(*a, *b) : a ? a : b;
}

Extent joined_extent(const std::vector<Cache>& caches, const std::string& color) {
    Extent all;
    for (const Cache& cache : caches) {
        const Extent& extent = cache.extent;
        all.box = joined(all.box, extent.box, [](const Box3d& a, const Box3d& b) {
            return Box3d{min(a.lo, b.lo), max(a.hi, b.hi)};
        });
        if (color_source(cache.scene) != color) continue;
        all.range = joined(all.range, extent.range, [](const auto& a, const auto& b) {
            return std::array{std::min(a[0], b[0]), std::max(a[1], b[1])};
        });
    }
    return all;
}

/// Name of a cache folder without what `spindrift run` puts behind it.
std::string folder_name(const fs::path& folder) {
    std::string name = fs::weakly_canonical(folder).filename().string();
    constexpr std::string_view ending = "_cache";
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
    return name;
}

/// Names of the scenes or, where one scene was simulated into several caches, of their folders. Frames of one cache
/// tell their number in the picture.
std::vector<std::string> own_labels(const std::vector<Cache>& caches) {
    if (caches.size() == 1 && caches[0].frames.size() > 1) return {};
    std::set<std::string> names;
    for (const Cache& cache : caches)
        names.insert(cache.scene_name);
    std::vector<std::string> labels;
    for (const Cache& cache : caches) {
        const std::string label = names.size() == caches.size() ? cache.scene_name : folder_name(cache.folder);
        labels.insert(labels.end(), cache.frames.size(), label);
    }
    return labels;
}

std::size_t count_pictures(std::span<const PanelSource> sources) {
    std::size_t count = 0;
    for (const PanelSource& source : sources)
        count += std::max<std::size_t>(1, source.frames.size());
    return count;
}

void check_labels(const std::vector<std::string>& labels, std::size_t pictures) {
    if (labels.empty() || labels.size() == pictures) return;
    throw UsageError(fmt::format("there are {} labels for {} pictures; give as many, with commas between them",
                                 labels.size(), pictures));
}

image::Image draw_picture(const Cache& cache, const Shot& shot, const io::FrameEntry& frame) {
    const WetImages wet = read_wet_images(cache.scene, cache.folder, cache.manifest, frame.frame);
    const std::optional<MeshLook> mesh = read_mesh_look(cache.scene, cache.folder, cache.manifest, frame);
    const ChannelSet particles = read_drawn_particles(cache.scene, cache.folder / frame.file, mesh.has_value());
    return draw_frame(cache.scene, shot, frame.frame, particles, frame_label(frame), wet, mesh ? &*mesh : nullptr).image;
}

}  // namespace

image::Image draw_panels(std::span<const PanelSource> sources, const PanelOptions& options, Progress& progress) {
    const std::size_t count = count_pictures(sources);
    check_labels(options.labels, count);
    std::vector<Cache> caches;
    for (const PanelSource& source : sources)
        caches.push_back(open_cache(source, options.width));

    std::vector<image::Image> pictures;
    for (const Cache& cache : caches) {
        const Shot shot = plan_shot(cache.scene, options.camera, joined_extent(caches, color_source(cache.scene)));
        for (const io::FrameEntry& frame : cache.frames) {
            if (progress.interrupted()) throw InterruptedError("stopped before the figure was complete; none written");
            pictures.push_back(draw_picture(cache, shot, frame));
            progress.report(pictures.size(), count, fmt::format("{} frame {}", cache.scene_name, frame.frame));
        }
    }
    return render::contact_sheet(pictures, options.labels.empty() ? own_labels(caches) : options.labels,
                                  options.columns);
}

}  // namespace spindrift::sim
