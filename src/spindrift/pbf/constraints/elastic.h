#pragma once
// What the constraints of elastic materials share.
//
// Source: Macklin, Mueller and Chentanez 2016 (XPBD), eqs. 17 and 18; Macklin et al. 2019 (small steps).
// Equations: (J W J^T + a) dl = -(C + a l),  dx = W J^T dl,  a = compliance / dt^2.
// Differs: over the points of a body the multipliers of a step begin with the forces that the material has where the
// step begins, l = -C / a, and points move by them at once. One pass then corrects only what changes in the step, and a
// body at rest is in exact balance whatever the steps and passes are. What is too stiff for steps of this length begins
// with a part of its force: it stays calm, but gives way more than it should.
// Symbols: C strains, J their derivatives by the points, W inverse masses, l multipliers.
//
//   double l = -begin_with(a, weight) * strain / a;
//   Symmetric3 inverse = invert({2, 0, 0, 2, 0, 2});         // half of the unit matrix

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/pbf/constraint.h"

namespace spindrift::pbf {

/// The largest J W J^T / a with which points may move by the whole force: a point takes part in many constraints, and
/// with more than this they would shoot past each other.
inline constexpr double most_stiffness = 0.25;

/// The part of its force that a constraint begins a step with.
inline double begin_with(double a, double weight) {
    return weight > most_stiffness * a ? most_stiffness * a / weight : 1;
}

/// An element whose points are all there, in a step.
template <std::size_t corners, class Multiplier>
struct ActiveElement {
    std::size_t item = 0;  ///< among the constraint's elements
    std::array<std::size_t, corners> points{};
    double a = 0;  ///< compliance over dt^2
    Multiplier multiplier{};
};

template <std::size_t corners, class Multiplier, class Element>
void find_active(const ConstraintContext& context, const std::vector<Element>& elements,
                 std::vector<ActiveElement<corners, Multiplier>>& active) {
    active.clear();
    for (std::size_t k = 0; k < elements.size(); ++k) {
        ActiveElement<corners, Multiplier> one;
        one.item = k;
        bool whole = true;
        for (std::size_t v = 0; v < corners; ++v) {
            const std::optional<std::size_t> i = context.find(elements[k].points[v]);
            whole = whole && i;
            one.points[v] = i.value_or(0);
        }
        if (whole) active.push_back(one);
    }
}

struct Symmetric3 {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    double trace() const { return xx + yy + zz; }
    Vec3d operator*(Vec3d v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
};

/// Of a positive definite matrix.
inline Symmetric3 invert(const Symmetric3& m) {
    const double a = m.yy * m.zz - m.yz * m.yz, b = m.xz * m.yz - m.xy * m.zz, c = m.xy * m.yz - m.xz * m.yy;
    const double s = 1 / (m.xx * a + m.xy * b + m.xz * c);
    return {a * s,
            b * s,
            c * s,
            (m.xx * m.zz - m.xz * m.xz) * s,
            (m.xy * m.xz - m.xx * m.yz) * s,
            (m.xx * m.yy - m.xy * m.xy) * s};
}

}  // namespace spindrift::pbf
