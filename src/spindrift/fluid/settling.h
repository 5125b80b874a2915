#pragma once
// How fast grains sink in a liquid, or drops rise, and how they hinder each other.
//
// Source: Stokes 1851; Ferguson and Church 2004; Richardson and Zaki 1954; Onderik 2014, Eq. 25 and 26.
// Equations: Stokes w = 2/9 r^2 (rho_s - rho) g / (rho nu); Ferguson and Church w = R g D^2 / (18 nu + sqrt(0.75 C1 R g
//   D^3)), R = rho_s / rho - 1, C1 = 1 for natural sand; slip of grains among others w (1 - S)^(n - 1), so that what is
//   carried is w C (1 - C)^n; the thesis' form is w (1 - (S / S_max)^n).
// Differs: Eq. 25 is printed with 9/2.
// Symbols: S share of all grains, D = 2 r.
//
//   double w = settling_speed({.radius = 5e-5, .density = 2650}, {998.2, 1.004e-6}, 9.81, SettlingLaw::stokes);

#include <array>
#include <optional>
#include <string_view>

namespace spindrift::fluid {

enum class SettlingLaw { ferguson_church, stokes };

constexpr std::array<std::string_view, 2> enum_words(SettlingLaw) {
    return {"ferguson_church", "stokes"};
}

enum class Hindrance { richardson_zaki, saturation };

constexpr std::array<std::string_view, 2> enum_words(Hindrance) {
    return {"richardson_zaki", "saturation"};
}

/// A component that sinks or rises through the others.
struct Grains {
    double radius = 0;              ///< m
    double density = 0;             ///< kg/m3
    std::optional<double> speed{};  ///< m/s, downwards; in place of what radius and density make of it
    double most = 0.6;              ///< share beyond which no more come
    double hindrance = 4.65;        ///< n
};

/// What grains sink in.
struct Carrier {
    double density = 1000;    ///< kg/m3
    double viscosity = 1e-6;  ///< m2/s
};

/// m/s along gravity, of a grain alone; below 0 for what rises.
double settling_speed(const Grains& grains, const Carrier& carrier, double gravity, SettlingLaw law);

/// Of a grain alone: beyond 1 Stokes' law is too fast.
double reynolds_number(const Grains& grains, const Carrier& carrier, double speed);

/// What is left of a grain's slip among others: of all grains there is a share `all`, and they fill `filled` of the
/// room that there is for them.
float hindered(float hindrance, float all, float filled, Hindrance law);

/// How many times thicker grains make a liquid.
float suspension_factor(float all, float filled);

}  // namespace spindrift::fluid
