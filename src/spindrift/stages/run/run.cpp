#include "spindrift/stages/run/run.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "spindrift/cache/cache.h"
#include "spindrift/cache/scene_copy.h"
#include "spindrift/cache/simulation_hash.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/core/version.h"
#include "spindrift/sim/simulation.h"
#include "spindrift/stages/run/event_words.h"
#include "spindrift/stages/run/repair.h"
#include "spindrift/stages/run/run_frames.h"
#include "spindrift/stages/run/run_record.h"
#include "spindrift/stages/run/stopping.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;

class Run {
  public:
    Run(const Scene& scene, const RunOptions& options, Progress& progress)
        : scene_(scene),
          options_(options),
          progress_(progress),
          cache_(open_cache(options)),
          beginning_(std::in_place, progress, "stopped before the first step; the cache is as it was"),
          scene_hash_(checked_hash()),
          simulation_(scene, options.folder / cache::field_folder),
          frames_(scene_, cache_, simulation_),
          patience_(progress, options.patience),
          watch_(progress, simulation_,
                 has_fields_of_their_own() ? std::nullopt : std::optional(options.checkpoint_every)) {}

    RunReport run() {
        const auto start = std::chrono::steady_clock::now();
        const bool is_same = cache_.exists() && cache_.manifest().scene_hash == scene_hash_;
        take_over();
        if (is_anew() || !(repair(is_same) || take_up())) begin();
        beginning_.reset();
        if (options_.on_colliders && !finished_ && !simulation_.colliders().empty())
            options_.on_colliders(simulation_.collider_reports());
        simulate();
        end_record("complete");
        if (!finished_) cache_.commit_whole();
        if (!simulation_.colliders().empty() && report_.frames_simulated > 0)
            report_.leaked = simulation_.count_leaked();
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    static cache::Cache open_cache(const RunOptions& options) {
        if (options.must_exist && !fs::exists(options.folder / io::manifest_file)) {
            throw IoError(IoError::Kind::missing, options.folder,
                          "there is no simulation to resume here; start one with `spindrift run`");
        }
        return cache::Cache::make_or_open_to_write(options.folder);
    }

    bool is_anew() const { return options_.overwrite && !options_.from; }

    /// Throws UsageError if the cache is another scene's and nobody wants that changed.
    std::string checked_hash() const {
        const std::string hash = cache::simulation_hash(scene_);
        const io::Manifest& manifest = cache_.manifest();
        if (!cache_.exists() || manifest.scene_hash == hash || options_.from || options_.overwrite) return hash;
        throw UsageError(fmt::format(
            "{}: this cache was simulated from {}; add --overwrite to simulate again from the first frame, "
            "--from N to keep the frames up to N, or -o FOLDER to keep both",
            options_.folder.string(),
            manifest.scene_name == scene_.file.filename().string() ? "other values of this scene"
                                                                   : "another scene, " + manifest.scene_name));
    }

    /// From now on the cache is one of this scene; on the disk nothing changes yet.
    void take_over() {
        io::Manifest& manifest = cache_.edit();
        if (!cache_.exists() || is_anew()) {
            manifest.program_version = program_version;
            manifest.scene_name = scene_.file.filename().string();
            manifest.fps = scene_.fps;
        }
        manifest.scene_hash = scene_hash_;
        manifest.parameters = scene_json(scene_);
    }

    /// Frames that are missing or damaged are made again. True if they come out otherwise than before: then the
    /// simulation stands at the first of them, and what follows is to be made anew.
    bool repair(bool is_same) {
        if (!cache_.exists()) return false;
        const int last = options_.from ? *options_.from - 1 : scene_.frames[1];
        // Who resumes a complete cache has a reason to doubt it.
        const bool is_complete = frames_.find(scene_.frames[1]) != nullptr && !options_.from;
        const cache::Depth depth = options_.must_exist && is_complete ? cache::Depth::whole : cache::Depth::quick;
        const std::vector<int> damaged = find_damaged(frames_, last, depth, progress_);
        if (damaged.empty()) return false;
        if (!is_same) {
            log_warning("the scene has changed since: damaged frames before --from stay as they are");
            return false;
        }
        const Repair done = repair_frames(damaged, frames_, simulation_, cache_, progress_);
        report_.frames_repaired = done.frames;
        if (!done.differs) return false;
        log_warning(
            fmt::format("frame {} comes out otherwise than before, as frames of another machine or version do: "
                        "simulating it and all after it anew",
                        *done.differs));
        keep_before(*done.differs);
        write_frame();
        report_.frames_simulated += 1;
        return true;
    }

    /// The newest state to go on from: a checkpoint, or else the last frame that can still be read.
    bool take_up() {
        if (options_.from) frames_.adopt(*options_.from);
        const std::vector<io::FrameEntry> frames = frames_.all();
        const int last_wanted = options_.from ? *options_.from : scene_.frames[1];
        if (options_.from && !frames_.find(*options_.from) && *options_.from != scene_.frames[0]) {
            throw UsageError(
                fmt::format("--from {}: the cache has no such frame{}", *options_.from, frame_range(frames)));
        }
        if (!options_.from && restore_checkpoint()) return true;
        for (std::size_t left = frames.size(); left > 0; --left) {
            const io::FrameEntry& entry = frames[left - 1];
            if (entry.frame <= last_wanted && frames_.restore(entry)) {
                keep_before(entry.frame + 1);
                report_.frames_reused = static_cast<int>(left);
                return true;
            }
            if (entry.frame > last_wanted && !options_.from) {
                // The scene was shortened: later frames stay as they are, nothing is left to do.
                report_.frames_reused = static_cast<int>(left);
                finished_ = true;
                return true;
            }
        }
        return false;
    }

    static std::string frame_range(const std::vector<io::FrameEntry>& frames) {
        if (frames.empty()) return "; it is empty";
        return fmt::format("; it has {} to {}", frames.front().frame, frames.back().frame);
    }

    bool restore_checkpoint() {
        if (!frames_.restore_checkpoint()) return false;
        report_.frames_reused = static_cast<int>(frames_.all().size());
        return true;
    }

    /// Keeps the frames before one. Whenever this is stopped there is a cache to go on from: the manifest says first
    /// what counts, and the scene's copy, statistics and files follow it.
    void keep_before(int frame) {
        stop_if_interrupted();
        beginning_.reset();
        if (is_anew())
            cache_.drop_everything();
        else
            cache_.drop_simulated(frame, options_.from ? cache::Fate::remove : cache::Fate::keep_unreadable);
        cache_.drop_series(cache::series::checkpoint);
        cache::write_next_scene(options_.folder, scene_);
        if (cache_.exists()) cache_.commit();
        cache::accept_next_scene(options_.folder);
        io::drop_statistics_from(options_.folder / io::statistics_file, frame);
        frames_.remove_checkpoint();
    }

    void begin() {
        simulation_.fill();
        keep_before(std::numeric_limits<int>::min());
        cache::create_folder(options_.folder / cache::series::particles);
        write_frame();
    }

    void simulate() {
        if (finished_) return;
        cache::write_next_scene(options_.folder, scene_);
        cache::accept_next_scene(options_.folder);
        const auto total = static_cast<std::size_t>(scene_.frames[1] - scene_.frames[0] + 1);
        while (simulation_.frame() < scene_.frames[1]) {
            while (!advance()) {
                if (watch_.was_asked()) interrupt();
                watch_.save([&] { write_checkpoint(); });
            }
            watch_.save([&] { write_frame(); });
            report_.frames_simulated += 1;
            const io::FrameStatistics& s = last_statistics_;
            progress_.report(
                static_cast<std::size_t>(simulation_.frame() - scene_.frames[0] + 1), total,
                fmt::format("frame {}/{}  {} particles  {} substeps  density error {:.2f} %  {:.2f} s/frame", s.frame,
                            scene_.frames[1], format_count(static_cast<double>(s.particles)), s.substeps,
                            100 * s.mean_density_error, s.seconds));
        }
    }

    /// False if the user wants to stop or a checkpoint is due, with a substep just finished.
    bool advance() {
        try {
            std::optional<Interruptible> step;
            if (options_.patience < endless_patience) step.emplace(patience_, "");
            return simulation_.advance_frame(watch_);
        } catch (const InterruptedError&) {
            give_up_step();
        } catch (const DivergedError& error) {
            io::FrameStatistics lost;
            lost.frame = simulation_.frame() + 1;
            lost.time = simulation_.time();
            give_up(error.what(), lost);
        }
    }

    /// Stops before a frame is written that is beyond repair. Speeds may come down again, so they get some frames.
    void check_health() {
        constexpr int most_doubtful = 2;
        const health::Verdict& verdict = simulation_.verdict();
        const bool hopeless = !verdict.hopeless.empty();
        if (hopeless && (!verdict.finite || doubtful_ == most_doubtful)) {
            give_up(fmt::format("the simulation diverged at frame {}, {:.4f} s: {}; try {}", simulation_.frame(),
                                simulation_.time(), verdict.hopeless,
                                health::advice_for_accuracy(scene_, last_statistics_.substeps)),
                    last_statistics_);
        }
        doubtful_ = hopeless ? doubtful_ + 1 : 0;
    }

    /// The cache keeps its last good frame; statistics go on to tell what happened after it.
    [[noreturn]] void give_up(const std::string& why, io::FrameStatistics lost) {
        const std::vector<io::FrameEntry>& frames = frames_.all();
        const int last = frames.empty() ? scene_.frames[0] : frames.back().frame;
        const int good = std::max(scene_.frames[0], last - doubtful_);
        cache_.drop_simulated(good + 1, cache::Fate::remove);
        end_record("diverged");
        cache_.commit_whole();
        lost.events.push_back("diverged: " + why);
        io::append_statistics(options_.folder / io::statistics_file, lost);
        const bool at_home = cache_folder(scene_) == options_.folder;
        throw DivergedError(
            fmt::format("{}; frame {} is the last good one and is kept: change what is wrong and go on from it with "
                        "`spindrift run {} --from {}{}`",
                        why, good, scene_.file.string(), good, at_home ? "" : " -o " + options_.folder.string()));
    }

    /// Of calls that simulate something.
    void begin_record() {
        if (!std::exchange(is_recorded_, true)) stages::begin_record(cache_.edit(), options_.command);
    }
    void end_record(const char* how) {
        if (is_recorded_) stages::end_record(cache_.edit(), how);
    }

    void write_frame() {
        begin_record();
        const int frame = simulation_.frame();
        last_statistics_ = simulation_.statistics();
        check_health();
        frames_.write();
        io::append_statistics(options_.folder / io::statistics_file, last_statistics_);
        cache_.drop_series(cache::series::checkpoint);
        cache_.forget_unreadable(frame);
        cache_.commit();
        frames_.remove_checkpoint();
        events_.say(last_statistics_);
        if (options_.on_frame) options_.on_frame(last_statistics_);
    }

    /// Fields of bodies that deform are made at frames and follow them in between: only at frames they are known by
    /// the points alone, so a run that stopped goes on from there.
    bool has_fields_of_their_own() const {
        return std::any_of(scene_.body.begin(), scene_.body.end(), [](const auto& each) { return each.deforms(); });
    }

    void write_checkpoint() {
        frames_.write_checkpoint();
        cache_.commit();
    }

    /// What the step has done to the particles by now is of no use.
    [[noreturn]] void give_up_step() {
        end_record("interrupted");
        cache_.commit_whole();
        const bool midway = !cache_.frames(cache::series::checkpoint).empty();
        throw InterruptedError(
            fmt::format("stopped within a step after frame {}, back to {}; go on with: spindrift resume {}",
                        simulation_.frame(), midway ? "the last checkpoint" : "that frame", options_.folder.string()));
    }

    [[noreturn]] void interrupt() {
        const int frame = simulation_.frame();
        if (simulation_.between_frames() && !has_fields_of_their_own()) frames_.write_checkpoint();
        end_record("interrupted");
        cache_.commit_whole();
        throw InterruptedError(
            fmt::format("stopped after frame {}; go on with: spindrift resume {}", frame, options_.folder.string()));
    }

    Scene scene_;
    RunOptions options_;
    Progress& progress_;
    cache::Cache cache_;                      ///< locked before anything is read
    std::optional<Interruptible> beginning_;  ///< until the cache changes everything may end anywhere
    std::string scene_hash_;
    sim::Simulation simulation_;
    RunFrames frames_;
    Patience patience_;
    CheckpointWatch watch_;
    RunReport report_;
    io::FrameStatistics last_statistics_;
    EventWords events_;
    int doubtful_ = 0;  ///< hopeless frames in a row that were written
    bool finished_ = false, is_recorded_ = false;
};

}  // namespace

RunReport run_scene(const Scene& scene, const RunOptions& options, Progress& progress) {
    return Run(scene, options, progress).run();
}

}  // namespace spindrift::stages
