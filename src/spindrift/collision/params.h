#pragma once
// What liquid collides with: the walls of the domain and solid shapes.
//
//   collision::DomainParams domain{.box = {{0, 0, 0}, {2, 1.5, 1}}, .open = {collision::Side::top}};

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::collision {

/// Sides of a box: -x, +x, -y, +y, -z, +z.
enum class Side { left, right, bottom, top, back, front };

constexpr std::array<std::string_view, 6> enum_words(Side) {
    return {"left", "right", "bottom", "top", "back", "front"};
}

/// Describes `friction` and `bounce` of anything with a surface.
template <class Self, class Visitor>
void describe_surface(Self& self, Visitor& v) {
    v("friction", self.friction,
      {.text = "Friction of the surface: 0 lets the liquid slip, 1 makes it stick", .limits = between(0, 1)});
    v("bounce", self.bounce,
      {.text = "Share of the speed into the surface that is given back", .limits = between(0, 1)});
}

struct DomainParams {
    Box3d box{};
    std::vector<Side> open{};
    double friction = 0;
    double bounce = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("box", self.box,
          {.text = "Low and high corner of the box that holds the liquid",
           .unit = "m",
           .limits = coordinate_limits,
           .required = true,
           .when_missing = "add box = [[0, 0, 0], [2, 1, 1]], the low and the high corner in metres"});
        v("open", self.open,
          {.text =
               "Sides without a wall, where liquid may leave: left and right are -x and +x, bottom and top -y and +y, "
               "back and front -z and +z"});
        describe_surface(self, v);
    }

    void check(const Checker& checker) const { checker.box("box", box); }
};

/// Solid below the plane, free on the side the normal points to.
struct PlaneShape {
    Vec3d point{};
    Vec3d normal{0, 1, 0};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("point", self.point,
          {.text = "A point of the plane", .unit = "m", .limits = coordinate_limits, .required = true});
        v("normal", self.normal,
          {.text = "Direction out of the solid, of any length", .limits = coordinate_limits, .required = true});
    }

    void check(const Checker& checker) const { checker.direction("normal", normal); }
};

/// Exactly one of the shapes is given.
struct ColliderParams {
    std::string name{};
    std::optional<Box3d> box{};
    std::optional<PlaneShape> plane{};
    double friction = 0;
    double bounce = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name for messages and --set"});
        v("box", self.box,
          {.text = "Solid box, by its low and high corners", .unit = "m", .limits = coordinate_limits});
        v("plane", self.plane, {.text = "Solid half-space below a plane"});
        describe_surface(self, v);
    }

    void check(const Checker& checker) const {
        checker.exactly_one({{"box", box.has_value()}, {"plane", plane.has_value()}});
        if (box) checker.box("box", *box);
    }
};

}  // namespace spindrift::collision
