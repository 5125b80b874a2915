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
struct RowSegment {
    const std::uint32_t* starts;  ///< of the row's quarter cells; nullptr for a whole leaf
    Run whole;
    int base;     ///< first quarter cell
    float reach;  ///< how far along the row a neighbour can be, in cells
};

/// At most nine rows, or sixteen where particles have moved since the sort, each in at most three leaves.
constexpr int most_segments = 96;
/// The same over all other classes: finer ones have many rows. Where they are more, whole leaves are searched.
constexpr int most_cross_segments = 1024;

SPINDRIFT_INLINE Bounds scaled(const Bounds& b, float s) {
    return {{b.lo[0] * s, b.lo[1] * s, b.lo[2] * s}, {b.hi[0] * s, b.hi[1] * s, b.hi[2] * s}};
}

/// The rows of a leaf within `radius` of the bounds; all in cells of the leaf.
SPINDRIFT_INLINE int add_leaf_segments(const GridView& grid, const Leaf& leaf, const Bounds& b, float radius,
                                       RowSegment* segments, int count) {
    if (leaf.table < 0) {
        segments[count++] = {nullptr, {leaf.first, leaf.first + leaf.count}, 0, 0};
        return count;
    }
    const std::uint32_t* table = grid.table(leaf);
    const int base_x = leaf.coord.x * row_steps, base_y = leaf.coord.y * leaf_width, base_z = leaf.coord.z * leaf_width;
    const float y_lo = b.lo[1] - leaf.moved, y_hi = b.hi[1] + leaf.moved;
    const float z_lo = b.lo[2] - leaf.moved, z_hi = b.hi[2] + leaf.moved;
    const auto clamp = [](int a) { return a < 0 ? 0 : a > leaf_width - 1 ? leaf_width - 1 : a; };
    const int y0 = clamp(floor_int(y_lo - radius) - base_y), y1 = clamp(floor_int(y_hi + radius) - base_y);
    const int z0 = clamp(floor_int(z_lo - radius) - base_z), z1 = clamp(floor_int(z_hi + radius) - base_z);
    for (int z = z0; z <= z1; ++z) {
        const float dz = row_distance(base_z + z, z_lo, z_hi);
        for (int y = y0; y <= y1; ++y) {
            const float dy = row_distance(base_y + y, y_lo, y_hi);
            const float reach2 = radius * radius + slack - dy * dy - dz * dz;
            if (reach2 <= 0) continue;
            const float reach = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(reach2))) + slack + leaf.moved;
            segments[count++] = {table + (z * leaf_width + y) * row_steps, {0, 0}, base_x, reach};
        }
    }
    return count;
}

/// Everything of the same class near a row of clusters with these bounds, in cells.
SPINDRIFT_INLINE int find_segments(const GridView& grid, std::uint32_t leaf_index, const Bounds& b,
                                   RowSegment* segments) {
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
                if (other >= 0) count = add_leaf_segments(grid, grid.leaves[other], b, 1, segments, count);
            }
        }
    }
    return count;
}

/// The rows of one other class near a row of clusters.
struct CrossRows {
    std::uint32_t resolution;
    float h;          ///< the larger of the two radii
    float cells;      ///< of that class, per unit
    int first, last;  ///< among the segments
    int run_first, run_last;
};

/// Whether a leaf comes within `radius` of the bounds; all in its cells.
SPINDRIFT_INLINE bool leaf_is_near(const Leaf& leaf, const Bounds& b, float radius) {
    const int coord[3] = {leaf.coord.x, leaf.coord.y, leaf.coord.z};
    const float reach = radius + slack + largest_move;
    for (int a = 0; a < 3; ++a) {
        const auto corner = static_cast<float>(coord[a] * leaf_width);
        if (b.hi[a] + reach < corner || b.lo[a] - reach > corner + leaf_width) return false;
    }
    return true;
}

