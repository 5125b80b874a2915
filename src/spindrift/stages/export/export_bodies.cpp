#include "spindrift/stages/export/export_bodies.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "spindrift/cache/cache.h"
#include "spindrift/cache/frame_path.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/io/manifest.h"
#include "spindrift/scene/file_names.h"
#include "spindrift/stages/frame/body_shapes.h"
#include "spindrift/stages/frame/frame_bodies.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using surface::Format;

WrittenFile write_mesh(const fs::path& path, Format format, const geometry::Mesh& mesh) {
    switch (format) {
        case Format::obj:
            return geometry::write_obj(path, mesh);
        case Format::glb:
            return geometry::write_glb(path, mesh);
        default:
            return geometry::write_ply(path, mesh);
    }
}

class BodyExport {
  public:
    BodyExport(const Scene& scene, const ExportOptions& options, Progress& progress)
        : scene_(scene), options_(options), progress_(progress), names_(body_file_names(scene)) {
        for (const Format format : scene.mesh.formats) {
            const bool known = std::find(formats_.begin(), formats_.end(), format) != formats_.end();
            if (format != Format::vdb && !known) formats_.push_back(format);
        }
    }

    ExportReport run() {
        const auto start = std::chrono::steady_clock::now();
        if (scene_.body.empty()) throw UsageError("the scene has no bodies to export; see [[body]] in docs/bodies.md");
        if (formats_.empty()) throw UsageError("bodies are meshes, not level sets; use --format ply, obj or glb");
        const Interruptible work(progress_, "stopped in the writing of bodies; the same command writes all of them");
        cache_.emplace(cache::Cache::open_to_write(options_.cache));
        const std::vector<io::FrameEntry> frames =
            cache_->frames_between(scene_.frames[0], scene_.frames[1], "to export");
        cache::create_folder(options_.folder);
        report_.things = scene_.body.size();
        runner_.emplace(progress_, frames.size() * scene_.body.size() * formats_.size(), export_words);
        runner_->in_order(frames.size(), [&](std::size_t item) { write_frame(frames[item]); });
        cache_->commit_whole();
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    /// Files elsewhere are none of the cache's.
    bool named() const { return options_.folder == options_.cache / cache::series::bodies; }

    void write_frame(const io::FrameEntry& frame) {
        const sim::BodyFrame bodies = read_bodies(scene_, *cache_, frame.frame);
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const geometry::Mesh mesh = sim::body_surface(bodies, i, shapes_.of(scene_, i), options_.cache);
            for (const Format format : formats_)
                write(frame, names_[i], format, mesh);
        }
    }

    void write(const io::FrameEntry& frame, const std::string& name, Format format, const geometry::Mesh& mesh) {
        runner_->stop_if_interrupted();
        const fs::path path = cache::frame_path(options_.folder, "", name, frame.frame, word(format));
        const WrittenFile file = write_mesh(path, format, mesh);
        if (named())
            cache_->put({.key = fmt::format("{}/{}.{}", cache::series::bodies, name, word(format)),
                         .folder = cache::series::bodies,
                         .name = name,
                         .extension = std::string(word(format))},
                        {frame.frame, frame.time}, file);
        report_.files += 1;
        runner_->done(fmt::format("frame {}/{}  {}", frame.frame, scene_.frames[1], name));
    }

    const Scene& scene_;
    const ExportOptions& options_;
    Progress& progress_;
    std::vector<std::string> names_;
    std::vector<Format> formats_;
    BodyShapes shapes_;
    std::optional<StageRunner> runner_;
    std::optional<cache::Cache> cache_;
    ExportReport report_;
};

}  // namespace

ExportReport export_bodies(const Scene& scene, const ExportOptions& options, Progress& progress) {
    return BodyExport(scene, options, progress).run();
}

}  // namespace spindrift::stages
