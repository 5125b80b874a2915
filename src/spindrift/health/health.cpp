#include "spindrift/health/health.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "spindrift/fluid/liquid_of.h"
#include "spindrift/params/value.h"

namespace spindrift::health {

namespace {

std::string place(Vec3d p) {
    return fmt::format("({:.3g}, {:.3g}, {:.3g}) m", p.x, p.y, p.z);
}

/// Mean density error from which on next to nothing is left of a liquid's volume: nine tenths are gone.
constexpr double hopeless_error = 10;

/// The middle of the cube of eight support radii that has the most liquid too many.
Vec3d most_crowded(const Health::Look& look, std::size_t liquid, double support) {
    struct Crowd {
        double surplus = 0;
        Vec3d moment{};
    };
    std::map<std::tuple<int, int, int>, Crowd> cubes;
    const auto cube = [width = 8 * support](float x) {
        return static_cast<int>(std::floor(static_cast<double>(x) / width));
    };
    const fluid::LiquidOf liquid_of(*look.particles);
    for (std::size_t i = 0; i < look.density.size(); ++i) {
        const double surplus = static_cast<double>(look.density[i]) - 1;
        if (!(surplus > 0) || liquid_of(i) != liquid) continue;
        const Vec3f x = look.particles->position()[i].xyz();
        Crowd& crowd = cubes[{cube(x.x), cube(x.y), cube(x.z)}];
        crowd.surplus += surplus;
        crowd.moment += vec_cast<double>(x) * surplus;
    }
    Crowd most;
    for (const auto& [at, crowd] : cubes) {
        if (crowd.surplus > most.surplus) most = crowd;
    }
    return look.particles->origin + (most.surplus > 0 ? most.moment / most.surplus : Vec3d{});
}

}  // namespace

/// What one pass over the particles finds.
struct Health::Tally {
    struct Mean {
        std::size_t count = 0;
        double error = 0;
    };
    std::vector<Mean> liquids{};
    double fastest = 0;  ///< by the limit of its liquid
    std::size_t fastest_at = 0;
    double squares = 0;  ///< of speeds by limits
    std::size_t not_finite = 0;

