#include "spindrift/neighbors/list_kernels.h"

#include "spindrift/core/simd.h"

namespace spindrift::neighbors::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;

struct Run {
    std::uint32_t first, last;
};

/// Bounds of a cluster's particles.
struct Bounds {
    float lo[3], hi[3];
};

/// Slack on bounds against rounding; far below any spacing, far above the error of a coordinate below 2^13 cells.
constexpr float slack = 1e-3f;

SPINDRIFT_INLINE int floor_int(float a) {
    const int truncated = static_cast<int>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

SPINDRIFT_INLINE float positive(float a) {
    return a > 0 ? a : 0;
}

SPINDRIFT_INLINE Bounds bounds_of(const Float4* x, const Cluster& c) {
    __m128 lo = _mm_load_ps(&x[c.first].x), hi = lo;
    for (std::uint32_t k = 1; k < c.count; ++k) {
        const __m128 p = _mm_load_ps(&x[c.first + k].x);
        lo = _mm_min_ps(lo, p);
        hi = _mm_max_ps(hi, p);
    }
    alignas(16) float low[4], high[4];
    _mm_store_ps(low, lo);
    _mm_store_ps(high, hi);
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/// Distance of the interval [cell, cell + 1] from [lo, hi].
SPINDRIFT_INLINE float row_distance(int cell, float lo, float hi) {
    const auto c = static_cast<float>(cell);
    return positive(c - hi > lo - (c + 1) ? c - hi : lo - (c + 1));
}

/// A row of a leaf beside a row of clusters, or a whole leaf that has no table.
struct Segment {
    const std::uint32_t* starts;  ///< of the row's quarter cells; nullptr for a whole leaf
    Run whole;
    int base;     ///< first quarter cell
    float reach;  ///< how far along the row a neighbour can be
};

/// At most nine rows, or sixteen where particles have moved since the sort, each in at most three leaves.
constexpr int most_segments = 96;

SPINDRIFT_INLINE int add_leaf_segments(const GridView& grid, const Leaf& leaf, const Bounds& b, Segment* segments,
                                       int count) {
    if (leaf.table < 0) {
        segments[count++] = {nullptr, {leaf.first, leaf.first + leaf.count}, 0, 0};
        return count;
    }
    const std::uint32_t* table = grid.table(leaf);
    const int base_x = leaf.coord.x * row_steps, base_y = leaf.coord.y * leaf_width, base_z = leaf.coord.z * leaf_width;
    const float y_lo = b.lo[1] - leaf.moved, y_hi = b.hi[1] + leaf.moved;
    const float z_lo = b.lo[2] - leaf.moved, z_hi = b.hi[2] + leaf.moved;
    const auto clamp = [](int a) { return a < 0 ? 0 : a > leaf_width - 1 ? leaf_width - 1 : a; };
    const int y0 = clamp(floor_int(y_lo - 1) - base_y), y1 = clamp(floor_int(y_hi + 1) - base_y);
    const int z0 = clamp(floor_int(z_lo - 1) - base_z), z1 = clamp(floor_int(z_hi + 1) - base_z);
    for (int z = z0; z <= z1; ++z) {
        const float dz = row_distance(base_z + z, z_lo, z_hi);
        for (int y = y0; y <= y1; ++y) {
            const float dy = row_distance(base_y + y, y_lo, y_hi);
            const float reach2 = 1 + slack - dy * dy - dz * dz;
            if (reach2 <= 0) continue;
            const float reach = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(reach2))) + slack + leaf.moved;
            segments[count++] = {table + (z * leaf_width + y) * row_steps, {0, 0}, base_x, reach};
        }
    }
    return count;
}

/// Everything near a row of clusters with these bounds.
SPINDRIFT_INLINE int find_segments(const GridView& grid, std::uint32_t leaf_index, const Bounds& b, Segment* segments) {
    const Leaf& leaf = grid.leaves[leaf_index];
    const int own[3] = {leaf.coord.x, leaf.coord.y, leaf.coord.z};
    int from[3], to[3];
    for (int a = 0; a < 3; ++a) {
        constexpr float reach = 1 + slack + largest_move;
        from[a] = (floor_int(b.lo[a] - reach) >> 3) - own[a];
        to[a] = (floor_int(b.hi[a] + reach) >> 3) - own[a];
    }
    int count = 0;
    for (int dz = from[2]; dz <= to[2]; ++dz) {
        for (int dy = from[1]; dy <= to[1]; ++dy) {
            for (int dx = from[0]; dx <= to[0]; ++dx) {
                const std::int32_t other =
                    grid.neighbors[std::size_t{27} * leaf_index +
                                   static_cast<std::size_t>((dz + 1) * 9 + (dy + 1) * 3 + dx + 1)];
                if (other >= 0) count = add_leaf_segments(grid, grid.leaves[other], b, segments, count);
            }
        }
    }
    return count;
}

/// The parts of the segments that can hold a neighbour of a cluster with these bounds.
SPINDRIFT_INLINE int candidate_runs(const Segment* segments, int segment_count, const Bounds& b, Run* runs) {
    int count = 0;
    for (int k = 0; k < segment_count; ++k) {
        const Segment& s = segments[k];
        if (!s.starts) {
            runs[count++] = s.whole;
            continue;
        }
        int x0 = floor_int(4 * (b.lo[0] - s.reach)) - s.base, x1 = floor_int(4 * (b.hi[0] + s.reach)) - s.base;
        x0 = x0 < 0 ? 0 : x0 > row_steps ? row_steps : x0;
        x1 = x1 < -1 ? -1 : x1 > row_steps - 1 ? row_steps - 1 : x1;
        runs[count] = {s.starts[x0], s.starts[x1 + 1]};
        count += runs[count].first < runs[count].last;
    }
    return count;
}

