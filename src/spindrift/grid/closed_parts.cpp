#include "spindrift/grid/closed_parts.h"

#include <numeric>
#include <utility>

#include "spindrift/core/exact_sum.h"
#include "spindrift/grid/stencil_kernels.h"

namespace spindrift::grid {

namespace {

/// Of the diagonal: more than rounding makes of a sum of six.
constexpr double beyond_rounding = 2e-6;

/// Groups of leaves that hang together, by the smallest leaf in each.
class Groups {
  public:
    explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
    std::size_t find(std::size_t a) {
        while (parent_[a] != a)
            a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    void join(std::size_t a, std::size_t b) {
        a = find(a), b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::size_t> parent_;
};

/// For each leaf, whether its group has no excess anywhere.
std::vector<bool> closed_leaves(const LeafSet& leaves, const std::vector<std::int32_t>& active,
                                const std::vector<std::uint8_t>& bits) {
    constexpr int lower[3] = {neighbor_index(-1, 0, 0), neighbor_index(0, -1, 0), neighbor_index(0, 0, -1)};
    Groups groups(leaves.size());
    for (const std::int32_t leaf : active) {
        const auto l = static_cast<std::size_t>(leaf);
        for (int axis = 0; axis < 3; ++axis) {
            const auto other = static_cast<std::size_t>(leaves.neighbors(l)[lower[axis]]);
            if (other != 0 && (bits[l] & joins_low_x << axis)) groups.join(l, other);
        }
    }
    std::vector<bool> closed(leaves.size(), true);
    for (const std::int32_t leaf : active) {
        const auto l = static_cast<std::size_t>(leaf);
        if (bits[l] & has_excess) closed[groups.find(l)] = false;
    }
    for (const std::int32_t leaf : active) {
        const auto l = static_cast<std::size_t>(leaf);
        closed[l] = closed[groups.find(l)];
    }
    return closed;
}

}  // namespace

void ClosedParts::find(const LeafSet& leaves, const Stencil& stencil, const std::vector<std::int32_t>& active,
                       const std::vector<std::uint8_t>& bits, Search search) {
    parts_.clear();
    std::vector<std::int32_t> where = active;
    if (search == Search::groups) {
        const std::vector<bool> closed = closed_leaves(leaves, active, bits);
        std::erase_if(where, [&](std::int32_t leaf) { return !closed[static_cast<std::size_t>(leaf)]; });
    }
    if (where.empty()) return;
    seen_.resize(leaves.size(), 1);
    seen_.fill(0);
    for (const std::int32_t leaf : where) {
        for (std::int32_t cell = 0; cell < leaf_cells; ++cell) {
            if (seen_.leaf(leaf)[cell] || !(stencil.diagonal.leaf(leaf)[cell] > 0)) continue;
            Part part;
            if (flood(leaves, stencil, {leaf, cell}, part)) parts_.push_back(std::move(part));
        }
    }
}

bool ClosedParts::flood(const LeafSet& leaves, const Stencil& stencil, Cell from, Part& part) {
    bool closed = true;
    part.push_back(from);
    seen_.leaf(from.leaf)[from.cell] = 1;
    for (std::size_t k = 0; k < part.size(); ++k) {
        const Cell here = part[k];
        const auto leaf = static_cast<std::size_t>(here.leaf);
        const Vec3i at{here.cell & 7, here.cell >> 3 & 7, here.cell >> 6};
        double sum = 0;
        for (int side = 0; side < 6; ++side) {
            const int axis = side / 2;
            Vec3i other = at;
            other[axis] += side % 2 == 0 ? -1 : 1;
            const float coupling = stencil.coupling[axis].near(leaves, leaf, side % 2 == 0 ? at : other);
            sum += double{coupling};
            if (coupling == 0) continue;
            const std::int32_t next = leaves.neighbors(leaf)[neighbor_index(other.x >> 3, other.y >> 3, other.z >> 3)];
            const std::int32_t cell = cell_index(other.x & 7, other.y & 7, other.z & 7);
            if (next == 0 || std::exchange(seen_.leaf(next)[cell], std::uint8_t{1})) continue;
            part.push_back({next, cell});
        }
        const double diagonal = double{stencil.diagonal.leaf(leaf)[here.cell]};
        if (diagonal - sum > beyond_rounding * diagonal) closed = false;
    }
    return closed;
}

template <class T>
void ClosedParts::take_means(Field<T>& values) const {
    for (const Part& part : parts_) {
        ExactSum sum;
        for (const Cell c : part)
            sum.add(static_cast<double>(values.leaf(c.leaf)[c.cell]));
        const T mean = static_cast<T>(sum.value() / static_cast<double>(part.size()));
        for (const Cell c : part)
            values.leaf(c.leaf)[c.cell] -= mean;
    }
}
template void ClosedParts::take_means(Field<float>&) const;
template void ClosedParts::take_means(Field<double>&) const;

void ClosedParts::mark(std::size_t part, Field<float>& values, float value) const {
    for (const Cell c : parts_[part])
        values.leaf(c.leaf)[c.cell] = value;
}

}  // namespace spindrift::grid
