#include "spindrift/scene/validate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/fluid/liquid.h"
#include "spindrift/scene/entry_place.h"
#include "spindrift/scene/fill_geometry.h"
#include "spindrift/scene/validate_components.h"
#include "spindrift/scene/validate_emitters.h"
#include "spindrift/scene/validate_solver.h"

namespace spindrift {

namespace {

/// Memory per particle with its neighbour lists and channels, as measured in runs with one liquid.
constexpr double bytes_per_particle = 165;

double physical_memory() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Rounded up to two digits, as someone would type it.
std::string round_up(double value) {
    const double digit = std::pow(10, std::floor(std::log10(value)) - 1);
    return fmt::format("{:.2g}", std::ceil(value / digit) * digit);
}

/// Checks the fills of one liquid.
class FillChecks {
  public:
    FillChecks(const Scene& scene, std::size_t liquid, const Value& tree, Problems& problems)
        : scene_(scene), liquid_(scene.liquid[liquid]), tree_(tree), problems_(problems) {
        source_ = tree.find("liquid");
        if (source_ && source_->as_array()) source_ = &(*source_->as_array())[liquid];
    }

    void run() {
        for (std::size_t i = 0; i < liquid_.fill.size(); ++i) {
            if (liquid_.fill[i].flood) check_flood(i, *liquid_.fill[i].flood);
            if (!liquid_.fill[i].is_analytic() && liquid_.fill[i].mesh.empty() && !liquid_.fill[i].flood) {
                problems_.add(
                    place(i),
                    "there is no domain that could be filled up to a level; add a [domain], or a shape, such as "
                    "box = [[0, 0, 0], [1, 1, 1]]");
            }
            // Meshes are looked at when they are read.
            if (!liquid_.fill[i].is_analytic()) continue;
            check_size(i);
            if (scene_.domain) check_domain(i, *scene_.domain);
            check_colliders(i);
        }
        warn_of_overlaps();
    }

  private:
    SourceLocation place(std::size_t i) const {
        const emitters::FillParams& fill = liquid_.fill[i];
        const char* shape = !fill.level.empty() ? "level"
                            : fill.flood        ? "flood"
                            : fill.box          ? "box"
                            : fill.sphere       ? "sphere"
                                                : "cylinder";
        return source_ ? entry_place(*source_, "fill", i, shape) : tree_.where;
    }

    /// What is seen without the files of colliders.
    void check_flood(std::size_t i, const emitters::FloodParams& flood) {
        const auto has_end = [](const collision::ColliderParams& collider) { return !collider.plane; };
        if (!scene_.domain && std::none_of(scene_.collider.begin(), scene_.collider.end(), has_end)) {
            return problems_.add(place(i),
                                 "there is nothing that could hold the liquid: a flood needs a [domain] or a collider "
                                 "that is a container");
        }
        const collision::Walls walls =
            collision::make_walls(scene_.domain, scene_.collider, flood.from, liquid_.spacing);
        if (walls.is_free({0, 0, 0}, 0)) return;
        problems_.add(place(i),
                      "there is no room for liquid at 'from': it lies inside a collider or outside the "
                      "domain; move it to where liquid shall be");
    }

    void check_size(std::size_t i) {
        constexpr double rounding = 1 - 1e-9;
        const double thickness = fill_thickness(liquid_.fill[i]);
        if (thickness >= liquid_.spacing * rounding) return;
        problems_.add(place(i),
                      fmt::format("the fill is {} m thick and would hold no particle at a spacing of {} m; make "
                                  "it larger or the spacing smaller",
                                  format_number(thickness), format_number(liquid_.spacing)));
    }

    void check_domain(std::size_t i, const collision::DomainParams& domain) {
        const Box3d fill = bounds(liquid_.fill[i]), room = room_of(domain);
        if (!fill.overlaps(room)) return problems_.add(place(i), "the fill lies outside the domain");
        for (std::size_t s = 0; s < enum_words(collision::Side{}).size(); ++s) {
            const std::string_view side = word(static_cast<collision::Side>(s));
            const int axis = static_cast<int>(s / 2);
            const double out = s % 2 ? fill.hi[axis] - room.hi[axis] : room.lo[axis] - fill.lo[axis];
            if (out <= 1e-6 * domain.box.size()[axis]) continue;
            problems_.add(place(i),
                          fmt::format("the fill sticks out of the domain by {:.3g} m at the {}; make it smaller, "
                                      "or the domain larger, or open = [\"{}\"]",
                                      out, side, side));
        }
    }

