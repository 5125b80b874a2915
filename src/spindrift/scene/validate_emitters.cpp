#include "spindrift/scene/validate_emitters.h"

#include <algorithm>
#include <numbers>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/log.h"
#include "spindrift/emitters/emitter.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/emitters/pose.h"
#include "spindrift/scene/entry_place.h"

namespace spindrift {

namespace {

using emitters::EmitterParams;
using emitters::KillerParams;

std::string label(const std::string& name, std::size_t index) {
    return name.empty() ? fmt::format("{}", index) : in_quotes(name);
}

/// Points all over the shape, in the emitter's coordinates; none of a surface, which is not known before it is read.
std::vector<Vec3d> shape_points(const EmitterParams& emitter) {
    if (emitter.is_surface()) return {};
    if (emitter.disc) {
        const double r = emitter.disc->radius;
        return {{0, 0, 0}, {r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}};
    }
    if (emitter.rectangle) {
        const double x = 0.5 * emitter.rectangle->size[0], y = 0.5 * emitter.rectangle->size[1];
        return {{0, 0, 0}, {x, y, 0}, {-x, y, 0}, {x, -y, 0}, {-x, -y, 0}};
    }
    const emitters::FillParams shape = emitter.shape();
    const Box3d box = bounds(shape);
    std::vector<Vec3d> points;
    for (int k = 0; k < 27; ++k) {
        const Vec3d at{0.5 * (k % 3), 0.5 * (k / 3 % 3), 0.5 * (k / 9)};
        const Vec3d p = box.lo + Vec3d{box.size().x * at.x, box.size().y * at.y, box.size().z * at.z};
        if (contains(shape, p)) points.push_back(p);
    }
    return points;
}

/// Frames at which an emitter is looked at: the first in which it works, and those of its keys.
std::vector<double> frames_of(const Scene& scene, const EmitterParams& emitter) {
    const double first = emitter.active ? std::max<double>(scene.frames[0], (*emitter.active)[0]) : scene.frames[0];
    std::vector<double> frames{first};
    for (const Animated<Vec3d>* curve : {&emitter.position, &emitter.rotation_deg, &emitter.direction}) {
        for (const auto& key : curve->keys)
            frames.push_back(std::max(first, key.frame));
    }
    return frames;
}

/// Checks one emitter against what is around it.
class EmitterChecks {
  public:
    EmitterChecks(const Scene& scene, std::size_t index, const Value& tree, Problems& problems)
        : scene_(scene), emitter_(scene.emitter[index]), index_(index), tree_(tree), problems_(problems) {
        const std::vector<Vec3d> shape = shape_points(emitter_);
        for (const double frame : frames_of(scene, emitter_)) {
            const emitters::Pose pose = pose_at(emitter_, frame);
            for (const Vec3d p : shape)
                points_.push_back(pose.to_world(p));
        }
    }

    void run() {
        if (emitter_.is_surface()) return;
        if (scene_.domain && swallowed_by(scene_.domain, {}))
            return problems_.add(place(shape()), "the emitter lies outside the domain; move one of them");
        for (std::size_t c = 0; c < scene_.collider.size(); ++c) {
            if (!swallowed_by({}, std::span(&scene_.collider[c], 1))) continue;
            problems_.add(place(shape()), fmt::format("the emitter lies inside the collider {}; move one of them",
                                                      label(scene_.collider[c].name, c)));
        }
        for (std::size_t k = 0; k < scene_.killer.size(); ++k)
            check_killer(k);
        warn_of_walls();
        warn_of_width();
    }

  private:
    const char* shape() const {
        if (emitter_.is_nozzle()) return emitter_.disc ? "disc" : "rectangle";
        return emitter_.box ? "box" : emitter_.sphere ? "sphere" : "cylinder";
    }
    const SourceLocation& place(std::string_view key) const { return entry_place(tree_, "emitter", index_, key); }

