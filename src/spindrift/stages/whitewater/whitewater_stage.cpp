#include "spindrift/stages/whitewater/whitewater_stage.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "spindrift/cache/cache.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/random.h"
#include "spindrift/core/text.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/io/npz.h"
#include "spindrift/stages/frame/frame_bodies.h"
#include "spindrift/stages/stage_runner.h"
#include "spindrift/stages/whitewater/birth_places.h"
#include "spindrift/stages/whitewater/fog_file.h"
#include "spindrift/stages/whitewater/liquid_frame.h"
#include "spindrift/stages/whitewater/whitewater_files.h"
#include "spindrift/stages/whitewater/whitewater_inputs.h"
#include "spindrift/stages/whitewater/whitewater_sources.h"
#include "spindrift/whitewater/step.h"

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
          whitewater_(params_, hash_counter(static_cast<std::uint64_t>(scene.seed), 0x3a7e2, 0)) {}

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
            now_.reset();
            is_loaded_ = false;
            runner_.done(fmt::format("frame {}/{}  up to date", entry.frame, frames_.back().frame));
        } else {
            runner_.stop_if_interrupted();
            const auto start = std::chrono::steady_clock::now();
            WhitewaterRecord record = item == 0 ? begin(entry) : advance(item);
            record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            write(entry, inputs, record);
            report_.made += 1;
            runner_.done(fmt::format("frame {}/{}  {}  {:.2f} s/frame", entry.frame, frames_.back().frame,
                                     describe(record), record.seconds));
        }
        before_ = hash_of_files(entry.frame);
    }

    void make_surroundings() {
        if (around_) return;
        around_.emplace(scene_, seen_);
        sources_.emplace(scene_);
    }

    std::unique_ptr<LiquidFrame> load(const io::FrameEntry& entry, std::optional<Vec3d> origin = {}) {
        return make_liquid_frame(scene_, seen_, entry, *around_, {.origin = origin});
    }

    /// The first frame has none: nothing has moved yet.
    WhitewaterRecord begin(const io::FrameEntry& entry) {
        make_surroundings();
        now_ = load(entry);
        forget();
        whitewater_.next_id = 0;
        is_loaded_ = true;
        return {.frame = entry.frame};
    }

    void forget() {
        whitewater_.particles.has_color = !now_->liquid.color.empty();
        whitewater_.particles.resize(0);
    }

    /// What the frame before left, as its files have it.
    void restore(const io::FrameEntry& before) {
        forget();
        for (const WhitewaterSeries& series : series_)
            read_whitewater(series.path(cache_.folder(), before.frame), series.kind, now_->particles.origin,
                            whitewater_.particles);
        whitewater_.next_id = whitewater_record(*cache_.find(series_.front().key, before.frame))->next_id;
        is_loaded_ = true;
    }

    WhitewaterRecord advance(std::size_t item) {
        make_surroundings();
        const io::FrameEntry &entry = frames_[item], &earlier = frames_[item - 1];
        if (!now_) now_ = load(earlier);
        if (!is_loaded_) restore(earlier);
        std::unique_ptr<LiquidFrame> next = load(entry);
        const Vec3d origin = next->particles.origin;
        if (now_->particles.origin != origin) {
            count_from(origin);
            now_ = load(earlier, origin);
        }
        whitewater::Interval interval = interval_to(*next);
        interval.births = births(*next);
        interval.volume = static_cast<float>(whitewater_volume(scene_));
        const whitewater::Counts counts = whitewater_.advance(interval);
        now_ = std::move(next);
        WhitewaterRecord record{.frame = entry.frame, .gone = counts.gone, .next_id = whitewater_.next_id};
        std::copy(counts.kinds.begin(), counts.kinds.end(), record.kinds.begin());
        std::copy(counts.born.begin(), counts.born.end(), record.born.begin());
        record.substeps = counts.substeps;
        return record;
    }

    /// Through the coordinates that files have, so that a resume has the same bits.
    void count_from(Vec3d origin) {
        for (std::size_t i = 0; i < whitewater_.particles.size(); ++i) {
            const Vec3d world = now_->particles.origin + vec_cast<double>(whitewater_.particles.x[i]);
            whitewater_.particles.x[i] = vec_cast<float>(world - origin);
        }
    }

    whitewater::Interval interval_to(const LiquidFrame& next) {
        const Vec3d origin = next.particles.origin;
        const int before = now_->number;
        whitewater::Interval interval{.flow = {now_->flow, next.flow, static_cast<float>(1 / scene_.fps)},
                                      .frame = next.number,
                                      .time = next.time};
        interval.walls = [this, before, origin](double from, double to) -> const collision::Walls& {
            return around_->between(before, {from, to}, origin);
        };
        interval.forces = [this, before, origin](double share) { return around_->forces(before + share, origin); };
        interval.bounds =
            bounds_of_flight(scene_, {min(now_->box.lo, next.box.lo), max(now_->box.hi, next.box.hi)}, origin);
        interval.is_killed = killed_places(scene_, next.number, origin);
        return interval;
    }

    std::vector<whitewater::Birth> births(const LiquidFrame& next) {
        const Vec3d origin = next.particles.origin;
        whitewater::EmissionSetup setup{.before = {now_->liquid, &now_->rates},
                                        .after = {next.liquid, &next.rates},
                                        .span = 1 / scene_.fps,
                                        .volume = whitewater_volume(scene_),
                                        .seed = static_cast<std::uint64_t>(scene_.seed)};
        setup.is_allowed = allowed_places(scene_, origin);
        const WhitewaterSources::Time time{.frame = now_->number, .span = 1 / scene_.fps, .origin = origin};
        const auto expected = whitewater::expected_births(setup, params_);
        check_number(next.number, std::accumulate(expected.begin(), expected.end(), sources_->expected(time)));
        std::vector<whitewater::Birth> all = whitewater::emit(setup, params_);
        sources_->emit(time, all);
        std::erase_if(all, [](const whitewater::Birth& each) { return !is_finite(each.x) || !is_finite(each.v); });
        return all;
    }

    void check_number(int frame, double births) const {
        const double number = births + static_cast<double>(whitewater_.particles.size());
        const double memory = number * whitewater::Particles::most_bytes + births * 2 * sizeof(whitewater::Birth);
        constexpr double on_disk = 57;
        const std::string would = fmt::format(
            "frame {}: there would be {} whitewater particles, which take {} of memory "
            "and {} on the disk",
            frame, format_count(number), format_bytes(memory), format_bytes(number * on_disk));
        const std::string less =
            fmt::format("raise whitewater.spacing ({} now), lower whitewater.amount or the rates", params_.spacing);
        if (number > static_cast<double>(params_.most))
            throw UsageError(
                fmt::format("{}, and whitewater.most is {}; {}, or raise whitewater.most; frames up to {} are kept",
                            would, format_count(static_cast<double>(params_.most)), less, frame - 1));
        const double machine =
            static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
        if (memory > machine)
            throw OutOfMemoryError(fmt::format("{}, and this machine has {} of memory; {}; frames up to {} are kept",
                                               would, format_bytes(machine), less, frame - 1));
    }

    void write(const io::FrameEntry& entry, const Inputs& inputs, const WhitewaterRecord& record) {
        const ChannelArray* p = now_->particles.channels.find("P");
        const ScalarType type = p && p->type().scalar == ScalarType::f64 ? ScalarType::f64 : ScalarType::f32;
        const Vec3d origin = now_->particles.origin;
        const std::string state = inputs.text(R"("counts":)" + to_json(record));
        for (const WhitewaterSeries& series : series_) {
            const ChannelSet channels = whitewater_channels(whitewater_.particles, series.kind,
                                                            {.flow = now_->flow, .origin = origin, .position = type});
            const WrittenFile file = io::write_arrays(series.path(cache_.folder(), entry.frame), channels);
            cache_.put(series, {entry.frame, entry.time}, file, state);
        }
        if (writes_fog()) {
            const WrittenFile file = write_fog(fog_series(scene_).path(cache_.folder(), entry.frame), scene_,
                                               whitewater_.particles, {.origin = origin, .frame = entry});
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
    whitewater::Whitewater whitewater_;
    bool is_loaded_ = false;  ///< whether `whitewater_` is that of the frame before
    std::optional<FrameSurroundings> around_{};
    std::optional<WhitewaterSources> sources_{};
    std::unique_ptr<LiquidFrame> now_{};
    WhitewaterReport report_{};
};

}  // namespace

WhitewaterReport whitewater_cache(const Scene& scene, const WhitewaterOptions& options, Progress& progress) {
    return WhitewaterStage(scene, options, progress).run();
}

}  // namespace spindrift::stages
