#include "spindrift/whitewater/foam.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "spindrift/core/random.h"
#include "spindrift/neighbors/particle_cells.h"

namespace spindrift::whitewater {

namespace {

using neighbors::floor_to_int;

Vec3i cell_of(Vec3f x, float per_cell) {
    const auto along = [&](float a) { return floor_to_int(std::clamp(a * per_cell, -1e6f, 1e6f)); };
    return {along(x.x), along(x.y), along(x.z)};
}

/// The lowest of the random numbers in each cell, and whose it is.
class Lowest {
  public:
    static constexpr std::uint32_t nobody = 0xffffffff;
    struct Slot {
        Vec3i cell{};
        std::uint32_t who = nobody;
        std::uint64_t number = 0;
    };

    explicit Lowest(std::size_t most) : slots_(std::bit_ceil(2 * most + 2)) {}
    void add(Vec3i cell, std::uint32_t who, std::uint64_t number) {
        Slot& slot = slots_[place_of(cell)];
        if (slot.who == nobody || number < slot.number) slot = {cell, who, number};
    }
    const Slot& of(Vec3i cell) const { return slots_[place_of(cell)]; }
    const std::vector<Slot>& slots() const { return slots_; }

  private:
    /// Where the cell is, or where it would be.
    std::size_t place_of(Vec3i cell) const {
        const auto bits = [](int a) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) & 0x1fffff; };
        std::size_t at = mix_bits(bits(cell.x) | bits(cell.y) << 21 | bits(cell.z) << 42) & (slots_.size() - 1);
        while (slots_[at].who != nobody && !(slots_[at].cell == cell))
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    std::vector<Slot> slots_;
};

template <class F>
void for_27(Vec3i cell, const F& f) {
    for (int n = 0; n < 27; ++n)
        f(cell + Vec3i{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1});
}

/// What of a way is along a surface.
Vec3f along(Vec3f way, Vec3f slope) {
    return way - slope * (dot(way, slope) / dot(slope, slope));
}

/// Surfaces that are less steep than this are no surfaces.
constexpr float least_slope = 0.2f;

}  // namespace

void Foam::count_crowds() const {
    std::array<std::uint16_t, grid::leaf_cells> count{};
    const float per_cell = 1 / flow.h();
    const auto number = [](Vec3i cell) {
        return static_cast<std::size_t>(grid::cell_index(cell.x & 7, cell.y & 7, cell.z & 7));
    };
    for (std::size_t first = range.first; first < range.last;) {
        // Those of a leaf lie behind each other.
        const auto leaf_of = [&](std::size_t i) {
            const Vec3i cell = cell_of(all.x[i], per_cell);
            return Vec3i{cell.x >> 3, cell.y >> 3, cell.z >> 3};
        };
        const Vec3i leaf = leaf_of(first);
        std::size_t last = first;
        for (; last < range.last && leaf_of(last) == leaf; ++last) {
            std::uint16_t& own = count[number(cell_of(all.x[last], per_cell))];
            own = static_cast<std::uint16_t>(std::min<int>(own + 1, std::numeric_limits<std::uint16_t>::max()));
        }
        for (std::size_t i = first; i < last; ++i)
            all.crowd[i] = count[number(cell_of(all.x[i], per_cell))];
        for (std::size_t i = first; i < last; ++i)
            count[number(cell_of(all.x[i], per_cell))] = 0;
        first = last;
    }
}

