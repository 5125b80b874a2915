#include "spindrift/grid/leaf_set.h"

#include <algorithm>
#include <bit>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/neighbors/leaf_key.h"

namespace spindrift::grid {

void LeafSet::clear() {
    assign({});
}

void LeafSet::assign(std::span<const Vec3i> coords) {
    // Repetitions go before the sort: callers name each leaf up to 27 times.
    keys_.clear();
    std::vector<std::uint64_t> seen(std::bit_ceil(coords.size() + 64), ~std::uint64_t{0});
    for (const Vec3i c : coords) {
        const std::uint64_t key = neighbors::leaf_key(c);
        std::size_t at = mix_bits(key) & (seen.size() - 1);
        while (seen[at] != key && seen[at] != ~std::uint64_t{0})
            at = (at + 1) & (seen.size() - 1);
        if (seen[at] == key) continue;
        seen[at] = key;
        keys_.push_back(key);
    }
    std::sort(keys_.begin(), keys_.end());

    coords_.assign(1, {});
    for (const std::uint64_t key : keys_)
        coords_.push_back(neighbors::leaf_coord(key));
    table_.assign(std::bit_ceil(2 * coords_.size()), 0);
    for (std::size_t leaf = 1; leaf < coords_.size(); ++leaf) {
        std::size_t at = mix_bits(keys_[leaf - 1]) & (table_.size() - 1);
        while (table_[at] != 0)
            at = (at + 1) & (table_.size() - 1);
        table_[at] = static_cast<std::int32_t>(leaf);
    }
    neighbors_.assign(27 * coords_.size(), 0);
    parallel_for(keys_.size(), 256, [&](Range range) {
        for (std::size_t k : range) {
            std::int32_t* out = &neighbors_[27 * (k + 1)];
            for (int dz = -1; dz <= 1; ++dz) {
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx)
                        *out++ = find(coords_[k + 1] + Vec3i{dx, dy, dz});
                }
            }
        }
    });
}

std::int32_t LeafSet::find(Vec3i coord) const {
    const std::uint64_t key = neighbors::leaf_key(coord);
    std::size_t at = mix_bits(key) & (table_.size() - 1);
    while (table_[at] != 0 && keys_[static_cast<std::size_t>(table_[at]) - 1] != key)
        at = (at + 1) & (table_.size() - 1);
    return table_[at];
}

void LeafSet::share(ranks::Ranks& ranks, ranks::Halo halo) {
    ranks_ = &ranks;
    halo_ = std::move(halo);
}

}  // namespace spindrift::grid
