#include "spindrift/pbf/projection/projected_leaves.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/grid_kernels.h"
#include "spindrift/mac/transfer_kernels.h"

namespace spindrift::pbf {

namespace {

using grid::leaf_width;
using neighbors::Leaf;

/// Cells around particles that the grid needs: faces they reach, and those that velocities are extended to.
constexpr int margin = 3;

Vec3i leaf_of(Vec3f x) {
    return {static_cast<int>(std::floor(x.x)) >> 3, static_cast<int>(std::floor(x.y)) >> 3,
            static_cast<int>(std::floor(x.z)) >> 3};
}

/// Cells that a leaf's particles stand in.
struct Extent {
    Vec3i lo, hi;
};

Extent extent_of(const Leaf& leaf, const Float4* x) {
    Vec3f lo = x[leaf.first].xyz(), hi = lo;
    for (std::uint32_t p = leaf.first + 1; p < leaf.first + leaf.count; ++p) {
        lo = min(lo, x[p].xyz());
        hi = max(hi, x[p].xyz());
    }
    const auto cell = [](Vec3f at) {
        return Vec3i{static_cast<int>(std::floor(at.x)), static_cast<int>(std::floor(at.y)),
                     static_cast<int>(std::floor(at.z))};
    };
    return {cell(lo), cell(hi)};
}

}  // namespace

void ProjectedLeaves::find_parts(const neighbors::LeafGrid& sorted) {
    const neighbors::GridView view = sorted.view();
    const std::span<const Leaf> leaves = sorted.leaves();
    parts_.clear();
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        const std::int32_t* near = view.neighbors + 27 * l;
        const bool is_liquid = std::any_of(near, near + 27, [&](std::int32_t n) {
            return n >= 0 && leaves[static_cast<std::size_t>(n)].count >= neighbors::dense_leaf;
        });
        if (is_liquid) parts_.push_back(static_cast<std::uint32_t>(l));
    }
}

void ProjectedLeaves::find(const neighbors::LeafGrid& sorted, const Float4* x, mac::MacGrid& grid) {
    find_parts(sorted);
    std::vector<Extent> extents(parts_.size());
    parallel_for(parts_.size(), 16, [&](Range range) {
        for (const std::size_t k : range)
            extents[k] = extent_of(sorted.leaves()[parts_[k]], x);
    });
    std::vector<Vec3i> coords;
    for (const Extent& extent : extents) {
        for (int cz = (extent.lo.z - margin) >> 3; cz <= (extent.hi.z + margin) >> 3; ++cz) {
            for (int cy = (extent.lo.y - margin) >> 3; cy <= (extent.hi.y + margin) >> 3; ++cy) {
                for (int cx = (extent.lo.x - margin) >> 3; cx <= (extent.hi.x + margin) >> 3; ++cx)
                    coords.push_back({cx, cy, cz});
            }
        }
    }
    grid.assign(coords);
    find_runs(sorted, x, grid);
    list_runs(grid.leaves.size());
}

void ProjectedLeaves::find_runs(const neighbors::LeafGrid& sorted, const Float4* x, mac::MacGrid& grid) {
    part_runs_.resize(parts_.size());
    parallel_for(parts_.size(), 16, [&](Range range) {
        for (const std::size_t k : range) {
            std::vector<Run>& runs = part_runs_[k];
            runs.clear();
            const Leaf& leaf = sorted.leaves()[parts_[k]];
            const std::uint32_t last = leaf.first + leaf.count;
            if (leaf.resolution == 0) {
                runs.push_back({static_cast<std::uint32_t>(grid.leaves.find(leaf.coord)), leaf.first, last, 1});
                continue;
            }
            const float h = sorted.resolutions().h[leaf.resolution];
            for (std::uint32_t p = leaf.first; p < last;) {
                const Vec3i coord = leaf_of(x[p].xyz());
                std::uint32_t end = p + 1;
                while (end < last && leaf_of(x[end].xyz()) == coord)
                    ++end;
                runs.push_back({static_cast<std::uint32_t>(grid.leaves.find(coord)), p, end, h * h * h});
                p = end;
            }
        }
    });
    runs_.clear();
    run_starts_.assign(sorted.leaves().size() + 1, 0);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        runs_.insert(runs_.end(), part_runs_[k].begin(), part_runs_[k].end());
        run_starts_[parts_[k] + 1] = static_cast<std::uint32_t>(part_runs_[k].size());
    }
    for (std::size_t l = 0; l + 1 < run_starts_.size(); ++l)
        run_starts_[l + 1] += run_starts_[l];
}

