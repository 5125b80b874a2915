#pragma once
// Simple shapes as scenes describe them.
//
//   SphereShape ball{{0, 0.5, 0}, 0.1};

#include "spindrift/core/vec.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::geometry {

struct SphereShape {
    Vec3d center{};
    double radius = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("center", self.center, {.text = "Centre", .unit = "m", .limits = coordinate_limits, .required = true});
        v("radius", self.radius, {.text = "Radius", .unit = "m", .limits = length_limits, .required = true});
    }
};

/// A round cylinder between the centres of its two ends, in any direction.
struct CylinderShape {
    Vec3d base{}, top{};
    double radius = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("base", self.base, {.text = "Centre of one end", .unit = "m", .limits = coordinate_limits, .required = true});
        v("top", self.top,
          {.text = "Centre of the other end", .unit = "m", .limits = coordinate_limits, .required = true});
        v("radius", self.radius, {.text = "Radius", .unit = "m", .limits = length_limits, .required = true});
    }

    void check(const Checker& checker) const {
        if (length(top - base) == 0)
            checker.problem("top", "the ends of the cylinder are the same point; move 'top' or 'base'");
    }
};

}  // namespace spindrift::geometry
