#include "spindrift/flip/interior.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::flip {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

/// Particles below which a cell that is known as liquid has too few to tell its velocity.
constexpr int fewest = 6;
/// Cells between where the core begins and where particles end: its border is known to a cell alone.
constexpr int overlap = 2;
/// Of 26: an empty cell with so many neighbours that are not is a gap between particles.
constexpr int neighbors_of_gap = 23;

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

}  // namespace

void Interior::clear() {
    state_ = State{};
    state_.liquid.assign(1, no_cells);
    state_.velocity.resize(1, 0);
}

void Interior::shift(Vec3i leaves) {
    if (state_.leaves.empty()) return;
    State moved;
    std::vector<Vec3i> coords;
    for (std::size_t l = 1; l < state_.leaves.size(); ++l)
        coords.push_back(state_.leaves.coord(l) + leaves);
    moved.leaves.assign(coords);
    moved.liquid.assign(moved.leaves.size(), no_cells);
    moved.velocity.resize(moved.leaves.size(), 0);
    for (std::size_t l = 1; l < state_.leaves.size(); ++l) {
        const auto to = static_cast<std::size_t>(moved.leaves.find(state_.leaves.coord(l) + leaves));
        moved.liquid[to] = state_.liquid[l];
        for (int axis = 0; axis < 3; ++axis)
            std::copy_n(state_.velocity[axis].leaf(l), leaf_cells, moved.velocity[axis].leaf(to));
    }
    state_ = std::move(moved);
}

std::vector<Vec3i> Interior::coords() const {
    std::vector<Vec3i> coords;
    for (std::size_t l = 1; l < state_.leaves.size(); ++l) {
        if (any(state_.liquid[l])) coords.push_back(state_.leaves.coord(l));
    }
    return coords;
}

LeafMask Interior::cells_of(Vec3i leaf) const {
    return state_.liquid[static_cast<std::size_t>(state_.leaves.find(leaf))];
}

LeafMask Interior::around(Vec3i leaf) const {
    HaloMask halo{};
    for (int z = -1; z < 9; ++z) {
        for (int y = -1; y < 9; ++y) {
            const auto bits = [&](int dx) {
                return row_bits(cells_of(leaf + Vec3i{dx, y >> 3, z >> 3}), y & 7, z & 7);
            };
            halo.rows[static_cast<std::size_t>(z + 1)][static_cast<std::size_t>(y + 1)] =
                static_cast<std::uint16_t>(bits(-1) >> 7 | bits(0) << 1 | (bits(1) & 1) << 9);
        }
    }
    return dilated(halo);
}

Vec3f Interior::velocity_of(std::size_t leaf, int cell) const {
    Vec3f u{};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3i upper = cell_of(cell);
        upper[axis] += 1;
        u[axis] =
            0.5f * (state_.velocity[axis].leaf(leaf)[cell] + state_.velocity[axis].near(state_.leaves, leaf, upper));
    }
    return u;
}

/// Walls and nozzles are as good as surfaces: beside them particles are wanted.
void Interior::find_depth(const MacGrid& grid, const Solids& solids, std::span<const Vec3f> held) {
    const std::size_t total = grid.leaves.size();
    std::vector<LeafMask> filled(total, no_cells), next(total, no_cells);
    for (std::size_t l = 1; l < total; ++l) {
        filled[l] =
            without(either(grid.wet[l], cells_of(grid.leaves.coord(l))), either(solids.inside(l), solids.cut(l)));
    }
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range) {
            const LeafMask gaps = holes(halo(grid.leaves, k + 1, filled), neighbors_of_gap);
            next[k + 1] = either(filled[k + 1], without(gaps, either(solids.inside(k + 1), solids.cut(k + 1))));
        }
    });
    filled.swap(next);
    for (const Vec3f& x : held) {
        const Vec3i cell{static_cast<int>(std::floor(x.x)), static_cast<int>(std::floor(x.y)),
                         static_cast<int>(std::floor(x.z))};
        const std::int32_t leaf = grid.leaves.find({cell.x >> 3, cell.y >> 3, cell.z >> 3});
        if (leaf == 0) continue;
        LeafMask own{};
        set(own, cell_index(cell.x & 7, cell.y & 7, cell.z & 7));
        LeafMask& mask = filled[static_cast<std::size_t>(leaf)];
        mask = without(mask, own);
    }
    for (int layer = 0; layer < band_ + overlap; ++layer) {
        if (layer == band_) deep_ = filled;
        parallel_for(total - 1, 32, [&](Range range) {
            for (std::size_t k : range)
                next[k + 1] = eroded(halo(grid.leaves, k + 1, filled));
        });
        filled.swap(next);
        filled[0] = next[0] = no_cells;
    }
    deeper_ = std::move(filled);
}

void Interior::join(MacGrid& grid, const Cells& cells, const Solids& solids, std::span<const Vec3f> held) {
    const std::size_t total = grid.leaves.size();
    source_.assign(total, no_cells);
    find_depth(grid, solids, held);
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            LeafMask few = all_cells;
            if (grid.sorted[l] >= 0) {
                few = no_cells;
                const std::uint16_t* count = cells.counts(static_cast<std::size_t>(grid.sorted[l]));
                for (int cell = 0; cell < leaf_cells; ++cell) {
                    if (count[cell] < fewest) set(few, cell);
                }
            }
            const LeafMask liquid = without(cells_of(grid.leaves.coord(l)), solids.inside(l));
            grid.core[l] = both(liquid, few);
            source_[l] = either(grid.core[l], deep_[l]);
        }
    });
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range)
            grid.near_core[k + 1] = dilated(halo(grid.leaves, k + 1, grid.core));
    });
    for (std::size_t l = 1; l < total; ++l)
        grid.wet[l] = either(grid.wet[l], grid.core[l]);
}

