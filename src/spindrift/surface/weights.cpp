#include "spindrift/surface/weights.h"

#include <atomic>
#include <bit>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/sample_kernels.h"

namespace spindrift::surface {

namespace {

using neighbors::Leaf;

/// Sorted particles are weighed in groups of this many.
constexpr std::size_t group = 8;

/// Box around the points of a leaf's blocks, in units of the cells.
Box3f blocks_box(const neighbors::ParticleCells& cells, const Band& band, std::size_t leaf) {
    Vec3i lo{lattice_width, lattice_width, lattice_width}, hi{};
    for (std::uint32_t left = band.blocks[leaf]; left; left &= left - 1) {
        const Vec3i corner = block_corner(std::countr_zero(left));
        lo = min(lo, corner);
        hi = max(hi, corner + block_width - Vec3i{1, 1, 1});
    }
    const Box3f box = leaf_box(cells, band.lattice, leaf);
    const auto voxel = static_cast<float>(band.lattice.voxel / cells.unit());
    return {box.lo + vec_cast<float>(lo) * voxel, box.lo + vec_cast<float>(hi) * voxel};
}

/// A mark for each group of eight that holds a particle near a block.
std::vector<std::uint8_t> mark_wanted(const neighbors::ParticleCells& cells, std::span<const float> reach,
                                      const Band& band) {
    std::vector<std::uint8_t> wanted(cells.size() / group + 1, 0);
    parallel_for(band.blocks.size(), 64, [&](Range range) {
        for (const std::size_t leaf : range) {
            if (!band.blocks[leaf]) continue;
            const Box3f box = blocks_box(cells, band, leaf);
            for (int c = 0; c < cells.classes(); ++c) {
                cells.for_runs(box, reach[static_cast<std::size_t>(c)], c, [&](std::size_t first, std::size_t last) {
                    // Several threads may write the same mark.
                    for (std::size_t g = first / group; g <= (last - 1) / group; ++g)
                        std::atomic_ref(wanted[g]).store(1, std::memory_order_relaxed);
                });
            }
        }
    });
    return wanted;
}

/// Weighs the particles of one leaf.
class LeafWeigher {
  public:
    LeafWeigher(const neighbors::ParticleCells& cells, std::span<const float> reach,
                std::span<const std::uint8_t> wanted, const WeightRules& rules, float* inverse)
        : cells_(cells), reach_(reach), wanted_(wanted), rules_(rules), inverse_(inverse), kernels_(field_kernels()) {}

    /// Groups end with rows, so that they stay small: a leaf's rows follow one another.
    void weigh(const Leaf& leaf) {
        if (leaf.table < 0) return weigh_row(leaf, leaf.first, leaf.first + leaf.count);
        const std::uint32_t* table = cells_.grid().view().table(leaf);
        for (int row = 0; row < neighbors::bins_per_leaf; row += neighbors::row_steps)
            weigh_row(leaf, table[row], table[row + neighbors::row_steps]);
    }

  private:
    void weigh_row(const Leaf& leaf, std::uint32_t first, std::uint32_t last) {
        for (; first < last; first += group) {
            const std::uint32_t end = std::min(last, first + static_cast<std::uint32_t>(group));
            if (wanted_[first / group] | wanted_[(end - 1) / group]) weigh_group(leaf, first, end);
        }
    }

    void weigh_group(const Leaf& leaf, std::uint32_t first, std::uint32_t last) {
        Box3f box{cells_.x()[first].xyz(), cells_.x()[first].xyz()};
        for (std::uint32_t i = first + 1; i < last; ++i) {
            box.lo = min(box.lo, cells_.x()[i].xyz());
            box.hi = max(box.hi, cells_.x()[i].xyz());
        }
        const float r = reach_[leaf.resolution];
        alignas(32) float w[8] = {};
        for (int c = 0; c < cells_.classes(); ++c) {
            runs_.clear();
            cells_.for_runs(box, r, c, [&](std::size_t a, std::size_t b) {
                runs_.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
            });
            const float ratio = cells_.cell(c) / cells_.cell(static_cast<int>(leaf.resolution));
            const WeighInput input{.runs = runs_.data(),
                                   .run_count = static_cast<std::uint32_t>(runs_.size()),
                                   .x = cells_.x(),
                                   .first = first,
                                   .count = static_cast<int>(last - first),
                                   .per_reach = 1 / r};
            kernels_.weigh(input, ratio * ratio * ratio, w);
        }
        for (std::uint32_t i = first; i < last; ++i)
            inverse_[i] = rules_.weight(w[i - first]);
    }

    const neighbors::ParticleCells& cells_;
    std::span<const float> reach_;
    std::span<const std::uint8_t> wanted_;
    WeightRules rules_;
    float* inverse_;
    FieldKernels kernels_;
    std::vector<Run> runs_;
};

}  // namespace

Box3f leaf_box(const neighbors::ParticleCells& cells, const Lattice& lattice, std::size_t leaf) {
    const Vec3d lo = (lattice.place(lattice.leaves[leaf], {}) - cells.origin()) / cells.unit();
    const double width = (lattice_width - 1) * lattice.voxel / cells.unit();
    return {vec_cast<float>(lo), vec_cast<float>(lo + Vec3d{width, width, width})};
}

void inverse_weights(const neighbors::ParticleCells& cells, std::span<const float> reach, const Band& band,
                     const WeightRules& rules, Buffer<float>& out) {
    const std::vector<std::uint8_t> wanted = mark_wanted(cells, rules.reach, band);
    out.resize(cells.size());
    const auto leaves = cells.grid().leaves();
    parallel_for(leaves.size(), 4, [&](Range range) {
        LeafWeigher weigher(cells, reach, wanted, rules, out.data());
        for (const std::size_t leaf : range)
            weigher.weigh(leaves[leaf]);
    });
}

}  // namespace spindrift::surface
