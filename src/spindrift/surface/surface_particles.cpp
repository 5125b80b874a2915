#include "spindrift/surface/surface_particles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spindrift/core/errors.h"
#include "spindrift/surface/spread.h"

namespace spindrift::surface {

namespace {

constexpr float radius_in_h = 1.7f;
constexpr float rest_share = 0.95f;     ///< alpha of the paper
constexpr float density_weight = 2.0f;  ///< beta of the paper
/// At a flat surface the solver's kernel, of radius h, lacks this many times less than one of radius R does.
constexpr float solver_lack = 1.6f;
/// Neighbours that spread less than this share of their largest spread, in variances, are a sheet or a string. One
/// layer has almost 0, two have 0.2.
constexpr double flat_share = 0.1;
/// Displacements below this, in h, say nothing about a direction.
constexpr float least_displacement = 0.1f;

/// Estimates of the measure below this need no second look: far below any threshold.
constexpr float clearly_inside = 0.25f;

/// Where the liquid is around eight points.
struct Centers8 {
    float density[8]{};            ///< 1 inside of a lattice
    float x[8]{}, y[8]{}, z[8]{};  ///< offset of the centre, in units
};

class Detection {
  public:
    Detection(const neighbors::ParticleCells& cells, const SurfaceInput& input, SurfaceParticles& out)
        : cells_(cells), input_(input), out_(out) {}

    /// Fills in the measures of a group, and d / h in the place of its normals.
    void measure(const std::vector<std::uint32_t>& list, const Group& group, Gatherer& gatherer) const;
    /// Fills in flags and normals of a group whose flags are set.
    void find_normals(const std::vector<std::uint32_t>& list, const Group& group, Gatherer& gatherer) const;

  private:
    std::uint32_t source(const std::vector<std::uint32_t>& list, const Group& group, int lane) const {
        return cells_.source(list[group.first + static_cast<std::size_t>(lane)]);
    }
    float radius(int a, int b) const { return radius_in_h * std::max(cells_.cell(a), cells_.cell(b)); }
    Centers8 centers(const Points8& points, int of_class, Gatherer& gatherer) const;
    void set_normal(std::uint32_t particle, const Spread& spread) const;

