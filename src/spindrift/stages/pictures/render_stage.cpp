#include "spindrift/stages/pictures/render_stage.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/cache/cache.h"
#include "spindrift/cache/frame_path.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/image/png_file.h"
#include "spindrift/io/manifest.h"
#include "spindrift/stages/pictures/look_files.h"
#include "spindrift/stages/pictures/look_graph.h"
#include "spindrift/stages/pictures/picture_share.h"
#include "spindrift/stages/stage_runner.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;

/// The encodes to run: all, or the one that is asked for.
std::vector<std::size_t> chosen_encodes(const render::Graph& graph, const std::string& only) {
    std::vector<std::size_t> chosen;
    std::vector<std::string> names;
    for (const std::size_t encode : graph.encodes()) {
        names.push_back(graph.modules[encode].name());
        if (only.empty() || names.back() == only) chosen.push_back(encode);
    }
    if (chosen.empty())
        throw UsageError(fmt::format("the look has no encode '{}'{}; there are: {}", only, suggestion(only, names),
                                     fmt::join(names, ", ")));
    return chosen;
}

/// Movies, sheets and turntables are counted otherwise, and made anew as a whole.
bool holds_pictures_of_frames(std::string_view stage) {
    return stage.starts_with(cache::series::preview) &&
           !stage.starts_with(fmt::format("{}_movie", cache::series::preview)) &&
           !stage.starts_with(fmt::format("{}_sheet", cache::series::preview));
}

/// A picture in the making, shown meanwhile and gone afterwards.
class UnfinishedPicture {
  public:
    explicit UnfinishedPicture(fs::path path) : path_(std::move(path)) {}
    ~UnfinishedPicture() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    UnfinishedPicture(const UnfinishedPicture&) = delete;
    UnfinishedPicture& operator=(const UnfinishedPicture&) = delete;

    void show(const render::Picture& picture) const { image::write_png(path_, picture.image); }

  private:
    fs::path path_;
};

class RenderStage {
  public:
    RenderStage(const Scene& scene, const RenderOptions& options, Progress& progress)
        : scene_(scene),
          options_(options),
          progress_(progress),
          cache_(cache::Cache::open_for_results(options.folder, options.output)) {}

