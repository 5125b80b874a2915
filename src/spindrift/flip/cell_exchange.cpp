#include "spindrift/flip/cell_exchange.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"

namespace spindrift::flip {

namespace {

/// An exchange runs once a cell would give this share of itself; less rounds away.
constexpr double smallest_share = 0.1;

/// Of D dt / h^2 in a pass, and of w dt / h; and what a face takes at most of a cell that is not full.
constexpr double spread_in_pass = 0.1, sunk_in_pass = 0.25;
constexpr float most_of_cell = 1.f / 6.6f;

/// Beyond so many passes everything in reach is even.
constexpr int most_passes = 400;

/// Calls f(first, last, cell) for the particles of every wet cell of a leaf of the grid.
template <class F>
void for_each_cell(const mac::MacGrid& grid, const mac::Cells& cells, std::size_t leaf, const F& f) {
    if (leaf == 0 || grid.sorted[leaf] < 0) return;
    const auto sorted = static_cast<std::size_t>(grid.sorted[leaf]);
    const std::uint16_t* const counts = cells.counts(sorted);
    std::array<std::uint32_t, grid::leaf_cells> starts{};
    cells.find_starts(sorted, starts.data());
    for (int cell = 0; cell < grid::leaf_cells; ++cell) {
        if (counts[cell] == 0) continue;
        const std::uint32_t first = starts[cell];
        if (mac::is_set(cells.wet(sorted), cell)) f(Range{first, first + counts[cell]}, cell);
    }
}

/// Calls f(axis, other, open, up) for the six faces of a cell; `up` says whether the other one is beyond its upper
/// face.
template <class T, class F>
void for_each_face(const mac::MacGrid& grid, const grid::Field<T>& field, std::size_t leaf, int cell, const F& f) {
    const Vec3i at{cell & 7, cell >> 3 & 7, cell >> 6};
    for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {0, 1}) {
            Vec3i other = at, face = at;
            other[axis] += side ? 1 : -1;
            face[axis] += side;
            const std::int32_t l =
                grid.leaves.neighbors(leaf)[grid::neighbor_index(other.x >> 3, other.y >> 3, other.z >> 3)];
            const T& beyond = field.leaf(l)[grid::cell_index(other.x & 7, other.y & 7, other.z & 7)];
            f(axis, beyond, grid.open[axis].near(grid.leaves, leaf, face), side == 1);
        }
    }
}

}  // namespace

void CellExchange::set_settling_speeds(std::span<const double> speeds) {
    for (std::size_t k = 0; k < std::min(speeds.size(), size()); ++k) {
        if (auto& grains = mixture_.components[k].grains) grains->speed = speeds[k];
    }
}

void CellExchange::advance(ParticleStore& particles, const Input& input) {
    if (mixture_.spreads()) due += input.dt;
    if (mixture_.settles()) settling_due += input.dt;
    float slowest = 0, fastest = 0;
    fillers_ = 0;
    for (std::size_t k = 0; k < size(); ++k) {
        alone_[k] = filling_[k] = 0;
        const auto& grains = mixture_.components[k].grains;
        if (!grains) continue;
        alone_[k] = static_cast<float>(fluid::settling_speed(
            *grains, mixture_.carrier, static_cast<double>(length(input.gravity)), mixture_.settling));
        filling_[k] = static_cast<float>(1 / grains->most);
        slowest = std::min(slowest, alone_[k]);
        fastest = std::max(fastest, alone_[k]);
        fillers_ += 1;
    }
    const double spread_by = mixture_.largest_diffusivity() * due / (input.cell * input.cell);
    const double sunk = static_cast<double>(fastest - slowest) * settling_due / input.cell;
    const bool spreads = 6 * spread_by >= smallest_share, settles = sunk >= smallest_share;
    if (!spreads && !settles) return;
    particles_ = &particles;
    shares_.gather(mixture_, particles, particles.size());
    const fluid::SharesBefore before(shares_);
    contents_.resize(input.grid.leaves.size(), {});
    if (settles) settle(input, sunk);
    if (spreads) spread(input, spread_by);
    fluid::make_whole(shares_, size(), &before);
    shares_.scatter(mixture_, particles);
}

