#include "spindrift/whitewater/step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/foam.h"
#include "spindrift/whitewater/mover.h"

namespace spindrift::whitewater {

std::size_t Counts::total() const {
    return std::accumulate(kinds.begin(), kinds.end(), std::size_t{0});
}

Counts Whitewater::advance(const Interval& interval) {
    Counts counts;
    const std::size_t first_born = join(interval.births);
    for (const Birth& birth : interval.births)
        counts.born[birth.cause] += 1;
    counts.substeps = count_substeps(interval);
    for (int k = 0; k < counts.substeps; ++k) {
        stop_if_interrupted();
        const auto share = [&](int at) { return static_cast<float>(at) / static_cast<float>(counts.substeps); };
        const Mover mover(params_, seed_, interval, {share(k), share(k + 1)});
        const bool is_last = k + 1 == counts.substeps;
        parallel_for(particles.size(), 1024, [&](Range range) {
            for (const std::size_t i : range) {
                float from = 0;
                if (i >= first_born) {
                    const Birth& birth = interval.births[i - first_born];
                    from = birth.share;
                    if (from >= share(k + 1) && !(is_last && from == 1)) continue;
                    if (from >= share(k)) mover.begin(particles, i, birth);
                }
                mover.move(particles, i, from);
            }
        });
    }
    break_up(interval, counts);
    crowd_foam(interval);
    leave_walls(interval);
    const std::size_t before = particles.size();
    put_in_order(interval.flow.before.h());
    counts.gone = before - particles.size();
    for (std::size_t i = 0; i < particles.size(); ++i)
        counts.kinds[static_cast<std::size_t>(particles.kind[i])] += 1;
    return counts;
}

/// The born come behind those that are there.
std::size_t Whitewater::join(const std::vector<Birth>& births) {
    const std::size_t first = particles.size();
    particles.resize(first + births.size());
    for (std::size_t k = 0; k < births.size(); ++k) {
        const std::size_t i = first + k;
        particles.x[i] = births[k].x;
        particles.v[i] = births[k].v;
        particles.pscale[i] = 0;
        particles.age[i] = 0;
        particles.life[i] = endless;
        particles.id[i] = next_id++;
        particles.source[i] = births[k].source;
        particles.crowd[i] = 0;
        particles.kind[i] = Kind::spray;
        particles.cause[i] = births[k].cause;
    }
    return first;
}

/// No farther than a cell in a substep, as far as eight of them do.
int Whitewater::count_substeps(const Interval& interval) const {
    constexpr double most = 8;
    float fastest = parallel_reduce(
        particles.size(), default_chunk, 0.f,
        [&](Range range) {
            float most_squared = 0;
            for (const std::size_t i : range)
                most_squared = std::max(most_squared, dot(particles.v[i], particles.v[i]));
            return most_squared;
        },
        [](float a, float b) { return std::max(a, b); });
    fastest = std::sqrt(fastest);
    const double cells = static_cast<double>(fastest) * interval.flow.span / interval.flow.before.h();
    return static_cast<int>(std::clamp(std::ceil(cells), 1.0, most));
}

/// Drops that are too large for their speed lose what is too much as mist; those that are too small for spray are mist.
std::size_t Whitewater::break_up(const Interval& interval, Counts& counts) {
    const Vec3f wind = vec_cast<float>(params_.spray.wind.at(interval.frame));
    const float size = size_of(params_, Kind::spray), mist_size = size_of(params_, Kind::mist);
    const float smallest = static_cast<float>(1e-3 * params_.spray.diameter_mm[0]);
    const bool has_mist = params_.has(Kind::mist);
    std::vector<Birth> lost;
    for (std::size_t i = 0; params_.spray.breakup && i < particles.size(); ++i) {
        if (particles.kind[i] != Kind::spray || particles.age[i] >= particles.life[i]) continue;
        const float diameter = 2 * particles.pscale[i] / size;
        const float most = std::max(largest_drop(length(particles.v[i] - wind)), smallest);
        if (diameter <= most) continue;
        particles.pscale[i] = 0.5f * most * size;
        const float ratio = most / diameter, share = 1 - ratio * ratio * ratio;
        const std::uint64_t own = hash_counter(seed_, static_cast<std::uint64_t>(particles.id[i]),
                                               static_cast<std::uint64_t>(interval.frame));
        if (!has_mist || uniform(own) >= share) continue;
        Birth birth{.from = particles.x[i], .x = particles.x[i], .v = particles.v[i], .source = particles.source[i]};
        birth.cause = cause::breakup;
        lost.push_back(birth);
    }
    const std::size_t first = join(lost);
    const Mover mover(params_, seed_, interval, {1, 1});
    for (std::size_t k = 0; k < lost.size(); ++k) {
        lost[k].has_kind = true;
        lost[k].kind = Kind::mist;
        lost[k].share = 1;
        lost[k].diameter = 0.5f * smallest;
        mover.begin(particles, first + k, lost[k]);
        particles.pscale[first + k] = 0.25f * smallest * mist_size;
    }
    counts.born[cause::breakup] += lost.size();
    return lost.size();
}

void Whitewater::crowd_foam(const Interval& interval) {
    const float h = interval.flow.before.h();
    std::vector<std::uint32_t> foam;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        particles.crowd[i] = 0;
        if (particles.kind[i] == Kind::foam && particles.age[i] < particles.life[i])
            foam.push_back(static_cast<std::uint32_t>(i));
    }
    if (foam.empty()) return;
    count_crowds(particles, foam, h);
    const auto [few, many] = params_.foam.crowd;
    const float longer = interval.flow.span * static_cast<float>(params_.foam.keep);
    parallel_for(foam.size(), [&, few = few, many = many](Range range) {
        for (const std::size_t k : range) {
            const std::uint32_t i = foam[k];
            const double dense = std::clamp((particles.crowd[i] - few) / (many - few), 0.0, 1.0);
            particles.life[i] += std::min(longer, particles.age[i]) * static_cast<float>(dense);
        }
    });
    if (params_.foam.spread > 0)
        spread_foam(particles, foam,
                    {.flow = interval.flow.after,
                     .walls = interval.walls ? &interval.walls(1, 1) : nullptr,
                     .share = static_cast<float>(params_.foam.spread)});
}

