#pragma once
// The order of whitewater in memory: by kind, then by leaves of 8 x 8 x 8 cells, then by cells, without the dead. What
// is near in space is near in memory, so that who moves one particle has what it looked at at hand for the next.
//
//   Buffer<std::uint32_t> order = order_of(particles, 0.02f);
//   particles.arrange(order);

#include <cstdint>

#include "spindrift/core/buffer.h"
#include "spindrift/whitewater/particles.h"

namespace spindrift::whitewater {

/// The living, in order. Those in the same cell keep the order they have.
Buffer<std::uint32_t> order_of(const Particles& all, float cell);

}  // namespace spindrift::whitewater
