#include "spindrift/whitewater/potentials.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/whitewater/around_kernels.h"
#include "spindrift/whitewater/half_space.h"

namespace spindrift::whitewater {

namespace {

/// Sum of (1 - q^2)^3 over a lattice of half the reach, the particle itself included.
constexpr float full_density = 5.15625f;
/// Sum of 1 - q over the same without the particle, and the mean cosine of a half-space.
constexpr float full_weight = 7.587f, half_space_cosine = 0.6f;

/// A particle in the order of cells.
struct FoundGiver {
    std::uint32_t place;
    Giver giver;
};

/// Sums over the neighbours of a particle.
struct Around {
    float density = 1, weight = 0, difference = 0;
    float count = 0;
    Vec3f side{}, turn{};
};

Around of_lane(const Around8& sums, std::size_t lane) {
    return {1 + sums.density[lane],
            sums.weight[lane],
            sums.difference[lane],
            sums.count[lane],
            {sums.side[0][lane], sums.side[1][lane], sums.side[2][lane]},
            {sums.turn[0][lane], sums.turn[1][lane], sums.turn[2][lane]}};
}

/// Up to eight particles that lie behind each other in the order of cells.
struct Cluster {
    std::size_t first, count;
};

/// What each particle of a frame gives.
class Finder {
  public:
    Finder(const Liquid& liquid, const WhitewaterParams& params, const RateLaw& law)
        : liquid_(liquid), params_(params), law_(law) {
        const std::array masks{params.isolation.mask, params.trapped_air.mask, params.crest.mask,
                               params.vorticity.mask};
        for (std::size_t k = 0; k < potential_count; ++k)
            mask_[k] = masks[k].empty() ? nullptr : find_mask(masks[k], static_cast<Potential>(k));
    }

    /// Adds those of a leaf that were looked at; `runs` is scratch memory.
    void look(const neighbors::Leaf& leaf, std::vector<NearRun>& runs, std::vector<FoundGiver>& found) const {
        for (std::size_t i = leaf.first; i < std::size_t{leaf.first} + leaf.count; i += 8) {
            const Cluster cluster{i, std::min<std::size_t>(8, leaf.first + leaf.count - i)};
            const unsigned looked = choose(cluster);
            if (looked == 0) continue;
            const float h = liquid_.cells->cell(static_cast<int>(leaf.resolution));
            const Around8 sums = look_around(cluster, h, runs);
            for (std::size_t lane = 0; lane < cluster.count; ++lane) {
                if (looked >> lane & 1)
                    found.push_back({static_cast<std::uint32_t>(i + lane), giver(i + lane, h, of_lane(sums, lane))});
            }
        }
    }

  private:
    /// Which of them may give anything, as bits.
    unsigned choose(const Cluster& cluster) const {
        unsigned bits = 0;
        for (std::size_t lane = 0; lane < cluster.count; ++lane) {
            const std::size_t i = cluster.first + lane;
            const bool fills = !liquid_.id.empty() && liquid_.id[liquid_.cells->source(i)] < 0;
            const Vec3f v = liquid_.flow->v()[i].xyz();
            if (!fills && law_.is_fast(dot(v, v))) bits |= 1u << lane;
        }
        return bits;
    }

