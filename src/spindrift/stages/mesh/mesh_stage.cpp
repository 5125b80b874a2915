#include "spindrift/stages/mesh/mesh_stage.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "spindrift/cache/cache.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/stages/frame/frame_bodies.h"
#include "spindrift/stages/mesh/mesh_frame.h"
#include "spindrift/stages/mesh/mesh_inputs.h"
#include "spindrift/stages/mesh/surface_flags.h"
#include "spindrift/stages/stage_runner.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using cache::Inputs;

/// Frames of about three million particles: two of them at once would take too much memory.
constexpr std::uint64_t large_frame = 120'000'000;

class MeshStage {
  public:
    MeshStage(const Scene& scene, const MeshOptions& options, Progress& progress)
        : scene_(scene),
          cache_(cache::Cache::open_for_results(options.folder, options.output)),
          beginning_(std::in_place, progress, "stopped before the first mesh"),
          seen_(cache_.folder() == options.folder ? cache_.reader() : cache::Cache::open(options.folder)),
          frames_(seen_.frames_between(options.first, options.last, "to make meshes of")),
          runner_(progress, frames_.size(),
                  {"meshes", fmt::format("go on with: spindrift mesh {}", options.folder.string())}),
          series_(mesh_series(scene)),
          flags_(flag_series(scene)),
          inputs_(mesh_inputs_hash(scene)),
          flag_inputs_(flag_inputs_hash(scene)) {}