void CellExchange::spread(const Input& input, double share) {
    const int passes = std::clamp(static_cast<int>(std::ceil(share / spread_in_pass)), 1, most_passes);
    const auto volume = static_cast<float>(mac::Cells::full * std::min(share / passes, spread_in_pass));
    for (int n = 0; n < passes; ++n) {
        find_contents(input);
        parallel_for(input.grid.leaves.size(), 4, [&](Range range) {
            for (const std::size_t l : range)
                spread_in_leaf(input, l, volume);
        });
        shares_.turn();
    }
    due = 0;
}

void CellExchange::settle(const Input& input, double sunk) {
    const int passes = std::clamp(static_cast<int>(std::ceil(sunk / sunk_in_pass)), 1, most_passes);
    const Vec3f down = normalize(input.gravity);
    faces_ = 0;
    for (int axis = 0; axis < 3; ++axis)
        faces_ += down[axis] != 0 ? 2 : 0;
    const auto seconds = static_cast<float>(settling_due / passes);
    for (int n = 0; n < passes; ++n) {
        find_contents(input);
        parallel_for(input.grid.leaves.size(), 4, [&](Range range) {
            for (const std::size_t l : range)
                settle_in_leaf(input, l, down * (seconds / static_cast<float>(input.cell)));
        });
        shares_.turn();
    }
    settling_due = 0;
}

float CellExchange::room_of(std::size_t particle) const {
    float filled = 0;
    for (std::size_t k = 0; k < size(); ++k)
        filled += filling_[k] * shares_.share(particle, k);
    return std::max(0.f, 1 - filled);
}

/// How fast components go among all grains of a cell.
void CellExchange::find_slips(Content& content) const {
    float all = 0, filled = 0;
    for (std::size_t k = 0; k < size(); ++k) {
        if (!mixture_.components[k].grains) continue;
        all += content.mean[k];
        filled += content.mean[k] * filling_[k];
    }
    for (std::size_t k = 0; k < size(); ++k) {
        const auto& grains = mixture_.components[k].grains;
        if (grains)
            content.slip[k] =
                alone_[k] * fluid::hindered(static_cast<float>(grains->hindrance), all, filled, mixture_.hindrance);
    }
}

/// Particles that are in no wet cell keep what they have.
void CellExchange::find_contents(const Input& input) {
    for (std::size_t g = 0; g < shares_.groups(); ++g)
        std::copy_n(shares_.group(g), shares_.size(), shares_.next(g));
    parallel_for(input.grid.leaves.size(), 4, [&](Range range) {
        for (const std::size_t l : range) {
            std::fill_n(contents_.leaf(l), grid::leaf_cells, Content{});
            for_each_cell(input.grid, input.cells, l, [&](Range particles, int cell) {
                Content& content = contents_.leaf(l)[cell];
                for_free(particles, [&](std::size_t i) {
                    const float room = fillers_ > 0 ? room_of(i) : 0;
                    content.count += 1;
                    for (std::size_t k = 0; k < size(); ++k) {
                        content.mean[k] += shares_.share(i, k);
                        content.roomy[k] += room * shares_.share(i, k);
                    }
                });
                for (std::size_t k = 0; k < size() && content.count > 0; ++k) {
                    content.mean[k] /= content.count;
                    content.roomy[k] /= content.count;
                }
                if (fillers_ > 0) find_slips(content);
            });
        }
    });
}