    /// The domain's box, endless at its open sides.
    static Box3d room_of(const collision::DomainParams& domain) {
        Box3d room = domain.box;
        for (const collision::Side side : domain.open) {
            const auto s = static_cast<int>(side);
            constexpr double endless = std::numeric_limits<double>::infinity();
            (s % 2 ? room.hi : room.lo)[s / 2] = s % 2 ? endless : -endless;
        }
        return room;
    }

    void check_colliders(std::size_t i) {
        const Box3d fill = bounds(liquid_.fill[i]);
        for (std::size_t c = 0; c < scene_.collider.size(); ++c) {
            const collision::ColliderParams& collider = scene_.collider[c];
            if (!swallows(collider, fill)) continue;
            const std::string name = collider.name.empty() ? fmt::format("{}", c) : in_quotes(collider.name);
            problems_.add(place(i), fmt::format("the fill lies inside the collider {}; move one of them", name));
        }
    }

    static bool swallows(const collision::ColliderParams& collider, const Box3d& fill) {
        if (!collider.is_analytic()) return false;
        if (collider.box) return collider.box->contains(fill.lo) && collider.box->contains(fill.hi);
        // The corner that reaches farthest out of the solid decides.
        const Vec3d n = collider.plane->normal;
        const Vec3d corner{n.x > 0 ? fill.hi.x : fill.lo.x, n.y > 0 ? fill.hi.y : fill.lo.y,
                           n.z > 0 ? fill.hi.z : fill.lo.z};
        return dot(corner - collider.plane->point, n) <= 0;
    }

    /// Says it once; with hundreds of fills nobody expects to be told.
    void warn_of_overlaps() {
        constexpr std::size_t most = 200;
        const std::size_t n = std::min(liquid_.fill.size(), most);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (!liquid_.fill[i].is_analytic() || !liquid_.fill[j].is_analytic()) continue;
                if (!fills_overlap(liquid_.fill[i], liquid_.fill[j])) continue;
                const SceneProblem warning{place(i),
                                           fmt::format("fills {} and {} overlap; particles are placed only once "
                                                       "where they do",
                                                       j, i)};
                return log_warning(warning.message());
            }
        }
    }

    const Scene& scene_;
    const LiquidParams& liquid_;
    const Value& tree_;
    const Value* source_;
    Problems& problems_;
};

/// What the solver takes: measured in docs/decisions/0007.
constexpr double largest_spacing_ratio = 4, largest_density_ratio = 1000;
constexpr std::size_t most_spacings = 8;

void check_contrasts(const Scene& scene, const Value& tree, Problems& problems) {
    if (scene.liquid.size() > fluid::most_liquids) {
        return problems.add(
            entry_place(tree, "liquid", fluid::most_liquids, ""),
            fmt::format("there are {} liquids; up to {} can be told apart", scene.liquid.size(), fluid::most_liquids));
    }
    std::set<double> spacings;
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        const LiquidParams& a = scene.liquid[i];
        if (spacings.insert(a.spacing).second && spacings.size() == most_spacings + 1) {
            problems.add(entry_place(tree, "liquid", i, "spacing"),
                         fmt::format("this is the {}th spacing of the scene; up to {} can meet, so give some liquids "
                                     "the same",
                                     most_spacings + 1, most_spacings));
        }
        for (std::size_t j = 0; j < i; ++j) {
            const LiquidParams& b = scene.liquid[j];
            const double coarse = std::max(a.spacing, b.spacing), fine = std::min(a.spacing, b.spacing);
            if (coarse > largest_spacing_ratio * 1.0001 * fine) {
                return problems.add(
                    entry_place(tree, "liquid", i, "spacing"),
                    fmt::format(
                        "the spacings of {} and {} differ by a factor of {:.3g}; liquids can meet up to {:g}, so "
                        "make the coarse one {} m or finer",
                        in_quotes(b.name), in_quotes(a.name), coarse / fine, largest_spacing_ratio,
                        format_number(largest_spacing_ratio * fine)));
            }
            const double heavy = std::max(a.properties().density, b.properties().density);
            const double light = std::min(a.properties().density, b.properties().density);
            if (heavy > largest_density_ratio * 1.0001 * light) {
                return problems.add(
                    entry_place(tree, "liquid", i, "density"),
                    fmt::format("{} is {:.4g} times as dense as {}; up to {:g} is simulated, so make the light one at "
                                "least {:.3g} kg/m^3 or leave it out as air",
                                in_quotes(a.properties().density == heavy ? a.name : b.name), heavy / light,
                                in_quotes(a.properties().density == heavy ? b.name : a.name), largest_density_ratio,
                                heavy / largest_density_ratio));
            }
        }
    }
}