    Tally& operator+=(const Tally& b) {
        liquids.resize(std::max(liquids.size(), b.liquids.size()));
        for (std::size_t l = 0; l < b.liquids.size(); ++l) {
            liquids[l].count += b.liquids[l].count;
            liquids[l].error += b.liquids[l].error;
        }
        if (b.fastest > fastest) {
            fastest = b.fastest;
            fastest_at = b.fastest_at;
        }
        squares += b.squares;
        not_finite += b.not_finite;
        return *this;
    }
};

Health::Tally Health::count(const Look& look) const {
    const ParticleStore& particles = *look.particles;
    const fluid::LiquidOf liquid_of(particles);
    std::vector<double> per_limit;
    for (std::size_t l = 0; l < scene_.liquid.size(); ++l)
        per_limit.push_back(1 / bound_.speed_of_liquid(l));
    return parallel_reduce(
        particles.size(), default_chunk, Tally{},
        [&](Range range) {
            Tally tally;
            tally.liquids.resize(scene_.liquid.size());
            for (const std::size_t i : range) {
                const Vec3d v = vec_cast<double>(particles.velocity()[i].xyz());
                const std::size_t l = liquid_of(i);
                const double share = length(v) * per_limit[l];
                tally.not_finite += !is_finite(v) || !is_finite(particles.position()[i].xyz());
                tally.squares += share * share;
                if (share > tally.fastest) {
                    tally.fastest = share;
                    tally.fastest_at = i;
                }
                tally.liquids[l].count += 1;
                if (i < look.density.size())
                    tally.liquids[l].error += std::max(0.0, static_cast<double>(look.density[i]) - 1);
            }
            return tally;
        },
        [](Tally a, const Tally& b) { return std::move(a += b); });
}

void Health::judge_density(const Look& look, const Tally& tally, Verdict& verdict) const {
    for (std::size_t l = 0; l < tally.liquids.size(); ++l) {
        const Tally::Mean& mean = tally.liquids[l];
        const double error = mean.error / static_cast<double>(std::max<std::size_t>(1, mean.count));
        if (mean.count < fewest_for_a_mean || !(error > compressed)) continue;
        if (error > hopeless_error)
            verdict.hopeless =
                fmt::format("'{}' is compressed by {:.3g} % on average", scene_.liquid[l].name, 100 * error);
        verdict.events.push_back(
            fmt::format("density error of '{}': it is compressed by {:.3g} % on average, most around {}; try {}",
                        scene_.liquid[l].name, 100 * error,
                        place(most_crowded(look, l, fluid::support_ratio * scene_.liquid[l].spacing)),
                        advice_for_accuracy(scene_, look.substeps)));
    }
}

void Health::judge_speed(const Look& look, const Tally& tally, Verdict& verdict) const {
    const ParticleStore& particles = *look.particles;
    const double mean = std::sqrt(tally.squares / static_cast<double>(std::max<std::size_t>(1, particles.size())));
    if (!(tally.fastest > far_beyond) && !(mean > hopeless_mean)) return;
    const std::size_t i = tally.fastest_at, liquid = fluid::LiquidOf(particles)(i);
    const std::string what =
        fmt::format("{:.3g} m/s at {}, {:.3g} times what falling, walls and sources can give{}",
                    static_cast<double>(length(particles.velocity()[i].xyz())),
                    place(vec_cast<double>(particles.position()[i].xyz()) + particles.origin), tally.fastest,
                    mean > hopeless_mean ? fmt::format(", and {:.3g} times on average", mean) : "");
    const std::string& name = scene_.liquid[liquid].name;
    verdict.events.push_back(
        fmt::format("speed of '{}': it has {}; try {}", name, what, advice_for_accuracy(scene_, look.substeps)));
    if (tally.fastest > hopeless_speed || mean > hopeless_mean)
        verdict.hopeless = fmt::format("'{}' has {}", name, what);
}

bool Health::is_outside(Vec3d center) const {
    if (!scene_.domain) return false;
    const Box3d& box = scene_.domain->box;
    const double slack = scene_.liquid[0].spacing;
    for (int a = 0; a < 3; ++a) {
        if (center[a] < box.lo[a] - slack && !is_open(*scene_.domain, a, true)) return true;
        if (center[a] > box.hi[a] + slack && !is_open(*scene_.domain, a, false)) return true;
    }
    return false;
}

void Health::judge_body(const Look& look, std::size_t body, Verdict& verdict) const {
    const bodies::BodyState whole = look.bodies->as_whole(body);
    const std::string& name = scene_.body[body].name;
    if (!is_finite(whole.center) || !is_finite(whole.velocity) || !is_finite(whole.spin)) {
        verdict.finite = false;
        verdict.hopeless = fmt::format("body '{}' has no finite position or velocity", name);
        return;
    }
    if (!scene_.body[body].is_free(look.frame)) return;
    const std::string more = advice_for_accuracy(scene_, look.substeps);
    if (is_outside(whole.center)) {
        verdict.events.push_back(
            fmt::format("place of body '{}': it went through a wall of the domain and is at {}; try {}", name,
                        place(whole.center), more));
    }
    const double speed = look.bodies->fastest(body), share = speed / bound_.speed_of_bodies();
    if (!(share > far_beyond)) return;
    const std::string what = fmt::format(
        "a point of it has {:.3g} m/s (it turns at {:.3g} rad/s) at {}, {:.3g} times what falling, walls and sources "
        "can give",
        speed, length(whole.spin), place(whole.center), share);
    verdict.events.push_back(fmt::format(
        "speed of body '{}': {}; try {}, and look whether it begins inside another body or a wall", name, what, more));
    if (share > hopeless_speed) verdict.hopeless = fmt::format("body '{}': {}", name, what);
}

Verdict Health::judge(const Look& look) const {
    Verdict verdict;
    const Tally tally = count(look);
    judge_density(look, tally, verdict);
    judge_speed(look, tally, verdict);
    for (std::size_t i = 0; i < look.bodies->size(); ++i)
        judge_body(look, i, verdict);
    if (tally.not_finite > 0) {
        verdict.finite = false;
        verdict.hopeless = fmt::format("{} particles have no finite position or velocity", tally.not_finite);
    }
    return verdict;
}

std::string advice_for_accuracy(const Scene& scene, int substeps) {
    const int fewest = 2 * std::max(1, substeps);
    const int most = std::max({2 * fewest, scene.solver.substeps[1], SolverChoice{}.substeps[1]});
    return fmt::format("more substeps (--substeps {}:{}) or {}", fewest, most,
                       scene.solver.info().grid
                           ? fmt::format("smaller ones (--set flip.cfl={})", format_number(0.5 * scene.flip.cfl))
                           : fmt::format("more iterations (--iterations {})", 2 * scene.solver.iterations));
}

std::string_view kind_of(std::string_view event) {
    return event.substr(0, event.find(": "));
}

}  // namespace spindrift::health
