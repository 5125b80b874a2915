#pragma once
// Eight floats in the lanes of the instruction set a *_kernels.cpp file is being built for; nobody else includes this.
// Everything is forced inline and lives in the set's own namespace, so no wide code can leak into the narrow build.
//
//   F8 r2 = fmadd(dx, dx, fmadd(dy, dy, dz * dz));   int near = mask(r2 < F8(1.f));

#include <immintrin.h>

#ifndef SPINDRIFT_ISA_NAMESPACE
#error "core/simd.h is for files built per instruction set"
#endif

#define SPINDRIFT_INLINE [[gnu::always_inline]] inline

namespace spindrift::simd::SPINDRIFT_ISA_NAMESPACE {

#ifdef __AVX2__

struct F8 {
    __m256 v;

    SPINDRIFT_INLINE F8() = default;
    SPINDRIFT_INLINE F8(__m256 a) : v(a) {}
    SPINDRIFT_INLINE explicit F8(float a) : v(_mm256_set1_ps(a)) {}
};

SPINDRIFT_INLINE F8 broadcast(const float* p) {
    return _mm256_broadcast_ss(p);
}
SPINDRIFT_INLINE F8 operator+(F8 a, F8 b) {
    return _mm256_add_ps(a.v, b.v);
}
SPINDRIFT_INLINE F8 operator-(F8 a, F8 b) {
    return _mm256_sub_ps(a.v, b.v);
}
SPINDRIFT_INLINE F8 operator*(F8 a, F8 b) {
    return _mm256_mul_ps(a.v, b.v);
}
SPINDRIFT_INLINE F8 operator/(F8 a, F8 b) {
    return _mm256_div_ps(a.v, b.v);
}
SPINDRIFT_INLINE F8 operator<(F8 a, F8 b) {
    return _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ);
}
SPINDRIFT_INLINE F8 min(F8 a, F8 b) {
    return _mm256_min_ps(a.v, b.v);
}
SPINDRIFT_INLINE F8 max(F8 a, F8 b) {
    return _mm256_max_ps(a.v, b.v);
}
SPINDRIFT_INLINE F8 sqrt(F8 a) {
    return _mm256_sqrt_ps(a.v);
}
SPINDRIFT_INLINE F8 floor(F8 a) {
    return _mm256_floor_ps(a.v);
}
SPINDRIFT_INLINE F8 fmadd(F8 a, F8 b, F8 c) {
    return _mm256_fmadd_ps(a.v, b.v, c.v);
}
SPINDRIFT_INLINE F8 fnmadd(F8 a, F8 b, F8 c) {
    return _mm256_fnmadd_ps(a.v, b.v, c.v);
}
/// 1 / sqrt(a) to 12 bits: pair terms need no more, since both partners take the same value.
SPINDRIFT_INLINE F8 rsqrt(F8 a) {
#ifdef SPINDRIFT_PORTABLE
    // The instruction is a table of its maker. A guess from the exponent and one step of third order have the same bits
    // wherever products can be fused.
    const __m256i half = _mm256_srli_epi32(_mm256_castps_si256(a.v), 1);
    const F8 guess = _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(0x5f375a86), half));
    const F8 error = fnmadd(a * guess, guess, F8(1.f));
    return fmadd(guess * error, fmadd(error, F8(0.375f), F8(0.5f)), guess);
#else
    return _mm256_rsqrt_ps(a.v);
#endif
}
SPINDRIFT_INLINE F8 select(F8 condition, F8 yes, F8 no) {
    return _mm256_blendv_ps(no.v, yes.v, condition.v);
}
SPINDRIFT_INLINE int mask(F8 a) {
    return _mm256_movemask_ps(a.v);
}
SPINDRIFT_INLINE F8 load(const float* p) {
    return _mm256_loadu_ps(p);
}
SPINDRIFT_INLINE void store(float* p, F8 a) {
    _mm256_storeu_ps(p, a.v);
}

/// For each mask of eight bits, the positions of its set bits, lowest first.
struct SetBits {
    alignas(8) unsigned char at[256][8];

    constexpr SetBits() : at{} {
        for (int bits = 0; bits < 256; ++bits) {
            int count = 0;
            for (int k = 0; k < 8; ++k) {
                if (bits >> k & 1) at[bits][count++] = static_cast<unsigned char>(k);
            }
        }
    }
};
inline constexpr SetBits set_bits;