/// Scenes from programs whose unit is a centimetre have waves as slow as those of a lake.
void warn_of_units(const Scene& scene, const Value& tree) {
    constexpr double large = 1, earth = 9;
    const double gravity = length(scene.gravity.at(scene.frames[0]));
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        const double spacing = scene.liquid[i].spacing;
        if (spacing < large || gravity < earth || gravity > 2 * earth) continue;
        const SceneProblem warning{
            entry_place(tree, "liquid", i, "spacing"),
            fmt::format("lengths are in metres, so a spacing of {} m is for rivers and seas; if the scene was made in "
                        "centimetres divide its lengths by 100",
                        format_number(spacing))};
        return log_warning(warning.message());
    }
}

/// A box is filled with whole layers: what is left of its sides beside them stays empty, and the liquid stands lower
/// than the box once it has settled.
void warn_of_gaps(const Scene& scene, const Value& tree) {
    constexpr double noticeable = 0.05;
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        for (std::size_t k = 0; k < scene.liquid[i].fill.size(); ++k) {
            const emitters::FillParams& fill = scene.liquid[i].fill[k];
            if (!fill.box || !fill.level.empty()) continue;
            const double spacing = scene.liquid[i].spacing;
            const Vec3d layers = fill.box->size() / spacing;
            const auto whole = [](double n) { return std::max(1.0, std::floor(n + 1e-6)); };
            const double filled =
                whole(layers.x) * whole(layers.y) * whole(layers.z) / (layers.x * layers.y * layers.z);
            if (filled > 1 - noticeable) continue;
            const SceneProblem warning{
                entry_place(tree, "liquid", i, "fill"),
                fmt::format(
                    "fill {} is {:.3g} x {:.3g} x {:.3g} spacings; whole layers hold {:.0f} % of its volume, so it "
                    "will settle lower; sides that are multiples of {} m lose nothing",
                    k, layers.x, layers.y, layers.z, 100 * filled, format_number(spacing))};
            log_warning(warning.message());
        }
    }
}

}  // namespace

double most_particles() {
    return physical_memory() / bytes_per_particle;
}

void check_memory(const Scene& scene, const Value& tree, Problems& problems) {
    double total = 0;
    std::size_t largest = 0;
    std::vector<double> particles(scene.liquid.size());
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        for (const emitters::FillParams& fill : scene.liquid[i].fill)
            particles[i] += volume(fill) / std::pow(scene.liquid[i].spacing, 3);
        for (const emitters::EmitterParams& emitter : scene.emitter) {
            if (emitter.liquid.empty() ? i == 0 : emitter.liquid == scene.liquid[i].name)
                particles[i] += incoming_volume(emitter, 1 / scene.fps) / std::pow(scene.liquid[i].spacing, 3);
        }
        total += particles[i];
        if (particles[i] > particles[largest]) largest = i;
    }
    const double needed = total * bytes_per_particle, there = physical_memory();
    if (needed <= there) return;
    const std::string fitting = round_up(scene.liquid[largest].spacing * std::cbrt(needed / there));
    problems.add(entry_place(tree, "liquid", largest, "spacing"),
                 fmt::format("{} particles would take {} of memory and this machine has {}; a spacing of {} m fits",
                             format_count(total), format_bytes(needed), format_bytes(there), fitting));
}

void check_scene(const Scene& scene, const Value& tree, Problems& problems) {
    check_contrasts(scene, tree, problems);
    check_solver(scene, tree, problems);
    check_components(scene, tree, problems);
    for (std::size_t i = 0; i < scene.liquid.size(); ++i)
        FillChecks(scene, i, tree, problems).run();
    check_emitters(scene, tree, problems);
    warn_of_units(scene, tree);
    warn_of_gaps(scene, tree);
    if (scene.emitter.empty() &&
        std::all_of(scene.liquid.begin(), scene.liquid.end(), [](const auto& l) { return l.fill.empty(); })) {
        problems.add(
            entry_place(tree, "liquid", 0, ""),
            "no liquid anywhere: add fill = { box = [[0, 0, 0], [1, 1, 1]] } to a [[liquid]], the shape it has "
            "at the start");
    }
}

}  // namespace spindrift
