#include "spindrift/whitewater/foam.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/neighbors/particle_cells.h"

namespace spindrift::whitewater {

namespace {

std::uint64_t key_of(Vec3f x, float per_cell) {
    const auto bits = [&](float a) {
        const float cell = std::clamp(std::floor(a * per_cell), -1e6f, 1e6f);
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(cell)) & 0x1fffff;
    };
    return bits(x.x) | bits(x.y) << 21 | bits(x.z) << 42;
}

/// Numbers of things with the same key, by open addressing.
class KeyCounts {
  public:
    explicit KeyCounts(std::size_t most) : slots_(std::bit_ceil(2 * most + 2)) {}
    std::uint32_t& operator[](std::uint64_t key) {
        std::size_t at = mix_bits(key) & (slots_.size() - 1);
        while (slots_[at].count > 0 && slots_[at].key != key)
            at = (at + 1) & (slots_.size() - 1);
        slots_[at].key = key;
        return slots_[at].count;
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t count = 0;
    };
    std::vector<Slot> slots_;
};

}  // namespace

void count_crowds(Particles& all, std::span<const std::uint32_t> foam, float cell) {
    KeyCounts counts(foam.size());
    for (const std::uint32_t i : foam)
        counts[key_of(all.x[i], 1 / cell)] += 1;
    for (const std::uint32_t i : foam)
        all.crowd[i] = static_cast<std::uint16_t>(
            std::min<std::uint32_t>(counts[key_of(all.x[i], 1 / cell)], std::numeric_limits<std::uint16_t>::max()));
}

void spread_foam(Particles& all, std::span<const std::uint32_t> foam, const Spread& how) {
    // Larger than most: what is larger still pushes only those this near.
    std::vector<float> radii;
    for (const std::uint32_t i : foam)
        radii.push_back(all.pscale[i]);
    const auto place = radii.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(radii.size() - 1));
    std::nth_element(radii.begin(), place, radii.end());
    const float reach = 2 * *place;
    if (!(reach > 0)) return;
    std::vector<Vec3f> x(foam.size()), moved(foam.size());
    for (std::size_t k = 0; k < foam.size(); ++k)
        x[k] = all.x[foam[k]];
    neighbors::ParticleCells cells;
    for (int pass = 0; pass < 2; ++pass) {
        cells.sort({.x = x, .origin = {}, .liquid = {}, .spacing = {0.5 * reach}});
        moved = x;
        parallel_for(cells.size(), 256, [&](Range range) {
            for (const std::size_t n : range) {
                const std::uint32_t k = cells.source(n);
                const float radius = all.pscale[foam[k]];
                const Vec3f slope = how.flow.surface_at(x[k]).slope;
                const float steep = dot(slope, slope);
                if (!(steep > 0.04f)) continue;
                Vec3f push;
                int others = 0;
                cells.for_runs({cells.x()[n].xyz(), cells.x()[n].xyz()}, 1, 0,
                               [&](std::size_t first, std::size_t last) {
                                   for (std::size_t m = first; m < last && others < 64; ++m) {
                                       const std::uint32_t j = cells.source(m);
                                       if (j == k) continue;
                                       Vec3f away = x[k] - x[j];
                                       away -= slope * (dot(away, slope) / steep);
                                       const float distance = length(away), wanted = radius + all.pscale[foam[j]];
                                       if (distance >= wanted || !(distance > 0)) continue;
                                       push += away * (0.25f * (wanted - distance) / distance);
                                       others += 1;
                                   }
                               });
                const float far = length(push);
                moved[k] = x[k] + (far > radius ? push * (radius / far) : push) * how.share;
            }
        });
        x.swap(moved);
    }
    const float h = how.flow.h();
    for (std::size_t k = 0; k < foam.size(); ++k) {
        const Vec3f from = all.x[foam[k]] / h;
        Vec3f to = x[k] / h;
        if (how.walls && !how.walls->is_clear(from, to, collision::Start::now)) {
            how.walls->trace(from, to, collision::Start::now);
            x[k] = to * h;
        }
        all.x[foam[k]] = x[k];
    }
}

}  // namespace spindrift::whitewater
