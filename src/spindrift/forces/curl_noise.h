#pragma once
// A random vector field without divergence: eddies of one size that turn over in time.
//
// Source     R. Bridson et al., Curl-noise for procedural fluid flow, SIGGRAPH 2007, section 2.1.
// Equations  a = curl psi, psi(x) = sum over the eight corners c of x's cell of w_c(x) P_c, so a = sum grad w_c x P_c.
// Differs    Value noise in place of gradient noise, with unit vectors P_c that each turn in a plane of their own at a
//            rate of their own: the field never repeats and costs one table look-up per corner.
// Symbols    w_c quintic weights; P_c a vector of the table, chosen by a hash of the corner.
//
//   CurlNoise noise(seed, turns);                        // turns = speed * time
//   Vec3f a = noise.at({x / scale, y / scale, z / scale});   // length at most 1

#include <array>
#include <cstdint>

#include "spindrift/core/vec.h"

namespace spindrift::forces {

class CurlNoise {
  public:
    /// The field when its vectors have turned about `turns` times.
    CurlNoise(std::uint64_t seed, double turns);

    /// The field at a point given in cells, counted from `base`.
    Vec3f at(Vec3f x) const;

    /// Whole cells from the world's origin to where points count from, so that floats stay small.
    std::array<std::uint32_t, 3> base{};

  private:
    std::array<Float4, 256> potential_;
    std::uint32_t seed_;
};

}  // namespace spindrift::forces
