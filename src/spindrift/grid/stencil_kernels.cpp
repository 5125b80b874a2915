// Source: McAdams et al. 2010 for multigrid as a preconditioner; Braess 1995 for sums over aggregates with a scale.
// Equations: (A x)_c = d_c x_c - sum k_f x_other; a sweep is x + w (r - A x) / d; the coarse matrix is P^T A P / 2 with
// P
//   constant on 2 x 2 x 2 cells, but for the excess d_c - sum k_f, which is 1 / (1 / sum + 1 / most).
// Differs: the inverse of the diagonal is at hand, so that a sweep is (1 - w) x + w (r + sum k_f x_other) / d.
// Symbols: d diagonal, k coupling of a face, w weight.

#include "spindrift/grid/stencil_kernels.h"

#include "spindrift/grid/row_kernels.h"

namespace spindrift::grid::SPINDRIFT_ISA_NAMESPACE {

namespace {

/// Sums of neighbouring pairs of a row: four values.
SPINDRIFT_INLINE __m128 pairs(F8 a) {
#ifdef __AVX2__
    return _mm_hadd_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
#else
    return _mm_hadd_ps(a.lo, a.hi);
#endif
}

SPINDRIFT_INLINE __m128 every_other(F8 a, bool odd) {
#ifdef __AVX2__
    const __m128 lo = _mm256_castps256_ps128(a.v), hi = _mm256_extractf128_ps(a.v, 1);
#else
    const __m128 lo = a.lo, hi = a.hi;
#endif
    return odd ? _mm_shuffle_ps(lo, hi, 0xdd) : _mm_shuffle_ps(lo, hi, 0x88);
}

/// Four values, each for two cells of a row.
SPINDRIFT_INLINE F8 doubled(const float* p) {
    const __m128 a = _mm_loadu_ps(p);
#ifdef __AVX2__
    return _mm256_set_m128(_mm_unpackhi_ps(a, a), _mm_unpacklo_ps(a, a));
#else
    return {_mm_unpacklo_ps(a, a), _mm_unpackhi_ps(a, a)};
#endif
}

/// The couplings of a leaf.
struct Couplings {
    LeafRows x, y, z;

    SPINDRIFT_INLINE Couplings(const StencilView& m, std::size_t leaf, const std::int32_t* near)
        : x(m.coupling[0], leaf, near), y(m.coupling[1], leaf, near), z(m.coupling[2], leaf, near) {}
    SPINDRIFT_INLINE F8 sum(int row, int slice) const {
        return (x.here(row, slice) + x.upper_x(row, slice)) + (y.here(row, slice) + y.upper_y(row, slice)) +
               (z.here(row, slice) + z.upper_z(row, slice));
    }
    /// Sum over the faces of coupling times the value beyond.
    SPINDRIFT_INLINE F8 beyond(const LeafRows& p, int row, int slice) const {
        const F8 a = fmadd(x.here(row, slice), p.lower_x(row, slice), x.upper_x(row, slice) * p.upper_x(row, slice));
        const F8 b = fmadd(y.here(row, slice), p.lower_y(row, slice), y.upper_y(row, slice) * p.upper_y(row, slice));
        const F8 c = fmadd(z.here(row, slice), p.lower_z(row, slice), z.upper_z(row, slice) * p.upper_z(row, slice));
        return a + b + c;
    }
};

/// Calls body(y, z, place of the row) for the rows of a leaf.
template <class Body>
SPINDRIFT_INLINE void for_rows(const Body& body) {
    for (int z = 0; z < leaf_width; ++z) {
#pragma GCC unroll 8
        for (int y = 0; y < leaf_width; ++y)
            body(y, z, cell_index(0, y, z));
    }
}

/// Calls body(leaf, its neighbours, place in the list) for some of a list.
template <class Body>
SPINDRIFT_INLINE void for_list(const StencilView& m, std::size_t first, std::size_t last, const Body& body) {
    for (std::size_t k = first; k < last; ++k) {
        const auto leaf = static_cast<std::size_t>(m.leaves[k]);
        body(leaf, m.neighbors + 27 * leaf, k);
    }
}

/// One over a row of diagonals, and zero where they are.
SPINDRIFT_INLINE F8 inverse_of(F8 d) {
    const F8 zero(0.f);
    return select(zero < d, F8(1.f) / d, zero);
}

bool any_of_side(const float* coupling, int axis) {
    bool any = false;
    for (int a = 0; a < leaf_width; ++a) {
        for (int b = 0; b < leaf_width; ++b)
            any |= coupling[axis == 0   ? cell_index(0, a, b)
                            : axis == 1 ? cell_index(a, 0, b)
                                        : cell_index(a, b, 0)] != 0;
    }
    return any;
}

void survey(const SurveyPass& pass, std::size_t first, std::size_t last) {
    const F8 beyond_rounding(2e-6f), zero(0.f);
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t) {
        const float* diagonal = pass.matrix.diagonal + leaf * leaf_cells;
        int positive = 0;
        for_rows([&](int, int, int at) { positive |= mask(zero < load(diagonal + at)); });
        if (positive == 0) return;
        const Couplings k(pass.matrix, leaf, near);
        float* inverse = pass.inverse + leaf * leaf_cells;
        int excess = 0;
        F8 largest(0.f);
        for_rows([&](int y, int z, int at) {
            const F8 d = load(diagonal + at);
            largest = max(largest, max(k.x.here(y, z), max(k.y.here(y, z), k.z.here(y, z))));
            store(inverse + at, inverse_of(d));
            excess |= mask(beyond_rounding * d < d - k.sum(y, z));
        });
        int bits = has_unknowns | (excess ? has_excess : 0);
        for (int axis = 0; axis < 3; ++axis) {
            if (any_of_side(pass.matrix.coupling[axis] + leaf * leaf_cells, axis)) bits |= joins_low_x << axis;
        }
        pass.bits[leaf] = static_cast<std::uint8_t>(bits);
        pass.largest[leaf] = largest_of(largest);
    });
}

