#include "spindrift/flip/reseed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::flip {

namespace {

/// Cells with fewer particles get some, those with more lose them; eight are full. Where walls take a part of the cell
/// it is so much less.
constexpr float fewest_in_full = 4, most_in_full = 14;

struct Run {
    std::uint32_t first = 0, last = 0;
};

Run run_of(const Cells& cells, std::size_t leaf, int cell) {
    LeafMask only{};
    set(only, cell);
    Run run;
    cells.for_each_run(leaf, only, [&](std::uint32_t first, std::uint32_t last) { run = {first, last}; });
    return run;
}

/// By place alone: the same whatever else there is.
std::uint64_t random_at(Vec3f donor, int cell) {
    const auto bits = [](float a) { return std::uint64_t{std::bit_cast<std::uint32_t>(a)}; };
    return hash_counter(bits(donor.x) << 32 | bits(donor.y), bits(donor.z), static_cast<std::uint64_t>(cell));
}

/// A particle of the cell, or of one that shares a face with it.
std::optional<std::uint32_t> find_donor(const Cells& cells, std::size_t leaf, int cell,
                                        const neighbors::LeafGrid& sorted) {
    if (cells.counts(leaf)[cell] > 0) return run_of(cells, leaf, cell).first;
    for (int side = 0; side < 6; ++side) {
        Vec3i c{cell & 7, cell >> 3 & 7, cell >> 6};
        c[side / 2] += side % 2 ? 1 : -1;
        const std::int32_t other =
            sorted.view()
                .neighbors[27 * leaf + static_cast<std::size_t>(grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3))];
        if (other < 0) continue;
        const int place = grid::cell_index(c.x & 7, c.y & 7, c.z & 7);
        const auto l = static_cast<std::size_t>(other);
        if (cells.counts(l)[place] > 0) return run_of(cells, l, place).first;
    }
    return {};
}

/// Tells particles apart whose shares of some component differ by about a quarter; all are of one kind without any.
class MixKinds {
  public:
    MixKinds(const ParticleStore& particles, const fluid::Mixture& mixture) : particles_(particles) {
        for (const fluid::Component& component : mixture.components)
            shares_.push_back(particles.find_channel(component.channel)->as<float>().data());
    }
    std::uint64_t operator()(std::size_t particle) const {
        constexpr int levels = 4;
        std::uint64_t kind = 0;
        for (const float* shares : shares_)
            kind = kind * (levels + 1) +
                   static_cast<std::uint64_t>(std::lround(levels * shares[particles_.slot(particle)]));
        return kind;
    }

  private:
    const ParticleStore& particles_;
    std::vector<const float*> shares_;
};

}  // namespace

void Reseeding::clear() {
    births_.clear();
    deaths_.clear();
}

void Reseeding::plan_leaf(const Cells& cells, const LeafMask& deep, const float* share, std::size_t leaf,
                          const neighbors::LeafGrid& sorted, const Float4* x, LeafPlan& out) const {
    const float width = sorted.resolutions().h[0];
    const Vec3i corner = sorted.leaves()[leaf].coord * grid::leaf_width;
    for (int cell = 0; cell < grid::leaf_cells; ++cell) {
        const int count = cells.counts(leaf)[cell];
        const float full = share ? share[cell] : 1;
        const int fewest = static_cast<int>(fewest_in_full * full);
        const int most = static_cast<int>(std::ceil(most_in_full * full));
        if (!is_set(deep, cell) || (count >= fewest && count <= most)) continue;
        const Run run = count > 0 ? run_of(cells, leaf, cell) : Run{};
        for (int k = 0; k < count - most; ++k)
            out.deaths.push_back({run.last - 1 - static_cast<std::uint32_t>(k), count, run.first});
        if (count >= fewest) continue;
        const std::optional<std::uint32_t> donor = find_donor(cells, leaf, cell, sorted);
        if (!donor) continue;
        const Vec3f first = vec_cast<float>(corner + Vec3i{cell & 7, cell >> 3 & 7, cell >> 6}) * width;
        // The eighths of the cell that have a particle.
        unsigned taken = 0;
        for (std::uint32_t p = run.first; p < run.last; ++p) {
            const Vec3f local = x[p].xyz() - first;
            taken |= 1u << ((local.x > 0.5f * width) + 2 * (local.y > 0.5f * width) + 4 * (local.z > 0.5f * width));
        }
        const std::uint64_t random = random_at(x[*donor].xyz(), cell);
        int wanted = fewest - count;
        for (unsigned k = 0; k < 8 && wanted > 0; ++k) {
            const unsigned eighth = (k * 3 + static_cast<unsigned>(random)) & 7;
            if (taken >> eighth & 1) continue;
            const auto jitter = [&](std::uint64_t draw) {
                return 0.3f * (uniform(hash_counter(random, k, draw)) - 0.5f);
            };
            const Vec3f at{(eighth & 1 ? 0.75f : 0.25f) + jitter(1), (eighth & 2 ? 0.75f : 0.25f) + jitter(2),
                           (eighth & 4 ? 0.75f : 0.25f) + jitter(3)};
            out.births.push_back({*donor, first + at * width - x[*donor].xyz(), count});
            --wanted;
        }
    }
}