    Around8 look_around(const Cluster& cluster, float h, std::vector<NearRun>& runs) const {
        const neighbors::ParticleCells& cells = *liquid_.cells;
        const Float4 *x = cells.x(), *v = liquid_.flow->v();
        Eight eight;
        Box3f box{x[cluster.first].xyz(), x[cluster.first].xyz()};
        for (std::size_t lane = 0; lane < 8; ++lane) {
            const std::size_t i = cluster.first + std::min(lane, cluster.count - 1);
            eight.x[lane] = x[i].x, eight.y[lane] = x[i].y, eight.z[lane] = x[i].z;
            eight.vx[lane] = v[i].x, eight.vy[lane] = v[i].y, eight.vz[lane] = v[i].z;
            box = {min(box.lo, x[i].xyz()), max(box.hi, x[i].xyz())};
        }
        Around8 sums;
        for (int of_class = 0; of_class < cells.classes(); ++of_class) {
            runs.clear();
            cells.for_runs(box, h, of_class, [&](std::size_t first, std::size_t last) {
                runs.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)});
            });
            const float ratio = cells.cell(of_class) / h;
            kernels_.add(x, v, runs, eight, {.h = h, .volume = ratio * ratio * ratio}, sums);
        }
        return sums;
    }

    Giver giver(std::size_t i, float h, const Around& around) const {
        const std::uint32_t particle = liquid_.cells->source(i);
        const Vec3f v = liquid_.flow->v()[i].xyz();
        const float squared = dot(v, v), per_weight = around.weight > 0 ? 1 / around.weight : 0;
        Giver found;
        found.energy = 0.5f * squared;
        const auto set = [&](Potential kind, float value) {
            const auto k = static_cast<std::size_t>(kind);
            found.value[k] = value;
            found.share[k] = mask_of(k, particle);
        };
        set(Potential::isolation, isolation(around, liquid_.cells->x()[i].xyz(), h, std::sqrt(squared)));
        set(Potential::trapped_air, around.difference * per_weight);
        set(Potential::vorticity, 3 * length(around.turn) * per_weight);
        if (law_.rate(Potential::crest) > 0) set(Potential::crest, crest(liquid_.x[particle], v));
        return found;
    }

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
        return std::min(1.f, thin * fast) * std::clamp((0.35f - one_sided) / 0.1f, 0.f, 1.f);
    }

    float crest(Vec3f x, Vec3f v) const {
        const Crests::Crest here = liquid_.flow->crest_at(x);
        // Down to a quarter of the length, whatever the spacing.
        constexpr float deepest = 0.7f;
        if (here.curvature <= 0 || here.full > deepest) return 0;
        const Vec3f ahead = v - here.around;
        const float speed = length(ahead);
        // Within about 53 degrees of the normal, as Ihmsen et al. 2012 have it.
        constexpr float forward = 0.6f;
        return speed > params_.crest.speed && dot(ahead, here.normal) >= forward * speed ? here.curvature : 0.f;
    }

    const Liquid& liquid_;
    const WhitewaterParams& params_;
    const RateLaw& law_;
    AroundKernels kernels_ = around_kernels();
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

Rates find_rates(const Liquid& liquid, const WhitewaterParams& params,
                 std::array<PotentialRange, potential_count>* ranges) {
    Rates rates;
    rates.law = RateLaw(params, liquid.frame, 0.5 * liquid.cells->unit());
    rates.row.assign(liquid.x.size(), 0);
    const Finder finder(liquid, params, rates.law);
    const auto leaves = liquid.cells->grid().leaves();
    std::vector<std::vector<FoundGiver>> found(leaves.size());
    parallel_for(leaves.size(), 1, [&](Range range) {
        std::vector<NearRun> runs;
        for (const std::size_t leaf : range) {
            finder.look(leaves[leaf], runs, found[leaf]);
            if (!ranges)
                std::erase_if(found[leaf], [&](const FoundGiver& each) { return !rates.law.is_near(each.giver); });
        }
    });
    std::array<std::vector<float>, potential_count> values;
    std::array<std::size_t, potential_count> giving{};
    for (const std::vector<FoundGiver>& of_leaf : found) {
        for (const FoundGiver& each : of_leaf) {
            const std::array<float, potential_count> rate = rates.law(each.giver);
            rates.giving += std::any_of(rate.begin(), rate.end(), [](float r) { return r > 0; });
            for (std::size_t k = 0; ranges && k < potential_count; ++k) {
                values[k].push_back(each.giver.value[k]);
                giving[k] += rate[k] > 0;
            }
            if (!rates.law.is_near(each.giver)) continue;
            rates.row[liquid.cells->source(each.place)] = static_cast<std::uint32_t>(rates.givers.size());
            rates.givers.push_back(each.giver);
        }
    }
    for (std::size_t k = 0; ranges && k < potential_count; ++k)
        (*ranges)[k] = range_of(std::move(values[k]), giving[k]);
    return rates;
}

}  // namespace spindrift::whitewater
