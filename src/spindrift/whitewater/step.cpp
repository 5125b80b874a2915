#include "spindrift/whitewater/step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/foam.h"
#include "spindrift/whitewater/mover.h"
#include "spindrift/whitewater/order.h"

namespace spindrift::whitewater {

std::size_t Counts::total() const {
    return std::accumulate(kinds.begin(), kinds.end(), std::size_t{0});
}

Counts Whitewater::advance(const Interval& interval) {
    Counts counts;
    const std::size_t first_born = join(interval.births);
    for (const Birth& birth : interval.births)
        counts.born[birth.cause] += 1;
    move(interval, first_born, counts);
    break_up(interval, counts);
    leave_walls(interval);
    const std::size_t before = particles.size();
    particles.arrange(order_of(particles, interval.flow.before.h()));
    counts.gone = before - particles.size();
    for (std::size_t k = 0; k < kind_count; ++k) {
        const auto [first, last] =
            std::equal_range(particles.kind.data(), particles.kind.data() + particles.size(), static_cast<Kind>(k));
        counts.kinds[k] = static_cast<std::size_t>(last - first);
    }
    settle_foam(interval, counts);
    return counts;
}

/// The born come behind those that are there.
std::size_t Whitewater::join(const std::vector<Birth>& births) {
    const std::size_t first = particles.size();
    particles.resize(first + births.size());
    parallel_for(births.size(), [&](Range range) {
        for (const std::size_t k : range) {
            const std::size_t i = first + k;
            particles.x[i] = births[k].x;
            particles.v[i] = births[k].v;
            particles.pscale[i] = 0;
            particles.age[i] = 0;
            particles.life[i] = endless;
            particles.id[i] = next_id + static_cast<std::int64_t>(k);
            particles.source[i] = births[k].source;
            particles.crowd[i] = 0;
            particles.kind[i] = Kind::spray;
            particles.cause[i] = births[k].cause;
            if (particles.has_color) particles.color[i] = births[k].color;
        }
    });
    next_id += static_cast<std::int64_t>(births.size());
    return first;
}

/// Those of each piece of the particles.
std::vector<Whitewater::Levels> Whitewater::choose_levels(const FlowBetween& flow) const {
    constexpr std::size_t piece = 4096;
    std::vector<Levels> levels(chunk_count(particles.size(), piece));
    const float per_cell = flow.span / flow.before.h();
    parallel_for(levels.size(), 1, [&](Range range) {
        for (const std::size_t p : range) {
            for (const std::size_t i : chunk_range(p, particles.size(), piece)) {
                // What the liquid carries is looked up along its way, and may go four cells.
                const bool rides = particles.kind[i] == Kind::foam || particles.kind[i] == Kind::bubbles;
                const float cells = length(particles.v[i]) * per_cell * (rides ? 0.25f : 1.f);
                const std::size_t level = cells <= 1 ? 0 : cells <= 2 ? 1 : cells <= 4 ? 2 : 3;
                levels[p][level].push_back(static_cast<std::uint32_t>(i));
            }
        }
    });
    return levels;
}

void Whitewater::move(const Interval& interval, std::size_t first_born, Counts& counts) {
    const std::vector<Levels> levels = choose_levels(interval.flow);
    for (std::size_t level = 0; level < level_count; ++level) {
        if (std::all_of(levels.begin(), levels.end(), [&](const Levels& each) { return each[level].empty(); }))
            continue;
        counts.substeps = 1 << level;
        for (int k = 0; k < counts.substeps; ++k) {
            stop_if_interrupted();
            const auto share = [&](int at) { return static_cast<float>(at) / static_cast<float>(counts.substeps); };
            const Mover mover(params_, seed_, interval, {share(k), share(k + 1)});
            const bool is_last = k + 1 == counts.substeps;
            parallel_for(levels.size(), 1, [&](Range range) {
                FlowReader liquid(interval.flow);
                for (const std::size_t p : range) {
                    for (const std::uint32_t i : levels[p][level]) {
                        float from = 0;
                        if (i >= first_born) {
                            const Birth& birth = interval.births[i - first_born];
                            from = birth.share;
                            if (from >= share(k + 1) && !(is_last && from == 1)) continue;
                            if (from >= share(k)) mover.begin(particles, i, birth, liquid);
                        }
                        mover.move(particles, i, from, liquid);
                    }
                }
            });
        }
    }
}

/// Drops that are too large for their speed lose what is too much as mist; those that are too small for spray are mist.
void Whitewater::break_up(const Interval& interval, Counts& counts) {
    if (!params_.spray.breakup) return;
    constexpr std::size_t piece = 8192;
    std::vector<std::vector<Birth>> pieces(chunk_count(particles.size(), piece));
    parallel_for(pieces.size(), 1, [&](Range range) {
        for (const std::size_t p : range)
            shrink(chunk_range(p, particles.size(), piece), interval, pieces[p]);
    });
    std::vector<Birth> lost;
    for (const std::vector<Birth>& each : pieces)
        lost.insert(lost.end(), each.begin(), each.end());
    if (lost.empty()) return;
    const std::size_t first = join(lost);
    const Mover mover(params_, seed_, interval, {1, 1});
    parallel_for(lost.size(), [&](Range range) {
        FlowReader liquid(interval.flow);
        for (const std::size_t k : range) {
            mover.begin(particles, first + k, lost[k], liquid);
            particles.pscale[first + k] = 0.5f * lost[k].diameter * size_of(params_, Kind::mist);
        }
    });
    counts.born[cause::breakup] += lost.size();
}

void Whitewater::shrink(Range range, const Interval& interval, std::vector<Birth>& lost) {
    const Vec3f wind = vec_cast<float>(params_.spray.wind.at(interval.frame));
    const float size = size_of(params_, Kind::spray);
    const float smallest = static_cast<float>(1e-3 * params_.spray.diameter_mm[0]);
    const bool has_mist = params_.has(Kind::mist);
    for (const std::size_t i : range) {
        if (particles.kind[i] != Kind::spray || particles.age[i] >= particles.life[i]) continue;
        const float diameter = 2 * particles.pscale[i] / size;
        const float most = std::max(largest_drop(length(particles.v[i] - wind)), smallest);
        if (diameter <= most) continue;
        particles.pscale[i] = 0.5f * most * size;
        const float ratio = most / diameter, share = 1 - ratio * ratio * ratio;
        const std::uint64_t own = hash_counter(seed_, static_cast<std::uint64_t>(particles.id[i]),
                                               static_cast<std::uint64_t>(interval.frame));
        if (!has_mist || uniform(own) >= share) continue;
        Birth birth{.from = particles.x[i],
                    .x = particles.x[i],
                    .v = particles.v[i],
                    .share = 1,
                    .source = particles.source[i],
                    .cause = cause::breakup,
                    .has_kind = true,
                    .kind = Kind::mist,
                    .diameter = 0.5f * smallest};
        if (particles.has_color) birth.color = particles.color[i];
        lost.push_back(birth);
    }
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

/// Foam in crowds lives longer, and what is piled up higher than foam can lie bursts before the next frame.
void Whitewater::age_foam(Range foam, const Interval& interval) {
    const FoamParams& params = params_.foam;
    constexpr double burst_time = 0.1;  // s
    const float span = interval.flow.span, longer = span * static_cast<float>(params.keep);
    const double bursting = -std::expm1(-static_cast<double>(span) / burst_time);
    parallel_for(foam.size(), [&](Range part) {
        for (const std::size_t k : part) {
            const std::size_t i = foam.first + k;
            const double crowd = particles.crowd[i];
            const double dense = std::clamp((crowd - params.crowd[0]) / (params.crowd[1] - params.crowd[0]), 0.0, 1.0);
            particles.life[i] += std::min(longer, particles.age[i]) * static_cast<float>(dense);
            if (crowd <= params.pile) continue;
            const std::uint64_t own =
                hash_counter(seed_ ^ 0xb0257, static_cast<std::uint64_t>(particles.id[i]),
                             static_cast<std::uint64_t>(static_cast<std::int64_t>(interval.frame)));
            if (static_cast<double>(uniform(own)) < bursting * (1 - params.pile / crowd))
                particles.life[i] = std::min(particles.life[i], particles.age[i] + 0.5f * span);
        }
    });
}

/// Foam finds out how crowded it is, opens holes and lies side by side.
void Whitewater::settle_foam(const Interval& interval, const Counts& counts) {
    const std::size_t first = counts.kinds[static_cast<std::size_t>(Kind::spray)];
    const Range range{first, first + counts.kinds[static_cast<std::size_t>(Kind::foam)]};
    std::fill(particles.crowd.data(), particles.crowd.data() + particles.size(), std::uint16_t{0});
    if (range.size() == 0) return;
    const FoamParams& params = params_.foam;
    const Foam foam{particles, range, interval.flow.after, interval.walls ? &interval.walls(1, 1) : nullptr};
    foam.count_crowds();
    age_foam(range, interval);
    if (params.cells && params.opening > 0)
        foam.open_cells({.width = static_cast<float>(*params.cells),
                         .share = static_cast<float>(-std::expm1(-params.opening * interval.flow.span)),
                         .seed = seed_});
    if (params.spread > 0) foam.spread(static_cast<float>(params.spread));
}

}  // namespace spindrift::whitewater