/// What a wall has closed in on, or was born in one, is put before it; what is deep inside goes.
void Whitewater::leave_walls(const Interval& interval) {
    if (!interval.walls) return;
    const collision::Walls& walls = interval.walls(1, 1);
    const float h = interval.flow.before.h();
    parallel_for(particles.size(), 1024, [&](Range range) {
        for (const std::size_t i : range) {
            const Vec3f x = particles.x[i] / h;
            if (!is_finite(x) || walls.is_free(x, 0)) continue;
            const collision::Walls::Nearest wall = walls.nearest(x);
            const Vec3f out = x + wall.normal * (collision::contact_gap - wall.distance);
            // Deeper than a quarter of a cell it would jump.
            if (wall.distance < -0.25f || !walls.is_free(out, 0))
                particles.life[i] = -1;
            else
                particles.x[i] = out * h;
        }
    });
}

/// By kind and by cell, without the dead: neighbours in space are neighbours in memory.
void Whitewater::put_in_order(float h) {
    const neighbors::ParticleCells cells(
        {.x = {particles.x.data(), particles.size()}, .origin = {}, .liquid = {}, .spacing = {0.5 * h}});
    std::array<std::vector<std::uint32_t>, kind_count> of_kind;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const std::uint32_t i = cells.source(k);
        if (particles.age[i] < particles.life[i]) of_kind[static_cast<std::size_t>(particles.kind[i])].push_back(i);
    }
    std::vector<std::uint32_t> order;
    for (const std::vector<std::uint32_t>& each : of_kind)
        order.insert(order.end(), each.begin(), each.end());
    particles.arrange(order);
}

}  // namespace spindrift::whitewater
