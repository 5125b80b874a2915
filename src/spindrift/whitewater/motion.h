#pragma once
// How drops fly and bubbles rise.
//
// Source: quadratic drag with a declared terminal speed; terminal speeds of rain from Gunn and Kinzer 1949; rise of
// bubbles from Mendelson 1967 above 2 mm; breakup at a Weber number of 12 (Pilch and Erdman 1987).
// Equations: dv/dt = g + (g0 / v_t^2) |u| u with u = wind - v. A step is a half kick of g, a <- a / (1 + c |a| dt) on
// a = v - wind, which is exact for drag alone, and another half kick; c is such that the step's own fixed point is v_t.
// Bubbles: v <- v_l + u_b + (v - v_l - u_b) exp(-dt/tau), tau = u_b / (2 g): added mass is half of the liquid's.
// Differs: rates, not shares per step, so that speeds do not depend on the length of steps.
// Symbols: v_t terminal speed, g0 gravity that it was measured with, u_b speed of rise, D diameter, m.

#include "spindrift/core/vec.h"
#include "spindrift/whitewater/params.h"

namespace spindrift::whitewater {

inline constexpr float earth_gravity = 9.81f, water_tension = 0.0728f, water_density = 998, air_density = 1.2f;

/// Speed that a drop falls with in the end, m/s.
float terminal_speed(float diameter, Terminal terminal);

/// What surrounds a drop.
struct Air {
    Vec3f gravity{};  ///< m/s^2
    Vec3f wind{};     ///< m/s
};

/// Moves a drop on by dt.
void fly(Vec3f& x, Vec3f& v, float terminal, const Air& air, float dt);

/// Largest drop that holds together at a speed through the air, m.
float largest_drop(float speed);

/// Speed of a bubble that rises in water, m/s.
float rise_speed(float diameter);

/// Moves a bubble on by dt in liquid of velocity `liquid`; `rise` is its speed of rise, as a vector.
void float_up(Vec3f& x, Vec3f& v, Vec3f liquid, Vec3f rise, float dt);

/// A diameter of those whose number falls as exp(-D / mean), from one random number.
float diameter_of(const std::array<double, 2>& range_mm, double mean_mm, float u);

}  // namespace spindrift::whitewater
