#pragma once
// Where liquid is at the start: shapes filled with particles.
//
//   emitters::FillParams fill;
//   fill.box = Box3d{{0, 0, 0}, {0.6, 1, 1}};

#include <array>
#include <optional>
#include <string_view>

#include "spindrift/core/vec.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::emitters {

enum class Sampling { lattice, jittered };

constexpr std::array<std::string_view, 2> enum_words(Sampling) {
    return {"lattice", "jittered"};
}

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

/// Exactly one of the shapes is given.
struct FillParams {
    std::optional<Box3d> box{};
    std::optional<SphereShape> sphere{};
    std::optional<CylinderShape> cylinder{};
    Sampling sampling = Sampling::lattice;
    double jitter = 0.25;
    Vec3d velocity{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("box", self.box,
          {.text = "Box to fill, by its low and high corners", .unit = "m", .limits = coordinate_limits});
        v("sphere", self.sphere, {.text = "Sphere to fill"});
        v("cylinder", self.cylinder, {.text = "Cylinder to fill"});
        v("sampling", self.sampling,
          {.text = "How particles are placed: on a cubic lattice, or on one whose points are moved at random"});
        v("jitter", self.jitter,
          {.text = "How far jittered sampling moves a point along each axis, as a share of the spacing",
           .limits = between(0, 0.5)});
        v("velocity", self.velocity, {.text = "Velocity at the start", .unit = "m/s", .limits = between(-1e4, 1e4)});
    }

    void check(const Checker& checker) const {
        checker.exactly_one(
            {{"box", box.has_value()}, {"sphere", sphere.has_value()}, {"cylinder", cylinder.has_value()}});
        if (box) checker.box("box", *box);
    }
};

}  // namespace spindrift::emitters