/// Writes first + k for each set bit k of the mask and returns how many; may overwrite eight places.
SPINDRIFT_INLINE unsigned append_set(unsigned* out, unsigned first, int bits) {
    const __m128i at = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(set_bits.at[bits]));
    const __m256i values = _mm256_add_epi32(_mm256_cvtepu8_epi32(at), _mm256_set1_epi32(static_cast<int>(first)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), values);
    return static_cast<unsigned>(__builtin_popcount(static_cast<unsigned>(bits)));
}

struct F8x4 {
    F8 x, y, z, w;
};

/// Eight consecutive groups of four floats, turned so that each component fills one vector.
SPINDRIFT_INLINE F8x4 transpose(const __m128 row[8]) {
    const __m256 a = _mm256_set_m128(row[4], row[0]), b = _mm256_set_m128(row[5], row[1]);
    const __m256 c = _mm256_set_m128(row[6], row[2]), d = _mm256_set_m128(row[7], row[3]);
    const __m256 ab_lo = _mm256_unpacklo_ps(a, b), ab_hi = _mm256_unpackhi_ps(a, b);
    const __m256 cd_lo = _mm256_unpacklo_ps(c, d), cd_hi = _mm256_unpackhi_ps(c, d);
    return {_mm256_shuffle_ps(ab_lo, cd_lo, 0x44), _mm256_shuffle_ps(ab_lo, cd_lo, 0xee),
            _mm256_shuffle_ps(ab_hi, cd_hi, 0x44), _mm256_shuffle_ps(ab_hi, cd_hi, 0xee)};
}

SPINDRIFT_INLINE void transpose_back(const F8x4& a, __m128 row[8]) {
    const __m256 xy_lo = _mm256_unpacklo_ps(a.x.v, a.y.v), xy_hi = _mm256_unpackhi_ps(a.x.v, a.y.v);
    const __m256 zw_lo = _mm256_unpacklo_ps(a.z.v, a.w.v), zw_hi = _mm256_unpackhi_ps(a.z.v, a.w.v);
    const __m256 r0 = _mm256_shuffle_ps(xy_lo, zw_lo, 0x44), r1 = _mm256_shuffle_ps(xy_lo, zw_lo, 0xee);
    const __m256 r2 = _mm256_shuffle_ps(xy_hi, zw_hi, 0x44), r3 = _mm256_shuffle_ps(xy_hi, zw_hi, 0xee);
    row[0] = _mm256_castps256_ps128(r0);
    row[1] = _mm256_castps256_ps128(r1);
    row[2] = _mm256_castps256_ps128(r2);
    row[3] = _mm256_castps256_ps128(r3);
    row[4] = _mm256_extractf128_ps(r0, 1);
    row[5] = _mm256_extractf128_ps(r1, 1);
    row[6] = _mm256_extractf128_ps(r2, 1);
    row[7] = _mm256_extractf128_ps(r3, 1);
}

#else

struct F8 {
    __m128 lo, hi;

    SPINDRIFT_INLINE F8() = default;
    SPINDRIFT_INLINE F8(__m128 a, __m128 b) : lo(a), hi(b) {}
    SPINDRIFT_INLINE explicit F8(float a) : lo(_mm_set1_ps(a)), hi(lo) {}
};

