#include "spindrift/mac/transfer_kernels.h"

#include <bit>
#include <cstring>

#include "spindrift/mac/place_kernels.h"

namespace spindrift::mac::SPINDRIFT_ISA_NAMESPACE {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

/// Four floats that the compiler keeps in one register.
using Quad = float __attribute__((vector_size(16)));

SPINDRIFT_INLINE Quad load_quad(const float* p) {
    return _mm_loadu_ps(p);
}
SPINDRIFT_INLINE void store_quad(float* p, Quad a) {
    _mm_storeu_ps(p, a);
}
/// a s + c
SPINDRIFT_INLINE Quad fused(Quad a, float s, Quad c) {
#ifdef __FMA__
    return _mm_fmadd_ps(a, _mm_set1_ps(s), c);
#else
    return a * s + c;
#endif
}
SPINDRIFT_INLINE std::uint32_t slot_of(const Float4& v) {
    return std::bit_cast<std::uint32_t>(v.w) & 0x3fffffffu;
}

constexpr int row_stride = 2 * scatter_width, slice_stride = row_stride * scatter_width,
              axis_stride = slice_stride * scatter_width;

/// Adds one component of one particle to the eight faces around it. `s` counts from the first face of the buffer.
template <bool is_affine>
SPINDRIFT_INLINE void add_component(float* buffer, Vec3f s, float v, const float* gradient, float weight) {
    const int ix = static_cast<int>(s.x), iy = static_cast<int>(s.y), iz = static_cast<int>(s.z);
    const float fx = s.x - static_cast<float>(ix), fy = s.y - static_cast<float>(iy), up = s.z - static_cast<float>(iz);
    float* at = buffer + iz * slice_stride + iy * row_stride + 2 * ix;
    const float gx = 1 - fx, gy = 1 - fy, gz = weight * (1 - up);
    const float fz = weight * up;
    const float weights[4] = {gy * gz, fy * gz, gy * fz, fy * fz};
    constexpr int offsets[4] = {0, row_stride, slice_stride, slice_stride + row_stride};
    if constexpr (is_affine) {
        const float low = v - gradient[0] * fx - gradient[1] * fy - gradient[2] * up;
        const Quad unit{gx, gx * low, fx, fx * (low + gradient[0])}, slope{0, gx, 0, fx};
        const Quad rows[4] = {unit, fused(slope, gradient[1], unit), fused(slope, gradient[2], unit),
                              fused(slope, gradient[1] + gradient[2], unit)};
        for (int k = 0; k < 4; ++k)
            store_quad(at + offsets[k], fused(rows[k], weights[k], load_quad(at + offsets[k])));
    } else {
        const Quad unit{gx, gx * v, fx, fx * v};
        for (int k = 0; k < 4; ++k)
            store_quad(at + offsets[k], fused(unit, weights[k], load_quad(at + offsets[k])));
    }
}

template <bool is_affine>
void scatter_run(const ScatterPass& pass, std::uint32_t first, std::uint32_t last) {
    float* const buffer = pass.buffer;
    // The buffer begins one cell before the leaf; faces of other axes stand half a cell off.
    const Vec3f corner = pass.corner;
    const float per_cell = pass.per_cell;
    for (std::uint32_t p = first; p < last; ++p) {
        const Vec3f s = in_leaf(pass.x[p].xyz(), per_cell, corner) + Vec3f{1, 1, 1}, v = pass.v[p].xyz();
        const float weight = pass.weight;
        const float* gradient = is_affine ? pass.affine + affine_floats * slot_of(pass.v[p]) : nullptr;
        add_component<is_affine>(buffer, {s.x, s.y - 0.5f, s.z - 0.5f}, v.x, gradient, weight);
        add_component<is_affine>(buffer + axis_stride, {s.x - 0.5f, s.y, s.z - 0.5f}, v.y, gradient + 3, weight);
        add_component<is_affine>(buffer + 2 * axis_stride, {s.x - 0.5f, s.y - 0.5f, s.z}, v.z, gradient + 6, weight);
    }
}

void scatter(const ScatterPass& pass, std::uint32_t first, std::uint32_t last) {
    pass.affine ? scatter_run<true>(pass, first, last) : scatter_run<false>(pass, first, last);
}

/// The part of a leaf, along one axis, that the buffer of a neighbour in direction d reaches: cells of the leaf, and
/// where they stand in the buffer.
struct Overlap {
    int first, last, in_buffer;
};
constexpr Overlap overlap(int d) {
    return d == 0  ? Overlap{0, leaf_width, 1}
           : d < 0 ? Overlap{0, 1, leaf_width + 1}
                   : Overlap{leaf_width - 1, leaf_width, 0};
}

/// Adds what a neighbour's buffer has for this leaf: whole rows, or one face at their end.
template <int dx>
SPINDRIFT_INLINE void pull(const float* buffer, int dy, int dz, float* sums) {
    constexpr Overlap ox = overlap(dx);
    const Overlap oy = overlap(dy), oz = overlap(dz);
    for (int z = oz.first; z < oz.last; ++z) {
        for (int y = oy.first; y < oy.last; ++y) {
            const float* from =
                buffer + ((z - oz.first + oz.in_buffer) * scatter_width + y - oy.first + oy.in_buffer) * row_stride +
                2 * ox.in_buffer;
            float* to = sums + 2 * cell_index(ox.first, y, z);
            if constexpr (dx == 0) {
                store(to, load(to) + load(from));
                store(to + 8, load(to + 8) + load(from + 8));
            } else {
                to[0] += from[0];
                to[1] += from[1];
            }
        }
    }
}

void pull(const float* buffer, int n, float* sums) {
    const int dy = n / 3 % 3 - 1, dz = n / 9 - 1;
    switch (n % 3) {
        case 0:
            return pull<-1>(buffer, dy, dz, sums);
        case 1:
            return pull<0>(buffer, dy, dz, sums);
        default:
            return pull<1>(buffer, dy, dz, sums);
    }
}

#ifdef __AVX2__
/// Even and odd floats of sixteen.
SPINDRIFT_INLINE void deinterleave(const float* p, F8& even, F8& odd) {
    const __m256 a = _mm256_loadu_ps(p), b = _mm256_loadu_ps(p + 8);
    const __m256 lo = _mm256_permute2f128_ps(a, b, 0x20), hi = _mm256_permute2f128_ps(a, b, 0x31);
    even = _mm256_shuffle_ps(lo, hi, 0x88);
    odd = _mm256_shuffle_ps(lo, hi, 0xdd);
}
#else
SPINDRIFT_INLINE void deinterleave(const float* p, F8& even, F8& odd) {
    const __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8), d = _mm_loadu_ps(p + 12);
    even = {_mm_shuffle_ps(a, b, 0x88), _mm_shuffle_ps(c, d, 0x88)};
    odd = {_mm_shuffle_ps(a, b, 0xdd), _mm_shuffle_ps(c, d, 0xdd)};
}
#endif