void apply(const ApplyPass& pass, std::size_t first, std::size_t last, double* sums) {
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t place) {
        const Couplings k(pass.matrix, leaf, near);
        const LeafRows p(pass.in, leaf, near);
        const float* diagonal = pass.matrix.diagonal + leaf * leaf_cells;
        float* out = pass.out + leaf * leaf_cells;
        F8 product(0.f);
        for_rows([&](int y, int z, int at) {
            const F8 here = p.here(y, z), result = load(diagonal + at) * here - k.beyond(p, y, z);
            store(out + at, result);
            product = fmadd(here, result, product);
        });
        if (sums) sums[place] = sum_of(product);
    });
}

/// From zero: out = weight r / diagonal.
void first_sweep(const SweepPass& pass, std::size_t first, std::size_t last) {
    const F8 weight(pass.weight);
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t*, std::size_t) {
        const std::size_t begin = leaf * leaf_cells;
        for_rows([&](int, int, int at) {
            const std::size_t i = begin + static_cast<std::size_t>(at);
            store(pass.out + i, weight * load(pass.matrix.inverse + i) * load(pass.r + i));
        });
    });
}

void sweep(const SweepPass& pass, std::size_t first, std::size_t last, double* sums) {
    if (!pass.in) return first_sweep(pass, first, last);
    const F8 weight(pass.weight), rest(1 - pass.weight);
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t place) {
        const Couplings k(pass.matrix, leaf, near);
        const LeafRows p(pass.in, leaf, near);
        const std::size_t begin = leaf * leaf_cells;
        const float *inverse = pass.matrix.inverse + begin, *r = pass.r + begin;
        float* out = pass.out + begin;
        F8 product(0.f);
        for_rows([&](int y, int z, int at) {
            const F8 given = load(r + at), step = weight * load(inverse + at);
            const F8 result = fmadd(step, given + k.beyond(p, y, z), rest * p.here(y, z));
            store(out + at, result);
            product = fmadd(given, result, product);
        });
        if (sums) sums[place] = sum_of(product);
    });
}

/// Where the eighth of the parent begins.
template <class Pass>
SPINDRIFT_INLINE std::size_t eighth(const Pass& pass, std::size_t leaf) {
    return static_cast<std::size_t>(pass.parents[leaf]) * leaf_cells + pass.corners[leaf];
}

void restrict_residual(const TransferPass& pass, std::size_t first, std::size_t last) {
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t) {
        const Couplings k(pass.matrix, leaf, near);
        const LeafRows p(pass.x, leaf, near);
        const float *diagonal = pass.matrix.diagonal + leaf * leaf_cells, *r = pass.r + leaf * leaf_cells;
        float* coarse = pass.coarse + eighth(pass, leaf);
        for (int z = 0; z < leaf_width; z += 2) {
#pragma GCC unroll 4
            for (int y = 0; y < leaf_width; y += 2) {
                const auto rest = [&](int row, int slice) {
                    const int at = cell_index(0, row, slice);
                    return fnmadd(load(diagonal + at), p.here(row, slice), load(r + at) + k.beyond(p, row, slice));
                };
                const F8 sum = (rest(y, z) + rest(y + 1, z)) + (rest(y, z + 1) + rest(y + 1, z + 1));
                _mm_storeu_ps(coarse + cell_index(0, y / 2, z / 2), pairs(sum));
            }
        }
    });
}