SPINDRIFT_INLINE F8 broadcast(const float* p) {
    return F8(*p);
}
SPINDRIFT_INLINE F8 operator+(F8 a, F8 b) {
    return {_mm_add_ps(a.lo, b.lo), _mm_add_ps(a.hi, b.hi)};
}
SPINDRIFT_INLINE F8 operator-(F8 a, F8 b) {
    return {_mm_sub_ps(a.lo, b.lo), _mm_sub_ps(a.hi, b.hi)};
}
SPINDRIFT_INLINE F8 operator*(F8 a, F8 b) {
    return {_mm_mul_ps(a.lo, b.lo), _mm_mul_ps(a.hi, b.hi)};
}
SPINDRIFT_INLINE F8 operator/(F8 a, F8 b) {
    return {_mm_div_ps(a.lo, b.lo), _mm_div_ps(a.hi, b.hi)};
}
SPINDRIFT_INLINE F8 operator<(F8 a, F8 b) {
    return {_mm_cmplt_ps(a.lo, b.lo), _mm_cmplt_ps(a.hi, b.hi)};
}
SPINDRIFT_INLINE F8 min(F8 a, F8 b) {
    return {_mm_min_ps(a.lo, b.lo), _mm_min_ps(a.hi, b.hi)};
}
SPINDRIFT_INLINE F8 max(F8 a, F8 b) {
    return {_mm_max_ps(a.lo, b.lo), _mm_max_ps(a.hi, b.hi)};
}
SPINDRIFT_INLINE F8 sqrt(F8 a) {
    return {_mm_sqrt_ps(a.lo), _mm_sqrt_ps(a.hi)};
}
SPINDRIFT_INLINE F8 floor(F8 a) {
    return {_mm_floor_ps(a.lo), _mm_floor_ps(a.hi)};
}
SPINDRIFT_INLINE F8 rsqrt(F8 a) {
    return {_mm_rsqrt_ps(a.lo), _mm_rsqrt_ps(a.hi)};
}
SPINDRIFT_INLINE F8 fmadd(F8 a, F8 b, F8 c) {
    return a * b + c;
}
SPINDRIFT_INLINE F8 fnmadd(F8 a, F8 b, F8 c) {
    return c - a * b;
}
SPINDRIFT_INLINE F8 select(F8 condition, F8 yes, F8 no) {
    return {_mm_blendv_ps(no.lo, yes.lo, condition.lo), _mm_blendv_ps(no.hi, yes.hi, condition.hi)};
}
SPINDRIFT_INLINE int mask(F8 a) {
    return _mm_movemask_ps(a.lo) | _mm_movemask_ps(a.hi) << 4;
}
SPINDRIFT_INLINE F8 load(const float* p) {
    return {_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
}
SPINDRIFT_INLINE void store(float* p, F8 a) {
    _mm_storeu_ps(p, a.lo);
    _mm_storeu_ps(p + 4, a.hi);
}

SPINDRIFT_INLINE unsigned append_set(unsigned* out, unsigned first, int bits) {
    unsigned count = 0;
    for (unsigned k = 0; k < 8; ++k) {
        out[count] = first + k;
        count += static_cast<unsigned>(bits) >> k & 1;
    }
    return count;
}

struct F8x4 {
    F8 x, y, z, w;
};

SPINDRIFT_INLINE F8x4 transpose(const __m128 row[8]) {
    __m128 a = row[0], b = row[1], c = row[2], d = row[3], e = row[4], f = row[5], g = row[6], h = row[7];
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _MM_TRANSPOSE4_PS(e, f, g, h);
    return {{a, e}, {b, f}, {c, g}, {d, h}};
}

SPINDRIFT_INLINE void transpose_back(const F8x4& a, __m128 row[8]) {
    row[0] = a.x.lo, row[1] = a.y.lo, row[2] = a.z.lo, row[3] = a.w.lo;
    row[4] = a.x.hi, row[5] = a.y.hi, row[6] = a.z.hi, row[7] = a.w.hi;
    _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
    _MM_TRANSPOSE4_PS(row[4], row[5], row[6], row[7]);
}

#endif

/// Two floats that stand behind each other.
using FloatPair [[gnu::aligned(4), gnu::may_alias]] = double;

/// Two such pairs, from anywhere.
SPINDRIFT_INLINE __m128 load_pairs(const float* a, const float* b) {
    return _mm_castpd_ps(__m128d{*reinterpret_cast<const FloatPair*>(a), *reinterpret_cast<const FloatPair*>(b)});
}

/// Components of `count` (1 to 8) consecutive groups of four; the lanes behind repeat the last group.
SPINDRIFT_INLINE F8x4 load_groups(const float* p, int count) {
    __m128 row[8];
    if (count == 8) {
        for (int lane = 0; lane < 8; ++lane)
            row[lane] = _mm_load_ps(p + 4 * lane);
    } else {
        for (int lane = 0; lane < 8; ++lane)
            row[lane] = _mm_load_ps(p + 4 * (lane < count ? lane : count - 1));
    }
    return transpose(row);
}

SPINDRIFT_INLINE void store_groups(float* p, int count, const F8x4& a) {
    __m128 row[8];
    transpose_back(a, row);
    if (count == 8) {
        for (int lane = 0; lane < 8; ++lane)
            _mm_store_ps(p + 4 * lane, row[lane]);
    } else {
        for (int lane = 0; lane < count; ++lane)
            _mm_store_ps(p + 4 * lane, row[lane]);
    }
}

}  // namespace spindrift::simd::SPINDRIFT_ISA_NAMESPACE
