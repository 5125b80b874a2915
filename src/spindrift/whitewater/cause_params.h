#pragma once
// Settings of what whitewater is born of. Limits are in SI units, so that they fit any resolution and frame rate.
//
//   whitewater::CrestParams crest{.length = 0.1};

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::whitewater {

inline constexpr Limits rate_limits = between(0, 1e6), speed_limits = between(0, 1e4);

inline constexpr std::string_view mask_text =
    "Name of a channel of numbers: each particle of the liquid gives the share that its own says; none at 0 and below, "
    "all at 1 and above";

/// Droplets where liquid is torn into particles that have few others around them.
struct IsolationParams {
    Animated<double> rate = 11.0;
    double density = 0.7, density_slope = 2;
    double speed = 0.7, speed_slope = 2;
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, where it is surely isolated",
           .unit = "1/s",
           .limits = rate_limits});
        v("density", self.density,
          {.text = "Share of the rest density below which a particle is isolated: 0.81 is a surface at rest, 0.62 a "
                   "sheet of one layer, 0.36 a string, 0.19 a particle alone",
           .limits = between(0, 1)});
        v("density_slope", self.density_slope,
          {.text = "How fast isolation grows as the density falls", .limits = between(0, 1e3)});
        v("speed", self.speed, {.text = "Speed below which nothing is born", .unit = "m/s", .limits = speed_limits});
        v("speed_slope", self.speed_slope,
          {.text = "How fast isolation grows with the speed", .unit = "s/m", .limits = between(0, 1e3)});
        v("mask", self.mask, {.text = mask_text});
    }
};

/// Foam and bubbles where parts of the liquid run into each other.
struct TrappedAirParams {
    Animated<double> rate = 10.0;
    std::optional<std::array<double, 2>> speed{};
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, where most air is trapped",
           .unit = "1/s",
           .limits = rate_limits});
        v("speed", self.speed,
          {.text =
               "Relative speeds of particles that run into each other between which trapping begins and is full; 0.7 "
               "and 2.5 m/s if not given, more where the liquid is coarser than 0.2 m, as the root of its spacing",
           .unit = "m/s",
           .limits = speed_limits,
           .reference = "Eq. 2, Ihmsen et al. 2012"});
        v("mask", self.mask, {.text = mask_text});
    }
    void check(const Checker& checker) const;
};

/// Where the surface is sharply bent outwards and runs ahead of the liquid around it.
struct CrestParams {
    Animated<double> rate = 10.0;
    std::optional<double> length{};
    std::optional<std::array<double, 2>> curvature{};
    double speed = 0.3;
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, on the sharpest crests",
           .unit = "1/s",
           .limits = rate_limits});
        v("length", self.length,
          {.text = "Length over which the surface is smoothed before its curvature is taken; 0.2 m if not given, or 4 "
                   "spacings if that is more",
           .unit = "m",
           .limits = length_limits});
        v("curvature", self.curvature,
          {.text = "Curvatures between which crests begin and are full; 1/4 and 1 by the length if not given",
           .unit = "1/m",
           .limits = between(0, 1e6)});
        v("speed", self.speed,
          {.text = "How much faster than the liquid around a crest has to be", .unit = "m/s", .limits = speed_limits});
        v("mask", self.mask, {.text = mask_text});
    }
    void check(const Checker& checker) const;
};

/// Where the liquid turns fast.
struct VorticityParams {
    Animated<double> rate = 10.0;
    std::array<double, 2> speed{2, 6};
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, in the fastest eddies",
           .unit = "1/s",
           .limits = rate_limits});
        v("speed", self.speed,
          {.text = "Curl of the velocity, times two spacings, between which it begins and is full",
           .unit = "m/s",
           .limits = speed_limits});
        v("mask", self.mask, {.text = mask_text});
    }
    void check(const Checker& checker) const;
};

}  // namespace spindrift::whitewater
