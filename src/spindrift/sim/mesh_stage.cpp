#include "spindrift/sim/mesh_stage.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/io/frames.h"
#include "spindrift/sim/body_files.h"
#include "spindrift/sim/dropped_frames.h"
#include "spindrift/sim/folder_lock.h"
#include "spindrift/sim/mesh_frame.h"
#include "spindrift/sim/mesh_inputs.h"
#include "spindrift/sim/run.h"
#include "spindrift/sim/stage_inputs.h"
#include "spindrift/sim/surface_flags.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

/// Frames of about three million particles: two of them at once would take too much memory.
constexpr std::uint64_t large_frame = 120'000'000;

class MeshStage {
  public:
    MeshStage(const Scene& scene, const MeshOptions& options, Progress& progress)
        : scene_(scene),
          options_(options),
          progress_(progress),
          series_(mesh_series(scene)),
          inputs_(mesh_inputs_hash(scene)),
          flag_inputs_(flag_inputs_hash(scene)) {}

    MeshReport run() {
        const auto start = std::chrono::steady_clock::now();
        lock_.emplace(options_.folder);
        const Interruptible work(progress_, "stopped before the first mesh");
        manifest_ = io::load_manifest(options_.folder);
        frames_ = frames_between(manifest_, options_.folder, options_.first, options_.last, "to make meshes of");
        prepare_folders();
        remove_without_particles(options_.folder, manifest_, [](std::string_view stage) {
            return holds_meshes(stage) || stage == surface_stage || stage == flag_stage;
        });
        say_stale();
        try {
            needs_flags(scene_) ? make_in_order() : make_at_once();
        } catch (const InterruptedError&) {
            throw_interrupted();
        }
        save();
        finish_report();
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    void prepare_folders() {
        io::create_folder(options_.folder / mesh_stage);
        for (const MeshSeries& series : series_) {
            io::create_folder(options_.folder / series.folder);
            manifest_.stages[series.stage].inputs_hash = inputs_;
        }
        if (needs_flags(scene_)) {
            io::create_folder(options_.folder / flag_stage);
            manifest_.stages[flag_stage].inputs_hash = flag_inputs_;
        }
        for (const char* folder : {mesh_stage, surface_stage, flag_stage})
            remove_stale_temporaries(options_.folder / folder);
    }

    /// Where bodies cut a mesh, it is made from them too.
    std::string inputs_of(const io::FrameEntry& particles) const {
        const std::string bodies = scene_.mesh.clip ? body_hash(scene_, manifest_, particles.frame) : "";
        return bodies.empty() ? inputs_ : fmt::format("{} {}", inputs_, bodies);
    }

    /// Whether a stage has this file, made from this, going by its size.
    bool is_there(const std::string& stage, const fs::path& path, int frame, const std::string& made) const {
        const io::FrameEntry* entry = io::find_frame(manifest_, stage, frame);
        std::error_code missing;
        return entry && is_made_from(*entry, made) && options_.folder / entry->file == path &&
               fs::file_size(path, missing) == entry->bytes && !missing;
    }

    /// Also whether the quality is known.
    bool is_current(const io::FrameEntry& particles, const std::string& made) const {
        const io::FrameEntry* first = io::find_frame(manifest_, series_.front().stage, particles.frame);
        if (!first || !first->state.starts_with(made + R"(,"quality":)")) return false;
        return std::all_of(series_.begin(), series_.end(), [&](const MeshSeries& series) {
            return is_there(series.stage, series.path(options_.folder, particles.frame), particles.frame, made);
        });
    }

    void say_stale() {
        for (const io::FrameEntry& particles : frames_) {
            const io::FrameEntry* entry = io::find_frame(manifest_, series_.front().stage, particles.frame);
            if (entry && !is_made_from(*entry, made_from(particles, inputs_of(particles)))) report_.stale += 1;
        }
        if (report_.stale > 0)
            log_info(
                fmt::format("{} of {} meshes are stale, since particles or settings have changed: making them anew",
                            report_.stale, frames_.size()));
    }

    /// Frames that do not need each other: while one is read or written, another is computed.
    void make_at_once() {
        for (const io::FrameEntry& particles : frames_) {
            if (is_current(particles, made_from(particles, inputs_of(particles))))
                reuse(particles);
            else
                todo_.push_back(particles);
        }
        // One after the other: the first leaves the distance fields of colliders for those after it.
        std::vector<std::unique_ptr<FrameMesher>> meshers;
        while (meshers.size() < worker_count())
            meshers.push_back(std::make_unique<FrameMesher>(scene_, options_.folder));
        {
            std::vector<std::jthread> workers;
            for (std::size_t k = 1; k < meshers.size(); ++k)
                workers.emplace_back([this, &mesher = *meshers[k]] { work(mesher); });
            if (!meshers.empty()) work(*meshers[0]);
        }
        if (failure_) std::rethrow_exception(failure_);
        if (stopped_) throw_interrupted();
    }

    std::size_t worker_count() const {
        const auto is_large = [](const io::FrameEntry& entry) { return entry.bytes > large_frame; };
        const std::size_t most = std::any_of(todo_.begin(), todo_.end(), is_large) ? 1 : thread_count() < 8 ? 2 : 3;
        return std::min({todo_.size(), most, static_cast<std::size_t>(thread_count())});
    }

    void work(FrameMesher& mesher) {
        const Interruptible around(progress_, "stopped in a mesh");
        while (const std::optional<std::size_t> k = next()) {
            const io::FrameEntry& particles = todo_[*k];
            try {
                const FrameMesh made = mesher.make(particles, nullptr);
                commit(particles, made, made_from(particles, inputs_of(particles)));
            } catch (const InterruptedError&) {
                const std::lock_guard lock(mutex_);
                stopped_ = true;
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (failure_ && failed_ < *k) continue;
                failure_ = std::current_exception();
                failed_ = *k;
            }
        }
    }

    std::optional<std::size_t> next() {
        const std::lock_guard lock(mutex_);
        if (failure_ || stopped_ || taken_ == todo_.size()) return {};
        stopped_ = progress_.interrupted();
        if (stopped_) return {};
        return taken_++;
    }

    /// Each frame goes on from the flags of the one before, from the first of the cache, whichever are asked for.
    void make_in_order() {
        std::optional<FrameMesher> mesher;
        std::optional<surface::SurfaceState> state = surface::SurfaceState();
        std::string before;
        fs::path before_path;
        const io::Stage particle_frames = manifest_.stages[particle_stage];
        for (const io::FrameEntry& particles : particle_frames.frames) {
            if (particles.frame > frames_.back().frame) break;
            const bool wanted = particles.frame >= frames_.front().frame;
            const std::string made = made_from(particles, inputs_of(particles), before);
            const std::string flags_made = made_from(particles, flag_inputs_, before);
            const fs::path path =
                io::frame_path(options_.folder, flag_stage, scene_.output.name, particles.frame, "npz");
            if (is_there(flag_stage, path, particles.frame, flags_made) && (!wanted || is_current(particles, made))) {
                if (wanted) reuse(particles);
                before = io::find_frame(manifest_, flag_stage, particles.frame)->hash;
                state.reset();
            } else {
                if (progress_.interrupted()) throw_interrupted();
                if (!mesher) mesher.emplace(scene_, options_.folder);
                if (!state) state = read_flags(before_path);
                FrameMesh frame = wanted ? mesher->make(particles, &*state) : mesher->make_flags(particles, *state);
                remember_flags(particles, path, frame.flags_hash, flags_made);
                if (wanted) commit(particles, frame, made);
                before = frame.flags_hash;
                state = std::move(frame.state);
            }
            before_path = path;
        }
    }

    void remember_flags(const io::FrameEntry& particles, const fs::path& path, const std::string& hash,
                        const std::string& made) {
        io::set_frame(manifest_.stages[flag_stage], {.frame = particles.frame,
                                                     .file = fs::relative(path, options_.folder).generic_string(),
                                                     .bytes = fs::file_size(path),
                                                     .hash = hash,
                                                     .time = particles.time,
                                                     .state = made + "}"});
        io::save_manifest(options_.folder, manifest_);
    }

    void reuse(const io::FrameEntry& particles) {
        report_.reused += 1;
        report_progress(fmt::format("frame {}/{}  up to date", particles.frame, frames_.back().frame));
    }

    /// Names the files of a frame in the manifest: from then on it counts.
    void commit(const io::FrameEntry& particles, const FrameMesh& made, const std::string& made_of) {
        std::vector<io::FrameEntry> entries;
        for (std::size_t k = 0; k < made.files.size(); ++k) {
            // Of level sets too: they may be all that is asked for the next time.
            const bool tells = k == 0 || series_[k].stage == surface_stage;
            const std::string quality = tells ? R"(,"quality":)" + to_json(made.record) : "";
            entries.push_back({.frame = particles.frame,
                               .file = fs::relative(made.files[k], options_.folder).generic_string(),
                               .bytes = fs::file_size(made.files[k]),
                               .hash = Hash64().add(read_file(made.files[k])).hex(),
                               .time = particles.time,
                               .state = made_of + quality + "}"});
        }
        const std::lock_guard lock(mutex_);
        for (std::size_t k = 0; k < entries.size(); ++k)
            io::set_frame(manifest_.stages[series_[k].stage], entries[k]);
        save();
        report_.made += 1;
        if (made.record.skipped > 0)
            log_warning(fmt::format("frame {}: {} particles are not finite, or absurdly far away, and were left out",
                                    particles.frame, made.record.skipped));
        report_progress(fmt::format("frame {}/{}  {} triangles  {:.2f} s/frame", particles.frame, frames_.back().frame,
                                    format_count(static_cast<double>(made.record.triangles)), made.record.seconds));
    }

    void report_progress(const std::string& detail) { progress_.report(++done_, frames_.size(), detail); }

    /// The quality of all frames follows from the manifest.
    void save() {
        io::save_manifest(options_.folder, manifest_);
        std::string lines;
        for (const MeshRecord& record : mesh_records(manifest_.stages[series_.front().stage]))
            lines += to_json(record) + '\n';
        write_file(options_.folder / mesh_stage / quality_file, lines);
    }

    [[noreturn]] void throw_interrupted() const {
        throw InterruptedError(fmt::format("stopped after {} of {} meshes; go on with: spindrift mesh {}", done_,
                                           frames_.size(), options_.folder.string()));
    }

    void finish_report() {
        for (const MeshRecord& record : mesh_records(manifest_.stages[series_.front().stage])) {
            if (record.frame >= frames_.front().frame && record.frame <= frames_.back().frame)
                report_.records.push_back(record);
        }
        report_.last_file = series_.front().path(options_.folder, frames_.back().frame);
    }

    const Scene& scene_;
    const MeshOptions& options_;
    Progress& progress_;
    std::vector<MeshSeries> series_;
    std::string inputs_, flag_inputs_;
    io::Manifest manifest_;
    std::optional<FolderLock> lock_;
    std::vector<io::FrameEntry> frames_;  ///< particle frames to make meshes of
    MeshReport report_;
    std::size_t done_ = 0;

    std::mutex mutex_;  ///< of all below, and of the manifest and the report while several frames are made at once
    std::vector<io::FrameEntry> todo_;
    std::size_t taken_ = 0, failed_ = 0;
    bool stopped_ = false;
    std::exception_ptr failure_;
};

}  // namespace

MeshReport mesh_cache(const Scene& scene, const MeshOptions& options, Progress& progress) {
    return MeshStage(scene, options, progress).run();
}

}  // namespace spindrift::sim
