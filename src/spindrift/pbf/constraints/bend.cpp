#include "spindrift/pbf/constraints/bend.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/pbf/constraints/elastic.h"

namespace spindrift::pbf {

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

double weigh(const Corners& gradient, const std::array<double, 4>& w) {
    double sum = 0;
    for (std::size_t v = 0; v < 4; ++v)
        sum += w[v] * dot(gradient[v], gradient[v]);
    return sum;
}

std::array<double, 4> inverse_masses(const ConstraintContext& context, const std::array<std::size_t, 4>& points) {
    std::array<double, 4> w{};
    for (std::size_t v = 0; v < 4; ++v)
        w[v] = context.inverse_mass(points[v]);
    return w;
}

void push(ConstraintContext& context, const std::array<std::size_t, 4>& points, const Corners& gradient,
          const std::array<double, 4>& w, double multiplier) {
    for (std::size_t v = 0; v < 4; ++v) {
        if (w[v] > 0) context.move(points[v], gradient[v] * (w[v] * multiplier));
    }
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
        folds_.push_back({hinge.points, hinge_angle(x), area / (stiffness * dot(edge, edge)),
                          weigh(hinge_gradient(x), {1, 1, 1, 1})});
    }
}

void BendConstraint::begin_step(ConstraintContext& context) {
    active_.clear();
    const double dt2 = context.dt() * context.dt();
    for (const Fold& fold : folds_) {
        Active active{.points = {}, .angle = fold.angle, .a = fold.compliance / dt2};
        bool whole = true;
        for (std::size_t v = 0; v < 4; ++v) {
            const std::optional<std::size_t> i = context.find(fold.points[v]);
            whole = whole && i;
            active.points[v] = i.value_or(0);
        }
        if (!whole) continue;
        if (context.knows_start()) {
            Corners x{};
            for (std::size_t v = 0; v < 4; ++v)
                x[v] = context.start(active.points[v]);
            const Corners gradient = hinge_gradient(x);
            const std::array<double, 4> w = inverse_masses(context, active.points);
            active.a = follow(active.a, weigh(gradient, w));
            active.multiplier = -difference(hinge_angle(x), fold.angle) / active.a;
            push(context, active.points, gradient, w, active.multiplier);
        }
        active_.push_back(active);
    }
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
    const std::array<double, 4> w = inverse_masses(context, fold.points);
    const double weight = weigh(gradient, w);
    if (weight == 0) return;
    const double step = -(difference(hinge_angle(x), fold.angle) + fold.a * fold.multiplier) / (weight + fold.a);
    fold.multiplier += step;
    push(context, fold.points, gradient, w, step);
}

double BendConstraint::fastest(std::span<const double> inverse_masses) const {
    double most = 0;
    for (const Fold& fold : folds_) {
        double w = 0;
        for (const std::int64_t point : fold.points)
            w = std::max(w, inverse_masses[static_cast<std::size_t>(point)]);
        most = std::max(most, fold.weight * w / fold.compliance);
    }
    return most;
}

}  // namespace spindrift::pbf