void Interior::put(MacGrid& grid) const {
    if (state_.leaves.empty()) return;
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            const std::int32_t from = state_.leaves.find(grid.leaves.coord(l));
            if (from == 0) continue;
            const HaloMask around = halo(grid.leaves, l, grid.core);
            for (int axis = 0; axis < 3; ++axis) {
                const LeafMask faces = with_upper(around, axis);
                if (!any(faces)) continue;
                float *const u = grid.velocity[axis].leaf(l), *const layer = grid.layer[axis].leaf(l);
                const float* const own = state_.velocity[axis].leaf(from);
                for (int cell = 0; cell < leaf_cells; ++cell) {
                    if (!is_set(faces, cell)) continue;
                    u[cell] = own[cell];
                    layer[cell] = 0;
                }
            }
        }
    });
}

/// Cells that are not deep any more get a particle in each eighth that has none. It moves along at once.
void Interior::seed_leaf(const MacGrid& grid, const Cells& cells, std::size_t leaf, const Float4* x, float cell,
                         float dt, std::vector<Seed>& out) const {
    const LeafMask wanted = without(grid.core[leaf], deep_[leaf]);
    if (!any(wanted)) return;
    const std::int32_t sorted = grid.sorted[leaf];
    const Vec3i corner = grid.leaves.coord(leaf) * leaf_width;
    std::int32_t donor = -1;
    for (int c = 0; c < leaf_cells; ++c) {
        if (!is_set(wanted, c)) continue;
        const Vec3i own = corner + cell_of(c);
        const Vec3f first = vec_cast<float>(own);
        unsigned taken = 0;
        int count = 0;
        if (sorted >= 0) {
            LeafMask only{};
            set(only, c);
            cells.for_each_run(static_cast<std::size_t>(sorted), only, [&](std::uint32_t from, std::uint32_t to) {
                for (std::uint32_t p = from; p < to; ++p) {
                    const Vec3f local = x[p].xyz() / cell - first;
                    taken |= 1u << ((local.x > 0.5f) + 2 * (local.y > 0.5f) + 4 * (local.z > 0.5f));
                    donor = static_cast<std::int32_t>(p);
                    ++count;
                }
            });
        }
        const std::uint64_t random =
            hash_counter(static_cast<std::uint64_t>(own.x) * 73856093u ^ static_cast<std::uint64_t>(own.y) * 19349663u,
                         static_cast<std::uint64_t>(own.z), 0);
        for (unsigned k = 0; k < 8 && count < Cells::full; ++k) {
            const unsigned eighth = (k * 3 + static_cast<unsigned>(random)) & 7;
            if (taken >> eighth & 1) continue;
            ++count;
            const auto place = [&](unsigned bit, std::uint64_t draw) {
                return (eighth & bit ? 0.75f : 0.25f) + 0.3f * (uniform(hash_counter(random, eighth, draw)) - 0.5f);
            };
            const Vec3f start = first + Vec3f{place(1, 1), place(2, 2), place(4, 3)};
            const Vec3f v = grid.velocity_at(start);
            const Vec3f half = grid.velocity_at(start + v * (0.5f * dt / cell));
            out.push_back({(start + half * (dt / cell)) * cell, v, donor});
        }
    }
}

void Interior::plan(const MacGrid& grid, const Cells& cells, const Float4* x, float cell, float dt) {
    if (!is_used()) return;
    seeds_.assign(grid.leaves.size(), {});
    parallel_for(grid.leaves.size() - 1, 4, [&](Range range) {
        for (std::size_t k : range)
            seed_leaf(grid, cells, k + 1, x, cell, dt, seeds_[k + 1]);
    });
}

void Interior::carry_out(ParticleStore& particles, const MacGrid& grid, const Cells& cells,
                         const collision::Walls& walls, float cell) {
    if (!is_used()) return;
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        if (grid.sorted[l] < 0 || !any(deeper_[l])) continue;
        const auto own = static_cast<std::size_t>(grid.sorted[l]);
        cells.for_each_run(own, both(deeper_[l], cells.wet(own)), [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t p = first; p < last; ++p) {
                if (!particles.is_held(p)) particles.kill(p);
            }
        });
    }
    std::vector<Seed> all;
    for (const std::vector<Seed>& each : seeds_) {
        for (const Seed& seed : each) {
            if (walls.empty() || walls.is_free(seed.x / cell, collision::contact_gap)) all.push_back(seed);
        }
    }
    const Range born = particles.append(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t child = born.first + k;
        if (all[k].donor >= 0) particles.copy_channels(static_cast<std::size_t>(all[k].donor), child);
        particles.position()[child] = {all[k].x.x, all[k].x.y, all[k].x.z, 0};
        particles.velocity()[child] = {all[k].v.x, all[k].v.y, all[k].v.z, particles.velocity()[child].w};
    }
}

}  // namespace spindrift::flip
