#pragma once
// Fills shapes with particles.
//
//   for (Vec3d p : sample_fill(shape, spacing, seed)) ...     // one particle per spacing cubed

#include <cstdint>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"

namespace spindrift::emitters {

/// Positions on a cubic lattice inside the shape, half a spacing off its faces, jittered if asked for.
std::vector<Vec3d> sample_fill(const FillParams& fill, double spacing, std::uint64_t seed);

bool contains(const FillParams& fill, Vec3d p);
Box3d bounds(const FillParams& fill);
/// Cubic metres.
double volume(const FillParams& fill);

}  // namespace spindrift::emitters
