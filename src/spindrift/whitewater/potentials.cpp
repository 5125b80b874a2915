#include "spindrift/whitewater/potentials.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/whitewater/half_space.h"

namespace spindrift::whitewater {

namespace {

/// Sum of (1 - q^2)^3 over a lattice of half the reach, the particle itself included.
constexpr float full_density = 5.15625f;
/// Sum of 1 - q over the same without the particle, and the mean cosine of a half-space.
constexpr float full_weight = 7.587f, half_space_cosine = 0.6f;

float ramp(double value, const std::array<double, 2>& range) {
    return static_cast<float>(std::clamp((value - range[0]) / (range[1] - range[0]), 0.0, 1.0));
}

/// Sums over the neighbours of a particle.
struct Around {
    float density = 1, weight = 0, difference = 0;
    int count = 0;
    Vec3f side{}, turn{};
};

Around look_around(const Liquid& liquid, std::size_t i, float h) {
    const neighbors::ParticleCells& cells = *liquid.cells;
    const Vec3f x = cells.x()[i].xyz(), v = liquid.v[cells.source(i)];
    const float per_h = 1 / h;
    Around sums;
    for (int of_class = 0; of_class < cells.classes(); ++of_class) {
        const float ratio = cells.cell(of_class) * per_h, volume = ratio * ratio * ratio;
        cells.for_runs({x, x}, h, of_class, [&](std::size_t first, std::size_t last) {
            for (std::size_t j = first; j < last; ++j) {
                const Vec3f x_ij = x - cells.x()[j].xyz();
                const float squared = dot(x_ij, x_ij) * per_h * per_h;
                if (squared >= 1 || j == i || squared < 1e-12f) continue;
                const float q = std::sqrt(squared), w = (1 - q) * volume, rest = 1 - squared;
                const Vec3f v_ij = v - liquid.v[cells.source(j)], e = x_ij * (per_h / q);
                sums.density += rest * rest * rest * volume;
                sums.weight += w;
                sums.difference += w * (length(v_ij) - dot(v_ij, e));
                sums.side += e * w;
                sums.turn += cross(e, v_ij) * (w / q);
                sums.count += 1;
            }
        });
    }
    return sums;
}

/// What each particle of a frame gives.
class Finder {
  public:
    Finder(const Liquid& liquid, const WhitewaterParams& params) : liquid_(liquid), params_(params) {
        const double spacing = 0.5 * liquid.cells->unit();
        const double length = crest_length(params, spacing);
        curvature_ = params.crest.curvature.value_or(std::array{0.25 / length, 1 / length});
        const std::array masks{params.isolation.mask, params.trapped_air.mask, params.crest.mask,
                               params.vorticity.mask};
        const std::array rates{params.isolation.rate.at(liquid.frame), params.trapped_air.rate.at(liquid.frame),
                               params.crest.rate.at(liquid.frame), params.vorticity.rate.at(liquid.frame)};
        for (std::size_t k = 0; k < potential_count; ++k) {
            rate_[k] = params.has(static_cast<Potential>(k)) ? static_cast<float>(rates[k]) : 0.f;
            mask_[k] = masks[k].empty() ? nullptr : find_mask(masks[k], static_cast<Potential>(k));
        }
    }

    struct Found {
        std::array<float, potential_count> value{}, rate{};
        bool looked = false;
    };

    Found look(std::size_t i) const {
        Found found;
        const neighbors::ParticleCells& cells = *liquid_.cells;
        const std::uint32_t particle = cells.source(i);
        if (!liquid_.id.empty() && liquid_.id[particle] < 0) return found;
        const Vec3f v = liquid_.v[particle];
        const float squared = dot(v, v);
        const float energy = ramp(0.5 * static_cast<double>(squared), params_.energy);
        if (!(energy > 0) && !(squared > params_.isolation.speed * params_.isolation.speed)) return found;
        const float h = cells.cell(cells.class_of(cells.liquid(i)));
        const Around around = look_around(liquid_, i, h);
        found.looked = true;
        const auto set = [&](Potential kind, float value, float share) {
            const auto k = static_cast<std::size_t>(kind);
            found.value[k] = value;
            found.rate[k] = rate_[k] * share * mask_of(k, particle);
        };
        const float per_weight = around.weight > 0 ? 1 / around.weight : 0;
        const float isolated = isolation(around, cells.x()[i].xyz(), h, std::sqrt(squared));
        set(Potential::isolation, isolated, isolated);
        const float trapped = around.difference * per_weight;
        set(Potential::trapped_air, trapped, energy * ramp(trapped, params_.trapped_air.speed));
        const float turning = 3 * length(around.turn) * per_weight;
        set(Potential::vorticity, turning, energy * ramp(turning, params_.vorticity.speed));
        if (rate_[static_cast<std::size_t>(Potential::crest)] > 0) {
            const float bent = crest(liquid_.x[particle], v);
            set(Potential::crest, bent, energy * ramp(bent, curvature_));
        }
        return found;
    }