void Foam::open_cells(const Cells& cells) const {
    const float per_cell = 1 / cells.width, radius = 0.5f * cells.width;
    Lowest lowest(range.size());
    for (const std::size_t i : range)
        lowest.add(cell_of(all.x[i], per_cell), static_cast<std::uint32_t>(i),
                   hash_counter(cells.seed, static_cast<std::uint64_t>(all.id[i]), 0xce11));
    // A centre has the lowest number of its cell and of those around.
    Lowest centers(range.size());
    for (const Lowest::Slot& slot : lowest.slots()) {
        if (slot.who == Lowest::nobody) continue;
        bool is_lowest = true;
        for_27(slot.cell, [&](Vec3i cell) {
            const Lowest::Slot& other = lowest.of(cell);
            is_lowest = is_lowest && (other.who == Lowest::nobody || other.number >= slot.number);
        });
        if (is_lowest) centers.add(slot.cell, slot.who, slot.number);
    }
    std::vector<Vec3f> to(all.x.data() + range.first, all.x.data() + range.last);
    parallel_for(to.size(), [&](Range part) {
        Flow::Cursor cursor;
        for (const std::size_t k : part) {
            const Vec3f x = to[k], slope = flow.surface_at(x, cursor).slope;
            if (!(dot(slope, slope) > least_slope * least_slope)) continue;
            Vec3f push;
            for_27(cell_of(x, per_cell), [&](Vec3i cell) {
                const std::uint32_t center = centers.of(cell).who;
                if (center == Lowest::nobody || center == range.first + k) return;
                const Vec3f away = along(x - all.x[center], slope);
                const float distance = length(away);
                if (distance < radius && distance > 0) push += away * (cells.share * (radius - distance) / distance);
            });
            to[k] = x + push;
        }
    });
    go(to);
}

void Foam::spread(float share) const {
    const std::size_t n = range.size();
    // Larger than most: what is larger still pushes only those this near.
    std::vector<float> radii(all.pscale.data() + range.first, all.pscale.data() + range.last);
    const auto place = radii.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(n - 1));
    std::nth_element(radii.begin(), place, radii.end());
    const float reach = 2 * *place;
    if (!(reach > 0)) return;
    std::vector<Vec3f> x(all.x.data() + range.first, all.x.data() + range.last), moved = x;
    const neighbors::ParticleCells cells({.x = x, .origin = {}, .liquid = {}, .spacing = {0.5 * reach}});
    const float* const radius = all.pscale.data() + range.first;
    // Its radius is in the last place.
    std::vector<Float4> sorted(cells.size());
    for (int pass = 0; pass < 2; ++pass) {
        parallel_for(cells.size(), [&](Range part) {
            for (const std::size_t m : part) {
                const std::uint32_t k = cells.source(m);
                sorted[m] = {x[k].x, x[k].y, x[k].z, radius[k]};
            }
        });
        parallel_for(cells.size(), 256, [&](Range part) {
            Flow::Cursor cursor;
            for (const std::size_t m : part) {
                const Vec3f own = sorted[m].xyz(), slope = flow.surface_at(own, cursor).slope;
                if (!(dot(slope, slope) > least_slope * least_slope)) continue;
                Vec3f push;
                const Vec3f at = cells.x()[m].xyz();
                cells.for_runs({at, at}, 1, 0, [&](std::size_t first, std::size_t last) {
                    for (std::size_t j = first; j < last; ++j) {
                        const Vec3f way = own - sorted[j].xyz();
                        const float wanted = sorted[m].w + sorted[j].w;
                        if (dot(way, way) >= wanted * wanted) continue;
                        const Vec3f away = along(way, slope);
                        const float distance = length(away);
                        if (distance > 0) push += away * (0.25f * (wanted - distance) / distance);
                    }
                });
                const float far = length(push), most = sorted[m].w;
                moved[cells.source(m)] = own + (far > most ? push * (most / far) : push) * share;
            }
        });
        x = moved;
    }
    go(x);
}

/// To where they were pushed, as far as walls let them.
void Foam::go(std::span<const Vec3f> to) const {
    const float h = flow.h();
    parallel_for(to.size(), [&](Range part) {
        for (const std::size_t k : part) {
            Vec3f& x = all.x[range.first + k];
            const Vec3f from = x / h;
            Vec3f there = to[k] / h;
            x = to[k];
            if (!walls || walls->is_clear(from, there, collision::Start::now)) continue;
            walls->trace(from, there, collision::Start::now);
            x = there * h;
        }
    });
}

}  // namespace spindrift::whitewater