void combine(const CombinePass& pass, std::size_t leaf) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    alignas(32) float sums[2 * leaf_cells];
    for (int axis = 0; axis < 3; ++axis) {
        std::memset(sums, 0, sizeof sums);
        for (int n = 0; n < 27; ++n) {
            const std::int32_t buffer = pass.buffer_of[near[n]];
            if (buffer < 0) continue;
            pull(pass.buffers + static_cast<std::size_t>(buffer) * scatter_floats + axis * axis_stride, n, sums);
        }
        float* velocity = pass.velocity[axis] + leaf * leaf_cells;
        float* layer = pass.layer[axis] + leaf * leaf_cells;
        for (int k = 0; k < leaf_cells; k += 8) {
            F8 w, m;
            deinterleave(sums + 2 * k, w, m);
            // What lies at the very rim of a particle's reach has no direction worth keeping.
            const F8 counts = F8(1e-6f) < w;
            store(velocity + k, select(counts, m / max(w, F8(1e-6f)), F8(0.f)));
            store(layer + k, select(counts, F8(0.f), F8(no_layer)));
            if (pass.crowd[axis]) store(pass.crowd[axis] + leaf * leaf_cells + static_cast<std::size_t>(k), w);
        }
    }
}

void copy_field(const grid::LeafSet& leaves, const float* field, std::size_t leaf, int margin, float* out) {
    const std::int32_t* near = leaves.neighbors(leaf);
    constexpr int plane = copy_width * copy_width;
    for (int z = -margin; z < leaf_width + margin; ++z) {
        for (int y = -margin; y < leaf_width + margin; ++y) {
            const std::int32_t* row = near + grid::neighbor_index(-1, y >> 3, z >> 3);
            const int at = cell_index(0, y & 7, z & 7);
            const auto from = [&](int n) { return field + static_cast<std::size_t>(row[n]) * leaf_cells + at; };
            float* to = out + (z + copy_margin) * plane + (y + copy_margin) * copy_width;
            store_quad(to, load_quad(from(0) + 4));
            store(to + 4, load(from(1)));
            store_quad(to + 12, load_quad(from(2)));
        }
    }
}

