#include "spindrift/whitewater/foam.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "spindrift/core/random.h"
#include "spindrift/whitewater/cell_within.h"
#include "spindrift/whitewater/disc_rows.h"

namespace spindrift::whitewater {

namespace {

Vec3i cell_of(Vec3f x, float per_cell) {
    return cell_within(x, per_cell, 1e6f);
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

/// Larger than most: what is larger still pushes only those this near.
float usual_radius(const Buffer<Disc>& discs) {
    constexpr std::size_t most = 10000;
    std::vector<float> radii;
    for (std::size_t k = 0; k < discs.size(); k += 1 + discs.size() / most)
        radii.push_back(discs[k].radius);
    const auto place = radii.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(radii.size() - 1));
    std::nth_element(radii.begin(), place, radii.end());
    return *place;
}

/// Discs that reach into the box of those of a cell, as the kernel takes them.
class Gathered {
  public:
    explicit Gathered(const DiscRows& rows) : rows_(rows) {}

    Pushers around(std::size_t cell, const DiscRows::Around& around) {
        size_ = 0;
        const Range own = rows_.discs_of(cell);
        Box3f box{rows_.discs[own.first].x, rows_.discs[own.first].x};
        for (const std::size_t k : own)
            box = {min(box.lo, rows_.discs[k].x), max(box.hi, rows_.discs[k].x)};
        const Vec3f reach{rows_.reach(), rows_.reach(), rows_.reach()};
        for (const DiscRows::Run& run : around)
            add({box.lo - reach, box.hi + reach}, run);
        // The last eight are filled up with discs that push nobody.
        make_room(8);
        while (size_ % 8 != 0)
            put({}, 0);
        return {values_[0].data(), values_[1].data(), values_[2].data(), values_[3].data(), values_[4].data(), size_};
    }

  private:
    /// Of many in a cell some stand for all.
    void add(const Box3f& box, const DiscRows::Run& cells) {
        constexpr std::size_t many = 8;
        for (std::uint32_t cell = cells.first; cell < cells.last; ++cell) {
            const Range range = rows_.discs_of(cell);
            const std::size_t step = 1 + range.size() / many;
            make_room(range.size() / step + 1);
            for (std::size_t k = range.first; k < range.last; k += step) {
                const Disc& disc = rows_.discs[k];
                const bool is_near = (disc.x.x >= box.lo.x) & (disc.x.x <= box.hi.x) & (disc.x.y >= box.lo.y) &
                                     (disc.x.y <= box.hi.y) & (disc.x.z >= box.lo.z) & (disc.x.z <= box.hi.z);
                put(disc, static_cast<float>(step));
                size_ -= !is_near;
            }
        }
    }
    void make_room(std::size_t more) {
        if (size_ + more <= values_[0].size()) return;
        for (std::vector<float>& each : values_)
            each.resize(2 * (size_ + more));
    }
    void put(const Disc& disc, float stands_for) {
        values_[0][size_] = disc.x.x;
        values_[1][size_] = disc.x.y;
        values_[2][size_] = disc.x.z;
        values_[3][size_] = disc.radius;
        values_[4][size_] = stands_for;
        size_ += 1;
    }

    const DiscRows& rows_;
    std::array<std::vector<float>, 5> values_;
    std::size_t size_ = 0;
};

/// Normals of the surface at discs; none where it is no surface.
Buffer<Vec3f> normals_at(const Buffer<Disc>& discs, const Flow& flow) {
    Buffer<Vec3f> normals("whitewater");
    normals.resize(discs.size());
    parallel_for(discs.size(), [&](Range part) {
        Flow::Cursor cursor;
        for (const std::size_t k : part) {
            const Vec3f slope = flow.surface_at(discs[k].x, cursor).slope;
            const float steep = length(slope);
            normals[k] = steep > least_slope ? slope / steep : Vec3f{};
        }
    });
    return normals;
}

}  // namespace

void Foam::count_crowds() const {
    const float per_cell = 1 / flow.h();
    const auto number = [](Vec3i cell) {
        return static_cast<std::size_t>(grid::cell_index(cell.x & 7, cell.y & 7, cell.z & 7));
    };
    const auto leaf_of = [&](std::size_t i) {
        const Vec3i cell = cell_of(all.x[i], per_cell);
        return Vec3i{cell.x >> 3, cell.y >> 3, cell.z >> 3};
    };
    // Those of a leaf lie behind each other, and are counted where the first of them is.
    parallel_for(range.size(), [&](Range part) {
        std::array<std::uint16_t, grid::leaf_cells> count{};
        std::size_t first = range.first + part.first;
        const std::size_t end = range.first + part.last;
        while (first < end && first > range.first && leaf_of(first) == leaf_of(first - 1))
            first += 1;
        while (first < end) {
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
    });
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
    Buffer<Disc> discs("whitewater");
    discs.resize(n);
    parallel_for(n, [&](Range part) {
        for (const std::size_t k : part)
            discs[k] = {all.x[range.first + k], all.pscale[range.first + k]};
    });
    const float reach = 2 * usual_radius(discs);
    if (!(reach > 0)) return;
    DiscRows rows({discs.data(), n}, reach);
    const Buffer<Vec3f> normals = normals_at(rows.discs, flow);
    const PushKernels kernels = push_kernels();
    for (int pass = 0; pass < 2; ++pass) {
        rows.for_cells([&] {
            return [&, near = Gathered(rows)](std::size_t cell, const DiscRows::Around& around) mutable {
                const Pushers pushers = near.around(cell, around);
                for (const std::size_t k : rows.discs_of(cell)) {
                    const Disc& own = rows.discs[k];
                    const bool rides = dot(normals[k], normals[k]) > 0;
                    const Vec3f push = rides ? kernels.push(own, normals[k], pushers) : Vec3f{};
                    const float far = length(push), most = own.radius;
                    discs[k] = {own.x + (far > most ? push * (most / far) : push) * share, own.radius};
                }
            };
        });
        rows.discs.swap(discs);
    }
    Buffer<Vec3f> to("whitewater");
    to.resize(n);
    parallel_for(n, [&](Range part) {
        for (const std::size_t k : part)
            to[rows.who[k]] = rows.discs[k].x;
    });
    go({to.data(), n});
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
