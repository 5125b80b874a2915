#pragma once
// Four floats that are worked on at once, as every machine can.
//
//   Four middle = (load(a) + load(b)) * 0.5f;

#include "spindrift/core/vec.h"

namespace spindrift::whitewater {

using Four [[gnu::vector_size(16), gnu::may_alias]] = float;

inline Four load(const Float4& from) {
    return *reinterpret_cast<const Four*>(&from);
}

inline void store(Float4& to, Four values) {
    *reinterpret_cast<Four*>(&to) = values;
}

}  // namespace spindrift::whitewater