    RenderReport run() {
        const auto start = std::chrono::steady_clock::now();
        const Interruptible work(progress_, "stopped before the first picture");
        plan();
        cache_.drop_without_particles(holds_pictures_of_frames);
        cache::create_folder(folder());
        runner_.emplace(
            progress_, takes_.size() * outputs_.size(),
            StageRunner::Words{"pictures", fmt::format("go on with: spindrift render {}", options_.folder.string())});
        draw();
        if (takes_.size() > 1) gather();
        cache_.commit_whole();
        report_.folder = folder();
        report_.last_picture = outputs_.front().files.picture_path(takes_.back().number);
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    /// One picture of each encode.
    struct Take {
        int number = 0;  ///< in file names
        int frame = 0;
        double time = 0;
        double turn_deg = 0;
    };
    struct Output {
        std::size_t encode;
        LookFiles files;
    };

    bool is_turntable() const { return options_.turntable > 0; }
    fs::path folder() const { return cache_.folder() / place(); }
    std::string place() const {
        return is_turntable() ? fmt::format("{}/{}", cache::series::preview, cache::series::turntable)
                              : cache::series::preview;
    }

    /// The look is that of the whole shot, whichever frames are asked for.
    void plan() {
        render::Graph graph = render::make_graph(scene_.render, scene_.output.name);
        const std::vector<std::size_t> encodes = chosen_encodes(graph, options_.only);
        look_.emplace(scene_, options_.folder, std::move(graph), LookChoice{encodes, options_.camera});
        for (const std::size_t encode : encodes)
            outputs_.push_back({encode, LookFiles(cache_, files_plan(encode))});
        const std::vector<io::FrameEntry> frames = look_->frames(options_.first, options_.last);
        if (is_turntable())
            plan_turntable(frames.back());
        else
            for (const io::FrameEntry& frame : frames)
                takes_.push_back({frame.frame, frame.frame, frame.time, 0});
    }

    /// A full turn without its end, so that the movie goes round and round.
    void plan_turntable(const io::FrameEntry& frame) {
        for (int i = 0; i < options_.turntable; ++i)
            takes_.push_back({i + 1, frame.frame, i / scene_.fps, 360.0 * i / options_.turntable});
    }

    FilesPlan files_plan(std::size_t index) const {
        const render::Module& encode = look_->graph().modules[index];
        FilesPlan plan{.folder = place()};
        plan.stage = is_turntable() ? cache::series::turntable : cache::series::preview;
        if (!scene_.render.module.empty()) plan.encode = encode.name();
        plan.name = encode.name();
        plan.formats = encode.params.formats;
        plan.bodies = look_->body_names(index);
        plan.fps = scene_.fps;
        return plan;
    }

    void draw() {
        std::optional<UnfinishedPicture> unfinished;
        if (options_.progressive) {
            unfinished.emplace(folder() / "progress.png");
            look_->watch([&](const render::Picture& picture) { unfinished->show(picture); });
        }
        tell_stale();
        PictureShare share(progress_);
        look_->listen([&](double part) { share.tell(part); });
        runner_->in_order(takes_.size(), [&](std::size_t item) {
            const Take& take = takes_[item];
            face(take);
            for (std::size_t k = 0; k < outputs_.size(); ++k) {
                Output& output = outputs_[k];
                share.begin(item * outputs_.size() + k, runner_->total(), progress_words(take));
                draw_picture(output, take);
                runner_->done(progress_words(take));
            }
        });
    }

    void draw_picture(Output& output, const Take& take) {
        const Shown shown = shown_by(output, take);
        if (output.files.is_current(shown)) {
            report_.reused += 1;
            return;
        }
        output.files.write(shown, look_->picture_for(output.encode, take.frame));
        cache_.commit();
        report_.rendered += 1;
    }

    void face(const Take& take) {
        if (is_turntable()) look_->turn(take.frame, take.turn_deg);
    }

    Shown shown_by(const Output& output, const Take& take) const {
        return {take.number, take.time, look_->made_from(output.encode, take.frame)};
    }

    std::string progress_words(const Take& take) const {
        return is_turntable() ? fmt::format("side {}/{}", take.number, takes_.size())
                              : fmt::format("frame {}/{}", take.frame, takes_.back().frame);
    }

    void tell_stale() {
        for (const Take& take : takes_) {
            face(take);
            for (const Output& output : outputs_)
                report_.stale += output.files.is_stale(shown_by(output, take));
        }
        runner_->tell_stale(report_.stale, "since particles, meshes or look have changed: rendering them anew");
    }

    /// Sheets and movies of all pictures.
    void gather() {
        std::vector<int> all, some;
        for (const Take& take : takes_)
            all.push_back(take.number);
        for (const std::size_t i : spread(all.size(), static_cast<std::size_t>(std::max(0, options_.sheet_frames))))
            some.push_back(all[i]);
        for (Output& output : outputs_) {
            note(report_.sheets, output.files.make_sheet(some));
            if (options_.movie) note(report_.movies, make_movie(output, all));
        }
    }

    static void note(std::vector<fs::path>& files, const fs::path& file) {
        if (!file.empty()) files.push_back(file);
    }

    /// Ctrl-C reaches ffmpeg as well: its complaint is then not the news.
    fs::path make_movie(Output& output, const std::vector<int>& numbers) const {
        try {
            return output.files.make_movie(numbers);
        } catch (const Error&) {
            runner_->stop_if_interrupted();
            throw;
        }
    }

    const Scene& scene_;
    const RenderOptions& options_;
    Progress& progress_;
    cache::Cache cache_;  ///< where pictures go; locked before anything is read
    std::optional<StageRunner> runner_;
    std::optional<LookGraph> look_;
    std::vector<Output> outputs_;
    std::vector<Take> takes_;
    RenderReport report_;
};

}  // namespace

RenderReport render_cache(const Scene& scene, const RenderOptions& options, Progress& progress) {
    return RenderStage(scene, options, progress).run();
}

}  // namespace spindrift::stages