void copy(const grid::LeafSet& leaves, const float* const fields[3], std::size_t leaf, int margin, float* out) {
    for (int axis = 0; axis < 3; ++axis)
        copy_field(leaves, fields[axis], leaf, margin, out + axis * (copy_width * copy_width * copy_width));
}

void copy_cells(const grid::LeafSet& leaves, const float* field, std::size_t leaf, float* out) {
    copy_field(leaves, field, leaf, 1, out);
}

#ifdef __AVX2__
SPINDRIFT_INLINE void store_as_int(int* p, F8 a) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), _mm256_cvttps_epi32(a.v));
}
#else
SPINDRIFT_INLINE void store_as_int(int* p, F8 a) {
    _mm_store_si128(reinterpret_cast<__m128i*>(p), _mm_cvttps_epi32(a.lo));
    _mm_store_si128(reinterpret_cast<__m128i*>(p + 4), _mm_cvttps_epi32(a.hi));
}
#endif

/// The float at each place and the one behind it.
SPINDRIFT_INLINE void gather_pairs(const float* base, const int* at, F8& low, F8& high) {
    const __m128 a = load_pairs(base + at[0], base + at[1]), b = load_pairs(base + at[2], base + at[3]);
    const __m128 c = load_pairs(base + at[4], base + at[5]), d = load_pairs(base + at[6], base + at[7]);
#ifdef __AVX2__
    const __m256 ac = _mm256_set_m128(c, a), bd = _mm256_set_m128(d, b);
    low = _mm256_shuffle_ps(ac, bd, 0x88);
    high = _mm256_shuffle_ps(ac, bd, 0xdd);
#else
    low = {_mm_shuffle_ps(a, b, 0x88), _mm_shuffle_ps(c, d, 0x88)};
    high = {_mm_shuffle_ps(a, b, 0xdd), _mm_shuffle_ps(c, d, 0xdd)};
#endif
}

SPINDRIFT_INLINE F8 lerp(F8 a, F8 b, F8 t) {
    return fmadd(t, b - a, a);
}

struct F8x3 {
    F8 x, y, z;
};

/// Coordinates in the copy, cut to where it has values: whole parts as floats, and the rest.
struct Places {
    F8 whole[2][3], rest[2][3];  ///< of faces that stand at whole numbers, and half a cell off

    SPINDRIFT_INLINE explicit Places(const F8x3& p) {
        const F8 axes[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; ++a) {
            for (int half = 0; half < 2; ++half) {
                const F8 s =
                    min(max(axes[a] + F8(static_cast<float>(copy_margin) - 0.5f * static_cast<float>(half)), F8(0.f)),
                        F8(static_cast<float>(copy_width) - 1.001f));
                whole[half][a] = floor(s);
                rest[half][a] = s - whole[half][a];
            }
        }
    }
};

