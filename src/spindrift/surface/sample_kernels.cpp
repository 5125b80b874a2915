#include "spindrift/surface/sample_kernels.h"

#include "spindrift/core/simd.h"

namespace spindrift::surface::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;

/// Farther from everything than any reach.
constexpr float far_away = 1e4f;

SPINDRIFT_INLINE void pad(NearList& list) {
    for (std::uint32_t k = list.count; k < list.count + 8; ++k) {
        list.x[k] = list.y[k] = list.z[k] = far_away;
        list.m[k] = 0;
    }
}

/// Squared distance of points to a box.
SPINDRIFT_INLINE F8 box_distance(F8 x, F8 y, F8 z, const float* lo, const float* hi) {
    const F8 zero(0.f);
    const F8 dx = max(max(F8(lo[0]) - x, x - F8(hi[0])), zero);
    const F8 dy = max(max(F8(lo[1]) - y, y - F8(hi[1])), zero);
    const F8 dz = max(max(F8(lo[2]) - z, z - F8(hi[2])), zero);
    return fmadd(dx, dx, fmadd(dy, dy, dz * dz));
}

void gather(const GatherInput& in, NearList& out) {
    const F8 cx(in.corner[0]), cy(in.corner[1]), cz(in.corner[2]), scale(in.scale), one(1.f);
    const float lo[3] = {0, 0, 0}, hi[3] = {in.width, in.width, in.width};
    std::uint32_t count = 0;
    alignas(32) float px[8], py[8], pz[8];
    unsigned set[8];
    for (std::uint32_t r = 0; r < in.run_count; ++r) {
        for (std::uint32_t i = in.runs[r].first; i < in.runs[r].last; i += 8) {
            const int lanes = in.runs[r].last - i < 8 ? static_cast<int>(in.runs[r].last - i) : 8;
            const F8x4 p = load_groups(&in.x[i].x, lanes);
            const F8 x = (p.x - cx) * scale, y = (p.y - cy) * scale, z = (p.z - cz) * scale;
            const int near = mask(box_distance(x, y, z, lo, hi) < one) & ((1 << lanes) - 1);
            if (!near) continue;
            store(px, x);
            store(py, y);
            store(pz, z);
            const unsigned found = append_set(set, 0, near);
            for (unsigned k = 0; k < found; ++k, ++count) {
                out.x[count] = px[set[k]];
                out.y[count] = py[set[k]];
                out.z[count] = pz[set[k]];
                out.m[count] = in.weight ? in.weight[i + set[k]] : 1.f;
                out.index[count] = i + set[k];
            }
        }
    }
    out.count = count;
    pad(out);
}

/// Particles of `list` within a reach of a box, in a list of their own.
SPINDRIFT_INLINE void narrow(const NearList& list, const float* lo, const float* hi, unsigned* indices, NearList& out) {
    unsigned count = 0;
    for (std::uint32_t k = 0; k < list.count; k += 8) {
        const F8 d2 = box_distance(load(list.x + k), load(list.y + k), load(list.z + k), lo, hi);
        count += append_set(indices + count, k, mask(d2 < F8(1.f)));
    }
    for (unsigned k = 0; k < count; ++k) {
        out.x[k] = list.x[indices[k]];
        out.y[k] = list.y[indices[k]];
        out.z[k] = list.z[indices[k]];
        out.m[k] = list.m[indices[k]];
    }
    if (out.index) {
        for (unsigned k = 0; k < count; ++k)
            out.index[k] = list.index[indices[k]];
    }
    out.count = count;
    pad(out);
}