/// The runs of each leaf of the grid, in the order of the particles.
void ProjectedLeaves::list_runs(std::size_t leaves) {
    leaf_starts_.assign(leaves + 1, 0);
    for (const Run& run : runs_)
        leaf_starts_[run.leaf + 1] += 1;
    filled_.clear();
    buffer_of_.assign(leaves, -1);
    for (std::size_t l = 0; l < leaves; ++l) {
        if (leaf_starts_[l + 1] > 0) {
            buffer_of_[l] = static_cast<std::int32_t>(filled_.size());
            filled_.push_back(static_cast<std::uint32_t>(l));
        }
        leaf_starts_[l + 1] += leaf_starts_[l];
    }
    of_leaf_.resize(runs_.size());
    std::vector<std::uint32_t> next(leaf_starts_.begin(), leaf_starts_.end() - 1);
    for (std::size_t k = 0; k < runs_.size(); ++k)
        of_leaf_[next[runs_[k].leaf]++] = static_cast<std::uint32_t>(k);
}

void ProjectedLeaves::scatter(const Float4* x, const Float4* v, mac::MacGrid& grid) {
    const mac::TransferKernels kernels = mac::transfer_kernels();
    buffers_.renew(filled_.size() * mac::scatter_floats);
    parallel_for(filled_.size(), 4, [&](Range range) {
        for (const std::size_t k : range) {
            const std::size_t l = filled_[k];
            float* const buffer = buffers_.data() + k * mac::scatter_floats;
            std::fill(buffer, buffer + mac::scatter_floats, 0.f);
            mac::ScatterPass pass{.x = x,
                                  .v = v,
                                  .affine = nullptr,
                                  .corner = vec_cast<float>(grid.leaves.coord(l) * leaf_width),
                                  .per_cell = 1,
                                  .buffer = buffer};
            for (std::uint32_t n = leaf_starts_[l]; n < leaf_starts_[l + 1]; ++n) {
                const Run& run = runs_[of_leaf_[n]];
                pass.weight = run.weight;
                kernels.scatter(pass, run.first, run.last);
            }
        }
    });
    mac::CombinePass combine{};
    combine.buffers = buffers_.data();
    combine.buffer_of = buffer_of_.data();
    combine.leaves = &grid.leaves;
    for (int axis = 0; axis < 3; ++axis) {
        combine.velocity[axis] = grid.velocity[axis].leaf(std::size_t{0});
        combine.layer[axis] = grid.layer[axis].leaf(std::size_t{0});
    }
    parallel_for(grid.leaves.size() - 1, 8, [&](Range range) {
        for (const std::size_t k : range)
            kernels.combine(combine, k + 1);
    });
}

void ProjectedLeaves::measure(const Float4* x, mac::MacGrid& grid,
                              const std::function<const float*(std::size_t)>& tent) {
    const mac::GridKernels kernels = mac::grid_kernels();
    buffers_.renew(filled_.size() * mac::around_floats);
    parallel_for(filled_.size(), 4, [&](Range range) {
        for (const std::size_t k : range) {
            const std::size_t l = filled_[k];
            float* const buffer = buffers_.data() + k * mac::around_floats;
            std::fill(buffer, buffer + mac::around_floats, 0.f);
            mac::LeafPlace place{vec_cast<float>(grid.leaves.coord(l) * leaf_width), 1};
            for (std::uint32_t n = leaf_starts_[l]; n < leaf_starts_[l + 1]; ++n) {
                const Run& run = runs_[of_leaf_[n]];
                place.weight = run.weight;
                kernels.measure_filling(place, x, run.first, run.last, buffer);
            }
        }
    });
    const mac::AroundPass pass{.buffers = buffers_.data(),
                               .buffer_of = buffer_of_.data(),
                               .leaves = &grid.leaves,
                               .phi = grid.phi.leaf(std::size_t{0})};
    parallel_for(grid.leaves.size() - 1, 8, [&](Range range) {
        for (const std::size_t k : range) {
            kernels.combine_filling(pass, k + 1, mac::no_cells, tent(k + 1));
        }
    });
}

}  // namespace spindrift::pbf
