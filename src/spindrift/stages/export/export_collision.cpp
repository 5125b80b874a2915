#include "spindrift/stages/export/export_collision.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "spindrift/cache/cache.h"
#include "spindrift/cache/frame_path.h"
#include "spindrift/cache/series.h"
#include "spindrift/collision/fields/vdb_file.h"
#include "spindrift/collision/walls/colliders.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/fluid/liquid.h"
#include "spindrift/io/manifest.h"
#include "spindrift/scene/file_names.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using collision::Field;

collision::Colliders make_colliders(const Scene& scene, const fs::path& field_cache) {
    double finest = scene.liquid.at(0).spacing, coarsest = finest;
    for (const LiquidParams& liquid : scene.liquid) {
        finest = std::min(finest, liquid.spacing);
        coarsest = std::max(coarsest, liquid.spacing);
    }
    return collision::Colliders({.params = scene.collider,
                                 .folder = scene.file.parent_path(),
                                 .cache = field_cache,
                                 .spacing = finest,
                                 .support = fluid::support_ratio * coarsest,
                                 .fps = scene.fps,
                                 .boxes = true});
}

/// How a point that a collider carries along moves from a frame on, in the collider's own space. A thousandth of a
/// frame is short against any turn and long against rounding.
class Motion {
  public:
    Motion(const collision::ColliderParams& params, int frame, double fps)
        : now_(collision::pose_of(params, frame)),
          soon_(collision::pose_of(params, frame + step)),
          scale_(fps / step) {}

    const geometry::Pose& pose() const { return now_; }
    Vec3d velocity(Vec3d local) const { return now_.turn_back(soon_.to_world(local) - now_.to_world(local)) * scale_; }

  private:
    static constexpr double step = 0.001;
    geometry::Pose now_, soon_;
    double scale_;
};

/// At all nodes, laid out as Field::distance.
std::vector<Vec3f> node_velocities(const Field& field, const Motion& motion, const std::vector<Vec3f>* deformation) {
    std::vector<Vec3f> velocity(field.distance.size());
    parallel_for(field.table.size(), 64, [&](Range range) {
        for (const std::size_t block : range) {
            if (field.table[block] < 0) continue;
            const auto b = static_cast<int>(block);
            const Vec3i at{b % field.bricks.x, b / field.bricks.x % field.bricks.y,
                           b / field.bricks.x / field.bricks.y};
            const std::size_t first = static_cast<std::size_t>(field.table[block]) * collision::brick_nodes;
            for (int n = 0; n < collision::brick_nodes; ++n) {
                constexpr int side = collision::brick_side;
                const Vec3i node =
                    field.first + at * collision::brick_cells + Vec3i{n % side, n / side % side, n / side / side};
                const std::size_t i = first + static_cast<std::size_t>(n);
                velocity[i] = vec_cast<float>(motion.velocity(vec_cast<double>(node) * field.cell));
                if (deformation) velocity[i] += (*deformation)[i];
            }
        }
    });
    return velocity;
}

class Export {
  public:
    Export(const Scene& scene, const ExportOptions& options, Progress& progress)
        : scene_(scene), options_(options), progress_(progress), names_(collider_file_names(scene)) {}

    ExportReport run() {
        const auto start = std::chrono::steady_clock::now();
        leave_out_planes();
        open_manifest();
        const Interruptible work(progress_, "stopped in the making of the fields; the same command starts again");
        collision::Colliders colliders = make_colliders(scene_, options_.field_cache);
        cache::create_folder(options_.folder);
        const auto [first, last] = scene_.frames;
        const auto frames = static_cast<std::size_t>(last - first + 1);
        const std::size_t files = count_files(colliders.fields(first), frames);
        runner_.emplace(progress_, files, export_words);
        // Those that stand still have one file each, written with the first frame.
        runner_->in_order(files > report_.things ? frames : 1, [&, begin = first](std::size_t item) {
            const int frame = begin + static_cast<int>(item);
            write_frame(colliders.fields(frame), frame);
        });
        if (cache_) cache_->commit_whole();
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    void leave_out_planes() const {
        std::size_t left = 0;
        for (std::size_t i = 0; i < scene_.collider.size(); ++i) {
            if (scene_.collider[i].plane)
                log_info(fmt::format("the collider '{}' is a plane, which has no end: left out", names_[i]));
            else
                ++left;
        }
        if (left == 0)
            throw UsageError(
                "the scene has no colliders to export: only boxes, spheres, cylinders, meshes and level "
                "sets become level sets");
    }

    void open_manifest() {
        if (options_.cache.empty() || !fs::exists(options_.cache / io::manifest_file)) return;
        cache_.emplace(cache::Cache::open_to_write(options_.cache));
    }

    std::size_t count_files(const std::vector<collision::Colliders::FieldAt>& fields, std::size_t frames) {
        std::size_t files = 0;
        for (const auto& each : fields)
            files += each.moves ? frames : 1;
        report_.things = fields.size();
        return files;
    }

    void write_frame(const std::vector<collision::Colliders::FieldAt>& fields, int frame) {
        for (const auto& each : fields) {
            if (!each.moves && frame != scene_.frames[0]) continue;
            runner_->stop_if_interrupted();
            const std::string& name = names_[each.collider];
            const fs::path path = each.moves ? cache::frame_path(options_.folder, "", name, frame, "vdb")
                                             : options_.folder / (name + ".vdb");
            remember(name, frame, path, write(each, frame, path));
            report_.files += 1;
            runner_->done(fmt::format("frame {}/{}  {}", frame, scene_.frames[1], name));
        }
    }

    WrittenFile write(const collision::Colliders::FieldAt& each, int frame, const fs::path& path) const {
        const Motion motion(scene_.collider[each.collider], frame, scene_.fps);
        const std::vector<Vec3f> velocity = node_velocities(*each.field, motion, each.motion);
        const collision::VdbCollider body{
            .name = names_[each.collider], .field = each.field, .pose = motion.pose(), .velocity = velocity.data()};
        return collision::write_vdb_fields(path, {&body, 1});
    }

    void remember(const std::string& name, int frame, const fs::path& path, const WrittenFile& file) {
        if (!cache_) return;
        cache_->put(fmt::format("{}/{}", cache::field_folder, name),
                    {.frame = frame,
                     .file = fs::relative(path, options_.cache).generic_string(),
                     .bytes = file.bytes,
                     .hash = file.hash,
                     .time = (frame - scene_.frames[0]) / scene_.fps,
                     .state = {}});
    }

    const Scene& scene_;
    const ExportOptions& options_;
    Progress& progress_;
    std::vector<std::string> names_;
    std::optional<StageRunner> runner_;
    std::optional<cache::Cache> cache_;
    ExportReport report_;
};

}  // namespace

ExportReport export_collision(const Scene& scene, const ExportOptions& options, Progress& progress) {
    return Export(scene, options, progress).run();
}

}  // namespace spindrift::stages
