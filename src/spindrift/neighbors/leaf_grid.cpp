#include "spindrift/neighbors/leaf_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/neighbors/leaf_key.h"

namespace spindrift::neighbors {

namespace {

/// Particles per chunk: a chunk's local leaf index and bin fit one 32-bit word.
constexpr std::size_t chunk_size = 16384;
constexpr std::uint32_t dropped = ~0u;
constexpr int bin_bits = 11;
static_assert(1 << bin_bits == bins_per_leaf);
constexpr std::uint32_t dead_bit = 0x80000000u;

/// The class stands above the coordinates, so that classes follow one another.
constexpr std::uint64_t class_key(Vec3i c, std::uint32_t resolution) {
    return leaf_key(c) | std::uint64_t{resolution} << leaf_key_bits;
}

constexpr std::uint32_t leaf_class(std::uint64_t key) {
    return static_cast<std::uint32_t>(key >> leaf_key_bits);
}

bool in_range(Vec3f p) {
    return std::abs(p.x) < coordinate_limit && std::abs(p.y) < coordinate_limit && std::abs(p.z) < coordinate_limit;
}

/// Place in the row table of a leaf, from quarter cells on all axes.
std::uint32_t bin_at(Vec3i q) {
    return static_cast<std::uint32_t>(((q.z >> 2 & 7) * leaf_width + (q.y >> 2 & 7)) * row_steps + (q.x & 31));
}

/// floor(a) for |a| far below 2^31, without the library call that plain SSE4.2 code would not need either.
std::int32_t floor_to_int(float a) {
    const auto truncated = static_cast<std::int32_t>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

Vec3i quarters(Vec3f cells) {
    return {floor_to_int(4 * cells.x), floor_to_int(4 * cells.y), floor_to_int(4 * cells.z)};
}

}  // namespace

SortResult LeafGrid::sort(std::size_t n, const Float4* x, const Float4* v, Float4* x_sorted, Float4* v_sorted) {
    // Count: each chunk lists the leaves its particles fall into.
    const std::size_t chunk_total = chunk_count(n, chunk_size);
    chunks_.resize(chunk_total);
    bin_of_.resize(n);
    const bool many = resolutions_.h.size() > 1;
    parallel_chunks(chunk_total,
                    [&](std::size_t c) { many ? count_chunk<true>(c, n, x, v) : count_chunk<false>(c, n, x, v); });
    SortResult result;
    for (const Chunk& chunk : chunks_) {
        result.escaped += chunk.result.escaped;
        result.not_finite += chunk.result.not_finite;
    }

    // Place: leaves in Z-order, inside a leaf the chunks in order.
    result.kept = place_leaves();
    binned_.resize(n);
    parallel_chunks(chunk_total, [&](std::size_t c) { bin_chunk(c, n); });

    // Sort each leaf by rows while it is in cache, and link the leaves to their neighbours.
    parallel_for(leaves_.size(), 8, [&](Range range) {
        for (std::size_t leaf : range)
            sort_leaf(leaves_[leaf], x, v, x_sorted, v_sorted);
    });
    link_neighbors();
    owned_leaves_ = {0, leaves_.size()};
    owned_ = {0, result.kept};
    return result;
}

std::uint64_t LeafGrid::key_at(Vec3f x) const {
    const Vec3i q = quarters(x * (1 / resolutions_.h[0]));
    return leaf_key({q.x >> 5, q.y >> 5, q.z >> 5});
}

void LeafGrid::add_ghosts(std::span<const GhostLeaf> below, std::span<const GhostLeaf> above, const Float4* x) {
    SPINDRIFT_CHECK(resolutions_.h.size() == 1);
    const std::size_t own = leaves_.size(), first_above = below.size() + own;
    Buffer<Leaf> all("leaves");
    all.resize(first_above + above.size());
    std::vector<std::uint64_t> keys;
    std::uint32_t position = 0;
    auto tables = static_cast<std::int32_t>(tables_.size() / (bins_per_leaf + 1));
    const auto add = [&](std::span<const GhostLeaf> ghosts) {
        for (const GhostLeaf& ghost : ghosts) {
            const auto count = static_cast<std::uint32_t>(ghost.count);
            const std::int32_t table = count >= dense_leaf ? tables++ : -1;
            all[keys.size()] = {leaf_coord(ghost.key), position, count, table, 0, 0};
            keys.push_back(ghost.key);
            position += count;
        }
    };
    add(below);
    const std::uint32_t low = position;
    for (std::size_t l = 0; l < own; ++l) {
        all[below.size() + l] = leaves_[l];
        all[below.size() + l].first += low;
    }
    for (std::uint32_t& start : std::span(tables_.data(), tables_.size()))
        start += low;
    keys.insert(keys.end(), keys_.begin(), keys_.end());
    position += static_cast<std::uint32_t>(owned_.size());
    add(above);
    leaves_ = std::move(all);
    keys_ = std::move(keys);
    owned_leaves_ = {below.size(), first_above};
    owned_ = {low, low + owned_.size()};
    tables_.resize(static_cast<std::size_t>(tables) * (bins_per_leaf + 1));
    for (std::size_t l = 0; l < leaves_.size(); ++l) {
        if ((l < owned_leaves_.first || l >= owned_leaves_.last) && leaves_[l].table >= 0) fill_table(leaves_[l], x);
    }
    link_neighbors();
}

/// Of particles that are in the order of their bins.
void LeafGrid::fill_table(const Leaf& leaf, const Float4* x) {
    std::uint32_t* table = tables_.data() + static_cast<std::size_t>(leaf.table) * (bins_per_leaf + 1);
    const float cells_per_unit = 1 / resolutions_.h[0];
    std::uint32_t i = leaf.first;
    for (std::uint32_t bin = 0; bin <= bins_per_leaf; ++bin) {
        while (i < leaf.first + leaf.count && bin_at(quarters(x[i].xyz() * cells_per_unit)) < bin)
            ++i;
        table[bin] = i;
    }
}

template <bool many>
void LeafGrid::count_chunk(std::size_t chunk_index, std::size_t n, const Float4* x, const Float4* v) {
    Chunk& chunk = chunks_[chunk_index];
    chunk.leaves.clear();
    chunk.table.assign(64, 0);
    chunk.result = {};
    float cells_per_unit[most_resolutions];
    for (std::size_t c = 0; c < resolutions_.h.size(); ++c)
        cells_per_unit[c] = 1 / resolutions_.h[c];
    Vec3i last_coord{INT32_MAX, 0, 0};
    std::uint32_t local = 0, resolution = 0, last_resolution = 0;
    for (std::size_t i : chunk_range(chunk_index, n, chunk_size)) {
        bin_of_[i] = dropped;
        if (std::bit_cast<std::uint32_t>(v[i].w) & dead_bit) continue;
        if constexpr (many) resolution = resolutions_.of_liquid[std::bit_cast<std::uint32_t>(x[i].w)];
        const Vec3f p = x[i].xyz() * cells_per_unit[resolution];
        if (!in_range(p)) {
            (is_finite(x[i].xyz()) ? chunk.result.escaped : chunk.result.not_finite) += 1;
            continue;
        }
        // A leaf is 32 quarter cells wide.
        const Vec3i q = quarters(p);
        const Vec3i coord{q.x >> 5, q.y >> 5, q.z >> 5};
        if (coord != last_coord || (many && resolution != last_resolution)) {
            local = find_or_add(chunk, static_cast<std::uint32_t>(chunk_index), class_key(coord, resolution));
            last_coord = coord;
            last_resolution = resolution;
        }
        chunk.leaves[local].count += 1;
        bin_of_[i] = local << bin_bits | bin_at(q);
    }
}

std::uint32_t LeafGrid::find_or_add(Chunk& chunk, std::uint32_t chunk_index, std::uint64_t key) {
    if (2 * (chunk.leaves.size() + 1) > chunk.table.size()) {
        chunk.table.assign(4 * chunk.table.size(), 0);
        for (std::uint32_t local = 0; local < chunk.leaves.size(); ++local) {
            std::size_t at = mix_bits(chunk.leaves[local].key) & (chunk.table.size() - 1);
            while (chunk.table[at] != 0)
                at = (at + 1) & (chunk.table.size() - 1);
            chunk.table[at] = local + 1;
        }
    }
    std::size_t at = mix_bits(key) & (chunk.table.size() - 1);
    for (; chunk.table[at] != 0; at = (at + 1) & (chunk.table.size() - 1)) {
        if (chunk.leaves[chunk.table[at] - 1].key == key) return chunk.table[at] - 1;
    }
    const auto local = static_cast<std::uint32_t>(chunk.leaves.size());
    chunk.leaves.push_back({key, chunk_index, local, 0});
    chunk.table[at] = local + 1;
    return local;
}

std::size_t LeafGrid::place_leaves() {
    merged_.clear();
    for (Chunk& chunk : chunks_) {
        chunk.starts.resize(chunk.leaves.size());
        merged_.insert(merged_.end(), chunk.leaves.begin(), chunk.leaves.end());
    }
    std::sort(merged_.begin(), merged_.end(), [](const ChunkLeaf& a, const ChunkLeaf& b) {
        return a.key != b.key ? a.key < b.key : a.chunk < b.chunk;
    });

    keys_.clear();
    leaves_.resize(merged_.size());
    std::uint32_t position = 0;
    std::size_t leaf_total = 0;
    for (const ChunkLeaf& part : merged_) {
        if (keys_.empty() || keys_.back() != part.key) {
            keys_.push_back(part.key);
            leaves_[leaf_total++] = {leaf_coord(part.key), position, 0, -1, 0, leaf_class(part.key)};
        }
        chunks_[part.chunk].starts[part.local] = position;
        leaves_[leaf_total - 1].count += part.count;
        position += part.count;
    }
    leaves_.resize(leaf_total);

    std::int32_t table_total = 0;
    for (std::size_t leaf = 0; leaf < leaf_total; ++leaf) {
        if (leaves_[leaf].count >= dense_leaf) leaves_[leaf].table = table_total++;
    }
    tables_.resize(static_cast<std::size_t>(table_total) * (bins_per_leaf + 1));
    return position;
}

void LeafGrid::bin_chunk(std::size_t chunk_index, std::size_t n) {
    std::vector<std::uint32_t>& starts = chunks_[chunk_index].starts;
    for (std::size_t i : chunk_range(chunk_index, n, chunk_size)) {
        if (bin_of_[i] != dropped) binned_[starts[bin_of_[i] >> bin_bits]++] = static_cast<std::uint32_t>(i);
    }
}

void LeafGrid::sort_leaf(const Leaf& leaf, const Float4* x, const Float4* v, Float4* x_sorted, Float4* v_sorted) {
    std::uint32_t* members = binned_.data() + leaf.first;
    const auto bin = [&](std::uint32_t i) { return bin_of_[i] & (bins_per_leaf - 1); };
    if (leaf.table < 0) {
        // A handful of particles: a stable insertion sort of their indices.
        for (std::uint32_t k = 1; k < leaf.count; ++k) {
            const std::uint32_t member = members[k];
            std::uint32_t at = k;
            for (; at > 0 && bin(members[at - 1]) > bin(member); --at)
                members[at] = members[at - 1];
            members[at] = member;
        }
        for (std::uint32_t k = 0; k < leaf.count; ++k) {
            x_sorted[leaf.first + k] = x[members[k]];
            v_sorted[leaf.first + k] = v[members[k]];
        }
        return;
    }

    // Counting sort; the counters end up as the row table. Entry b + 1 first counts bin b, then walks through it.
    std::uint32_t* table = tables_.data() + static_cast<std::size_t>(leaf.table) * (bins_per_leaf + 1);
    std::fill(table, table + bins_per_leaf + 1, 0u);
    for (std::uint32_t k = 0; k < leaf.count; ++k)
        table[bin(members[k]) + 1] += 1;
    std::uint32_t start = leaf.first;
    table[0] = start;
    for (int b = 1; b <= bins_per_leaf; ++b) {
        const std::uint32_t count = table[b];
        table[b] = start;
        start += count;
    }
    for (std::uint32_t k = 0; k < leaf.count; ++k) {
        const std::uint32_t i = members[k];
        const std::uint32_t at = table[bin(i) + 1]++;
        x_sorted[at] = x[i];
        v_sorted[at] = v[i];
    }
}

void LeafGrid::link_neighbors() {
    const std::size_t total = leaves_.size();
    std::vector<std::int32_t> table(std::bit_ceil(2 * total + 2), -1);
    const std::size_t mask = table.size() - 1;
    for (std::size_t leaf = 0; leaf < total; ++leaf) {
        std::size_t at = mix_bits(keys_[leaf]) & mask;
        while (table[at] >= 0)
            at = (at + 1) & mask;
        table[at] = static_cast<std::int32_t>(leaf);
    }
    const auto find = [&](Vec3i coord, std::uint32_t resolution) {
        const std::uint64_t key = class_key(coord, resolution);
        std::size_t at = mix_bits(key) & mask;
        while (table[at] >= 0 && keys_[static_cast<std::size_t>(table[at])] != key)
            at = (at + 1) & mask;
        return table[at];
    };

    neighbors_.resize(27 * total);
    parallel_for(total, 256, [&](Range range) {
        for (std::size_t leaf : range) {
            std::int32_t* out = &neighbors_[27 * leaf];
            for (int dz = -1; dz <= 1; ++dz) {
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx)
                        *out++ = find(leaves_[leaf].coord + Vec3i{dx, dy, dz}, leaves_[leaf].resolution);
                }
            }
        }
    });
    if (resolutions_.h.size() > 1) link_classes(find);
}