/// Values at eight places, with their slopes if somebody wants them; 1 where they stand half a cell off.
template <bool with_slopes>
SPINDRIFT_INLINE F8 sample_values(const float* base, const Places& p, int hx, int hy, int hz, F8* slopes) {
    constexpr float row = copy_width, plane = copy_width * copy_width;
    alignas(32) int at[8];
    store_as_int(at, fmadd(p.whole[hz][2], F8(plane), fmadd(p.whole[hy][1], F8(row), p.whole[hx][0])));
    F8 low[4], high[4];
    gather_pairs(base, at, low[0], high[0]);
    gather_pairs(base + copy_width, at, low[1], high[1]);
    gather_pairs(base + copy_width * copy_width, at, low[2], high[2]);
    gather_pairs(base + copy_width * copy_width + copy_width, at, low[3], high[3]);
    const F8 fx = p.rest[hx][0], fy = p.rest[hy][1], fz = p.rest[hz][2];
    const F8 c0 = lerp(low[0], high[0], fx), c1 = lerp(low[1], high[1], fx);
    const F8 c2 = lerp(low[2], high[2], fx), c3 = lerp(low[3], high[3], fx);
    const F8 near = lerp(c0, c1, fy), far = lerp(c2, c3, fy);
    if constexpr (with_slopes) {
        slopes[0] =
            lerp(lerp(high[0] - low[0], high[1] - low[1], fy), lerp(high[2] - low[2], high[3] - low[3], fy), fz);
        slopes[1] = lerp(c1 - c0, c3 - c2, fz);
        slopes[2] = far - near;
    }
    return lerp(near, far, fz);
}

/// One component of velocities.
template <bool with_slopes>
SPINDRIFT_INLINE F8 sample_component(const float* field, const Places& p, int axis, F8* slopes) {
    return sample_values<with_slopes>(field + axis * (copy_width * copy_width * copy_width), p, axis != 0, axis != 1,
                                      axis != 2, slopes);
}

SPINDRIFT_INLINE F8x3 sample(const float* field, const F8x3& x) {
    const Places p(x);
    return {sample_component<false>(field, p, 0, nullptr), sample_component<false>(field, p, 1, nullptr),
            sample_component<false>(field, p, 2, nullptr)};
}

SPINDRIFT_INLINE void store_slopes(const F8 slopes[9], const Float4* v, int count, float* affine) {
    alignas(32) float columns[9][8];
    for (int k = 0; k < 9; ++k)
        store(columns[k], slopes[k]);
    for (int lane = 0; lane < count; ++lane) {
        float* to = affine + affine_floats * slot_of(v[lane]);
        for (int k = 0; k < 9; ++k)
            to[k] = columns[k][lane];
    }
}

SPINDRIFT_INLINE F8x3 move(const F8x3& x, const F8x3& v, float dt) {
    return {fmadd(v.x, F8(dt), x.x), fmadd(v.y, F8(dt), x.y), fmadd(v.z, F8(dt), x.z)};
}

/// Blends the velocities, keeps what rides in w, and moves along the flow.
template <bool is_affine, bool has_change>
SPINDRIFT_INLINE void advect_group(const AdvectPass& pass, std::uint32_t first, int count) {
    const F8x4 x = load_groups(&pass.x[first].x, count);
    F8x4 v = load_groups(&pass.v[first].x, count);
    const F8 per_cell(pass.per_cell);
    const F8x3 local{x.x * per_cell - F8(pass.corner.x), x.y * per_cell - F8(pass.corner.y),
                     x.z * per_cell - F8(pass.corner.z)};
    const Places here(local);
    F8 slopes[9];
    F8x3 u;
    u.x = sample_component<is_affine>(pass.velocity, here, 0, slopes);
    u.y = sample_component<is_affine>(pass.velocity, here, 1, slopes + 3);
    u.z = sample_component<is_affine>(pass.velocity, here, 2, slopes + 6);
    if constexpr (is_affine) store_slopes(slopes, pass.v + first, count, pass.affine);
    if constexpr (has_change) {
        const F8 blend(pass.blend);
        v.x = fmadd(blend, v.x - sample_component<false>(pass.change_from, here, 0, nullptr), u.x);
        v.y = fmadd(blend, v.y - sample_component<false>(pass.change_from, here, 1, nullptr), u.y);
        v.z = fmadd(blend, v.z - sample_component<false>(pass.change_from, here, 2, nullptr), u.z);
    } else {
        v.x = u.x, v.y = u.y, v.z = u.z;
    }
    const float dt = pass.dt, cells = pass.dt * pass.per_cell;
    const F8x3 middle = sample(pass.velocity, move(local, u, 0.5f * cells));
    const F8x3 late = sample(pass.velocity, move(local, middle, 0.75f * cells));
    const F8 a(2 * dt / 9), b(3 * dt / 9), c(4 * dt / 9);
    const F8x4 moved{fmadd(a, u.x, fmadd(b, middle.x, fmadd(c, late.x, x.x))),
                     fmadd(a, u.y, fmadd(b, middle.y, fmadd(c, late.y, x.y))),
                     fmadd(a, u.z, fmadd(b, middle.z, fmadd(c, late.z, x.z))), x.w};
    store_groups(&pass.x[first].x, count, moved);
    store_groups(&pass.v[first].x, count, v);
}