    MeshReport run() {
        const auto start = std::chrono::steady_clock::now();
        prepare_folders();
        cache_.drop_without_particles([](std::string_view series) {
            return holds_meshes(series) || series == cache::series::surface || series == cache::series::surface_flags;
        });
        tell_stale();
        try {
            needs_flags(scene_) ? make_in_order() : make_at_once();
        } catch (const InterruptedError&) {
            write_quality();
            throw runner_.stopped();
        }
        cache_.commit_whole();
        write_quality();
        finish_report();
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    void prepare_folders() {
        cache::create_folder(cache_.folder() / cache::series::mesh);
        for (const MeshSeries& series : series_)
            prepare(series, inputs_);
        if (needs_flags(scene_)) prepare(flags_, flag_inputs_);
    }

    void prepare(const cache::Series& series, const std::string& inputs) {
        cache::create_folder(cache_.folder() / series.folder);
        cache_.set_inputs(series.key, inputs);
    }

    /// Where bodies cut a mesh, it is made from them too. `before` is the hash of the flags of the frame before.
    Inputs inputs_of(const io::FrameEntry& particles, const std::string& before = {}) const {
        const std::string bodies = scene_.mesh.clip ? body_hash(scene_, seen_, particles.frame) : "";
        const std::string inputs = bodies.empty() ? inputs_ : fmt::format("{} {}", inputs_, bodies);
        return Inputs().add("particles", particles.hash).add("inputs", inputs).add("before", before);
    }

    Inputs inputs_of_flags(const io::FrameEntry& particles, const std::string& before) const {
        return Inputs().add("particles", particles.hash).add("inputs", flag_inputs_).add("before", before);
    }

    /// Also whether the quality is known.
    bool is_current(const io::FrameEntry& particles, const Inputs& inputs) const {
        const io::FrameEntry* first = cache_.find(series_.front().key, particles.frame);
        if (!first || !tells_quality(*first)) return false;
        return std::all_of(series_.begin(), series_.end(), [&](const MeshSeries& series) {
            return cache_.is_current(series, particles.frame, inputs);
        });
    }

    void tell_stale() {
        for (const io::FrameEntry& particles : frames_)
            report_.stale += cache_.is_stale(series_.front(), particles.frame, inputs_of(particles));
        runner_.tell_stale(report_.stale, "since particles or settings have changed: making them anew");
    }

    /// Frames that do not need each other: while one is read or written, another is computed.
    void make_at_once() {
        std::vector<io::FrameEntry> todo;
        for (const io::FrameEntry& particles : frames_) {
            if (is_current(particles, inputs_of(particles)))
                reuse(particles);
            else
                todo.push_back(particles);
        }
        // One after the other: the first leaves the distance fields of colliders for those after it.
        std::vector<std::unique_ptr<FrameMesher>> meshers;
        while (meshers.size() < worker_count(todo))
            meshers.push_back(std::make_unique<FrameMesher>(scene_, seen_, cache_.folder()));
        beginning_.reset();
        runner_.at_once(todo.size(), meshers.size(), [&](std::size_t worker, std::size_t item) {
            const FrameMesh made = meshers[worker]->make(todo[item], nullptr);
            commit(todo[item], made, inputs_of(todo[item]));
        });
    }

    static std::size_t worker_count(const std::vector<io::FrameEntry>& todo) {
        const auto is_large = [](const io::FrameEntry& entry) { return entry.bytes > large_frame; };
        const std::size_t most = std::any_of(todo.begin(), todo.end(), is_large) ? 1 : thread_count() < 8 ? 2 : 3;
        return std::min({todo.size(), most, static_cast<std::size_t>(thread_count())});
    }

    /// Each frame goes on from the flags of the one before, from the first of the cache, whichever are asked for.
    void make_in_order() {
        std::optional<FrameMesher> mesher;
        std::optional<surface::SurfaceState> state = surface::SurfaceState();
        std::string before;
        fs::path before_path;
        const std::vector<io::FrameEntry>& all = seen_.frames(cache::series::particles);
        runner_.in_order(all.size(), [&](std::size_t item) {
            const io::FrameEntry& particles = all[item];
            if (particles.frame > frames_.back().frame) return;
            const bool wanted = particles.frame >= frames_.front().frame;
            const Inputs inputs = inputs_of(particles, before), flag_inputs = inputs_of_flags(particles, before);
            const fs::path path = flags_.path(cache_.folder(), particles.frame);
            if (cache_.is_current(flags_, particles.frame, flag_inputs) && (!wanted || is_current(particles, inputs))) {
                if (wanted) reuse(particles);
                before = cache_.find(flags_.key, particles.frame)->hash;
                state.reset();
            } else {
                runner_.stop_if_interrupted();
                if (!mesher) mesher.emplace(scene_, seen_, cache_.folder());
                if (!state) state = read_flags(before_path);
                FrameMesh frame = wanted ? mesher->make(particles, &*state) : mesher->make_flags(particles, *state);
                cache_.put(flags_, {particles.frame, particles.time}, frame.flags, flag_inputs.text());
                cache_.commit();
                if (wanted) commit(particles, frame, inputs);
                before = frame.flags.hash;
                state = std::move(frame.state);
            }
            before_path = path;
        });
    }

    void reuse(const io::FrameEntry& particles) {
        report_.reused += 1;
        runner_.done(fmt::format("frame {}/{}  up to date", particles.frame, frames_.back().frame));
    }

    /// Names the files of a frame in the manifest: from then on it counts.
    void commit(const io::FrameEntry& particles, const FrameMesh& made, const Inputs& inputs) {
        runner_.alone([&] {
            for (std::size_t k = 0; k < made.files.size(); ++k) {
                // Of level sets too: they may be all that is asked for the next time.
                const bool tells = k == 0 || series_[k].key == cache::series::surface;
                const std::string quality = tells ? R"("quality":)" + to_json(made.record) : "";
                cache_.put(series_[k], {particles.frame, particles.time}, made.files[k], inputs.text(quality));
            }
            cache_.commit();
            report_.made += 1;
        });
        if (made.record.skipped > 0)
            log_warning(fmt::format("frame {}: {} particles are not finite, or absurdly far away, and were left out",
                                    particles.frame, made.record.skipped));
        runner_.done(fmt::format("frame {}/{}  {} triangles  {:.2f} s/frame", particles.frame, frames_.back().frame,
                                 format_count(static_cast<double>(made.record.triangles)), made.record.seconds));
    }

    /// The quality of all frames follows from the manifest.
    void write_quality() const {
        std::string lines;
        for (const MeshRecord& record : mesh_records(cache_.frames(series_.front().key)))
            lines += to_json(record) + '\n';
        write_file(cache_.folder() / cache::series::mesh / quality_file, lines);
    }

    void finish_report() {
        for (const MeshRecord& record : mesh_records(cache_.frames(series_.front().key))) {
            if (record.frame >= frames_.front().frame && record.frame <= frames_.back().frame)
                report_.records.push_back(record);
        }
        report_.last_file = series_.front().path(cache_.folder(), frames_.back().frame);
    }

    const Scene& scene_;
    cache::Cache cache_;  ///< where meshes go; locked before anything is read
    std::optional<Interruptible> beginning_;
    cache::Cache seen_;  ///< where particles are, as it was, for those who read while others put meshes
    std::vector<io::FrameEntry> frames_;  ///< particle frames to make meshes of
    StageRunner runner_;
    std::vector<MeshSeries> series_;
    cache::Series flags_;
    std::string inputs_, flag_inputs_;
    MeshReport report_;
};

}  // namespace

MeshReport mesh_cache(const Scene& scene, const MeshOptions& options, Progress& progress) {
    return MeshStage(scene, options, progress).run();
}

}  // namespace spindrift::stages
