#include "spindrift/stages/whitewater/whitewater_stage.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "spindrift/cache/cache.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/interruption.h"
#include "spindrift/io/npz.h"
#include "spindrift/stages/frame/frame_bodies.h"
#include "spindrift/stages/stage_runner.h"
#include "spindrift/stages/whitewater/fog_file.h"
#include "spindrift/stages/whitewater/whitewater_files.h"
#include "spindrift/stages/whitewater/whitewater_inputs.h"
#include "spindrift/stages/whitewater/whitewater_maker.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using cache::Inputs;
using whitewater::Kind;
using whitewater::WhitewaterParams;

constexpr const char* statistics_name = "statistics.jsonl";

class WhitewaterStage {
  public:
    WhitewaterStage(const Scene& scene, const WhitewaterOptions& options, Progress& progress)
        : scene_(scene),
          params_(scene.whitewater.value_or(WhitewaterParams{})),
          cache_(cache::Cache::open_for_results(options.folder, options.output)),
          working_(progress, "stopped in the making of whitewater"),
          seen_(cache_.folder() == options.folder ? cache_.reader() : cache::Cache::open(options.folder)),
          frames_(frames_up_to(seen_, options.last)),
          runner_(
              progress, frames_.size(),
              {"frames of whitewater", fmt::format("go on with: spindrift whitewater {}", options.folder.string())}),
          series_(whitewater_series(scene)),
          inputs_(whitewater_inputs_hash(scene)),
          maker_(scene, seen_, cache_) {}

