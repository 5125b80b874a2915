#pragma once
// Forces besides gravity.
//
//   forces::ForceParams wind{.type = forces::ForceType::drag, .rate = 0.5, .wind = {4, 0, 0}};

#include <array>
#include <string>
#include <string_view>

#include "spindrift/core/vec.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::forces {

enum class ForceType { constant, point, vortex, drag };

constexpr std::array<std::string_view, 4> enum_words(ForceType) {
    return {"constant", "point", "vortex", "drag"};
}

struct ForceParams {
    ForceType type = ForceType::constant;
    Vec3d acceleration{};
    Vec3d position{};
    Vec3d axis{0, 1, 0};
    double strength = 0;
    double radius = 1;
    double falloff = 1;
    double rate = 0;
    Vec3d wind{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("type", self.type,
          {.text = "constant: the same acceleration everywhere; point: towards or away from a point; vortex: around an "
                   "axis; drag: towards the velocity of the wind",
           .required = true,
           .when_missing = "add type = \"constant\", \"point\", \"vortex\" or \"drag\""});
        v("acceleration", self.acceleration,
          {.text = "constant: the acceleration", .unit = "m/s^2", .limits = between(-1e5, 1e5), .animatable = true});
        v("position", self.position,
          {.text = "point: the point; vortex: a point of the axis",
           .unit = "m",
           .limits = coordinate_limits,
           .animatable = true});
        v("axis", self.axis,
          {.text = "vortex: direction of the axis, of any length", .limits = coordinate_limits, .animatable = true});
        v("strength", self.strength,
          {.text = "point: acceleration within the radius, positive attracts and negative repels; vortex: acceleration "
                   "around the axis within the radius, positive is right-handed",
           .unit = "m/s^2",
           .limits = between(-1e5, 1e5),
           .animatable = true});
        v("radius", self.radius,
          {.text = "point, vortex: distance beyond which the strength falls off",
           .unit = "m",
           .limits = length_limits,
           .animatable = true});
        v("falloff", self.falloff,
          {.text = "point, vortex: exponent of the fall beyond the radius, strength * (radius / distance)^falloff",
           .limits = between(0, 16)});
        v("rate", self.rate,
          {.text = "drag: rate at which the velocity approaches that of the wind",
           .unit = "1/s",
           .limits = between(0, 1e4),
           .animatable = true});
        v("wind", self.wind,
          {.text = "drag: velocity of the air", .unit = "m/s", .limits = between(-1e4, 1e4), .animatable = true});
    }

    void check(const Checker& checker) const {
        check_unused_keys(checker);
        if (type == ForceType::vortex) checker.direction("axis", axis);
    }

  private:
    /// The types that use a key, by their words' places in ForceType.
    struct Use {
        std::string_view key;
        bool by[4];
    };

    void check_unused_keys(const Checker& checker) const {
        static constexpr Use uses[] = {
            {"acceleration", {true, false, false, false}}, {"position", {false, true, true, false}},
            {"axis", {false, false, true, false}},         {"strength", {false, true, true, false}},
            {"radius", {false, true, true, false}},        {"falloff", {false, true, true, false}},
            {"rate", {false, false, false, true}},         {"wind", {false, false, false, true}},
        };
        const auto index = static_cast<std::size_t>(type);
        std::string used;
        for (const Use& use : uses) {
            if (use.by[index]) used += (used.empty() ? "" : ", ") + std::string(use.key);
        }
        for (const Use& use : uses) {
            if (use.by[index] || !checker.given(use.key)) continue;
            checker.problem(use.key,
                            "not used by a force of type '" + std::string(word(type)) + "', which uses: " + used);
        }
    }
};

}  // namespace spindrift::forces
