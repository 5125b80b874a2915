#include "spindrift/surface/band.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "spindrift/core/parallel.h"

namespace spindrift::surface {

namespace {

using neighbors::bins_per_leaf;
using neighbors::Leaf;
using neighbors::leaf_width;
using neighbors::row_steps;

/// More than one liquid.
constexpr std::uint8_t mixed = 254;

/// The liquid of two places together.
std::uint8_t join(std::uint8_t a, std::uint8_t b) {
    return a == air ? b : b == air || a == b ? a : mixed;
}

/// What the cells of the particles' leaves hold.
struct CellStates {
    std::vector<std::uint8_t> count;   ///< 512 for each leaf, at most 255
    std::vector<std::uint8_t> liquid;  ///< the same: the liquid, air for none, mixed for several
};

CellStates measure_cells(const neighbors::ParticleCells& cells, bool labels) {
    const auto leaves = cells.grid().leaves();
    CellStates states;
    states.count.assign(512 * leaves.size(), 0);
    if (labels) states.liquid.assign(512 * leaves.size(), air);
    parallel_for(leaves.size(), 16, [&](Range range) {
        for (const std::size_t l : range) {
            const Leaf& leaf = leaves[l];
            std::uint8_t* count = &states.count[512 * l];
            if (leaf.table >= 0 && !labels) {
                const std::uint32_t* table = cells.grid().view().table(leaf);
                for (int c = 0; c < 512; ++c)
                    count[c] = static_cast<std::uint8_t>(std::min(table[4 * c + 4] - table[4 * c], 255u));
                continue;
            }
            const float per_cell = 1 / cells.cell(static_cast<int>(leaf.resolution));
            for (std::uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
                // As the sort counted it, in quarters.
                const Vec3f p = cells.x()[i].xyz() * per_cell;
                const auto at = [](float a) { return neighbors::floor_to_int(4 * a) >> 2 & 7; };
                const int c = (at(p.z) * leaf_width + at(p.y)) * leaf_width + at(p.x);
                if (count[c] < 255) count[c] += 1;
                if (!labels) continue;
                std::uint8_t& liquid = states.liquid[512 * l + static_cast<std::size_t>(c)];
                liquid = join(liquid, static_cast<std::uint8_t>(cells.liquid(i)));
            }
        }
    });
    return states;
}

/// Spreads 20 bits so that two zeros follow each.
std::uint64_t spread_bits(std::uint64_t a) {
    a &= 0xfffff;
    a = (a | a << 32) & 0x1f00000000ffff;
    a = (a | a << 16) & 0x1f0000ff0000ff;
    a = (a | a << 8) & 0x100f00f00f00f00f;
    a = (a | a << 4) & 0x10c30c30c30c30c3;
    return (a | a << 2) & 0x1249249249249249;
}

std::uint64_t compact_bits(std::uint64_t a) {
    a &= 0x1249249249249249;
    a = (a ^ (a >> 2)) & 0x10c30c30c30c30c3;
    a = (a ^ (a >> 4)) & 0x100f00f00f00f00f;
    a = (a ^ (a >> 8)) & 0x1f0000ff0000ff;
    a = (a ^ (a >> 16)) & 0x1f00000000ffff;
    return (a ^ (a >> 32)) & 0xfffff;
}

/// Place of a leaf along the Z-curve.
using Key = std::uint64_t;
constexpr std::int32_t key_offset = 1 << 19;

Key key_of(Vec3i c) {
    return spread_bits(static_cast<std::uint64_t>(c.x + key_offset)) |
           spread_bits(static_cast<std::uint64_t>(c.y + key_offset)) << 1 |
           spread_bits(static_cast<std::uint64_t>(c.z + key_offset)) << 2;
}

Vec3i coord_of(Key key) {
    return {static_cast<std::int32_t>(compact_bits(key)) - key_offset,
            static_cast<std::int32_t>(compact_bits(key >> 1)) - key_offset,
            static_cast<std::int32_t>(compact_bits(key >> 2)) - key_offset};
}

void sort_unique(std::vector<Key>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

std::vector<Key> joined(const std::vector<std::vector<Key>>& parts) {
    std::vector<Key> all;
    for (const std::vector<Key>& each : parts)
        all.insert(all.end(), each.begin(), each.end());
    sort_unique(all);
    return all;
}

/// Points of the lattice against cells of a class, along one axis.
struct AxisMap {
    double cells_per_point, shift;  ///< cell of point i: floor(i * cells_per_point + shift)

    int cell(std::int64_t point) const {
        return static_cast<int>(std::floor(static_cast<double>(point) * cells_per_point + shift));
    }
    /// Leaf of the lattice that holds the last point below a cell's low side.
    std::int32_t leaf_below(int cell) const {
        const double point = (static_cast<double>(cell) - shift) / cells_per_point;
        return static_cast<std::int32_t>(std::floor(std::floor(point) / lattice_width));
    }
};

class BandFinder {
  public:
    BandFinder(const neighbors::ParticleCells& cells, double voxel, bool labels)
        : cells_(cells), labels_(labels), states_(measure_cells(cells, labels)) {
        band_.lattice.voxel = voxel;
        const double leaf = voxel * lattice_width;
        for (int a = 0; a < 3; ++a)
            band_.lattice.origin[a] = std::round(cells.origin()[a] / leaf) * leaf;
        for (int c = 0; c < cells.classes(); ++c) {
            const double cell = cells.unit() * cells.cell(c);
            for (int a = 0; a < 3; ++a)
                maps_.push_back({voxel / cell, (band_.lattice.origin[a] - cells.origin()[a]) / cell});
        }
    }

    Band find() {
        const std::vector<Key> keys = candidates();
        classify(keys);
        add_touched(keys);
        link_leaves(band_.lattice);
        return std::move(band_);
    }

  private:
    struct Verdict {
        std::uint32_t blocks = 0, label_blocks = 0;
        std::uint64_t inside[8] = {};
        std::uint8_t label[512];
    };
    struct Neighborhood {
        Vec3i lo, size;  ///< cells
        std::vector<std::uint8_t> count, liquid;
    };

    const AxisMap& map(int of_class, int axis) const { return maps_[static_cast<std::size_t>(3 * of_class + axis)]; }

    /// Leaves of the lattice within a cell of any particle that is not deep inside: all that have a point to evaluate.
    std::vector<Key> candidates() const {
        const auto leaves = cells_.grid().leaves();
        std::vector<std::vector<Key>> found(leaves.size());
        parallel_for(leaves.size(), 8, [&](Range range) {
            for (const std::size_t l : range)
                find_candidates(l, found[l]);
        });
        return joined(found);
    }

    void find_candidates(std::size_t l, std::vector<Key>& out) const {
        const Leaf& leaf = cells_.grid().leaves()[l];
        const int c = static_cast<int>(leaf.resolution);
        const Vec3i corner = leaf.coord * leaf_width;
        Vec3i lo, hi;
        for (int a = 0; a < 3; ++a) {
            lo[a] = map(c, a).leaf_below(corner[a] - 1);
            hi[a] = map(c, a).leaf_below(corner[a] + leaf_width + 1);
        }
        const Vec3i size = hi - lo + Vec3i{1, 1, 1};
        std::vector<bool> mark(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
                               static_cast<std::size_t>(size.z));
        thread_local Neighborhood hood;
        gather_cells(corner - Vec3i{1, 1, 1}, corner + Vec3i{8, 8, 8}, c, hood);
        thread_local std::vector<bool> deep;
        find_deep(hood, deep);
        for (int cell = 0; cell < 512; ++cell) {
            const auto k = static_cast<std::size_t>(cell);
            if (states_.count[512 * l + k] == 0 || deep[k]) continue;
            const Vec3i at = corner + Vec3i{cell & 7, cell >> 3 & 7, cell >> 6};
            Vec3i from, to;
            for (int a = 0; a < 3; ++a) {
                from[a] = map(c, a).leaf_below(at[a] - 1) - lo[a];
                to[a] = map(c, a).leaf_below(at[a] + 2) - lo[a];
            }
            for (int z = from.z; z <= to.z; ++z) {
                for (int y = from.y; y <= to.y; ++y) {
                    for (int x = from.x; x <= to.x; ++x)
                        mark[static_cast<std::size_t>((z * size.y + y) * size.x + x)] = true;
                }
            }
        }
        for (std::size_t k = 0; k < mark.size(); ++k) {
            const int i = static_cast<int>(k);
            if (mark[k]) out.push_back(key_of(lo + Vec3i{i % size.x, i / size.x % size.y, i / (size.x * size.y)}));
        }
    }

    /// Which of a leaf's cells are full all around and of one liquid; `hood` is one cell larger on each side.
    void find_deep(const Neighborhood& hood, std::vector<bool>& deep) const {
        std::uint32_t full[10][10];
        for (std::size_t z = 0; z < 10; ++z) {
            for (std::size_t y = 0; y < 10; ++y) {
                std::uint32_t row = 0;
                for (std::size_t x = 0; x < 10; ++x)
                    row |= static_cast<std::uint32_t>(hood.count[(z * 10 + y) * 10 + x] >= full_cell) << x;
                full[z][y] = row & row >> 1 & row >> 2;
            }
        }
        deep.assign(512, false);
        for (std::size_t z = 0; z < 8; ++z) {
            for (std::size_t y = 0; y < 8; ++y) {
                std::uint32_t row = ~0u;
                for (std::size_t k = 0; k < 9; ++k)
                    row &= full[z + k / 3][y + k % 3];
                for (std::size_t x = 0; x < 8; ++x) {
                    if (!(row >> x & 1)) continue;
                    const Vec3i at = vec_cast<std::int32_t>(Vec3<std::size_t>{x + 1, y + 1, z + 1});
                    deep[(z * 8 + y) * 8 + x] = !labels_ || look_around(hood, at).liquid < mixed;
                }
            }
        }
    }

    /// Counts of the cells that the points of a leaf lie in, and of one more all around.
    void gather(Vec3i coord, int c, Neighborhood& out) const {
        Vec3i lo, hi;
        for (int a = 0; a < 3; ++a) {
            lo[a] = map(c, a).cell(std::int64_t{coord[a]} * lattice_width) - 1;
            hi[a] = map(c, a).cell(std::int64_t{coord[a]} * lattice_width + lattice_width - 1) + 1;
        }
        gather_cells(lo, hi, c, out);
    }

    void gather_cells(Vec3i lo, Vec3i hi, int c, Neighborhood& out) const {
        out.lo = lo;
        out.size = hi - out.lo + Vec3i{1, 1, 1};
        const auto total = static_cast<std::size_t>(out.size.x * out.size.y * out.size.z);
        out.count.assign(total, 0);
        out.liquid.assign(labels_ ? total : 0, air);
        Vec3i leaf;
        for (leaf.z = out.lo.z >> 3; leaf.z <= hi.z >> 3; ++leaf.z) {
            for (leaf.y = out.lo.y >> 3; leaf.y <= hi.y >> 3; ++leaf.y) {
                for (leaf.x = out.lo.x >> 3; leaf.x <= hi.x >> 3; ++leaf.x) {
                    const std::int32_t found = cells_.find_leaf(leaf, c);
                    if (found >= 0) copy_cells(static_cast<std::size_t>(found), leaf * leaf_width, hi, out);
                }
            }
        }
    }

    void copy_cells(std::size_t leaf, Vec3i corner, Vec3i hi, Neighborhood& out) const {
        const Vec3i from = max(corner, out.lo), to = min(corner + Vec3i{7, 7, 7}, hi);
        for (int z = from.z; z <= to.z; ++z) {
            for (int y = from.y; y <= to.y; ++y) {
                const auto row = static_cast<std::size_t>(((z - corner.z) * 8 + y - corner.y) * 8 + from.x - corner.x);
                const auto target = static_cast<std::size_t>(((z - out.lo.z) * out.size.y + y - out.lo.y) * out.size.x +
                                                             from.x - out.lo.x);
                const auto n = static_cast<std::size_t>(to.x - from.x + 1);
                std::copy_n(&states_.count[512 * leaf + row], n, &out.count[target]);
                if (labels_) std::copy_n(&states_.liquid[512 * leaf + row], n, &out.liquid[target]);
            }
        }
    }

    struct Around {
        bool occupied = false, full = true;
        std::uint8_t liquid = air;
    };

    /// A cell and its 26 neighbours; `at` is inside of the neighbourhood by one.
    Around look_around(const Neighborhood& hood, Vec3i at) const {
        Around around;
        for (int z = at.z - 1; z <= at.z + 1; ++z) {
            for (int y = at.y - 1; y <= at.y + 1; ++y) {
                const auto row = static_cast<std::size_t>((z * hood.size.y + y) * hood.size.x + at.x - 1);
                for (std::size_t k = row; k < row + 3; ++k) {
                    around.occupied |= hood.count[k] > 0;
                    around.full &= hood.count[k] >= full_cell;
                    if (labels_) around.liquid = join(around.liquid, hood.liquid[k]);
                }
            }
        }
        return around;
    }

    /// The same for all cells but the outermost: first along x, then along y and z.
    void look_around_all(const Neighborhood& hood, std::vector<Around>& out) const {
        const Vec3i size = hood.size, inner = size - Vec3i{2, 2, 2};
        thread_local std::vector<std::uint8_t> rows;
        rows.resize(static_cast<std::size_t>(inner.x * size.y * size.z));
        std::size_t at = 0;
        for (int row = 0; row < size.y * size.z; ++row) {
            const std::uint8_t* count = &hood.count[static_cast<std::size_t>(row * size.x)];
            for (int x = 0; x < inner.x; ++x, ++count) {
                const bool full = count[0] >= full_cell && count[1] >= full_cell && count[2] >= full_cell;
                const bool any = count[0] | count[1] | count[2];
                rows[at++] = static_cast<std::uint8_t>(any | full << 1);
            }
        }
        out.clear();
        for (int z = 0; z < inner.z; ++z) {
            for (int y = 0; y < inner.y; ++y) {
                for (int x = 0; x < inner.x; ++x) {
                    unsigned any = 0, all = 3;
                    for (int k = 0; k < 9; ++k) {
                        const unsigned row =
                            rows[static_cast<std::size_t>(((z + k / 3) * size.y + y + k % 3) * inner.x + x)];
                        any |= row;
                        all &= row;
                    }
                    Around around{.occupied = (any & 1) != 0, .full = (all & 2) != 0};
                    if (labels_ && around.occupied) around.liquid = look_around(hood, {x + 1, y + 1, z + 1}).liquid;
                    out.push_back(around);
                }
            }
        }
    }

    /// Per point: bit 0 some class is near, bit 1 some class is full. And the liquid.
    Verdict judge(Vec3i coord) const {
        Verdict verdict;
        std::uint8_t near[512] = {};
        std::fill(std::begin(verdict.label), std::end(verdict.label), air);
        thread_local Neighborhood hood;
        thread_local std::vector<Around> around;
        for (int c = 0; c < cells_.classes(); ++c) {
            gather(coord, c, hood);
            const Vec3i inner = hood.size - Vec3i{2, 2, 2};
            look_around_all(hood, around);
            int at[3][8];
            for (int a = 0; a < 3; ++a) {
                for (int i = 0; i < 8; ++i)
                    at[a][i] = map(c, a).cell(std::int64_t{coord[a]} * lattice_width + i) - hood.lo[a] - 1;
            }
            for (int i = 0; i < 512; ++i) {
                const int x = at[0][i & 7], y = at[1][i >> 3 & 7], z = at[2][i >> 6];
                const Around& here = around[static_cast<std::size_t>((z * inner.y + y) * inner.x + x)];
                near[i] |= static_cast<std::uint8_t>(here.occupied | (here.full << 1));
                verdict.label[i] = join(verdict.label[i], here.liquid);
            }
        }
        for (int i = 0; i < 512; ++i) {
            const std::uint32_t block = 1u << ((i >> 2 & 1) | (i >> 4 & 3) << 1 | (i >> 7) << 3);
            const bool full = near[i] & 2;
            if (full)
                verdict.inside[i >> 6] |= std::uint64_t{1} << (i & 63);
            else if (near[i])
                verdict.blocks |= block;
            if (full && labels_ && verdict.label[i] == mixed) verdict.label_blocks |= block;
        }
        verdict.label_blocks &= ~verdict.blocks;
        return verdict;
    }

    void keep(Vec3i coord, const Verdict& verdict) {
        Lattice& lattice = band_.lattice;
        lattice.leaves.push_back(coord);
        band_.blocks.push_back(verdict.blocks);
        band_.label_blocks.push_back(verdict.label_blocks);
        band_.inside.insert(band_.inside.end(), std::begin(verdict.inside), std::end(verdict.inside));
    }

    void classify(const std::vector<Key>& keys) {
        verdicts_.resize(keys.size());
        parallel_for(keys.size(), 32, [&](Range range) {
            for (const std::size_t i : range)
                verdicts_[i] = judge(coord_of(keys[i]));
        });
    }

    /// For each of the 27 steps, the blocks that touch the leaf there.
    static const std::array<std::uint32_t, 27>& blocks_beside() {
        static const auto masks = [] {
            std::array<std::uint32_t, 27> out{};
            for (int k = 0; k < 27; ++k) {
                const Vec3i step{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                for (int b = 0; b < leaf_blocks; ++b) {
                    bool touches = true;
                    for (int a = 0; a < 3; ++a) {
                        const int lo = block_corner(b)[a], hi = lo + block_width[a];
                        touches &= step[a] == 0 || (step[a] < 0 ? lo == 0 : hi == lattice_width);
                    }
                    if (touches) out[static_cast<std::size_t>(k)] |= 1u << b;
                }
            }
            return out;
        }();
        return masks;
    }

    static void for_touched(std::uint32_t blocks, auto&& f) {
        for (int k = 0; k < 27; ++k) {
            if (blocks & blocks_beside()[static_cast<std::size_t>(k)]) f(Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
        }
    }

    /// All leaves that have blocks, and those beside the blocks.
    std::vector<Key> touched(const std::vector<Key>& keys) const {
        std::vector<std::vector<Key>> found(chunk_count(keys.size(), 256));
        parallel_for(keys.size(), 256, [&](Range range) {
            std::vector<Key>& out = found[range.first / 256];
            for (const std::size_t i : range) {
                const std::uint32_t blocks = verdicts_[i].blocks | verdicts_[i].label_blocks;
                if (!blocks) continue;
                const Vec3i coord = coord_of(keys[i]);
                for_touched(blocks, [&](Vec3i step) { out.push_back(key_of(coord + step)); });
            }
            sort_unique(out);
        });
        return joined(found);
    }

    void add_touched(const std::vector<Key>& keys) {
        const std::vector<Key> wanted = touched(keys);
        // Both lists run along the curve: those that were judged already are met on the way.
        std::size_t at = 0;
        std::vector<std::size_t> judged(wanted.size());
        std::vector<Key> missing;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            while (at < keys.size() && keys[at] < wanted[i])
                ++at;
            const bool known = at < keys.size() && keys[at] == wanted[i];
            judged[i] = known ? at : keys.size() + missing.size();
            if (!known) missing.push_back(wanted[i]);
        }
        verdicts_.resize(keys.size() + missing.size());
        parallel_for(missing.size(), 32, [&](Range range) {
            for (const std::size_t i : range)
                verdicts_[keys.size() + i] = judge(coord_of(missing[i]));
        });
        if (labels_) band_.lattice.label.resize(leaf_points * wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            keep(coord_of(wanted[i]), verdicts_[judged[i]]);
            if (labels_) fill_labels(i, verdicts_[judged[i]]);
        }
    }

    void fill_labels(std::size_t leaf, const Verdict& verdict) {
        for (std::size_t i = 0; i < leaf_points; ++i) {
            const bool inside = verdict.inside[i >> 6] >> (i & 63) & 1;
            band_.lattice.label[leaf_points * leaf + i] = inside ? verdict.label[i] : air;
        }
    }

    const neighbors::ParticleCells& cells_;
    bool labels_;
    CellStates states_;
    std::vector<AxisMap> maps_;
    std::vector<Verdict> verdicts_;
    Band band_;
};

}  // namespace

Band find_band(const neighbors::ParticleCells& cells, double voxel, bool labels) {
    return BandFinder(cells, voxel, labels).find();
}

}  // namespace spindrift::surface