    /// Number of points that walls leave free; being flush with them is fine.
    std::size_t free_points(const std::optional<collision::DomainParams>& domain,
                            std::span<const collision::ColliderParams> colliders, double depth) const {
        const double spacing = scene_.liquid[0].spacing;
        const collision::Walls walls = collision::make_walls(domain, colliders, points_[0], spacing);
        const auto is_free = [&](Vec3d p) {
            return walls.is_free(vec_cast<float>((p - points_[0]) / spacing), -static_cast<float>(depth));
        };
        return static_cast<std::size_t>(std::count_if(points_.begin(), points_.end(), is_free));
    }
    bool swallowed_by(const std::optional<collision::DomainParams>& domain,
                      std::span<const collision::ColliderParams> colliders) const {
        return free_points(domain, colliders, 1e-3) == 0;
    }
    void warn_of_walls() const {
        if (!emitter_.is_nozzle()) return;
        if (free_points(scene_.domain, scene_.collider, emitters::flush_depth) == points_.size()) return;
        const SceneProblem warning{place(shape()), "part of the nozzle lies inside walls and gives no liquid"};
        log_warning(warning.message());
    }

    void warn_of_width() const {
        if (!emitter_.is_nozzle()) return;
        const double width = emitter_.disc ? 2 * emitter_.disc->radius : std::ranges::min(emitter_.rectangle->size);
        const double spacing = spacing_of_liquid();
        if (width >= spacing * (1 - 1e-6)) return;
        const SceneProblem warning{
            place(shape()),
            fmt::format("the nozzle is {} m wide, less than the spacing of {} m: its liquid comes as one "
                        "string of particles; for a round jet take a spacing of {} m or less",
                        format_number(width), format_number(spacing), format_number(width / 4))};
        log_warning(warning.message());
    }
    double spacing_of_liquid() const {
        const auto own = std::ranges::find(scene_.liquid, emitter_.liquid, &LiquidParams::name);
        return (own == scene_.liquid.end() ? scene_.liquid[0] : *own).spacing;
    }

    /// A killer that knows nothing but places takes away at once what comes in at the wrong one.
    void check_killer(std::size_t k) {
        const KillerParams& killer = scene_.killer[k];
        const bool only_place = !killer.age && !killer.speed && !killer.slower && !killer.isolated && !killer.active;
        const bool same_liquid = killer.liquid.empty() || emitter_.liquid.empty() || killer.liquid == emitter_.liquid;
        if (!only_place || !same_liquid || (!killer.inside && !killer.outside)) return;
        const auto dies = [&](Vec3d p) {
            return (!killer.inside || contains(killer.inside->shape(), p)) &&
                   (!killer.outside || !contains(killer.outside->shape(), p));
        };
        if (!std::all_of(points_.begin(), points_.end(), dies)) return;
        problems_.add(place(shape()),
                      fmt::format("the killer {} would take at once all that comes in here: the emitter lies {} its "
                                  "shape '{}'; move one of them",
                                  label(killer.name, k), killer.inside ? "inside" : "outside",
                                  killer.inside ? "inside" : "outside"));
    }

    const Scene& scene_;
    const EmitterParams& emitter_;
    std::size_t index_;
    const Value& tree_;
    Problems& problems_;
    std::vector<Vec3d> points_;  ///< of the emitter in the world, at the frames looked at
};

double largest(const Animated<double>& curve) {
    double most = curve.constant;
    for (const auto& key : curve.keys)
        most = std::max(most, key.value);
    return most;
}

}  // namespace

double incoming_volume(const EmitterParams& emitter, double seconds) {
    if (!emitter.is_nozzle() && !emitter.is_surface()) return volume(emitter.shape());
    if (emitter.rate) return largest(*emitter.rate) * seconds;
    if (emitter.is_surface()) return 0;
    const auto [width, height] = emitter.rectangle.value_or(emitters::RectangleShape{}).size;
    const double area = emitter.disc ? std::numbers::pi * emitter.disc->radius * emitter.disc->radius : width * height;
    return area * largest(*emitter.speed) * seconds;
}

void check_emitters(const Scene& scene, const Value& tree, Problems& problems) {
    for (std::size_t i = 0; i < scene.emitter.size(); ++i)
        EmitterChecks(scene, i, tree, problems).run();
}

}  // namespace spindrift