    const neighbors::ParticleCells& cells_;
    const SurfaceInput& input_;
    SurfaceParticles& out_;
};

Centers8 Detection::centers(const Points8& points, int of_class, Gatherer& gatherer) const {
    Centers8 out;
    float total[8]{};
    const float own = radius(of_class, of_class);
    for (int other = 0; other < cells_.classes(); ++other) {
        const float r = radius(of_class, other), spacing = 0.5f * cells_.cell(other);
        const IndexList near = gatherer.around(points, r, other);
        if (near.empty()) continue;
        Sums8 sums{};
        gatherer.kernels().add_centers(cells_.x(), near, points, r, sums);
        // The kernel's integral is 64 pi / 315 R^3. One more R makes first moments of two half-spaces equal.
        const float q = spacing / r;
        const float share = q * q * q * static_cast<float>(315 / (64 * std::numbers::pi));
        const float weight = share * own / r;
        for (int lane = 0; lane < 8; ++lane) {
            out.density[lane] += share * sums.w[lane];
            total[lane] += weight * sums.w[lane];
            out.x[lane] += weight * sums.x[lane];
            out.y[lane] += weight * sums.y[lane];
            out.z[lane] += weight * sums.z[lane];
        }
    }
    for (int lane = 0; lane < 8; ++lane) {
        // A mirrored point may be out of everything's reach.
        const float per_total = total[lane] > 1e-6f ? 1 / total[lane] : 0;
        out.x[lane] *= per_total;
        out.y[lane] *= per_total;
        out.z[lane] *= per_total;
    }
    return out;
}

void Detection::measure(const std::vector<std::uint32_t>& list, const Group& group, Gatherer& gatherer) const {
    const Centers8 at = centers(group.points, group.of_class, gatherer);
    const float per_h = 1 / cells_.cell(group.of_class);
    Points8 mirrored;
    float lack[8]{};
    bool clear = true;
    for (int lane = 0; lane < 8; ++lane) {
        const std::uint32_t particle = source(list, group, std::min(lane, group.count - 1));
        const float density =
            input_.density.empty() ? at.density[lane] : 1 - solver_lack * (1 - input_.density[particle]);
        lack[lane] = density_weight * (rest_share - density);
        const Vec3f away{-at.x[lane], -at.y[lane], -at.z[lane]};
        mirrored.x[lane] = group.points.x[lane] + away.x;
        mirrored.y[lane] = group.points.y[lane] + away.y;
        mirrored.z[lane] = group.points.z[lane] + away.z;
        // Close to its centre the mirrored particle sees the same liquid, and is about twice as far from it.
        out_.normal[particle] = 2 * per_h * away;
        clear = clear && length(out_.normal[particle]) + lack[lane] < clearly_inside;
    }
    if (!clear) {
        const Centers8 beyond = centers(mirrored, group.of_class, gatherer);
        for (int lane = 0; lane < group.count; ++lane)
            out_.normal[source(list, group, lane)] = -per_h * Vec3f{beyond.x[lane], beyond.y[lane], beyond.z[lane]};
    }
    for (int lane = 0; lane < group.count; ++lane) {
        const std::uint32_t particle = source(list, group, lane);
        out_.measure[particle] = length(out_.normal[particle]) + lack[lane];
    }
}

void Detection::find_normals(const std::vector<std::uint32_t>& list, const Group& group, Gatherer& gatherer) const {
    const auto spread = spread_around(cells_, group.points, group.of_class, radius_in_h, gatherer);
    for (int lane = 0; lane < group.count; ++lane)
        set_normal(source(list, group, lane), spread[static_cast<std::size_t>(lane)]);
}

void Detection::set_normal(std::uint32_t particle, const Spread& spread) const {
    const Vec3f displacement = out_.normal[particle];
    const Eigen3 eigen = eigen_of(spread.covariance);
    const double flat = flat_share * eigen.value[0];
    Vec3f normal{};
    std::uint8_t flag = outer;
    if (eigen.value[1] <= flat || eigen.value[2] <= flat || length(displacement) < least_displacement) {
        flag = sheet;
        // Strings have no normal, and neither have one or two particles.
        if (eigen.value[1] > flat) normal = vec_cast<float>(eigen.axis[2]);
    } else {
        normal = normalize(displacement);
    }
    out_.flag[particle] = flag;
    out_.normal[particle] = normal;
}

/// Whether a particle is at the surface now, and since when it is what it is.
struct Verdict {
    std::uint8_t flag;
    float since;
};

Verdict judge(float measure, const SurfaceThresholds& thresholds, float time, const Verdict* before) {
    const float middle = thresholds.middle();
    if (!before) return {static_cast<std::uint8_t>(measure > middle), time};
    const float closer =
        thresholds.decay * 0.5f * (thresholds.upper - thresholds.lower) * std::max(time - before->since, 0.f);
    const bool at_surface = before->flag ? measure >= std::min(thresholds.lower + closer, middle)
                                         : measure > std::max(thresholds.upper - closer, middle);
    if (at_surface == (before->flag != 0)) return *before;
    return {static_cast<std::uint8_t>(at_surface), time};
}

/// Flags of the listed particles from their measures; what was looked at becomes the next frame's state.
SurfaceState judge_all(const neighbors::ParticleCells& cells, const std::vector<std::uint32_t>& near,
                       const SurfaceInput& input, const SurfaceState& before, SurfaceParticles& out) {
    const auto time = static_cast<float>(input.time);
    const bool has_id = !input.id.empty();
    std::vector<Verdict> verdicts(near.size());
    parallel_for(near.size(), [&](Range range) {
        for (const std::size_t k : range) {
            const std::uint32_t particle = cells.source(near[k]);
            Verdict old{};
            bool known = false;
            if (has_id) {
                const auto found = std::lower_bound(before.id.begin(), before.id.end(), input.id[particle]);
                known = found != before.id.end() && *found == input.id[particle];
                const auto at = static_cast<std::size_t>(found - before.id.begin());
                if (known) old = {before.flag[at], before.since[at]};
            }
            verdicts[k] = judge(out.measure[particle], input.thresholds, time, known ? &old : nullptr);
            out.flag[particle] = verdicts[k].flag;
        }
    });
    SurfaceState next;
    if (!has_id) return next;
    struct Entry {
        std::int64_t id;
        Verdict verdict;
    };
    std::vector<Entry> entries(near.size());
    for (std::size_t k = 0; k < near.size(); ++k)
        entries[k] = {input.id[cells.source(near[k])], verdicts[k]};
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
    for (const Entry& entry : entries) {
        next.id.push_back(entry.id);
        next.flag.push_back(entry.verdict.flag);
        next.since.push_back(entry.verdict.since);
    }
    return next;
}

}  // namespace

DetectedSurface detect(const neighbors::ParticleCells& cells, const SurfaceInput& input, const SurfaceState& before) {
    const std::size_t n = cells.size() + cells.skipped();
    SPINDRIFT_CHECK(input.id.empty() || input.id.size() == n);
    SPINDRIFT_CHECK(input.density.empty() || input.density.size() == n);
    SPINDRIFT_CHECK(before.flag.size() == before.id.size() && before.since.size() == before.id.size());
    DetectedSurface out;
    SurfaceParticles& particles = out.particles;
    particles.flag.assign(n, inside);
    particles.normal.assign(n, Vec3f{});
    particles.measure.assign(n, 0);

    const Detection detection(cells, input, particles);
    std::vector<std::uint32_t> near = particles_near_surface(cells);
    for_groups(cells, near, [&](const Group& group, Gatherer& gatherer) { detection.measure(near, group, gatherer); });
    out.state = judge_all(cells, near, input, before, particles);
    std::vector<std::uint32_t> at_surface;
    for (const std::uint32_t i : near) {
        const std::uint32_t particle = cells.source(i);
        if (particles.flag[particle])
            at_surface.push_back(i);
        else
            particles.normal[particle] = {};
    }
    for_groups(cells, at_surface,
               [&](const Group& group, Gatherer& gatherer) { detection.find_normals(at_surface, group, gatherer); });
    return out;
}

}  // namespace spindrift::surface