/// Kernels shaped by matrices; the rest as sum_block().
SPINDRIFT_INLINE void sum_shaped(const NearList& list, const unsigned* indices, unsigned count, const float* lo,
                                 const SumInput& in, BlockSums& out) {
    alignas(32) float lane_x[8], lane_y[8];
    for (int k = 0; k < 8; ++k) {
        lane_x[k] = lo[0] + in.step * static_cast<float>(k & 3);
        lane_y[k] = lo[1] + in.step * static_cast<float>(k >> 2);
    }
    const F8 px = load(lane_x), py = load(lane_y), zero(0.f), one(1.f), reach2(in.reach * in.reach);
    F8 w0 = zero, w1 = zero;
    for (unsigned k = 0; k < count; ++k) {
        const unsigned j = indices[k];
        const float* g = in.shape[list.index[j]].data();
        const F8 dx = broadcast(list.x + j) - px, dy = broadcast(list.y + j) - py, m = broadcast(list.m + j);
        const float z0 = list.z[j] - lo[2], z1 = z0 - in.step;
        // G times the way, without its z part.
        const F8 ax = fmadd(broadcast(g), dx, broadcast(g + 1) * dy);
        const F8 ay = fmadd(broadcast(g + 1), dx, broadcast(g + 3) * dy);
        const F8 az = fmadd(broadcast(g + 2), dx, broadcast(g + 4) * dy);
        const F8 bx = ax + F8(g[2] * z0), by = ay + F8(g[4] * z0), bz = az + F8(g[5] * z0);
        const F8 cx = ax + F8(g[2] * z1), cy = ay + F8(g[4] * z1), cz = az + F8(g[5] * z1);
        const F8 q0 = max(fnmadd(fmadd(bx, bx, fmadd(by, by, bz * bz)), reach2, one), zero);
        const F8 q1 = max(fnmadd(fmadd(cx, cx, fmadd(cy, cy, cz * cz)), reach2, one), zero);
        w0 = fmadd(m, q0 * q0 * q0, w0);
        w1 = fmadd(m, q1 * q1 * q1, w1);
    }
    store(out.w, w0);
    store(out.w + 8, w1);
}

template <Terms terms>
SPINDRIFT_INLINE void sum_block(const NearList& list, const unsigned* indices, unsigned count, const float* lo,
                                float step, BlockSums& out) {
    alignas(32) float lane_x[8], lane_y[8];
    for (int k = 0; k < 8; ++k) {
        lane_x[k] = lo[0] + step * static_cast<float>(k & 3);
        lane_y[k] = lo[1] + step * static_cast<float>(k >> 2);
    }
    const F8 px = load(lane_x), py = load(lane_y), zero(0.f);
    const float z0 = lo[2], z1 = lo[2] + step;
    F8 w0 = zero, x0 = zero, y0 = zero, v0 = zero, w1 = zero, x1 = zero, y1 = zero, v1 = zero;
    for (unsigned k = 0; k < count; ++k) {
        const unsigned j = indices[k];
        const F8 dx = broadcast(list.x + j) - px, dy = broadcast(list.y + j) - py, m = broadcast(list.m + j);
        const F8 d2 = fmadd(dx, dx, dy * dy);
        const float dz0 = list.z[j] - z0, dz1 = list.z[j] - z1;
        const F8 q0 = max(F8(1 - dz0 * dz0) - d2, zero), q1 = max(F8(1 - dz1 * dz1) - d2, zero);
        F8 cube0 = q0 * q0 * q0, cube1 = q1 * q1 * q1;
        if constexpr (terms == Terms::sharp) {
            cube0 = cube0 * cube0;
            cube1 = cube1 * cube1;
        }
        const F8 s0 = m * cube0, s1 = m * cube1;
        w0 = w0 + s0;
        w1 = w1 + s1;
        if constexpr (terms == Terms::centroid) {
            x0 = fmadd(s0, dx, x0);
            y0 = fmadd(s0, dy, y0);
            v0 = fmadd(s0, F8(dz0), v0);
            x1 = fmadd(s1, dx, x1);
            y1 = fmadd(s1, dy, y1);
            v1 = fmadd(s1, F8(dz1), v1);
        }
    }
    store(out.w, w0);
    store(out.w + 8, w1);
    if constexpr (terms == Terms::centroid) {
        store(out.x, x0);
        store(out.x + 8, x1);
        store(out.y, y0);
        store(out.y + 8, y1);
        store(out.z, v0);
        store(out.z + 8, v1);
    }
}

/// The four blocks of an octant (4 x 4 x 4 points) among the leaf's 32.
constexpr std::uint32_t octant_blocks(int octant) {
    const int x = octant & 1, y = octant >> 1 & 1, z = octant >> 2;
    std::uint32_t bits = 0;
    for (int k = 0; k < 4; ++k)
        bits |= 1u << (x | (2 * y + (k & 1)) << 1 | (2 * z + (k >> 1)) << 3);
    return bits;
}

