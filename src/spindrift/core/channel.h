#pragma once
// Views of one quantity over a set of particles; arguments of algorithms. Direction shows in the type.
//
//   void advance(Channel<Vec3f> x, ConstChannel<Vec3f> v, float dt);

#include <span>

namespace spindrift {

template <class T>
using Channel = std::span<T>;

template <class T>
using ConstChannel = std::span<const T>;

}  // namespace spindrift