  private:
    const ChannelArray* find_mask(const std::string& name, Potential of) const {
        std::vector<std::string> names;
        for (const ChannelArray& channel : liquid_.channels->channels) {
            if (channel.name() == name && channel.type().width == 1) return &channel;
            if (channel.type().width == 1) names.push_back(channel.name());
        }
        throw UsageError(fmt::format("whitewater.{}.mask: the particles have no channel '{}' of one number{}", word(of),
                                     name, suggestion(name, names)));
    }

    float mask_of(std::size_t k, std::uint32_t particle) const {
        if (!mask_[k]) return 1;
        const double share = mask_[k]->value(particle);
        return share > 0 ? static_cast<float>(std::min(share, 1.0)) : 0.f;
    }

    /// x and h are in units of the cells.
    float isolation(Around around, Vec3f x, float h, float speed) const {
        const IsolationParams& p = params_.isolation;
        const float fast = static_cast<float>(p.speed_slope * (speed - p.speed));
        if (!(fast > 0) || around.density / full_density >= p.density) return 0;
        if (liquid_.walls && liquid_.walls->near(x, x, h)) {
            const collision::Walls::Nearest wall = liquid_.walls->nearest(x);
            const auto share = static_cast<float>(half_space_share(std::clamp(wall.distance / h, -1.f, 1.f)));
            around.density += share * full_density;
            around.weight += share * full_weight;
            around.side += wall.normal * (share * full_weight * half_space_cosine);
        }
        const float thin = static_cast<float>(p.density_slope * (p.density - around.density / full_density));
        if (!(thin > 0)) return 0;
        const float one_sided = around.count >= 4 ? length(around.side) / around.weight : 0;
        return std::min(1.f, thin * fast) * ramp(-one_sided, {-0.35, -0.25});
    }

    float crest(Vec3f x, Vec3f v) const {
        const Flow& flow = *liquid_.flow;
        if (flow.at(x).phi < -flow.h()) return 0;
        const Flow::Crest here = flow.crest_at(x);
        const Vec3f ahead = v - here.around;
        const float speed = length(ahead);
        // Within about 53 degrees of the normal, as Ihmsen et al. 2012 have it.
        constexpr float forward = 0.6f;
        if (here.curvature <= 0 || speed <= params_.crest.speed || dot(ahead, here.normal) < forward * speed) return 0;
        return here.curvature;
    }

    const Liquid& liquid_;
    const WhitewaterParams& params_;
    std::array<double, 2> curvature_{};
    std::array<float, potential_count> rate_{};
    std::array<const ChannelArray*, potential_count> mask_{};
};

PotentialRange range_of(std::vector<float> values, std::size_t giving) {
    PotentialRange range{.giving = giving};
    if (values.empty()) return range;
    const auto at = [&](double share) {
        const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), place, values.end());
        return *place;
    };
    range.typical = at(0.5);
    range.high = at(0.99);
    range.largest = at(1);
    return range;
}

}  // namespace

double crest_length(const WhitewaterParams& params, double coarsest_spacing) {
    return params.crest.length.value_or(8 * coarsest_spacing);
}

Rates find_rates(const Liquid& liquid, const WhitewaterParams& params,
                 std::array<PotentialRange, potential_count>* ranges) {
    const Finder finder(liquid, params);
    const std::size_t n = liquid.cells->size();
    std::vector<Finder::Found> found(n);
    parallel_for(n, 256, [&](Range range) {
        for (const std::size_t i : range)
            found[i] = finder.look(i);
    });
    Rates rates;
    rates.row.assign(liquid.x.size(), 0);
    std::array<std::vector<float>, potential_count> values;
    std::array<std::size_t, potential_count> giving{};
    for (std::size_t i = 0; i < n; ++i) {
        if (!found[i].looked) continue;
        bool gives = false;
        for (std::size_t k = 0; k < potential_count; ++k) {
            if (ranges) values[k].push_back(found[i].value[k]);
            giving[k] += found[i].rate[k] > 0;
            gives |= found[i].rate[k] > 0;
        }
        if (!gives) continue;
        rates.row[liquid.cells->source(i)] = static_cast<std::uint32_t>(rates.rate.size());
        rates.rate.push_back(found[i].rate);
    }
    for (std::size_t k = 0; ranges && k < potential_count; ++k)
        (*ranges)[k] = range_of(std::move(values[k]), giving[k]);
    return rates;
}

}  // namespace spindrift::whitewater