constexpr int most_in_row = 16;

/// Clusters that lie in one row of cells of one leaf, at most most_in_row.
struct ClusterRow {
    Bounds bounds[most_in_row];
    Bounds all;
    int size = 1;

    SPINDRIFT_INLINE ClusterRow(const Float4* x, const Cluster* first, const Cluster* last) {
        all = bounds[0] = bounds_of(x, *first);
        for (; first + size != last && size < most_in_row && first[size].leaf == first->leaf; ++size) {
            const Bounds b = bounds_of(x, first[size]);
            const bool same_row =
                floor_int(b.lo[1]) == floor_int(all.lo[1]) && floor_int(b.lo[2]) == floor_int(all.lo[2]);
            if (!same_row) return;
            bounds[size] = b;
            for (int a = 0; a < 3; ++a) {
                all.lo[a] = all.lo[a] < b.lo[a] ? all.lo[a] : b.lo[a];
                all.hi[a] = all.hi[a] > b.hi[a] ? all.hi[a] : b.hi[a];
            }
        }
    }
};

/// Which of eight particles are within h of the bounds, one bit each.
SPINDRIFT_INLINE int near_bounds(const F8x4& p, const Bounds& b) {
    const auto outside = [](F8 x, float lo, float hi) { return max(max(F8(lo) - x, x - F8(hi)), F8(0.f)); };
    const F8 dx = outside(p.x, b.lo[0], b.hi[0]), dy = outside(p.y, b.lo[1], b.hi[1]),
             dz = outside(p.z, b.lo[2], b.hi[2]);
    return mask(fmadd(dx, dx, fmadd(dy, dy, dz * dz)) < F8(1.f));
}

/// Whether a particle is within h of any of the eight.
SPINDRIFT_INLINE bool is_near(const F8x4& i, const Float4* j) {
    const F8 dx = i.x - broadcast(&j->x), dy = i.y - broadcast(&j->y), dz = i.z - broadcast(&j->z);
    return mask(fmadd(dx, dx, fmadd(dy, dy, dz * dz)) < F8(1.f)) != 0;
}

/// Candidates on their way to the list, a few hundred at a time.
constexpr std::uint32_t waiting_capacity = 256;

/// Appends the candidates within h of any of the eight: written first, counted only if kept.
SPINDRIFT_INLINE std::uint32_t keep_near(const F8x4& i, const Float4* x, const std::uint32_t* waiting,
                                         std::uint32_t count, std::uint32_t* list, std::uint32_t size) {
    for (std::uint32_t k = 0; k < count; ++k) {
        list[size] = waiting[k];
        size += is_near(i, x + waiting[k]);
    }
    return size;
}

/// The particles of the runs within h of any of the cluster's: those near its bounds, eight at a time, then one by one.
SPINDRIFT_INLINE std::uint32_t search_runs(const Float4* x, const Cluster& c, const Bounds& b, const Run* runs,
                                           int run_count, std::uint32_t* list) {
    const F8x4 i = load_groups(&x[c.first].x, static_cast<int>(c.count));
    std::uint32_t waiting[waiting_capacity + 8];
    std::uint32_t waiting_count = 0, size = 0;
    for (int r = 0; r < run_count; ++r) {
        for (std::uint32_t j = runs[r].first; j < runs[r].last; j += 8) {
            const std::uint32_t left = runs[r].last - j;
            const int lanes = left < 8 ? (1 << left) - 1 : 255;
            waiting_count += append_set(waiting + waiting_count, j, near_bounds(load_groups(&x[j].x, 8), b) & lanes);
            if (waiting_count > waiting_capacity - 8) {
                size = keep_near(i, x, waiting, waiting_count, list, size);
                waiting_count = 0;
            }
        }
    }
    return keep_near(i, x, waiting, waiting_count, list, size);
}

void build_lists(const ListKernelInput& input, Cluster* first, Cluster* last, ClusterLists::Output& output) {
    Segment segments[most_segments];
    Run runs[most_segments];
    for (Cluster* c = first; c != last;) {
        const ClusterRow row(input.x, c, last);
        const int segment_count = find_segments(input.grid, c->leaf, row.all, segments);
        for (int k = 0; k < row.size; ++k, ++c) {
            const int run_count = candidate_runs(segments, segment_count, row.bounds[k], runs);
            std::uint32_t candidates = 4;
            for (int r = 0; r < run_count; ++r)
                candidates += runs[r].last - runs[r].first;
            if (output.used + candidates > output.capacity) ClusterLists::refill(output, candidates);

            std::uint32_t* list = output.data + output.used;
            std::uint32_t size = search_runs(input.x, *c, row.bounds[k], runs, run_count, list);
            while (size % 4 != 0)
                list[size++] = input.far_particle;
            c->list = output.base + output.used;
            c->list_size = size;
            output.used += size;
        }
    }
}

}  // namespace

ListKernels list_kernels() {
    return {build_lists};
}

}  // namespace spindrift::neighbors::SPINDRIFT_ISA_NAMESPACE
