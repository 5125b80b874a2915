#pragma once
// What a view shows of a liquid, and how much time it takes for it.
//
//   SlicePlane half{.point = {0, 0, 0.5}, .normal = {0, 0, 1}};
//   std::string_view says = word(Quality::draft);

#include <array>
#include <string_view>

#include "spindrift/core/vec.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::render {

/// A cut through the liquid: what lies on the side the normal points to is not drawn.
struct SlicePlane {
    Vec3d point{};
    Vec3d normal{0, 0, 1};
    double thickness = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("point", self.point,
          {.text = "A point of the plane", .unit = "m", .limits = coordinate_limits, .required = true});
        v("normal", self.normal,
          {.text = "Direction towards what is taken away, of any length",
           .limits = coordinate_limits,
           .required = true});
        v("thickness", self.thickness,
          {.text = "Of the slab that is left below the plane; 0 leaves everything",
           .unit = "m",
           .limits = between(0, 1e6)});
    }

    void check(const Checker& checker) const { checker.direction("normal", normal); }
};

/// What is drawn of a liquid.
enum class Show { automatic, particles, mesh, both, implicit };

constexpr std::array<std::string_view, 5> enum_words(Show) {
    return {"auto", "particles", "mesh", "both", "implicit"};
}

/// How much time a picture is worth.
enum class Quality { draft, preview, final };

constexpr std::array<std::string_view, 3> enum_words(Quality) {
    return {"draft", "preview", "final"};
}

}  // namespace spindrift::render
