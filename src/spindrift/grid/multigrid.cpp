#include "spindrift/grid/multigrid.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "spindrift/grid/leaf_loops.h"

namespace spindrift::grid {

namespace {

/// Chebyshev's for the upper three quarters of the spectrum of Jacobi's method, 0.56 and 1.39, and a little more: the
/// top of the spectrum is all but empty. docs/decisions/0018.
constexpr float weights[2] = {0.62f, 1.5f};
/// With a weaker one alone: the others diverge by themselves.
constexpr float bottom_weight = 0.56f;
constexpr int bottom_sweeps = 20;
/// Cells along the longest side at which there is nothing left to coarsen.
constexpr int bottom_width = 2;
/// Of an aggregate at a surface, in couplings between full ones; measured. One side through the middles of cells has 4.
constexpr float most_excess_of_surfaces = 10;

/// Lowest and highest coordinates of leaves.
struct Extent {
    Vec3i low, high;
};

Extent extent_of(const LeafSet& leaves, const std::vector<std::int32_t>& active) {
    const Vec3i first = leaves.coord(static_cast<std::size_t>(active.front()));
    Extent extent{first, first};
    for (const std::int32_t leaf : active) {
        const Vec3i c = leaves.coord(static_cast<std::size_t>(leaf));
        extent = {min(extent.low, c), max(extent.high, c)};
    }
    return extent;
}

/// Halvings of a width in cells until there is nothing left to coarsen.
int halvings(std::int64_t width) {
    int count = 0;
    for (; width > bottom_width; width = (width + 1) / 2)
        ++count;
    return count;
}

}  // namespace

StencilView Multigrid::Level::view() const {
    const std::size_t zero = 0;
    return {active.data(),
            leaves->neighbors(0),
            {matrix->coupling.x.leaf(zero), matrix->coupling.y.leaf(zero), matrix->coupling.z.leaf(zero)},
            matrix->diagonal.leaf(zero),
            inverse.leaf(zero)};
}

void Multigrid::set_up(const LeafSet& leaves, const Stencil& stencil, Excess excess) {
    levels_[0].leaves = &leaves;
    levels_[0].matrix = &stencil;
    level_count_ = 1;
    survey();
    if (levels_[0].active.empty()) return;
    const auto [low, high] = extent_of(leaves, levels_[0].active);
    const Vec3i size = high - low;
    const int coarser = halvings((std::int64_t{std::max({size.x, size.y, size.z})} + 1) * leaf_width);
    // Aggregates are those of the Z-curve, wherever the liquid begins: each knows its leaves by their keys alone.
    const Vec3i origin{low.x >> coarser << coarser, low.y >> coarser << coarser, low.z >> coarser << coarser};
    float most_excess = std::numeric_limits<float>::infinity();
    const float largest = *std::max_element(largest_.begin(), largest_.end());
    if (excess == Excess::surface && largest > 0) most_excess = most_excess_of_surfaces * largest;
    for (int k = 0; k < coarser; ++k) {
        most_excess *= 2;
        coarsen(level_count_ - 1, k == 0 ? origin : Vec3i{}, most_excess);
        ++level_count_;
    }
    Level& bottom = levels_[level_count_ - 1];
    bottom.scratch.resize(bottom.leaves->size(), 0.f);
}

void Multigrid::clear_idle(Field<float>& field) const {
    for_leaves(bits_.size() - 1, [&](Range range) {
        for (const std::size_t k : range) {
            if (!(bits_[k + 1] & has_unknowns)) std::fill_n(field.leaf(k + 1), leaf_cells, 0.f);
        }
    });
}

void Multigrid::survey() {
    Level& finest = levels_[0];
    finest.inverse.resize(finest.leaves->size(), 0.f);
    bits_.assign(finest.leaves->size(), 0);
    largest_.assign(finest.leaves->size(), 0.f);
    std::vector<std::int32_t>& active = finest.active;
    active.resize(finest.leaves->size() - 1);
    std::iota(active.begin(), active.end(), 1);
    const SurveyPass pass{finest.view(), finest.inverse.leaf(std::size_t{0}), bits_.data(), largest_.data()};
    const StencilKernels kernels = stencil_kernels();
    for_leaves(active.size(), [&](Range r) { kernels.survey(pass, r.first, r.last); });
    std::erase_if(active, [&](std::int32_t leaf) { return !(bits_[static_cast<std::size_t>(leaf)] & has_unknowns); });
}

void Multigrid::coarsen(std::size_t fine_index, Vec3i low, float most_excess) {
    if (levels_.size() == fine_index + 1) levels_.emplace_back();
    Level &fine = levels_[fine_index], &coarse = levels_[fine_index + 1];
    const std::size_t zero = 0;
    fine.scratch.resize(fine.leaves->size(), 0.f);
    if (fine_index == 0) clear_idle(fine.scratch);
    const auto coord_of = [&](std::int32_t leaf) { return fine.leaves->coord(static_cast<std::size_t>(leaf)) - low; };
    coords_.clear();
    for (const std::int32_t leaf : fine.active) {
        const Vec3i c = coord_of(leaf), parent{c.x >> 1, c.y >> 1, c.z >> 1};
        if (coords_.empty() || coords_.back() != parent) coords_.push_back(parent);
    }
    coarse.own_leaves.assign(coords_);
    coarse.leaves = &coarse.own_leaves;
    coarse.matrix = &coarse.own;
    const std::size_t size = coarse.leaves->size();
    coarse.own.resize(size);
    for (Field<float>* field : {&coarse.own.coupling.x, &coarse.own.coupling.y, &coarse.own.coupling.z,
                                &coarse.own.diagonal, &coarse.inverse, &coarse.r, &coarse.x}) {
        field->resize(size, 0.f);
        field->fill(0.f);
    }
    coarse.active.resize(size - 1);
    std::iota(coarse.active.begin(), coarse.active.end(), 1);

    fine.parents.assign(fine.leaves->size(), 0);
    fine.corners.assign(fine.leaves->size(), 0);
    for (const std::int32_t leaf : fine.active) {
        const Vec3i c = coord_of(leaf);
        const auto at = static_cast<std::size_t>(leaf);
        fine.parents[at] = coarse.leaves->find({c.x >> 1, c.y >> 1, c.z >> 1});
        fine.corners[at] = static_cast<std::uint16_t>(4 * cell_index(c.x & 1, c.y & 1, c.z & 1));
    }
    const StencilKernels kernels = stencil_kernels();
    AxisFields<float>& coupling = coarse.own.coupling;
    const CoarsenPass sums{fine.view(),
                           fine.parents.data(),
                           fine.corners.data(),
                           {coupling.x.leaf(zero), coupling.y.leaf(zero), coupling.z.leaf(zero)},
                           coarse.own.diagonal.leaf(zero)};
    for_leaves(fine.active.size(), [&](Range r) { kernels.coarsen(sums, r.first, r.last); });
    const FinishPass rest{coarse.view(), coarse.own.diagonal.leaf(zero), coarse.inverse.leaf(zero), most_excess};
    for_leaves(coarse.active.size(), [&](Range r) { kernels.finish(rest, r.first, r.last); });
}

double Multigrid::apply(const Field<float>& r, Field<float>& z) {
    std::vector<double> sums(levels_[0].active.size());
    if (!sums.empty()) cycle(0, r, z, sums.data());
    return sum_numbers(levels_[0].leaves->ranks(), sums);
}

void Multigrid::cycle(std::size_t index, const Field<float>& r, Field<float>& x, double* sums) {
    Level& level = levels_[index];
    if (index + 1 == level_count_) return solve_bottom(level, r, x, sums);
    Level& coarse = levels_[index + 1];
    const std::size_t zero = 0, count = level.active.size();
    const StencilKernels kernels = stencil_kernels();
    const StencilView view = level.view();
    const auto sweep = [&](const Field<float>* in, Field<float>& out, float weight, double* products) {
        const SweepPass pass{view, in ? in->leaf(zero) : nullptr, r.leaf(zero), out.leaf(zero), weight};
        for_leaves(count, [&](Range range) { kernels.sweep(pass, range.first, range.last, products); });
        refresh(*level.leaves, out);
    };
    sweep(nullptr, level.scratch, weights[0], nullptr);
    sweep(&level.scratch, x, weights[1], nullptr);
    float* const a = x.leaf(zero);
    const std::int32_t* parents = level.parents.data();
    const std::uint16_t* corners = level.corners.data();
    const TransferPass down{view, parents, corners, r.leaf(zero), a, coarse.r.leaf(zero)};
    for_leaves(count, [&](Range range) { kernels.restrict_residual(down, range.first, range.last); });
    cycle(index + 1, coarse.r, coarse.x, nullptr);
    const TransferPass up{view, parents, corners, r.leaf(zero), a, coarse.x.leaf(zero)};
    for_leaves(count, [&](Range range) { kernels.prolong(up, range.first, range.last); });
    refresh(*level.leaves, x);
    sweep(&x, level.scratch, weights[1], nullptr);
    sweep(&level.scratch, x, weights[0], sums);
}

void Multigrid::solve_bottom(Level& level, const Field<float>& r, Field<float>& x, double* sums) {
    const std::size_t zero = 0, count = level.active.size();
    const StencilKernels kernels = stencil_kernels();
    SweepPass pass{level.view(), nullptr, r.leaf(zero), level.scratch.leaf(zero), bottom_weight};
    for (int k = 0; k < bottom_sweeps; ++k) {
        double* const products = k + 1 == bottom_sweeps ? sums : nullptr;
        for_leaves(count, [&](Range range) { kernels.sweep(pass, range.first, range.last, products); });
        pass.in = pass.out;
        pass.out = k % 2 == 0 ? x.leaf(zero) : level.scratch.leaf(zero);
    }
}

}  // namespace spindrift::grid
