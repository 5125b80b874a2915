#pragma once
// Four floats that the compiler keeps in one register, as the projection moves particles by them.
//
//   const Quad move = clamped(change * dt_per_h, all(most));

#include <smmintrin.h>

#include "spindrift/core/vec.h"

namespace spindrift::pbf {

using Quad = float __attribute__((vector_size(16)));

inline Quad load(const Float4& value) {
    return _mm_load_ps(&value.x);
}

inline void store(Float4& to, Quad value) {
    _mm_store_ps(&to.x, value);
}

inline Quad all(float value) {
    return _mm_set1_ps(value);
}

inline Quad largest(Quad a, Quad b) {
    return _mm_max_ps(a, b);
}

/// Between -most and most.
inline Quad clamped(Quad value, Quad most) {
    return _mm_min_ps(_mm_max_ps(value, -most), most);
}

/// The first three of one, the fourth of another.
inline Quad with_fourth_of(Quad xyz, Quad w) {
    return _mm_blend_ps(xyz, w, 8);
}

}  // namespace spindrift::pbf