template <Terms terms>
std::uint32_t sum_leaf(const SumInput& in, float* scratch, std::uint32_t* indices, BlockSums* out) {
    std::uint32_t summed = 0;
    const std::size_t room = in.list.count + 16;
    NearList list{scratch, scratch + room, scratch + 2 * room, scratch + 3 * room, nullptr, 0};
    if constexpr (terms == Terms::shaped) list.index = indices + room;
    const F8 cutoff(in.cutoff * in.cutoff);
    for (int octant = 0; octant < 8; ++octant) {
        std::uint32_t wanted = in.blocks & octant_blocks(octant);
        if (!wanted) continue;
        float lo[3], hi[3];
        for (int a = 0; a < 3; ++a) {
            lo[a] = 4 * static_cast<float>(octant >> a & 1) * in.step;
            hi[a] = lo[a] + 3 * in.step;
        }
        narrow(in.list, lo, hi, indices, list);
        for (; wanted; wanted &= wanted - 1) {
            const int block = __builtin_ctz(wanted);
            float from[3] = {static_cast<float>((block & 1) * 4) * in.step,
                             static_cast<float>((block >> 1 & 3) * 2) * in.step,
                             static_cast<float>((block >> 3) * 2) * in.step};
            const float to[3] = {from[0] + 3 * in.step, from[1] + in.step, from[2] + in.step};
            unsigned count = 0;
            int near = 0;
            for (std::uint32_t k = 0; k < list.count; k += 8) {
                const F8 d2 = box_distance(load(list.x + k), load(list.y + k), load(list.z + k), from, to);
                near |= mask(d2 < cutoff);
                count += append_set(indices + count, k, mask(d2 < F8(1.f)));
            }
            if (!near) continue;
            summed |= 1u << block;
            if constexpr (terms == Terms::shaped)
                sum_shaped(list, indices, count, from, in, out[block]);
            else
                sum_block<terms>(list, indices, count, from, in.step, out[block]);
        }
    }
    return summed;
}

std::uint32_t sum(Terms terms, const SumInput& in, float* scratch, std::uint32_t* indices, BlockSums* out) {
    switch (terms) {
        case Terms::centroid:
            return sum_leaf<Terms::centroid>(in, scratch, indices, out);
        case Terms::weight:
            return sum_leaf<Terms::weight>(in, scratch, indices, out);
        case Terms::shaped:
            return sum_leaf<Terms::shaped>(in, scratch, indices, out);
        default:
            return sum_leaf<Terms::sharp>(in, scratch, indices, out);
    }
}

void weigh(const WeighInput& in, float factor, float* out) {
    const F8 per_reach2(in.per_reach * in.per_reach), zero(0.f), one(1.f);
    const F8x4 own = load_groups(&in.x[in.first].x, in.count);
    F8 even = zero, odd = zero;
    const auto term = [&](const Float4& other) __attribute__((always_inline)) {
        const F8 dx = own.x - broadcast(&other.x), dy = own.y - broadcast(&other.y), dz = own.z - broadcast(&other.z);
        const F8 q = max(fnmadd(fmadd(dx, dx, fmadd(dy, dy, dz * dz)), per_reach2, one), zero);
        return q * q * q;
    };
    for (std::uint32_t r = 0; r < in.run_count; ++r) {
        std::uint32_t j = in.runs[r].first;
        for (; j + 1 < in.runs[r].last; j += 2) {
            even = even + term(in.x[j]);
            odd = odd + term(in.x[j + 1]);
        }
        if (j < in.runs[r].last) even = even + term(in.x[j]);
    }
    store(out, fmadd(F8(factor), even + odd, load(out)));
}

void carry(const CarryInput& in, CarrySums& out) {
    const F8 px = load(in.place[0]), py = load(in.place[1]), pz = load(in.place[2]);
    const F8 per_reach2(in.per_reach * in.per_reach), zero(0.f), one(1.f);
    F8 w = zero, a = zero, b = zero, c = zero, d = zero;
    for (std::uint32_t r = 0; r < in.run_count; ++r) {
        for (std::uint32_t j = in.runs[r].first; j < in.runs[r].last; ++j) {
            const F8 dx = px - broadcast(&in.x[j].x), dy = py - broadcast(&in.x[j].y), dz = pz - broadcast(&in.x[j].z);
            const F8 q = max(fnmadd(fmadd(dx, dx, fmadd(dy, dy, dz * dz)), per_reach2, one), zero);
            const F8 s = q * q * q;
            w = w + s;
            a = fmadd(s, broadcast(&in.values[j].x), a);
            b = fmadd(s, broadcast(&in.values[j].y), b);
            c = fmadd(s, broadcast(&in.values[j].z), c);
            d = fmadd(s, broadcast(&in.values[j].w), d);
        }
    }
    store(out.w, load(out.w) + w);
    store(out.value[0], load(out.value[0]) + a);
    store(out.value[1], load(out.value[1]) + b);
    store(out.value[2], load(out.value[2]) + c);
    store(out.value[3], load(out.value[3]) + d);
}

}  // namespace

FieldKernels field_kernels() {
    return {gather, sum, weigh, carry};
}

}  // namespace spindrift::surface::SPINDRIFT_ISA_NAMESPACE
