#pragma once
// Layers of faces around those that have a velocity of their own, which is layer 0.

namespace spindrift::mac {

/// Of faces that no velocity has reached.
inline constexpr float no_layer = 100;
/// Of faces that have particles and no pressure: their velocity is their own unless liquid is near.
inline constexpr float own_layer = 101;

}  // namespace spindrift::mac
