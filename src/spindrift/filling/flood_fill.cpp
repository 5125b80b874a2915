#include "spindrift/filling/flood_fill.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/text.h"

namespace spindrift::filling {

namespace {

/// How large the box may be that liquid gets to, as a share of the box around all walls: what leaves it runs away.
constexpr double largest_share = 1.5;

/// Places are numbered with this many bits along each axis.
constexpr int number_bits = 21;
constexpr long most_layers = 1L << (number_bits - 1);

std::uint64_t pack(Vec3<long> at) {
    std::uint64_t number = 0;
    for (const long value : {at.z, at.y, at.x})
        number = number << number_bits | static_cast<std::uint64_t>(value + most_layers);
    return number;
}

struct Bit {
    std::uint64_t block;
    std::size_t index;
};

Bit bit_of(Vec3<long> at) {
    const Vec3<long> block{at.x >> 3, at.y >> 3, at.z >> 3};
    return {pack(block), static_cast<std::size_t>((at.z & 7) << 6 | (at.y & 7) << 3 | (at.x & 7))};
}

std::string point_text(Vec3d p) {
    return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", p.x, p.y, p.z);
}

}  // namespace

/// What liquid may reach.
struct FloodFill::Search {
    const Setup& setup;
    Box3d limit;  ///< beyond which it runs away
    Index first;  ///< where it starts
    long top;     ///< highest layer