void Reseeding::plan(const MacGrid& grid, const Cells& cells, const LiquidSurface& surface, const Solids& solids,
                     const neighbors::LeafGrid& sorted, const Float4* x) {
    clear();
    leaves_.resize(grid.leaves.size());
    parallel_for(grid.leaves.size(), 16, [&](Range range) {
        for (std::size_t l : range) {
            leaves_[l].births.clear();
            leaves_[l].deaths.clear();
            if (l > 0 && grid.sorted[l] >= 0)
                plan_leaf(cells, without(surface.deeper(l), grid.near_core[l]), solids.share(l),
                          static_cast<std::size_t>(grid.sorted[l]), sorted, x, leaves_[l]);
        }
    });
    for (const LeafPlan& each : leaves_) {
        births_.insert(births_.end(), each.births.begin(), each.births.end());
        deaths_.insert(deaths_.end(), each.deaths.begin(), each.deaths.end());
    }
    std::stable_sort(births_.begin(), births_.end(), [](const Birth& a, const Birth& b) { return a.count < b.count; });
    std::stable_sort(deaths_.begin(), deaths_.end(), [](const Death& a, const Death& b) { return a.count > b.count; });
}

/// A particle was taken in one place and its child born in another: what the child has more of some component is taken
/// from those that are left in the cell of the dead one, in place of what it has less of. What does not fit there the
/// child does without.
void Reseeding::keep_totals(ParticleStore& particles, const Death& death, std::size_t child,
                            const fluid::Mixture& mixture) {
    std::array<float*, fluid::most_components> shares{};
    const std::size_t count = mixture.components.size();
    std::array<float, fluid::most_components> owed{};  ///< that others have to give for the child
    const std::size_t dead = particles.slot(death.particle), own = particles.slot(child);
    for (std::size_t k = 0; k < count; ++k) {
        shares[k] = particles.find_channel(mixture.components[k].channel)->as<float>().data();
        owed[k] = shares[k][own] - shares[k][dead];
    }
    const auto give = [&](std::size_t slot, float most) {
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count && owed[a] > 0; ++b) {
                if (!(owed[b] < 0)) continue;
                // Whole quanta, so that all of it stays exact.
                const float moved = std::min({most, owed[a], -owed[b], shares[a][slot]});
                shares[a][slot] -= moved;
                shares[b][slot] += moved;
                owed[a] -= moved;
                owed[b] += moved;
            }
        }
    };
    const auto left = static_cast<float>(death.particle - death.first);
    const float part = left > 0 ? std::ceil(1 / (left * fluid::share_quantum)) * fluid::share_quantum : 1;
    for (const float most : {part, 1.f}) {
        for (std::size_t i = death.first; i < death.particle; ++i) {
            if (particles.is_alive(i) && !particles.is_held(i)) give(particles.slot(i), most);
        }
    }
    give(own, 1);
}

/// Whom each newborn takes the place of: of mixtures somebody of about the same mix where there is one, since what is
/// taken in one place is found in the other. Whoever weighs unlike does not change places at all; dyes move as liquid
/// without them does.
template <class IsFree>
std::vector<Reseeding::Move> Reseeding::match(const ParticleStore& particles, const fluid::Mixture& mixture,
                                              const IsFree& is_free) const {
    std::vector<Birth> births;
    for (const Birth& birth : births_) {
        if (births.size() == deaths_.size()) break;
        if (is_free(birth)) births.push_back(birth);
    }
    const bool weighed = mixture.weighs_unlike();
    const std::size_t count = weighed ? deaths_.size() : births.size();
    std::map<std::uint64_t, std::vector<std::size_t>> of_mix;
    const MixKinds kind_of(particles, mixture);
    for (std::size_t k = count; k-- > 0;)
        of_mix[kind_of(deaths_[k].particle)].push_back(k);
    std::vector<std::size_t> taken(births.size(), deaths_.size());
    for (std::size_t k = 0; k < births.size(); ++k) {
        const auto found = of_mix.find(kind_of(births[k].donor));
        if (found == of_mix.end() || found->second.empty()) continue;
        taken[k] = found->second.back();
        found->second.pop_back();
    }
    std::vector<std::size_t> left;
    for (auto& [kind, deaths] : of_mix)
        left.insert(left.end(), deaths.begin(), deaths.end());
    std::vector<Move> moves;
    for (std::size_t k = 0; k < births.size(); ++k) {
        if (taken[k] == deaths_.size()) {
            if (weighed) continue;
            taken[k] = left.back();
            left.pop_back();
        }
        moves.push_back({births[k], deaths_[taken[k]]});
    }
    return moves;
}

std::size_t Reseeding::carry_out(ParticleStore& particles, const collision::Walls& walls, float cell,
                                 const fluid::Mixture& mixture) {
    std::erase_if(deaths_, [&](const Death& death) { return particles.is_held(death.particle); });
    // Not into walls; and only what somebody else gives room for.
    const std::vector<Move> moves = match(particles, mixture, [&](const Birth& birth) {
        const Vec3f to = (particles.position()[birth.donor].xyz() + birth.offset) / cell;
        return walls.is_free(to, collision::contact_gap);
    });
    const Range born = particles.append(moves.size());
    for (std::size_t k = 0; k < moves.size(); ++k) {
        const std::size_t child = born.first + k, parent = moves[k].birth.donor;
        particles.copy_channels(parent, child);
        const Vec3f x = particles.position()[parent].xyz() + moves[k].birth.offset;
        const Vec3f v = particles.velocity()[parent].xyz();
        particles.position()[child] = {x.x, x.y, x.z, particles.position()[parent].w};
        particles.velocity()[child] = {v.x, v.y, v.z, particles.velocity()[child].w};
        if (!mixture.empty()) keep_totals(particles, moves[k].death, child, mixture);
        particles.kill(moves[k].death.particle);
    }
    return moves.size();
}

}  // namespace spindrift::flip