void prolong(const TransferPass& pass, std::size_t first, std::size_t last) {
    const F8 zero(0.f);
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t*, std::size_t) {
        const float* coarse = pass.coarse + eighth(pass, leaf);
        const float* inverse = pass.matrix.inverse + leaf * leaf_cells;
        float* x = pass.x + leaf * leaf_cells;
        for_rows([&](int y, int z, int at) {
            const F8 more = doubled(coarse + cell_index(0, y / 2, z / 2));
            store(x + at, load(x + at) + select(zero < load(inverse + at), more, zero));
        });
    });
}

void coarsen(const CoarsenPass& pass, std::size_t first, std::size_t last) {
    const StencilView& m = pass.matrix;
    const __m128 half = _mm_set1_ps(0.5f);
    for_list(m, first, last, [&](std::size_t leaf, const std::int32_t*, std::size_t) {
        const std::size_t begin = leaf * leaf_cells, to = eighth(pass, leaf);
        for (int cell = 0; cell < leaf_rows / 4; ++cell) {
            const int y = cell % 4, z = cell / 4;
            const auto at = [&](const float* field, int dy, int dz) {
                return load(field + begin + cell_index(0, 2 * y + dy, 2 * z + dz));
            };
            const auto all = [&](const float* field) {
                return (at(field, 0, 0) + at(field, 1, 0)) + (at(field, 0, 1) + at(field, 1, 1));
            };
            const F8 across = all(m.coupling[0]);
            const F8 inner_y = at(m.coupling[1], 1, 0) + at(m.coupling[1], 1, 1);
            const F8 inner_z = at(m.coupling[2], 0, 1) + at(m.coupling[2], 1, 1);
            const __m128 inner = _mm_add_ps(pairs(inner_y + inner_z), every_other(across, true));
            const std::size_t out = to + static_cast<std::size_t>(cell_index(0, y, z));
            const auto put = [&](float* field, __m128 a) { _mm_storeu_ps(field + out, _mm_mul_ps(half, a)); };
            put(pass.coupling[0], every_other(across, false));
            put(pass.coupling[1], pairs(at(m.coupling[1], 0, 0) + at(m.coupling[1], 0, 1)));
            put(pass.coupling[2], pairs(at(m.coupling[2], 0, 0) + at(m.coupling[2], 1, 0)));
            const __m128 sum = pairs(all(m.diagonal)), rest = _mm_sub_ps(sum, _mm_add_ps(inner, inner));
            // An aggregate without excess and coupling is known up to rounding only: it is left out.
            const __m128 sound = _mm_cmplt_ps(_mm_mul_ps(_mm_set1_ps(4e-6f), sum), rest);
            put(pass.diagonal, _mm_and_ps(sound, rest));
        }
    });
}

void finish(const FinishPass& pass, std::size_t first, std::size_t last) {
    const F8 zero(0.f), one(1.f), two(2.f), per_most(1 / pass.most_excess);
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t) {
        const Couplings k(pass.matrix, leaf, near);
        float* diagonal = pass.diagonal + leaf * leaf_cells;
        float* inverse = pass.inverse + leaf * leaf_cells;
        for_rows([&](int y, int z, int at) {
            const F8 sum = k.sum(y, z), d = load(diagonal + at), whole = two * (max(d, sum) - sum);
            const F8 result = select(zero < d, sum + whole / fmadd(whole, per_most, one), zero);
            store(diagonal + at, result);
            store(inverse + at, inverse_of(result));
        });
    });
}

void advance(const AdvancePass& pass, std::size_t first, std::size_t last, double* sums) {
    const F8 alpha(pass.alpha);
    for (std::size_t k = first; k < last; ++k) {
        const std::size_t begin = static_cast<std::size_t>(pass.leaves[k]) * leaf_cells;
        F8 squares(0.f);
        for (std::size_t i = begin; i < begin + leaf_cells; i += leaf_width) {
            store(pass.x + i, fmadd(alpha, load(pass.p + i), load(pass.x + i)));
            const F8 r = fnmadd(alpha, load(pass.q + i), load(pass.r + i));
            store(pass.r + i, r);
            squares = fmadd(r, r, squares);
        }
        if (sums) sums[k] = sum_of(squares);
    }
}

void turn(const TurnPass& pass, std::size_t first, std::size_t last) {
    const F8 beta(pass.beta);
    for (std::size_t k = first; k < last; ++k) {
        const std::size_t begin = static_cast<std::size_t>(pass.leaves[k]) * leaf_cells;
        for (std::size_t i = begin; i < begin + leaf_cells; i += leaf_width) {
            const F8 z = load(pass.z + i);
            store(pass.p + i, pass.beta == 0 ? z : fmadd(beta, load(pass.p + i), z));
        }
    }
}

}  // namespace

StencilKernels stencil_kernels() {
    return {survey, apply, sweep, restrict_residual, prolong, coarsen, finish, advance, turn};
}

}  // namespace spindrift::grid::SPINDRIFT_ISA_NAMESPACE
