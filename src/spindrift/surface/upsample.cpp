#include "spindrift/surface/upsample.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/surface/weld.h"

namespace spindrift::surface {

namespace {

constexpr float beta = 1.f / 3;

/// A particle has about ten partners behind it in the order; more are a heap in one place, of which nothing is gained.
constexpr int most_partners = 64;
constexpr std::size_t most_candidates = 1 << 12;

/// Particles at the surface, old ones first.
struct Shell {
    std::vector<Vec3f> x{};
    std::vector<std::uint16_t> liquid{};
    std::vector<Vec3f> normal{};
    std::vector<std::uint8_t> flag{};
    std::vector<std::uint32_t> number{};  ///< as the parents' numbers count

    void add(Vec3f at, std::uint16_t of, Vec3f n, std::uint8_t what, std::size_t counted) {
        x.push_back(at);
        liquid.push_back(of);
        normal.push_back(n);
        flag.push_back(what);
        number.push_back(static_cast<std::uint32_t>(counted));
    }
};

struct Middle {
    Vec3f x;
    Vec3f normal;
    std::uint32_t p, q;  ///< places in the shell
    float distance2;     ///< of its parents
};

/// A unit vector along a, or 0 if that has no direction.
Vec3f direction(Vec3f a) {
    const float size = length(a);
    return size > 0 ? a / size : Vec3f{};
}

/// The middle between two of the shell; false if the surface does not go from one to the other.
bool find_middle(const Shell& shell, std::uint32_t p, std::uint32_t q, Middle& out) {
    const Vec3f a = shell.x[q] - shell.x[p];
    Vec3f n_p = shell.normal[p], n_q = shell.normal[q];
    out = {0.5f * (shell.x[p] + shell.x[q]), {}, p, q, dot(a, a)};
    if (n_p == Vec3f{} || n_q == Vec3f{}) return true;
    if (dot(n_p, n_q) < 0) {
        // Outer particles know where outside is.
        if (shell.flag[p] == outer && shell.flag[q] == outer) return false;
        Vec3f& turned = shell.flag[p] == outer ? n_q : n_p;
        turned = -turned;
    }
    const Vec3f b = 0.5f * (n_p + n_q), side = cross(a, b);
    const Vec3f t_p = direction(cross(n_p, side)), t_q = direction(cross(side, n_q));
    out.x += 0.375f * beta * std::sqrt(out.distance2) * (t_p + t_q);
    out.normal = direction(b);
    return true;
}

/// Whether any particle of the cells is within the distance; both in metres.
bool is_near(const neighbors::ParticleCells& cells, Vec3f p, double distance) {
    const auto per_unit = static_cast<float>(1 / cells.unit());
    const Vec3f at = p * per_unit;
    const float r = static_cast<float>(distance) * per_unit;
    bool found = false;
    for (int of_class = 0; of_class < cells.classes() && !found; ++of_class) {
        cells.for_runs({at, at}, r, of_class, [&](std::size_t first, std::size_t last) {
            for (std::size_t j = first; j < last && !found; ++j) {
                const Vec3f d = cells.x()[j].xyz() - at;
                found = dot(d, d) < r * r;
            }
        });
    }
    return found;
}

/// One doubling of the shell.
class Pass {
  public:
    /// The spacing and the other distances are this one's share of the particles' own.
    Pass(const neighbors::ParticleView& particles, const neighbors::ParticleCells& fluid, Shell& shell,
         const UpsampleParams& params, int time)
        : fluid_(fluid), shell_(shell), params_(params), first_(time == 0), origin_(particles.origin) {
        for (const double each : particles.spacing)
            spacing_.push_back(std::ldexp(each, -time));
    }

    /// Adds to the shell and to the result.
    void run(std::size_t old_count, Upsampled& out) const;

  private:
    void find_partners(const neighbors::ParticleCells& cells, std::size_t i, std::vector<Middle>& out) const;
    std::vector<Middle> find_all() const;

