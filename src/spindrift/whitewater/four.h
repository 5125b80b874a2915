#pragma once
// Four floats that are worked on at once, as every machine can.
//
//   Four middle = (load(a) + load(b)) * 0.5f;

#include "spindrift/core/vec.h"

namespace spindrift::whitewater {

using Four [[gnu::vector_size(16), gnu::may_alias]] = float;

using FourInts [[gnu::vector_size(16), gnu::may_alias]] = int;

/// The largest whole numbers that are not above them; of what is not finite or beyond two thousand million, any.
inline FourInts floor_of(Four a) {
    const FourInts truncated = __builtin_convertvector(a, FourInts);
    return truncated + (__builtin_convertvector(truncated, Four) > a);
}

inline bool is_same(FourInts a, FourInts b) {
    using TwoLongs [[gnu::vector_size(16)]] = long long;
    const auto differ = (TwoLongs)(a ^ b);
    return (differ[0] | differ[1]) == 0;
}

inline Four load(const Float4& from) {
    return *reinterpret_cast<const Four*>(&from);
}

inline void store(Float4& to, Four values) {
    *reinterpret_cast<Four*>(&to) = values;
}

}  // namespace spindrift::whitewater