/// Everything of other classes near a row of clusters of radius h; the number of classes that there are any of.
SPINDRIFT_INLINE int find_cross_segments(const GridView& grid, std::uint32_t leaf_index, const Bounds& bounds, float h,
                                         RowSegment* segments, CrossRows* rows) {
    int classes = 0, count = 0;
    for (std::uint32_t k = grid.cross_starts[leaf_index]; k < grid.cross_starts[leaf_index + 1]; ++k) {
        const Leaf& leaf = grid.leaves[grid.cross_leaves[k]];
        const float h_other = grid.h[leaf.resolution], cells = 1 / h_other;
        const float larger = h > h_other ? h : h_other;
        const Bounds b = scaled(bounds, cells);
        if (!leaf_is_near(leaf, b, larger * cells)) continue;
        if (classes == 0 || rows[classes - 1].resolution != leaf.resolution)
            rows[classes++] = {leaf.resolution, larger, cells, count, count, 0, 0};
        if (count + leaf_width * leaf_width > most_cross_segments)
            segments[count++] = {nullptr, {leaf.first, leaf.first + leaf.count}, 0, 0};
        else
            count = add_leaf_segments(grid, leaf, b, larger * cells, segments, count);
        rows[classes - 1].last = count;
    }
    return classes;
}

/// The parts of the segments that can hold a neighbour of a cluster with these bounds, in cells.
SPINDRIFT_INLINE int candidate_runs(const RowSegment* segments, int segment_count, const Bounds& b, Run* runs) {
    int count = 0;
    for (int k = 0; k < segment_count; ++k) {
        const RowSegment& s = segments[k];
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

    SPINDRIFT_INLINE ClusterRow(const Float4* x, const Cluster* first, const Cluster* last, float cells) {
        all = bounds[0] = bounds_of(x, *first);
        for (; first + size != last && size < most_in_row && first[size].leaf == first->leaf; ++size) {
            const Bounds b = bounds_of(x, first[size]);
            const bool same_row = floor_int(b.lo[1] * cells) == floor_int(all.lo[1] * cells) &&
                                  floor_int(b.lo[2] * cells) == floor_int(all.lo[2] * cells);
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
SPINDRIFT_INLINE int near_bounds(const F8x4& p, const Bounds& b, F8 h2) {
    const auto outside = [](F8 x, float lo, float hi) { return max(max(F8(lo) - x, x - F8(hi)), F8(0.f)); };
    const F8 dx = outside(p.x, b.lo[0], b.hi[0]), dy = outside(p.y, b.lo[1], b.hi[1]),
             dz = outside(p.z, b.lo[2], b.hi[2]);
    return mask(fmadd(dx, dx, fmadd(dy, dy, dz * dz)) < h2);
}

/// Whether a particle is within h of any of the eight.
SPINDRIFT_INLINE bool is_near(const F8x4& i, const Float4* j, F8 h2) {
    const F8 dx = i.x - broadcast(&j->x), dy = i.y - broadcast(&j->y), dz = i.z - broadcast(&j->z);
    return mask(fmadd(dx, dx, fmadd(dy, dy, dz * dz)) < h2) != 0;
}

/// Candidates on their way to the list, a few hundred at a time.
constexpr std::uint32_t waiting_capacity = 256;

/// Appends the candidates within h of any of the eight: written first, counted only if kept.
SPINDRIFT_INLINE std::uint32_t keep_near(const F8x4& i, const Float4* x, F8 h2, const std::uint32_t* waiting,
                                         std::uint32_t count, std::uint32_t* list, std::uint32_t size) {
    for (std::uint32_t k = 0; k < count; ++k) {
        list[size] = waiting[k];
        size += is_near(i, x + waiting[k], h2);
    }
    return size;
}

/// The particles of the runs within h of any of the cluster's: those near its bounds, eight at a time, then one by one.
/// The list is padded with `far_particle`.
SPINDRIFT_INLINE std::uint32_t search_runs(const Float4* x, const F8x4& i, const Bounds& b, float h, const Run* runs,
                                           int run_count, std::uint32_t far_particle, std::uint32_t* list) {
    const F8 h2(h * h);
    std::uint32_t waiting[waiting_capacity + 8];
    std::uint32_t waiting_count = 0, size = 0;
    for (int r = 0; r < run_count; ++r) {
        for (std::uint32_t j = runs[r].first; j < runs[r].last; j += 8) {
            const std::uint32_t left = runs[r].last - j;
            const int lanes = left < 8 ? (1 << left) - 1 : 255;
            waiting_count +=
                append_set(waiting + waiting_count, j, near_bounds(load_groups(&x[j].x, 8), b, h2) & lanes);
            if (waiting_count > waiting_capacity - 8) {
                size = keep_near(i, x, h2, waiting, waiting_count, list, size);
                waiting_count = 0;
            }
        }
    }
    size = keep_near(i, x, h2, waiting, waiting_count, list, size);
    while (size % 4 != 0)
        list[size++] = far_particle;
    return size;
}

SPINDRIFT_INLINE std::uint32_t count_candidates(const Run* runs, int run_count) {
    std::uint32_t candidates = 4;
    for (int r = 0; r < run_count; ++r)
        candidates += runs[r].last - runs[r].first;
    return candidates;
}

/// What a row of clusters may meet, and the candidates of one of them.
struct Surroundings {
    RowSegment segments[most_segments];
    Run runs[most_segments];
    int segment_count, run_count;
    RowSegment cross_segments[most_cross_segments];
    Run cross_runs[most_cross_segments];
    CrossRows cross[most_resolutions];
    int cross_count;
};

/// Finds the candidates of a cluster and returns how much room their lists may need.
SPINDRIFT_INLINE std::uint32_t find_candidates(Surroundings& around, const Bounds& b, float cells) {
    around.run_count = candidate_runs(around.segments, around.segment_count, scaled(b, cells), around.runs);
    std::uint32_t room = count_candidates(around.runs, around.run_count) + 1;
    int run = 0;
    for (int k = 0; k < around.cross_count; ++k) {
        CrossRows& rows = around.cross[k];
        const int found = candidate_runs(around.cross_segments + rows.first, rows.last - rows.first,
                                         scaled(b, rows.cells), around.cross_runs + run);
        rows.run_first = run;
        rows.run_last = run += found;
        room += 2 + count_candidates(around.cross_runs + rows.run_first, found);
    }
    return room;
}

/// Writes the segments of other classes behind the list; the entries used.
SPINDRIFT_INLINE std::uint32_t write_segments(const ListKernelInput& input, const Surroundings& around, const F8x4& i,
                                              const Bounds& b, Cluster& c, std::uint32_t* out) {
    std::uint32_t used = 1, count = 0;
    for (int k = 0; k < around.cross_count; ++k) {
        const CrossRows& rows = around.cross[k];
        const std::uint32_t size = search_runs(input.x, i, b, rows.h, around.cross_runs + rows.run_first,
                                               rows.run_last - rows.run_first, input.far_particle, out + used + 2);
        if (size == 0) continue;
        out[used] = rows.resolution;
        out[used + 1] = size;
        used += 2 + size;
        count += 1;
    }
    if (count == 0) return 0;
    out[0] = count;
    c.crosses = 1;
    return used;
}

void build_lists(const ListKernelInput& input, Cluster* first, Cluster* last, ListOutput& output) {
    Surroundings around;
    around.cross_count = 0;
    for (Cluster* c = first; c != last;) {
        const float h = input.grid.h[input.grid.leaves[c->leaf].resolution], cells = 1 / h;
        const ClusterRow row(input.x, c, last, cells);
        around.segment_count = find_segments(input.grid, c->leaf, scaled(row.all, cells), around.segments);
        if (input.grid.cross_starts) {
            around.cross_count =
                find_cross_segments(input.grid, c->leaf, row.all, h, around.cross_segments, around.cross);
        }
        for (int k = 0; k < row.size; ++k, ++c) {
            const std::uint32_t room = find_candidates(around, row.bounds[k], cells);
            if (output.used + room > output.capacity) output.refill(output, room);

            const F8x4 i = load_groups(&input.x[c->first].x, static_cast<int>(c->count));
            std::uint32_t* list = output.data + output.used;
            const std::uint32_t size =
                search_runs(input.x, i, row.bounds[k], h, around.runs, around.run_count, input.far_particle, list);
            c->list = output.base + output.used;
            c->list_size = size;
            output.used += size;
            if (around.cross_count > 0) output.used += write_segments(input, around, i, row.bounds[k], *c, list + size);
        }
    }
}

}  // namespace

ListKernels list_kernels() {
    return {build_lists};
}

}  // namespace spindrift::neighbors::SPINDRIFT_ISA_NAMESPACE