    const neighbors::ParticleCells& fluid_;
    Shell& shell_;
    const UpsampleParams& params_;
    bool first_;
    Vec3d origin_;
    std::vector<double> spacing_;
};

/// Middles with those after this one in the order of the cells.
void Pass::find_partners(const neighbors::ParticleCells& cells, std::size_t i, std::vector<Middle>& out) const {
    const Vec3f at = cells.x()[i].xyz();
    const std::uint16_t liquid = cells.liquid(i);
    const int of_class = cells.class_of(liquid);
    const double distance = params_.weld * spacing_[liquid];
    const float reach = static_cast<float>(0.5 * params_.reach) * cells.cell(of_class);
    // The middle of two that are closer is too close to both.
    const float least = static_cast<float>(params_.weld) * cells.cell(of_class);
    int partners = 0;
    std::size_t candidates = 0;
    cells.for_runs({at, at}, reach, of_class, [&](std::size_t first, std::size_t last) {
        for (std::size_t j = std::max(first, i + 1); j < last && candidates < most_candidates; ++j, ++candidates) {
            const Vec3f r = cells.x()[j].xyz() - at;
            const float r2 = dot(r, r);
            if (r2 >= reach * reach || r2 < least * least || cells.liquid(j) != liquid) continue;
            if (++partners > most_partners) return;
            Middle middle;
            if (!find_middle(shell_, cells.source(i), cells.source(j), middle)) continue;
            if (is_near(fluid_, middle.x, distance)) continue;
            if (!first_ && is_near(cells, middle.x, distance)) continue;
            out.push_back(middle);
        }
    });
}

std::vector<Middle> Pass::find_all() const {
    const neighbors::ParticleCells cells(
        {.x = shell_.x, .origin = origin_, .liquid = shell_.liquid, .spacing = spacing_});
    constexpr std::size_t chunk = 512;
    std::vector<std::vector<Middle>> found(chunk_count(cells.size(), chunk));
    parallel_for(cells.size(), chunk, [&](Range range) {
        for (const std::size_t i : range)
            find_partners(cells, i, found[range.first / chunk]);
    });
    std::vector<Middle> middles;
    for (const std::vector<Middle>& each : found)
        middles.insert(middles.end(), each.begin(), each.end());
    return middles;
}

void Pass::run(std::size_t old_count, Upsampled& out) const {
    const std::vector<Middle> middles = find_all();
    std::vector<Vec3f> x(middles.size());
    std::vector<std::uint16_t> liquid(middles.size());
    std::vector<float> rank(middles.size());
    for (std::size_t k = 0; k < middles.size(); ++k) {
        x[k] = middles[k].x;
        liquid[k] = shell_.liquid[middles[k].p];
        rank[k] = middles[k].distance2;
    }
    std::vector<double> distance = spacing_;
    for (double& each : distance)
        each *= params_.weld;
    for (const std::uint32_t k : weld({.x = x, .origin = origin_, .liquid = liquid, .spacing = distance}, rank)) {
        const Middle& middle = middles[k];
        const bool has_side = shell_.flag[middle.p] == outer || shell_.flag[middle.q] == outer;
        out.parents.push_back({shell_.number[middle.p], shell_.number[middle.q]});
        shell_.add(middle.x, liquid[k], middle.normal, has_side ? outer : sheet, old_count + out.x.size());
        out.x.push_back(middle.x);
        out.liquid.push_back(liquid[k]);
        out.normal.push_back(middle.normal);
    }
}

}  // namespace

Upsampled upsample(const neighbors::ParticleView& particles, const neighbors::ParticleCells& cells,
                   const SurfaceParticles& at_surface, const UpsampleParams& params) {
    const std::size_t n = particles.x.size();
    SPINDRIFT_CHECK(at_surface.flag.size() == n && at_surface.normal.size() == n);
    Shell shell;
    for (std::size_t i = 0; i < n; ++i) {
        if (at_surface.flag[i] == inside) continue;
        const std::uint16_t liquid = particles.liquid.empty() ? std::uint16_t{0} : particles.liquid[i];
        shell.add(particles.x[i], liquid, at_surface.normal[i], at_surface.flag[i], i);
    }
    Upsampled out;
    for (int time = 0; time < params.times; ++time)
        Pass(particles, cells, shell, params, time).run(n, out);
    return out;
}

}  // namespace spindrift::surface
