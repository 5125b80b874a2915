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

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/constraints/constraint.h"
#include "spindrift/core/vec.h"

namespace spindrift::constraints {

/// The largest J W J^T / a with which points may move by the whole force: a point takes part in many constraints, and
/// with more than this they would shoot past each other.
inline constexpr double most_stiffness = 0.25;

/// The part of its force that a constraint begins a step with.
inline double begin_with(double a, double weight) {
    return weight > most_stiffness * a ? most_stiffness * a / weight : 1;
}

/// By how much the points of an element shift for a multiplier of one.
template <std::size_t corners>
std::array<Vec3d, corners> shifts_of(const ConstraintContext& context, const std::array<std::size_t, corners>& points,
                                     const std::array<Vec3d, corners>& gradient) {
    std::array<Vec3d, corners> shifts{};
    for (std::size_t v = 0; v < corners; ++v)
        shifts[v] = context.shift(points[v], gradient[v]);
    return shifts;
}

/// J W J^T
template <std::size_t corners>
double weigh(const std::array<Vec3d, corners>& gradient, const std::array<Vec3d, corners>& shifts) {
    double sum = 0;
    for (std::size_t v = 0; v < corners; ++v)
        sum += dot(gradient[v], shifts[v]);
    return sum;
}

template <std::size_t corners>
void push(ConstraintContext& context, const std::array<std::size_t, corners>& points,
          const std::array<Vec3d, corners>& shifts, double multiplier) {
    for (std::size_t v = 0; v < corners; ++v) {
        if (shifts[v] != Vec3d{}) context.move(points[v], shifts[v] * multiplier);
    }
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

}  // namespace spindrift::constraints
