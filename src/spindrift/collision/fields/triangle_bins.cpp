#include "spindrift/collision/fields/triangle_bins.h"

#include "spindrift/collision/fields/triangle_distance.h"
#include "spindrift/core/interruption.h"

namespace spindrift::collision {

namespace {

struct Entry {
    std::uint32_t block, triangle;
};

/// Walks down from the blocks around a triangle to those it passes through.
struct BlockWalk {
    const CellMesh& mesh;
    TriangleBins& bins;
    std::vector<Entry>& entries;
    OftenInterruptible& ask;
    std::uint32_t triangle;

    /// Blocks from `lo` up to, not including, `hi`.
    void visit(Vec3i lo, Vec3i hi) {
        const Vec3f size = vec_cast<float>(hi - lo) * static_cast<float>(brick_cells);
        const Vec3f center = vec_cast<float>(lo) * static_cast<float>(brick_cells) + size * 0.5f;
        const double radius = 0.5 * length(vec_cast<double>(size)) + 1e-3;
        if (distance_to(center) > radius * radius) return;
        const Vec3i count = hi - lo;
        const int axis = count.x >= count.y && count.x >= count.z ? 0 : count.y >= count.z ? 1 : 2;
        if (count[axis] == 1) {
            entries.push_back({static_cast<std::uint32_t>(bins.index(lo)), triangle});
            ask();
            return;
        }
        Vec3i middle_hi = hi, middle_lo = lo;
        middle_hi[axis] = middle_lo[axis] = lo[axis] + count[axis] / 2;
        visit(lo, middle_hi);
        visit(middle_lo, hi);
    }

    double distance_to(Vec3f p) const {
        return squared_distance(p, mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2));
    }
};

Vec3i block_at(Vec3f p, Vec3i bricks) {
    const Vec3i block = vec_cast<std::int32_t>(p / static_cast<float>(brick_cells));
    return max(Vec3i{}, min(block, bricks - Vec3i{1, 1, 1}));
}

}  // namespace

TriangleBins bin_triangles(const CellMesh& mesh, Vec3i bricks, const std::vector<std::uint8_t>& wanted) {
    TriangleBins bins{bricks, {}, {}};
    std::vector<Entry> entries;
    entries.reserve(mesh.discs.size() * 2);
    OftenInterruptible ask;
    for (std::uint32_t t = 0; t < mesh.discs.size(); ++t) {
        if (!wanted[t]) continue;
        const Vec3f a = mesh.corner(t, 0), b = mesh.corner(t, 1), c = mesh.corner(t, 2);
        BlockWalk walk{mesh, bins, entries, ask, t};
        walk.visit(block_at(min(a, min(b, c)), bricks), block_at(max(a, max(b, c)), bricks) + Vec3i{1, 1, 1});
    }
    SPINDRIFT_CHECK(entries.size() < (std::size_t{1} << 32));
    const std::size_t blocks =
        static_cast<std::size_t>(bricks.x) * static_cast<std::size_t>(bricks.y) * static_cast<std::size_t>(bricks.z);
    bins.first.assign(blocks + 1, 0);
    for (const Entry& entry : entries)
        ++bins.first[entry.block + 1];
    for (std::size_t b = 0; b < blocks; ++b)
        bins.first[b + 1] += bins.first[b];
    bins.triangle.resize(entries.size());
    // From the back, so that each block's start comes down to where it was and triangles stay in order.
    for (std::size_t i = entries.size(); i-- > 0;)
        bins.triangle[--bins.first[entries[i].block + 1]] = entries[i].triangle;
    // Now first[b + 1] is where block b starts: shift.
    for (std::size_t b = 0; b < blocks; ++b)
        bins.first[b] = bins.first[b + 1];
    bins.first[blocks] = static_cast<std::uint32_t>(entries.size());
    return bins;
}

std::vector<std::size_t> blocks_near(const TriangleBins& bins, float reach) {
    const int ring = static_cast<int>(reach / brick_cells) + 1;
    const std::size_t blocks = bins.first.size() - 1;
    std::vector<std::uint8_t> near(blocks, 0);
    OftenInterruptible ask;
    for (std::size_t b = 0; b < blocks; ++b) {
        if (bins.in(b).empty()) continue;
        ask();
        const Vec3i center = bins.block(b);
        const Vec3i lo = max(Vec3i{}, center - Vec3i{ring, ring, ring});
        const Vec3i hi = min(bins.bricks - Vec3i{1, 1, 1}, center + Vec3i{ring, ring, ring});
        for (int z = lo.z; z <= hi.z; ++z) {
            for (int y = lo.y; y <= hi.y; ++y) {
                const std::size_t row = bins.index({0, y, z});
                std::fill(near.begin() + static_cast<std::ptrdiff_t>(row) + lo.x,
                          near.begin() + static_cast<std::ptrdiff_t>(row) + hi.x + 1, std::uint8_t{1});
            }
        }
    }
    std::vector<std::size_t> list;
    for (std::size_t b = 0; b < blocks; ++b) {
        if (near[b]) list.push_back(b);
    }
    return list;
}

}  // namespace spindrift::collision