/// `volume` is what full cells exchange through an open face, in particles.
void CellExchange::spread_in_leaf(const Input& input, std::size_t leaf, float volume) {
    for_each_cell(input.grid, input.cells, leaf, [&](Range particles, int cell) {
        const Content& own = contents_.leaf(leaf)[cell];
        float given = 0;
        Numbers taken{};
        for_each_face(input.grid, contents_, leaf, cell, [&](int, const Content& other, float open, bool) {
            if (other.count == 0) return;
            const float exchanged = std::min(volume * open, most_of_cell * std::min(own.count, other.count));
            given += exchanged / own.count;
            for (std::size_t k = 0; k < size(); ++k)
                taken[k] += exchanged / own.count * other.mean[k];
        });
        for_free(particles, [&](std::size_t i) {
            for (std::size_t k = 0; k < size(); ++k)
                shares_.next_share(i, k) = shares_.share(i, k) * (1 - given) + taken[k];
        });
    });
}

/// `way` is what sinks at 1 m/s goes, in cells along each axis.
void CellExchange::settle_in_leaf(const Input& input, std::size_t leaf, Vec3f way) {
    for_each_cell(input.grid, input.cells, leaf, [&](Range particles, int cell) {
        const Content& own = contents_.leaf(leaf)[cell];
        Swaps swaps;
        for_each_face(input.grid, contents_, leaf, cell, [&](int axis, const Content& other, float open, bool up) {
            if (other.count == 0 || way[axis] == 0) return;
            const bool is_upper = (way[axis] > 0) == up;
            const float volume = mac::Cells::full * open * std::abs(way[axis]);
            swap_between(is_upper ? own : other, is_upper ? other : own, volume, is_upper, swaps);
        });
        swap_in_cell(particles, own, swaps);
    });
}

/// What goes down in place of what comes up, added to the swaps of the upper or of the lower cell: of a, b comes.
void CellExchange::swap_between(const Content& upper, const Content& lower, float volume, bool is_upper,
                                Swaps& swaps) const {
    const auto slip = [&](std::size_t k) { return alone_[k] < 0 ? upper.slip[k] : lower.slip[k]; };
    // What goes down is taken from the upper cell, and no face may take more than its part.
    const float part = 1 / static_cast<float>(faces_ * static_cast<int>(size()));
    for (std::size_t a = 0; a < size(); ++a) {
        for (std::size_t b = 0; b < size(); ++b) {
            const float faster = slip(a) - slip(b);
            if (!(faster > 0)) continue;
            float amount = volume * faster * upper.mean[a] * lower.mean[b];
            amount = std::min({amount, part * upper.count * upper.mean[a], part * lower.count * lower.mean[b]});
            // One of the two is filled by it, if one is: it takes what it has room for.
            const float fills = filling_[a] - filling_[b];
            const float room = fills > 0 ? lower.count * lower.roomy[b] : upper.count * upper.roomy[a];
            if (fills != 0) amount = std::min(amount, part * room / std::max(1.f, std::abs(fills)));
            const bool fills_own = is_upper ? fills < 0 : fills > 0;
            auto& list = fills_own ? swaps.filling : swaps.plain;
            (is_upper ? list[a][b] : list[b][a]) += amount;
        }
    }
}

void CellExchange::swap_in_cell(Range particles, const Content& content, const Swaps& swaps) {
    for (std::size_t a = 0; a < size(); ++a) {
        for (std::size_t b = 0; b < size(); ++b) {
            const float plain = swaps.plain[a][b], filling = swaps.filling[a][b];
            const float all = content.count * content.mean[a], roomy = content.count * content.roomy[a];
            if (plain == 0 && filling == 0) continue;
            for_free(particles, [&](std::size_t i) {
                const float own = shares_.share(i, a);
                float moved = plain > 0 && all > 0 ? plain * own / all : 0;
                if (filling > 0 && roomy > 0) moved += filling * own * room_of(i) / roomy;
                shares_.next_share(i, a) -= moved;
                shares_.next_share(i, b) += moved;
            });
        }
    }
}

}  // namespace spindrift::flip
