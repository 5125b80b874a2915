#pragma once
// Forces besides gravity.
//
//   forces::ForceParams wind{.type = forces::ForceType::drag, .rate = 0.5, .wind = {4, 0, 0}};
//   wind.active = {{1, 48}};

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::forces {

enum class ForceType { constant, point, line, vortex, drag, noise };

constexpr std::array<std::string_view, 6> enum_words(ForceType) {
    return {"constant", "point", "line", "vortex", "drag", "noise"};
}

struct ForceParams {
    ForceType type = ForceType::constant;
    Animated<Vec3d> acceleration{};
    Animated<Vec3d> position{};
    Animated<Vec3d> axis{0, 1, 0};
    Animated<double> strength = 0.0;
    std::optional<Animated<double>> radius{};
    double falloff = 1;
    Animated<double> rate = 0.0;
    Animated<Vec3d> wind{};
    double scale = 0.25;
    double speed = 1;
    std::int64_t seed = 0;
    std::string liquid{};
    std::string mask{};
    std::optional<std::array<double, 2>> active{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("type", self.type,
          {.text = "constant: the same acceleration everywhere; point: towards or away from a point; line: towards or "
                   "away from a line; vortex: around an axis; drag: towards the velocity of the wind; noise: eddies of "
                   "a random field without divergence",
           .required = true,
           .when_missing = "add type = \"constant\", \"point\", \"line\", \"vortex\", \"drag\" or \"noise\""});
        v("acceleration", self.acceleration,
          {.text = "constant: the acceleration", .unit = "m/s^2", .limits = between(-1e5, 1e5)});
        v("position", self.position,
          {.text = "point: the point; line, vortex: a point of the axis; drag, noise: the centre of the region that "
                   "'radius' gives",
           .unit = "m",
           .limits = coordinate_limits});
        v("axis", self.axis,
          {.text = "line, vortex: direction of the axis, of any length", .limits = coordinate_limits});
        v("strength", self.strength,
          {.text = "point, line: acceleration at the radius, positive attracts and negative repels; vortex: "
                   "acceleration around the axis at the radius, positive is right-handed; noise: largest acceleration, "
                   "about three times the typical one",
           .unit = "m/s^2",
           .limits = between(-1e5, 1e5)});
        v("radius", self.radius,
          {.text = "Distance from the point or axis beyond which the field falls off; point, line, vortex: 1 m if not "
                   "given, and the strength grows in proportion to the distance within it; drag, noise: everywhere "
                   "alike if not given",
           .unit = "m",
           .limits = length_limits});
        v("falloff", self.falloff,
          {.text = "Exponent of the fall beyond the radius, (radius / distance)^falloff", .limits = between(0, 16)});
        v("rate", self.rate,
          {.text = "drag: rate at which the velocity approaches that of the wind",
           .unit = "1/s",
           .limits = between(0, 1e4)});
        v("wind", self.wind, {.text = "drag: velocity of the air", .unit = "m/s", .limits = between(-1e4, 1e4)});
        v("scale", self.scale, {.text = "noise: size of the eddies", .unit = "m", .limits = between(1e-3, 1e6)});
        v("speed", self.speed,
          {.text = "noise: how often eddies turn over in a second; 0 keeps them as they are",
           .unit = "1/s",
           .limits = between(0, 1e4)});
        v("seed", self.seed, {.text = "noise: start of its random numbers", .limits = at_least(0)});
        v("liquid", self.liquid, {.text = "Name of the liquid that the force acts on; on all if not given"});
        v("mask", self.mask,
          {.text =
               "Name of a channel of numbers: each particle feels the share of the force that its own says; none at 0 "
               "and below, all of it at 1 and above"});
        v("active", self.active,
          {.text = "First and last frame of the time in which the field acts; always if not given",
           .limits = between(-1e6, 1e6)});
    }

    void check(const Checker& checker) const;
};

}  // namespace spindrift::forces