template <bool is_affine, bool has_change>
void advect_run(const AdvectPass& pass, std::uint32_t first, std::uint32_t last) {
    for (; first + 8 <= last; first += 8)
        advect_group<is_affine, has_change>(pass, first, 8);
    if (first < last) advect_group<is_affine, has_change>(pass, first, static_cast<int>(last - first));
}

void advect(const AdvectPass& pass, std::uint32_t first, std::uint32_t last) {
    if (pass.affine) {
        advect_run<true, false>(pass, first, last);
    } else if (pass.change_from) {
        advect_run<false, true>(pass, first, last);
    } else {
        advect_run<false, false>(pass, first, last);
    }
}

template <class F>
SPINDRIFT_INLINE void for_groups(std::uint32_t first, std::uint32_t last, const F& f) {
    for (; first < last; first += 8)
        f(first, first + 8 <= last ? 8 : static_cast<int>(last - first));
}

template <class Pass>
SPINDRIFT_INLINE F8x3 place_of(const Pass& pass, const F8x4& x) {
    const F8 per_cell(pass.per_cell);
    return {x.x * per_cell - F8(pass.corner.x), x.y * per_cell - F8(pass.corner.y), x.z * per_cell - F8(pass.corner.z)};
}

void trace(const AdvectPass& pass, std::uint32_t first, std::uint32_t last) {
    const F8 dt(pass.dt);
    for_groups(first, last, [&](std::uint32_t at, int count) {
        const F8x4 x = load_groups(&pass.x[at].x, count);
        const F8x3 local = place_of(pass, x);
        const F8x3 u = sample(pass.velocity, move(local, sample(pass.velocity, local), 0.5f * pass.dt * pass.per_cell));
        store_groups(&pass.x[at].x, count, F8x4{fmadd(dt, u.x, x.x), fmadd(dt, u.y, x.y), fmadd(dt, u.z, x.z), x.w});
    });
}

void look(const AdvectPass& pass, std::uint32_t first, std::uint32_t last) {
    for_groups(first, last, [&](std::uint32_t at, int count) {
        const F8x3 u = sample(pass.velocity, place_of(pass, load_groups(&pass.x[at].x, count)));
        store_groups(&pass.v[at].x, count, F8x4{u.x, u.y, u.z, F8(0.f)});
    });
}

void look_at_cells(const LookPass& pass, std::uint32_t first, std::uint32_t last) {
    for_groups(first, last, [&](std::uint32_t at, int count) {
        const Places places(place_of(pass, load_groups(&pass.x[at].x, count)));
        store(pass.out + (at - first), sample_values<false>(pass.cells, places, 1, 1, 1, nullptr));
    });
}

}  // namespace

TransferKernels transfer_kernels() {
    return {scatter, combine, copy, advect, trace, look, copy_cells, look_at_cells};
}

}  // namespace spindrift::mac::SPINDRIFT_ISA_NAMESPACE