    WhitewaterReport run() {
        const auto start = std::chrono::steady_clock::now();
        prepare();
        tell_stale();
        try {
            runner_.in_order(frames_.size(), [&](std::size_t item) { make(item); });
        } catch (...) {
            write_statistics();
            throw;
        }
        cache_.commit_whole();
        write_statistics();
        for (const WhitewaterRecord& record : whitewater_records(cache_.manifest())) {
            if (record.frame <= frames_.back().frame) report_.records.push_back(record);
        }
        report_.folder = cache_.folder() / cache::series::whitewater;
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    /// From the first of the cache, without a gap.
    static std::vector<io::FrameEntry> frames_up_to(const cache::Cache& cache, std::optional<int> last) {
        std::vector<io::FrameEntry> frames = cache.frames_between({}, last, "to make whitewater of");
        for (std::size_t i = 1; i < frames.size(); ++i) {
            if (frames[i].frame == frames[i - 1].frame + 1) continue;
            throw UsageError(fmt::format(
                "{}: frame {} is missing between {} and {}, and whitewater goes on from frame to frame; make it again "
                "with `spindrift resume {}`",
                cache.folder().string(), frames[i - 1].frame + 1, frames[i - 1].frame, frames[i].frame,
                cache.folder().string()));
        }
        return frames;
    }

    void prepare() {
        cache::create_folder(cache_.folder() / cache::series::whitewater);
        const auto is_ours = [](std::string_view series) {
            return series.starts_with(fmt::format("{}/", cache::series::whitewater)) || series == cache::series::mist;
        };
        cache_.drop_without_particles(is_ours);
        drop_other_kinds();
        for (const WhitewaterSeries& series : series_)
            cache_.set_inputs(series.key, inputs_);
        if (writes_fog()) cache::create_folder(cache_.folder() / cache::series::mist);
    }

    /// Of kinds that are not asked for any more. Files go once the manifest does not name them.
    void drop_other_kinds() {
        std::vector<fs::path> files;
        for (std::size_t k = 0; k < whitewater::kind_count; ++k) {
            const auto kind = static_cast<Kind>(k);
            const std::string key = fmt::format("{}/{}", cache::series::whitewater, word(kind));
            if (params_.has(kind) || cache_.frames(key).empty()) continue;
            for (const io::FrameEntry& entry : cache_.frames(key))
                files.push_back(cache_.path(entry));
            cache_.drop_series(key);
        }
        if (files.empty()) return;
        cache_.commit_whole();
        std::error_code ignored;
        for (const fs::path& file : files)
            fs::remove(file, ignored);
    }

    bool writes_fog() const { return params_.mist.volume && params_.has(Kind::mist); }

    /// `before` tells all that the frame before left.
    Inputs inputs_of(std::size_t item, const std::string& before) const {
        const io::FrameEntry& entry = frames_[item];
        Inputs inputs;
        inputs.add("particles", entry.hash).add("inputs", inputs_).add("before", before);
        inputs.add("bodies", body_hash(scene_, seen_, entry.frame));
        if (item > 0) inputs.add("particles_before", frames_[item - 1].hash);
        return inputs;
    }

    std::string hash_of_files(int frame) const {
        std::string all;
        for (const WhitewaterSeries& series : series_) {
            const io::FrameEntry* entry = cache_.find(series.key, frame);
            all += entry ? entry->hash : "";
        }
        return all;
    }

    bool is_current(int frame, const Inputs& inputs) const {
        if (writes_fog() && !cache_.is_current(fog_series(scene_), frame, inputs)) return false;
        return std::all_of(series_.begin(), series_.end(), [&](const WhitewaterSeries& series) {
            const io::FrameEntry* entry = cache_.find(series.key, frame);
            return entry && whitewater_record(*entry) && cache_.is_current(series, frame, inputs);
        });
    }

    void tell_stale() {
        std::string before;
        for (std::size_t item = 0; item < frames_.size(); ++item) {
            const int frame = frames_[item].frame;
            const Inputs inputs = inputs_of(item, before);
            const bool there = cache_.find(series_.front().key, frame) != nullptr;
            report_.stale += there && !is_current(frame, inputs);
            before = hash_of_files(frame);
        }
        runner_.tell_stale(report_.stale, "since particles or settings have changed: making them anew");
    }

    void make(std::size_t item) {
        const io::FrameEntry& entry = frames_[item];
        const Inputs inputs = inputs_of(item, before_);
        if (is_current(entry.frame, inputs)) {
            report_.reused += 1;
            maker_.skip();
            runner_.done(fmt::format("frame {}/{}  up to date", entry.frame, frames_.back().frame));
        } else {
            runner_.stop_if_interrupted();
            const auto start = std::chrono::steady_clock::now();
            WhitewaterRecord record = item == 0 ? maker_.begin(entry) : maker_.advance(frames_[item - 1], entry);
            record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            write(entry, inputs, record);
            report_.made += 1;
            runner_.done(fmt::format("frame {}/{}  {}  {:.2f} s/frame", entry.frame, frames_.back().frame,
                                     describe(record), record.seconds));
        }
        before_ = hash_of_files(entry.frame);
    }

    void write(const io::FrameEntry& entry, const Inputs& inputs, const WhitewaterRecord& record) {
        const ChannelArray* p = maker_.now().particles.channels.find("P");
        const ScalarType type = p && p->type().scalar == ScalarType::f64 ? ScalarType::f64 : ScalarType::f32;
        const Vec3d origin = maker_.now().particles.origin;
        const std::string state = inputs.text(R"("counts":)" + to_json(record));
        for (const WhitewaterSeries& series : series_) {
            const ChannelSet channels = whitewater_channels(
                maker_.particles(), series.kind, {.flow = maker_.now().flow, .origin = origin, .position = type});
            const WrittenFile file = io::write_arrays(series.path(cache_.folder(), entry.frame), channels);
            cache_.put(series, {entry.frame, entry.time}, file, state);
        }
        if (writes_fog()) {
            const WrittenFile file = write_fog(fog_series(scene_).path(cache_.folder(), entry.frame), scene_,
                                               maker_.particles(), {.origin = origin, .frame = entry});
            cache_.put(fog_series(scene_), {entry.frame, entry.time}, file, inputs.text());
        }
        cache_.commit();
    }

    /// Follows from the manifest.
    void write_statistics() const {
        std::string lines;
        for (const WhitewaterRecord& record : whitewater_records(cache_.manifest()))
            lines += to_json(record) + '\n';
        write_file(cache_.folder() / cache::series::whitewater / statistics_name, lines);
    }

    const Scene& scene_;
    WhitewaterParams params_;
    cache::Cache cache_;  ///< where whitewater goes; locked before anything is read
    Interruptible working_;
    cache::Cache seen_;  ///< where particles are
    std::vector<io::FrameEntry> frames_;
    StageRunner runner_;
    std::vector<WhitewaterSeries> series_;
    std::string inputs_, before_{};
    WhitewaterMaker maker_;
    WhitewaterReport report_{};
};

}  // namespace

WhitewaterReport whitewater_cache(const Scene& scene, const WhitewaterOptions& options, Progress& progress) {
    return WhitewaterStage(scene, options, progress).run();
}

}  // namespace spindrift::stages
