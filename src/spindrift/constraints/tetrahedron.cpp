#include "spindrift/constraints/tetrahedron.h"

#include <cmath>

#include <fmt/format.h>

#include "spindrift/constraints/elastic.h"
#include "spindrift/core/errors.h"

namespace spindrift::constraints {

namespace {

using Corners = std::array<Vec3d, 4>;
using Columns = std::array<Vec3d, 3>;

/// With the bulk stiffness equal to the shear modulus, 1 + m / l: no force at rest.
constexpr double rest_determinant = 2;

/// As most_stiffness; two dozen meet at a point.
constexpr double most_tetrahedron_stiffness = 0.08;

Columns deformation(const Corners& x, const Corners& g) {
    Columns f{};
    for (std::size_t v = 0; v < 4; ++v) {
        f[0] += x[v] * g[v].x;
        f[1] += x[v] * g[v].y;
        f[2] += x[v] * g[v].z;
    }
    return f;
}

/// Of the determinant by the corners.
Corners volume_gradient(const Columns& f, const Corners& g) {
    const Vec3d a = cross(f[1], f[2]), b = cross(f[2], f[0]), c = cross(f[0], f[1]);
    Corners gradient{};
    for (std::size_t v = 0; v < 4; ++v)
        gradient[v] = a * g[v].x + b * g[v].y + c * g[v].z;
    return gradient;
}

double determinant(const Columns& f) {
    return dot(f[0], cross(f[1], f[2]));
}

/// Of |F| by the corners; zero if there is nothing left of it.
Corners shape_gradient(const Columns& f, double size, const Corners& g) {
    Corners gradient{};
    for (std::size_t v = 0; v < 4 && size > 0; ++v)
        gradient[v] = (f[0] * g[v].x + f[1] * g[v].y + f[2] * g[v].z) / size;
    return gradient;
}

double size_of(const Columns& f) {
    return std::sqrt(dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]));
}

/// As if every point were as light as in its lightest direction: the gradient is that at rest.
double weigh_at_rest(const ConstraintContext& context, const std::array<std::size_t, 4>& points, const Corners& g) {
    double sum = 0;
    for (std::size_t v = 0; v < 4; ++v)
        sum += context.inverse_mass(points[v]) * dot(g[v], g[v]);
    return sum;
}

Corners positions_of(const ConstraintContext& context, const std::array<std::size_t, 4>& points) {
    return {context.position(points[0]), context.position(points[1]), context.position(points[2]),
            context.position(points[3])};
}

}  // namespace

TetrahedronConstraint::TetrahedronConstraint(std::span<const Tetrahedron> tetrahedra, std::span<const Vec3d> rest,
                                             double shear_modulus) {
    if (!(shear_modulus > 0 && std::isfinite(shear_modulus)))
        throw UsageError(
            fmt::format("TetrahedronConstraint: the shear modulus is {} Pa; give more than 0", shear_modulus));
    for (const Tetrahedron& tetrahedron : tetrahedra) {
        Corners x{};
        for (std::size_t v = 0; v < 4; ++v) {
            if (tetrahedron.points[v] < 0 || static_cast<std::size_t>(tetrahedron.points[v]) >= rest.size())
                throw UsageError(fmt::format("TetrahedronConstraint: there is no point {}", tetrahedron.points[v]));
            x[v] = rest[static_cast<std::size_t>(tetrahedron.points[v])];
        }
        const Columns edges{x[1] - x[0], x[2] - x[0], x[3] - x[0]};
        const double six = determinant(edges);
        if (!(std::abs(six) > 0 && tetrahedron.share > 0))
            throw UsageError("TetrahedronConstraint: a tetrahedron has no volume");
        Solid solid{.points = tetrahedron.points};
        solid.gradient[1] = cross(edges[1], edges[2]) / six;
        solid.gradient[2] = cross(edges[2], edges[0]) / six;
        solid.gradient[3] = cross(edges[0], edges[1]) / six;
        solid.gradient[0] = -(solid.gradient[1] + solid.gradient[2] + solid.gradient[3]);
        solid.compliance = 1 / (shear_modulus * std::abs(six) / 6 * tetrahedron.share);
        solids_.push_back(solid);
    }
}

void TetrahedronConstraint::begin_step(ConstraintContext& context) {
    // Points of bodies do not come and go.
    if (!context.knows_start() || active_.empty()) find_active(context, solids_, active_);
    for (Active& active : active_) {
        active.a = solids_[active.item].compliance / (context.dt() * context.dt());
        active.multiplier = {};
        if (context.knows_start()) start(context, active);
    }
}

void TetrahedronConstraint::start(ConstraintContext& context, Active& active) const {
    Corners x{};
    for (std::size_t v = 0; v < 4; ++v)
        x[v] = context.start(active.points[v]);
    const Corners& g = solids_[active.item].gradient;
    // Softened where others begin with a part of their force: the two halves of the energy pull against each other.
    active.a = std::max(active.a, weigh_at_rest(context, active.points, g) / 3 / most_tetrahedron_stiffness);
    const Columns f = deformation(x, g);
    const double size = size_of(f);
    active.multiplier.shape = -size / active.a;
    active.multiplier.volume = (rest_determinant - determinant(f)) / active.a;
    push(context, active.points, shifts_of(context, active.points, shape_gradient(f, size, g)),
         active.multiplier.shape);
    push(context, active.points, shifts_of(context, active.points, volume_gradient(f, g)), active.multiplier.volume);
}

void TetrahedronConstraint::project(ConstraintContext& context) {
    const std::size_t n = active_.size();
    for (std::size_t k = 0; k < n; ++k) {
        Active& active = active_[context.iteration() % 2 == 1 ? k : n - 1 - k];
        project_shape(context, active);
        project_volume(context, active);
    }
}

void TetrahedronConstraint::project_shape(ConstraintContext& context, Active& active) const {
    const Corners& g = solids_[active.item].gradient;
    const Columns f = deformation(positions_of(context, active.points), g);
    const double size = size_of(f);
    const Corners gradient = shape_gradient(f, size, g);
    const Corners shifts = shifts_of(context, active.points, gradient);
    const double step = -(size + active.a * active.multiplier.shape) / (weigh(gradient, shifts) + active.a);
    active.multiplier.shape += step;
    push(context, active.points, shifts, step);
}

void TetrahedronConstraint::project_volume(ConstraintContext& context, Active& active) const {
    const Corners& g = solids_[active.item].gradient;
    const Columns f = deformation(positions_of(context, active.points), g);
    const Corners gradient = volume_gradient(f, g);
    const Corners shifts = shifts_of(context, active.points, gradient);
    const double change = determinant(f) - rest_determinant;
    const double step = -(change + active.a * active.multiplier.volume) / (weigh(gradient, shifts) + active.a);
    active.multiplier.volume += step;
    push(context, active.points, shifts, step);
}

double TetrahedronConstraint::rate(std::span<const double> inverse_masses) const {
    double most = 0;
    for (const Solid& solid : solids_) {
        double sum = 0;
        for (std::size_t v = 0; v < 4; ++v)
            sum +=
                inverse_masses[static_cast<std::size_t>(solid.points[v])] * dot(solid.gradient[v], solid.gradient[v]);
        most = std::max(most, sum / 3 / solid.compliance);
    }
    return std::sqrt(most / most_tetrahedron_stiffness);
}

}  // namespace spindrift::constraints