    Vec3f units(Vec3d p) const { return vec_cast<float>((p - setup.origin) / setup.h); }
    bool is_free(Vec3d p) const { return setup.walls->is_free(units(p), static_cast<float>(setup.gap / setup.h)); }
    /// No wall between two points that are free, be it ever so thin.
    bool is_open(Vec3d a, Vec3d b) const {
        const Vec3f goal = units(b);
        Vec3f to = goal;
        setup.walls->trace(units(a), to, collision::Start::now);
        return to == goal;
    }
    bool starts_at(Vec3d from, Vec3d p) const { return is_free(p) && is_open(from, p); }
    /// How far one sees along an axis before there is a wall, or the limit.
    double room(Vec3d from, Vec3d direction) const {
        const auto is_clear = [&](double distance) {
            const Vec3d p = from + direction * distance;
            return limit.contains(p) && setup.walls->is_free(units(p), 0);
        };
        double clear = 0, step = 0.25 * setup.spacing;
        while (is_clear(clear + step))
            clear += step;
        for (; step > 1e-6 * setup.spacing; step *= 0.5) {
            if (is_clear(clear + step)) clear += step;
        }
        return clear;
    }
};

/// The box that the walls nearest to the start make along the axes, up to the level.
Box3d FloodFill::seen_from(const emitters::FloodParams& flood, const Search& search) {
    // Walls are known in single precision; a layer must not be lost for that.
    const double rounding = 1e-3 * search.setup.spacing;
    Box3d box{flood.from, flood.from};
    for (int a = 0; a < 3; ++a) {
        Vec3d axis{};
        axis[a] = 1;
        box.lo[a] -= search.room(flood.from, -axis) + rounding;
        box.hi[a] = a == 1 ? flood.level : flood.from[a] + search.room(flood.from, axis) + rounding;
    }
    return box;
}

FloodFill::FloodFill(const emitters::FloodParams& flood, const Setup& setup) {
    const Vec3d half = setup.around.size() * (0.5 * largest_share);
    Search search{setup, {setup.around.center() - half, setup.around.center() + half}, {}, 0};
    if (!setup.walls->is_free(search.units(flood.from), 0)) {
        throw UsageError(
            fmt::format("there is no room for liquid at 'from', {}: it lies inside a collider or outside "
                        "the domain; move it to where liquid shall be",
                        point_text(flood.from)));
    }
    const double widest = std::max({search.limit.size().x, search.limit.size().y, search.limit.size().z});
    if (widest / setup.spacing > 0.5 * static_cast<double>(most_layers)) {
        throw UsageError(
            fmt::format("the box around all walls, {:.3g} m wide, is too large to be flooded at a spacing "
                        "of {:.3g} m; make large colliders smaller or the spacing larger",
                        widest, setup.spacing));
    }
    lattice_ = emitters::Lattice(seen_from(flood, search), setup.spacing);
    search.top = static_cast<long>(std::floor((flood.level - lattice_.first.y) / setup.spacing - 0.5 + 1e-6));
    search.first = find_start(flood, search);
    run(search);
}

/// The free place next to the point; all of the nearest eight are looked at.
FloodFill::Index FloodFill::find_start(const emitters::FloodParams& flood, const Search& search) const {
    const Vec3d at = (flood.from - lattice_.first) / lattice_.spacing;
    if (!search.limit.contains(flood.from)) {
        throw UsageError(
            fmt::format("'from', {}, lies far outside of all that could hold liquid; move it into a "
                        "container",
                        point_text(flood.from)));
    }
    std::optional<Index> found;
    for (int k = 0; k < 8; ++k) {
        const Index corner{static_cast<long>(std::floor(at.x)) + (k & 1),
                           static_cast<long>(std::floor(at.y)) + (k >> 1 & 1),
                           static_cast<long>(std::floor(at.z)) + (k >> 2 & 1)};
        const double distance = length(site(corner) - flood.from);
        if (found && distance >= length(site(*found) - flood.from)) continue;
        if (corner.y <= search.top && search.starts_at(flood.from, site(corner))) found = corner;
    }
    if (!found) {
        throw UsageError(
            fmt::format("there is no room for a particle next to 'from', {}, below the level of {:g} m; "
                        "move it away from walls or make the spacing smaller",
                        point_text(flood.from), flood.level));
    }
    return *found;
}

void FloodFill::run(const Search& search) {
    std::vector<Index> reached{search.first};
    mark(search.first);
    std::optional<Vec3d> outside;  // where it left the box around all walls
    constexpr Index steps[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    OftenInterruptible ask;
    for (std::size_t next = 0; next < reached.size(); ++next) {
        ask();
        const Index at = reached[next];
        const Vec3d here = site(at);
        if (!outside && !search.setup.around.contains(here)) outside = here;
        if (!search.limit.contains(here)) {
            throw UsageError(
                fmt::format("the liquid would run out at {}: nothing holds it there; lower 'level' or "
                            "close the container",
                            point_text(*outside)));
        }
        if (static_cast<double>(reached.size()) > search.setup.most) {
            throw UsageError(fmt::format(
                "the liquid would run out at {}: it is more than {} particles, which this machine cannot hold; lower "
                "'level', close the container or make the spacing larger",
                point_text(here), format_count(search.setup.most)));
        }
        for (const Index step : steps) {
            const Index beside = at + step;
            if (beside.y > search.top || is_marked(beside)) continue;
            const Vec3d there = site(beside);
            if (search.is_free(there) && search.is_open(here, there)) {
                mark(beside);
                reached.push_back(beside);
            }
        }
    }
    list_sites(std::move(reached));
}

bool FloodFill::is_marked(Index at) const {
    const Bit bit = bit_of(at);
    const auto block = marks_.find(bit.block);
    return block != marks_.end() && block->second[bit.index];
}

void FloodFill::mark(Index at) {
    const Bit bit = bit_of(at);
    marks_[bit.block][bit.index] = true;
}

void FloodFill::list_sites(std::vector<Index> reached) {
    std::sort(reached.begin(), reached.end(), [](Index a, Index b) { return pack(a) < pack(b); });
    bounds_ = {site(reached[0]), site(reached[0])};
    for (const Index at : reached) {
        sites_.push_back({site(at), pack(at)});
        bounds_ = {min(bounds_.lo, site(at)), max(bounds_.hi, site(at))};
    }
    const double half = 0.5 * lattice_.spacing;
    bounds_.lo -= Vec3d{half, half, half};
    bounds_.hi += Vec3d{half, half, half};
}

bool FloodFill::contains(Vec3d p) const {
    if (!bounds_.contains(p)) return false;
    const Vec3d at = (p - lattice_.first) / lattice_.spacing;
    return is_marked({std::lround(at.x), std::lround(at.y), std::lround(at.z)});
}

}  // namespace spindrift::filling
