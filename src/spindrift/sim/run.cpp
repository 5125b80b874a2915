#include "spindrift/sim/run.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/core/version.h"
#include "spindrift/io/frames.h"
#include "spindrift/io/npz.h"
#include "spindrift/sim/body_files.h"
#include "spindrift/sim/core_files.h"
#include "spindrift/sim/dropped_frames.h"
#include "spindrift/sim/folder_lock.h"
#include "spindrift/sim/grid_files.h"
#include "spindrift/sim/scene_copy.h"
#include "spindrift/sim/simulation.h"
#include "spindrift/sim/wet_files.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

class Run {
  public:
    Run(const Scene& scene, const RunOptions& options, Progress& progress)
        : scene_(scene),
          options_(options),
          progress_(progress),
          lock_(lock_folder(options)),
          beginning_(std::in_place, progress, "stopped before the first step; the cache is as it was"),
          scene_hash_(simulation_hash(scene)),
          manifest_(open_manifest()),
          simulation_(scene, options.folder / field_folder) {}

    RunReport run() {
        const auto start = std::chrono::steady_clock::now();
        remove_stale_temporaries(options_.folder);
        remove_dropped(options_.folder, manifest_);
        if (is_anew() || !take_up()) begin();
        beginning_.reset();
        if (options_.on_colliders && !finished_ && !simulation_.colliders().empty())
            options_.on_colliders(simulation_.collider_reports());
        simulate();
        finish_stage();
        if (!simulation_.colliders().empty() && report_.frames_simulated > 0)
            report_.leaked = simulation_.count_leaked();
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    static FolderLock lock_folder(const RunOptions& options) {
        if (options.must_exist && !fs::exists(options.folder / io::manifest_file)) {
            throw IoError(IoError::Kind::missing, options.folder,
                          "there is no simulation to resume here; start one with `spindrift run`");
        }
        return FolderLock(options.folder);
    }

    bool has_manifest() const { return fs::exists(options_.folder / io::manifest_file); }
    bool is_anew() const { return options_.overwrite && !options_.from; }

    /// What the cache holds, from now on as one of this scene; on the disk nothing changes yet.
    io::Manifest open_manifest() const {
        io::Manifest manifest;
        if (has_manifest()) manifest = io::load_manifest(options_.folder);
        if (has_manifest() && manifest.scene_hash != scene_hash_ && !options_.from && !options_.overwrite) {
            throw UsageError(fmt::format(
                "{}: this cache was simulated from {}; add --overwrite to simulate again from the first frame, "
                "--from N to keep the frames up to N, or -o FOLDER to keep both",
                options_.folder.string(),
                manifest.scene_name == scene_.file.filename().string() ? "other values of this scene"
                                                                       : "another scene, " + manifest.scene_name));
        }
        if (!has_manifest() || is_anew()) {
            manifest.program_version = program_version;
            manifest.scene_name = scene_.file.filename().string();
            manifest.fps = scene_.fps;
        }
        manifest.scene_hash = scene_hash_;
        manifest.parameters = scene_json(scene_);
        return manifest;
    }

    /// The newest state to go on from: a checkpoint, or else the last frame that can still be read.
    bool take_up() {
        const io::Stage& frames = manifest_.stages[particle_stage];
        const int last_wanted = options_.from ? *options_.from : scene_.frames[1];
        if (options_.from && !io::find_frame(frames, *options_.from) && *options_.from != scene_.frames[0]) {
            throw UsageError(
                fmt::format("--from {}: the cache has no such frame{}", *options_.from, frame_range(frames)));
        }
        if (!options_.from && restore_checkpoint()) return true;
        for (std::size_t left = frames.frames.size(); left > 0; --left) {
            const io::FrameEntry entry = frames.frames[left - 1];
            if (entry.frame <= last_wanted && restore(entry)) {
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

    static std::string frame_range(const io::Stage& stage) {
        if (stage.frames.empty()) return "; it is empty";
        return fmt::format("; it has {} to {}", stage.frames.front().frame, stage.frames.back().frame);
    }

    bool restore_checkpoint() {
        const io::Stage& stage = manifest_.stages[checkpoint_stage];
        if (stage.frames.empty() || !restore(stage.frames.back())) return false;
        report_.frames_reused = static_cast<int>(manifest_.stages[particle_stage].frames.size());
        return true;
    }

    bool restore(const io::FrameEntry& entry) {
        const fs::path path = options_.folder / entry.file;
        try {
            simulation_.restore({io::read_npz(path), entry.state, wet_maps_of(entry), bodies_of(entry), core_of(entry)},
                                path);
            check_grids(scene_, options_.folder, manifest_, entry.frame);
            return true;
        } catch (const IoError& error) {
            log_warning(fmt::format("{}; going back to the frame before", error.what()));
            return false;
        }
    }

    bool is_checkpoint(const io::FrameEntry& entry) const {
        const auto checkpoint = manifest_.stages.find(checkpoint_stage);
        return checkpoint != manifest_.stages.end() && !checkpoint->second.frames.empty() &&
               checkpoint->second.frames.back().file == entry.file;
    }

    std::vector<WetState> wet_maps_of(const io::FrameEntry& entry) const {
        return is_checkpoint(entry) ? read_checkpoint_wet_maps(scene_, options_.folder / entry.file)
                                    : read_wet_maps(scene_, options_.folder, manifest_, entry.frame);
    }

    bodies::BodiesState bodies_of(const io::FrameEntry& entry) const {
        return is_checkpoint(entry) ? read_checkpoint_bodies(scene_, options_.folder / entry.file).state
                                    : read_bodies(scene_, options_.folder, manifest_, entry.frame).state;
    }

    ChannelSet core_of(const io::FrameEntry& entry) const {
        return is_checkpoint(entry) ? read_checkpoint_core(scene_, options_.folder / entry.file)
                                    : read_core(scene_, options_.folder, manifest_, entry.frame);
    }

    /// Keeps the frames before one. Whenever this is stopped there is a cache to go on from: the manifest says first
    /// what counts, and the scene's copy, statistics and files follow it.
    void keep_before(int frame) {
        stop_if_interrupted();
        beginning_.reset();
        if (is_anew())
            drop_everything(manifest_);
        else
            drop_simulated(manifest_, frame, options_.from ? Fate::remove : Fate::keep_unreadable);
        manifest_.stages.erase(checkpoint_stage);
        write_next_scene(options_.folder, scene_);
        if (has_manifest()) io::save_manifest(options_.folder, manifest_);
        accept_next_scene(options_.folder);
        io::drop_statistics_from(options_.folder / io::statistics_file, frame);
        remove_dropped(options_.folder, manifest_);
        remove_checkpoint(options_.folder, scene_.output.name);
    }

    void begin() {
        simulation_.fill();
        keep_before(std::numeric_limits<int>::min());
        io::create_folder(options_.folder / particle_stage);
        write_frame();
    }

    void simulate() {
        if (finished_) return;
        write_next_scene(options_.folder, scene_);
        accept_next_scene(options_.folder);
        const auto total = static_cast<std::size_t>(scene_.frames[1] - scene_.frames[0] + 1);
        while (simulation_.frame() < scene_.frames[1]) {
            if (!advance()) interrupt();
            write_frame();
            report_.frames_simulated += 1;
            const io::FrameStatistics& s = last_statistics_;
            progress_.report(
                static_cast<std::size_t>(simulation_.frame() - scene_.frames[0] + 1), total,
                fmt::format("frame {}/{}  {} particles  {} substeps  density error {:.2f} %  {:.2f} s/frame", s.frame,
                            scene_.frames[1], format_count(static_cast<double>(s.particles)), s.substeps,
                            100 * s.mean_density_error, s.seconds));
        }
    }

    bool advance() {
        try {
            return simulation_.advance_frame(progress_);
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
        const Verdict& verdict = simulation_.verdict();
        const bool hopeless = !verdict.hopeless.empty();
        if (hopeless && (!verdict.finite || doubtful_ == most_doubtful)) {
            give_up(fmt::format("the simulation diverged at frame {}, {:.4f} s: {}; try {}", simulation_.frame(),
                                simulation_.time(), verdict.hopeless,
                                advice_for_accuracy(scene_, last_statistics_.substeps)),
                    last_statistics_);
        }
        doubtful_ = hopeless ? doubtful_ + 1 : 0;
    }

    /// The cache keeps its last good frame; statistics go on to tell what happened after it.
    [[noreturn]] void give_up(const std::string& why, io::FrameStatistics lost) {
        io::Stage& frames = manifest_.stages[particle_stage];
        const int last = frames.frames.empty() ? scene_.frames[0] : frames.frames.back().frame;
        const int good = std::max(scene_.frames[0], last - doubtful_);
        drop_simulated(manifest_, good + 1, Fate::remove);
        io::save_manifest(options_.folder, manifest_);
        remove_dropped(options_.folder, manifest_);
        lost.events.push_back("diverged: " + why);
        io::append_statistics(options_.folder / io::statistics_file, lost);
        const bool at_home = cache_folder(scene_) == options_.folder;
        throw DivergedError(
            fmt::format("{}; frame {} is the last good one and is kept: change what is wrong and go on from it with "
                        "`spindrift run {} --from {}{}`",
                        why, good, scene_.file.string(), good, at_home ? "" : " -o " + options_.folder.string()));
    }

    void write_frame() {
        const int frame = simulation_.frame();
        last_statistics_ = simulation_.statistics();
        check_health();
        const Snapshot snapshot = simulation_.snapshot();
        const io::FrameEntry entry = write_state(snapshot, particle_stage, frame);
        write_wet_maps(options_.folder, manifest_, frame, simulation_.time(), snapshot.wet);
        write_bodies(scene_, options_.folder, manifest_, {frame, simulation_.time()}, look_at(simulation_.bodies()));
        write_core(scene_, options_.folder, manifest_, {frame, simulation_.time()}, snapshot.grid);
        write_grids(scene_, options_.folder, manifest_, simulation_);
        io::append_statistics(options_.folder / io::statistics_file, last_statistics_);
        io::set_frame(manifest_.stages[particle_stage], entry);
        manifest_.stages.erase(checkpoint_stage);
        forget_unreadable(manifest_, frame);
        io::save_manifest(options_.folder, manifest_);
        remove_checkpoint(options_.folder, scene_.output.name);
        say_events();
        if (options_.on_frame) options_.on_frame(last_statistics_);
    }

    /// Each kind when it comes up, and again in the tenth, hundredth, ... frame that has it.
    void say_events() {
        for (const std::string& event : last_statistics_.events) {
            int& count = said_[std::string(kind_of(event))];
            count += 1;
            int power = 1;
            while (power < count)
                power *= 10;
            if (count != power) continue;
            const std::string often = count > 1 ? fmt::format(" (frame number {} with this)", count) : "";
            log_warning(fmt::format("frame {}: {}{}", last_statistics_.frame, event, often));
        }
    }

    io::FrameEntry write_state(const Snapshot& snapshot, const char* stage, int frame) {
        const fs::path path = io::frame_path(options_.folder, stage, scene_.output.name, frame, "npz");
        io::create_folder(path.parent_path());
        const auto entries = io::write_npz(path, snapshot.channels);
        return {.frame = frame,
                .file = fs::relative(path, options_.folder).generic_string(),
                .bytes = fs::file_size(path),
                .hash = io::content_hash(entries),
                .time = simulation_.time(),
                .state = snapshot.state};
    }

    /// Fields of bodies that deform are made at frames and follow them in between: only at frames they are known by
    /// the points alone, so a run that stopped goes on from there.
    bool has_fields_of_their_own() const {
        return std::any_of(scene_.body.begin(), scene_.body.end(), [](const auto& each) { return each.deforms(); });
    }

    [[noreturn]] void interrupt() {
        const int frame = simulation_.frame();
        if (simulation_.between_frames() && !has_fields_of_their_own()) {
            io::Stage& stage = manifest_.stages[checkpoint_stage];
            stage.frames.clear();
            const Snapshot snapshot = simulation_.snapshot();
            const io::FrameEntry entry = write_state(snapshot, checkpoint_stage, frame);
            write_checkpoint_wet_maps(options_.folder / entry.file, snapshot.wet);
            write_checkpoint_core(options_.folder / entry.file, snapshot.grid);
            write_checkpoint_bodies(scene_, options_.folder / entry.file, look_at(simulation_.bodies()));
            io::set_frame(stage, entry);
            io::save_manifest(options_.folder, manifest_);
        }
        throw InterruptedError(
            fmt::format("stopped after frame {}; go on with: spindrift resume {}", frame, options_.folder.string()));
    }

    void finish_stage() {
        if (!finished_) io::save_manifest(options_.folder, manifest_);
    }

    Scene scene_;
    RunOptions options_;
    Progress& progress_;
    FolderLock lock_;                         ///< before anything is read
    std::optional<Interruptible> beginning_;  ///< until the cache changes everything may end anywhere
    std::string scene_hash_;
    io::Manifest manifest_;
    Simulation simulation_;
    RunReport report_;
    io::FrameStatistics last_statistics_;
    std::map<std::string, int> said_;  ///< frames that had an event of a kind
    int doubtful_ = 0;                 ///< hopeless frames in a row that were written
    bool finished_ = false;
};

}  // namespace

RunReport run_scene(const Scene& scene, const RunOptions& options, Progress& progress) {
    return Run(scene, options, progress).run();
}

}  // namespace spindrift::sim
