#include "spindrift/whitewater/foam.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
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

struct Disc {
    Vec3f x;
    float radius;
};

/// Larger than most: what is larger still pushes only those this near.
float usual_radius(const std::vector<Disc>& discs) {
    constexpr std::size_t most = 10000;
    std::vector<float> radii;
    for (std::size_t k = 0; k < discs.size(); k += 1 + discs.size() / most)
        radii.push_back(discs[k].radius);
    const auto place = radii.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(radii.size() - 1));
    std::nth_element(radii.begin(), place, radii.end());
    return *place;
}

/// A quarter of what two discs overlap by, for the first of them.
Vec3f push_of(const Disc& own, const Disc& other, Vec3f slope) {
    const Vec3f way = own.x - other.x;
    const float wanted = own.radius + other.radius;
    if (dot(way, way) >= wanted * wanted) return {};
    const Vec3f away = along(way, slope);
    const float distance = length(away);
    return distance > 0 ? away * (0.25f * (wanted - distance) / distance) : Vec3f{};
}

/// Finds discs near a place. Cells are twice as wide as the reach, so that two along each axis hold all within it.
class DiscGrid {
  public:
    DiscGrid(std::vector<Disc> of, float reach) : per_cell_(0.5f / reach) {
        const std::size_t slots = std::bit_ceil(std::max<std::size_t>(of.size(), 64));
        mask_ = static_cast<std::uint32_t>(slots - 1);
        start_.assign(slots + 1, 0);
        for (const Disc& disc : of)
            start_[slot_of(cell_of(disc.x, per_cell_)) + 1] += 1;
        for (std::size_t k = 1; k < start_.size(); ++k)
            start_[k] += start_[k - 1];
        discs.resize(of.size());
        who.resize(of.size());
        std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
        for (std::size_t k = 0; k < of.size(); ++k) {
            const std::uint32_t place = next[slot_of(cell_of(of[k].x, per_cell_))]++;
            discs[place] = of[k];
            who[place] = static_cast<std::uint32_t>(k);
        }
    }

    std::vector<Disc> discs;         ///< by slots
    std::vector<std::uint32_t> who;  ///< which of those that were given

    /// Calls f(disc, how many it stands for): of many in a cell some stand for all.
    template <class F>
    void for_near(Vec3f x, const F& f) const {
        constexpr std::uint32_t many = 8;
        const float half = 0.5f / per_cell_;
        const Vec3i low = cell_of(x - Vec3f{half, half, half}, per_cell_);
        for (int n = 0; n < 8; ++n) {
            const std::uint32_t slot = slot_of(low + Vec3i{n & 1, n >> 1 & 1, n >> 2});
            const std::uint32_t step = 1 + (start_[slot + 1] - start_[slot]) / many;
            for (std::uint32_t k = start_[slot]; k < start_[slot + 1]; k += step)
                f(discs[k], static_cast<float>(step));
        }
    }

  private:
    /// Neighbours along x are neighbours here; those of other rows are never the same eight.
    std::uint32_t slot_of(Vec3i cell) const {
        return (static_cast<std::uint32_t>(cell.x) + 73856093u * static_cast<std::uint32_t>(cell.y) +
                19349663u * static_cast<std::uint32_t>(cell.z)) &
               mask_;
    }

    float per_cell_;
    std::uint32_t mask_ = 0;
    std::vector<std::uint32_t> start_;
};

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
    const float radius = 0.5f * cells.width, per_cell = 1 / radius;
    Lowest lowest(range.size());
    for (const std::size_t i : range)
        lowest.add(cell_of(all.x[i], per_cell), static_cast<std::uint32_t>(i),
                   hash_counter(cells.seed, static_cast<std::uint64_t>(all.id[i]), 0xce11));
    // A centre has the lowest number of its cell and of those beside it.
    Lowest centers(range.size());
    for (const Lowest::Slot& slot : lowest.slots()) {
        if (slot.who == Lowest::nobody) continue;
        bool is_lowest = true;
        for (int side = 0; side < 6; ++side) {
            Vec3i cell = slot.cell;
            cell[side / 2] += side % 2 == 0 ? -1 : 1;
            const Lowest::Slot& other = lowest.of(cell);
            is_lowest = is_lowest && (other.who == Lowest::nobody || other.number >= slot.number);
        }
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
    std::vector<Disc> discs(n);
    for (std::size_t k = 0; k < n; ++k)
        discs[k] = {all.x[range.first + k], all.pscale[range.first + k]};
    const float reach = 2 * usual_radius(discs);
    if (!(reach > 0)) return;
    DiscGrid grid(std::move(discs), reach);
    std::vector<Disc> moved(n);
    for (int pass = 0; pass < 2; ++pass) {
        parallel_for(n, 1024, [&](Range part) {
            Flow::Cursor cursor;
            for (const std::size_t k : part) {
                const Disc own = moved[k] = grid.discs[k];
                const Vec3f slope = flow.surface_at(own.x, cursor).slope;
                if (!(dot(slope, slope) > least_slope * least_slope)) continue;
                Vec3f push;
                grid.for_near(own.x,
                              [&](const Disc& other, float count) { push += push_of(own, other, slope) * count; });
                const float far = length(push), most = own.radius;
                moved[k].x += (far > most ? push * (most / far) : push) * share;
            }
        });
        grid.discs.swap(moved);
    }
    std::vector<Vec3f> to(n);
    for (std::size_t k = 0; k < n; ++k)
        to[grid.who[k]] = grid.discs[k].x;
    go(to);
}

/// To where they were pushed, as far as walls let them.
void Foam::go(std::span<const Vec3f> to) const {
    const float h = flow.h();
    parallel_for(to.size(), [&](Range part) {
        for (const std::size_t k : part) {
            Vec3f& x = all.x[range.first + k];
            const Vec3f from = x / h;
            Vec3f there = to[k] / h;
            if (walls && !walls->is_clear(from, there, collision::Start::now))
                walls->trace(from, there, collision::Start::now);
            if (!walls || walls->is_free(there, 0)) x = there * h;
        }
    });
}

}  // namespace spindrift::whitewater
