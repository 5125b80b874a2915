#include "spindrift/constraints/bend.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "spindrift/constraints/elastic.h"
#include "spindrift/core/errors.h"

namespace spindrift::constraints {

namespace {

using Corners = std::array<Vec3d, 4>;

struct Normals {
    Vec3d edge, a, b;  ///< twice the areas long
};

Normals normals_of(const Corners& x) {
    const Vec3d edge = x[1] - x[0];
    return {edge, cross(edge, x[2] - x[0]), cross(x[3] - x[0], edge)};
}

/// The shorter way around.
double difference(double a, double b) {
    constexpr double turn = 2 * std::numbers::pi;
    return std::remainder(a - b, turn);
}

double squares_of(const Corners& gradient) {
    return weigh(gradient, gradient);
}

/// Cotangent of the angle at a, 0 if it is obtuse.
double cotangent(Vec3d a, Vec3d b, Vec3d c) {
    return std::max(0.0, dot(b - a, c - a) / length(cross(b - a, c - a)));
}

/// Edges share what bends a sheet: those across from right angles less, for the others lie beside them. With these
/// factors a sheet of squares cut in two is as stiff as a plate both along its squares and across.
double share_of(const Corners& x) {
    constexpr double diagonal = 0.5, side = std::numbers::sqrt2;
    const double across = (cotangent(x[2], x[0], x[1]) + cotangent(x[3], x[0], x[1])) / 2;
    return diagonal + (side - diagonal) * std::min(across, 1.0);
}

}  // namespace

double hinge_angle(const Corners& x) {
    const auto [edge, a, b] = normals_of(x);
    const double size = length(edge);
    return size == 0 ? 0 : std::atan2(dot(cross(a, b), edge) / size, dot(a, b));
}

Corners hinge_gradient(const Corners& x) {
    const auto [edge, a, b] = normals_of(x);
    const double size = length(edge), aa = dot(a, a), bb = dot(b, b);
    if (!(size > 0 && aa > 0 && bb > 0)) return {};
    const Vec3d na = a / aa, nb = b / bb;
    const auto along = [&, e = edge](Vec3d from, Vec3d to) { return dot(to - from, e) / size; };
    return {-(na * along(x[1], x[2]) + nb * along(x[1], x[3])), na * along(x[0], x[2]) + nb * along(x[0], x[3]),
            na * -size, nb * -size};
}

BendConstraint::BendConstraint(std::span<const Hinge> hinges, std::span<const Vec3d> rest, double stiffness) {
    if (!(stiffness > 0 && std::isfinite(stiffness)))
        throw UsageError(fmt::format("BendConstraint: the stiffness is {} N m; give more than 0", stiffness));
    for (const Hinge& hinge : hinges) {
        Corners x{};
        for (std::size_t v = 0; v < 4; ++v) {
            if (hinge.points[v] < 0 || static_cast<std::size_t>(hinge.points[v]) >= rest.size())
                throw UsageError(fmt::format("BendConstraint: there is no point {}", hinge.points[v]));
            x[v] = rest[static_cast<std::size_t>(hinge.points[v])];
        }
        const auto [edge, a, b] = normals_of(x);
        const double area = (length(a) + length(b)) / 2;
        if (length(a) <= 1e-9 * dot(edge, edge) || length(b) <= 1e-9 * dot(edge, edge)) continue;
        folds_.push_back({hinge.points, hinge_angle(x), area / (stiffness * share_of(x) * dot(edge, edge)),
                          squares_of(hinge_gradient(x))});
    }
}

void BendConstraint::begin_step(ConstraintContext& context) {
    // Points of bodies do not come and go.
    if (!context.knows_start() || active_.empty()) find_active(context, folds_, active_);
    for (Active& active : active_) {
        active.a = folds_[active.item].compliance / (context.dt() * context.dt());
        active.multiplier = {};
        if (context.knows_start()) start(context, active);
    }
}

void BendConstraint::start(ConstraintContext& context, Active& fold) const {
    Corners x{};
    for (std::size_t v = 0; v < 4; ++v)
        x[v] = context.start(fold.points[v]);
    const Corners gradient = hinge_gradient(x);
    const Corners shifts = shifts_of(context, fold.points, gradient);
    fold.multiplier =
        -begin_with(fold.a, weigh(gradient, shifts)) * difference(hinge_angle(x), folds_[fold.item].angle) / fold.a;
    push(context, fold.points, shifts, fold.multiplier);
}

void BendConstraint::project(ConstraintContext& context) {
    const std::size_t n = active_.size();
    for (std::size_t k = 0; k < n; ++k)
        project_fold(context, active_[context.iteration() % 2 == 1 ? k : n - 1 - k]);
}

void BendConstraint::project_fold(ConstraintContext& context, Active& fold) const {
    Corners x{};
    for (std::size_t v = 0; v < 4; ++v)
        x[v] = context.position(fold.points[v]);
    const Corners gradient = hinge_gradient(x);
    const Corners shifts = shifts_of(context, fold.points, gradient);
    const double weight = weigh(gradient, shifts);
    if (weight == 0) return;
    const double step =
        -(difference(hinge_angle(x), folds_[fold.item].angle) + fold.a * fold.multiplier) / (weight + fold.a);
    fold.multiplier += step;
    push(context, fold.points, shifts, step);
}

double BendConstraint::rate(std::span<const double> inverse_masses) const {
    double most = 0;
    for (const Fold& fold : folds_) {
        double w = 0;
        for (const std::int64_t point : fold.points)
            w = std::max(w, inverse_masses[static_cast<std::size_t>(point)]);
        most = std::max(most, fold.weight * w / fold.compliance);
    }
    return std::sqrt(most / most_stiffness);
}

}  // namespace spindrift::constraints
