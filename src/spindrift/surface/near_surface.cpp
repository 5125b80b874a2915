#include "spindrift/surface/near_surface.h"

#include <algorithm>
#include <array>

#include "spindrift/surface/band.h"

namespace spindrift::surface {

namespace {

using neighbors::GridView;
using neighbors::Leaf;
using neighbors::leaf_width;
using neighbors::row_steps;

/// Most particles that are looked at around a group, some twenty times what is there. More are a heap in one place, as
/// broken files have; what it looks like does not matter, but time must not grow with its square.
constexpr std::size_t most_near = 1 << 14;

constexpr int padded = leaf_width + 2;

/// For each row of a leaf, a bit per cell.
using LeafMask = std::array<std::uint8_t, leaf_width * leaf_width>;

bool is_full(const GridView& view, const Leaf& leaf, Vec3i cell) {
    const std::uint32_t* row = view.table(leaf) + (cell.z * leaf_width + cell.y) * row_steps + 4 * cell.x;
    return row[4] - row[0] >= static_cast<std::uint32_t>(full_cell);
}

/// Which of the ten cells of a padded row are full, lowest bit first. Leaves without a table hold too few to be full.
std::uint32_t full_in_row(const GridView& view, const std::int32_t* around, int y, int z) {
    const auto leaf_step = [](int a) { return a < 0 ? 0 : a < leaf_width ? 1 : 2; };
    const std::int32_t* leaves = around + 9 * leaf_step(z) + 3 * leaf_step(y);
    const int inner_y = y & (leaf_width - 1), inner_z = z & (leaf_width - 1);
    std::uint32_t bits = 0;
    for (int x = -1; x <= leaf_width; ++x) {
        const std::int32_t other = leaves[leaf_step(x)];
        if (other < 0 || view.leaves[other].table < 0) continue;
        const Vec3i cell{x & (leaf_width - 1), inner_y, inner_z};
        if (is_full(view, view.leaves[other], cell)) bits |= 1u << (x + 1);
    }
    return bits;
}

/// Cells of a leaf that are not inside.
LeafMask near_cells(const GridView& view, std::size_t leaf) {
    LeafMask near;
    near.fill(0xff);
    if (view.leaves[leaf].table < 0) return near;
    std::uint32_t full[padded][padded];
    for (int z = 0; z < padded; ++z) {
        for (int y = 0; y < padded; ++y) {
            const std::uint32_t bits = full_in_row(view, view.neighbors + 27 * leaf, y - 1, z - 1);
            full[z][y] = bits & bits >> 1 & bits >> 2;
        }
    }
    for (int z = 0; z < leaf_width; ++z) {
        for (int y = 0; y < leaf_width; ++y) {
            std::uint32_t inside = 0xff;
            for (int k = 0; k < 9; ++k)
                inside &= full[z + k / 3][y + k % 3];
            near[static_cast<std::size_t>(z * leaf_width + y)] = static_cast<std::uint8_t>(~inside);
        }
    }
    return near;
}

/// Calls f(first, last) for the particles of a leaf in marked cells.
template <class F>
void for_marked(const GridView& view, const Leaf& leaf, const LeafMask& mask, const F& f) {
    if (leaf.table < 0) return f(leaf.first, leaf.first + leaf.count);
    for (std::size_t row = 0; row < mask.size(); ++row) {
        const std::uint32_t* starts = view.table(leaf) + row * row_steps;
        for (int x = 0; x < leaf_width; ++x) {
            if (mask[row] >> x & 1) f(starts[4 * x], starts[4 * x + 4]);
        }
    }
}

}  // namespace

std::vector<std::uint32_t> particles_near_surface(const neighbors::ParticleCells& cells) {
    const GridView view = cells.grid().view();
    const std::size_t leaves = cells.grid().leaves().size();
    std::vector<LeafMask> masks(leaves);
    std::vector<std::size_t> starts(leaves + 1, 0);
    parallel_for(leaves, 16, [&](Range range) {
        for (const std::size_t leaf : range) {
            masks[leaf] = near_cells(view, leaf);
            for_marked(view, view.leaves[leaf], masks[leaf],
                       [&](std::uint32_t first, std::uint32_t last) { starts[leaf + 1] += last - first; });
        }
    });
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
        starts[leaf + 1] += starts[leaf];
    std::vector<std::uint32_t> near(starts[leaves]);
    parallel_for(leaves, 16, [&](Range range) {
        for (const std::size_t leaf : range) {
            std::size_t at = starts[leaf];
            for_marked(view, view.leaves[leaf], masks[leaf], [&](std::uint32_t first, std::uint32_t last) {
                while (first < last)
                    near[at++] = first++;
            });
        }
    });
    return near;
}

Group group_at(const neighbors::ParticleCells& cells, const std::vector<std::uint32_t>& list, std::size_t first,
               std::size_t last) {
    Group group;
    group.first = first;
    group.of_class = cells.class_of(cells.liquid(list[first]));
    // A little more than a cell, so that a cell's eight particles are one group although they are not ordered along y
    // and z.
    const float widest = 1.05f * cells.cell(group.of_class);
    Box3f box{cells.x()[list[first]].xyz(), cells.x()[list[first]].xyz()};
    for (std::size_t i = first; i < std::min(last, first + 8); ++i) {
        const Vec3f p = cells.x()[list[i]].xyz();
        box = {min(box.lo, p), max(box.hi, p)};
        const Vec3f size = box.size();
        if (std::max({size.x, size.y, size.z}) > widest) break;
        if (cells.class_of(cells.liquid(list[i])) != group.of_class) break;
        for (int lane = group.count++; lane < 8; ++lane) {
            group.points.x[lane] = p.x;
            group.points.y[lane] = p.y;
            group.points.z[lane] = p.z;
        }
    }
    return group;
}

IndexList Gatherer::around(const Points8& points, float radius, int of_class) {
    Box3f box{{points.x[0], points.y[0], points.z[0]}, {points.x[0], points.y[0], points.z[0]}};
    for (int lane = 1; lane < 8; ++lane) {
        const Vec3f p{points.x[lane], points.y[lane], points.z[lane]};
        box = {min(box.lo, p), max(box.hi, p)};
    }
    std::size_t count = 0;
    cells_->for_runs(box, radius, of_class, [&](std::size_t first, std::size_t last) {
        last = std::min(last, first + most_near - std::min(count, most_near));
        if (first == last) return;
        // Culling writes eight at a time.
        if (near_.size() < count + (last - first) + 8) near_.resize(2 * (count + (last - first)) + 8);
        const Run run{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
        count += kernels_.cull(cells_->x(), run, box, radius, near_.data() + count);
    });
    return {near_.data(), count};
}

}  // namespace spindrift::surface
