#include "spindrift/stages/pictures/panels.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/image/png_file.h"
#include "spindrift/io/manifest.h"
#include "spindrift/render/annotate/contact_sheet.h"
#include "spindrift/render/annotate/movie.h"
#include "spindrift/stages/pictures/look_view.h"
#include "spindrift/stages/pictures/picture_share.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;

/// A view for each source, of the width that panels have.
std::vector<LookView> open_views(std::span<const PanelSource> sources, const PanelOptions& options) {
    std::vector<LookView> views;
    for (const PanelSource& source : sources) {
        LookView view{open_look_cache(source.scene, source.folder), source.scene, options.camera};
        auto& [width, height] = view.scene.render.resolution;
        height = std::max(1, static_cast<int>(static_cast<long>(height) * options.width / width));
        width = options.width;
        views.push_back(std::move(view));
    }
    return views;
}

/// Those asked for, or the last.
std::vector<io::FrameEntry> chosen_frames(const PanelSource& source, const LookView& view) {
    if (source.frames.empty()) return {view.cache->particles().back()};
    std::vector<io::FrameEntry> frames;
    for (const int frame : source.frames)
        frames.push_back(view.frame(frame));
    return frames;
}

/// Name of a cache folder without what `spindrift run` puts behind it.
std::string folder_name(const fs::path& folder) {
    std::string name = fs::weakly_canonical(folder).filename().string();
    constexpr std::string_view ending = "_cache";
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
    return name;
}

/// Names of the scenes or, where one scene was simulated into several caches, of their folders.
std::vector<std::string> names_of(const std::vector<LookView>& views) {
    std::set<std::string> scenes;
    for (const LookView& view : views)
        scenes.insert(view.cache->scene_name());
    std::vector<std::string> names;
    for (const LookView& view : views)
        names.push_back(scenes.size() == views.size() ? view.cache->scene_name()
                                                      : folder_name(view.cache->cache.folder()));
    return names;
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

/// Where pictures of a movie are until it is made; those that are left go if it is not.
class MoviePictures {
  public:
    explicit MoviePictures(fs::path folder) : folder_(std::move(folder)) { cache::create_folder(folder_); }
    ~MoviePictures() {
        std::error_code ignored;
        for (const fs::path& file : files)
            fs::remove(file, ignored);
        fs::remove(folder_, ignored);  // unless something else is in it
    }
    MoviePictures(const MoviePictures&) = delete;
    MoviePictures& operator=(const MoviePictures&) = delete;

    /// The pictures are all that the user gets.
    void keep() { files.clear(); }

    std::vector<fs::path> files{};

  private:
    fs::path folder_;
};

/// Ctrl-C reaches ffmpeg as well: its complaint is then not the news.
bool encode(MoviePictures& pictures, double fps, const fs::path& output) {
    try {
        const bool made = render::encode_mp4(pictures.files, fps, output);
        if (!made) pictures.keep();
        return made;
    } catch (const IoError&) {
        stop_if_interrupted();
        pictures.keep();
        throw;
    }
}

std::vector<int> common_frames(const std::vector<LookView>& views) {
    std::vector<int> common;
    for (const io::FrameEntry& frame : views.front().cache->particles()) {
        const auto has = [&](const LookView& v) { return v.cache->cache.find(cache::series::particles, frame.frame); };
        if (std::all_of(views.begin(), views.end(), has)) common.push_back(frame.frame);
    }
    if (common.empty()) throw UsageError("the caches have no frames in common to make a movie of");
    return common;
}

}  // namespace

image::Image draw_panels(std::span<const PanelSource> sources, const PanelOptions& options, Progress& progress) {
    const std::size_t count = count_pictures(sources);
    check_labels(options.labels, count);
    const Interruptible work(progress, "stopped before the figure was complete; none written");
    std::vector<LookView> views = open_views(sources, options);
    std::vector<std::vector<io::FrameEntry>> frames;
    for (std::size_t i = 0; i < views.size(); ++i)
        frames.push_back(chosen_frames(sources[i], views[i]));
    plan_views(views);

    const std::vector<std::string> names = names_of(views);
    std::vector<image::Image> pictures;
    std::vector<std::string> labels;
    PictureShare share(progress);
    const render::RenderHooks hooks{.share = [&](double part) { share.tell(part); }};
    for (std::size_t i = 0; i < views.size(); ++i) {
        for (const io::FrameEntry& frame : frames[i]) {
            stop_if_interrupted();
            share.begin(pictures.size(), count, fmt::format("{} frame {}", views[i].cache->scene_name(), frame.frame));
            pictures.push_back(draw_view(views[i], frame, hooks).image);
            labels.push_back(names[i]);
            progress.report(pictures.size(), count,
                            fmt::format("{} frame {}", views[i].cache->scene_name(), frame.frame));
        }
    }
    // Frames of one cache tell their number in the picture.
    if (views.size() == 1 && count > 1) labels.clear();
    return render::contact_sheet(pictures, options.labels.empty() ? labels : options.labels, options.columns);
}

fs::path panel_frames_folder(const fs::path& output) {
    return output.parent_path() / (output.stem().string() + "_frames");
}

bool write_panel_movie(std::span<const PanelSource> sources, const PanelOptions& options, const fs::path& output,
                       Progress& progress) {
    check_labels(options.labels, sources.size());
    const Interruptible work(progress, "stopped before the movie was complete; none written");
    std::vector<LookView> views = open_views(sources, options);
    const std::vector<int> frames = common_frames(views);
    plan_views(views);
    const std::vector<std::string> labels = options.labels.empty() ? names_of(views) : options.labels;
    const fs::path folder = panel_frames_folder(output);
    MoviePictures kept(folder);
    PictureShare share(progress);
    const render::RenderHooks hooks{.share = [&](double part) { share.tell(part); }};
    for (const int frame : frames) {
        std::vector<image::Image> pictures;
        share.begin(kept.files.size(), frames.size(), fmt::format("frame {}/{}", frame, frames.back()));
        for (const LookView& view : views) {
            stop_if_interrupted();
            pictures.push_back(draw_view(view, view.frame(frame), hooks).image);
        }
        kept.files.push_back(folder / fmt::format("{}.{:04}.png", output.stem().string(), frame));
        image::write_png(kept.files.back(), render::contact_sheet(pictures, labels, options.columns));
        progress.report(kept.files.size(), frames.size(), fmt::format("frame {}/{}", frame, frames.back()));
    }
    return encode(kept, views.front().scene.fps, output);
}

}  // namespace spindrift::stages