template <class Find>
void LeafGrid::link_classes(const Find& find) {
    const std::size_t total = leaves_.size();
    std::vector<std::vector<std::uint32_t>> reached(total);
    parallel_for(total, 64, [&](Range range) {
        for (std::size_t leaf : range) {
            const float h = resolutions_.h[leaves_[leaf].resolution];
            const Vec3f corner = vec_cast<float>(leaves_[leaf].coord) * (h * leaf_width);
            for (std::uint32_t other = 0; other < resolutions_.h.size(); ++other) {
                if (other == leaves_[leaf].resolution) continue;
                // As far as the larger support, with what either side may have moved since the sort, and rounding.
                const float h_other = resolutions_.h[other];
                const float reach = std::max(h, h_other) * 1.01f + largest_move * (h + h_other);
                const float per_leaf = 1 / (h_other * leaf_width);
                Vec3i lo, hi;
                for (int a = 0; a < 3; ++a) {
                    lo[a] = floor_to_int((corner[a] - reach) * per_leaf);
                    hi[a] = floor_to_int((corner[a] + h * leaf_width + reach) * per_leaf);
                }
                for (std::int32_t z = lo.z; z <= hi.z; ++z) {
                    for (std::int32_t y = lo.y; y <= hi.y; ++y) {
                        for (std::int32_t x = lo.x; x <= hi.x; ++x) {
                            const std::int32_t found = find({x, y, z}, other);
                            if (found >= 0) reached[leaf].push_back(static_cast<std::uint32_t>(found));
                        }
                    }
                }
            }
        }
    });
    cross_starts_.assign(1, 0);
    cross_leaves_.clear();
    for (const std::vector<std::uint32_t>& leaves : reached) {
        cross_leaves_.insert(cross_leaves_.end(), leaves.begin(), leaves.end());
        cross_starts_.push_back(static_cast<std::uint32_t>(cross_leaves_.size()));
    }
}

}  // namespace spindrift::neighbors
