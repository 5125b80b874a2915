#include "spindrift/pbf/constraints/tetrahedron.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/pbf/constraints/elastic.h"

namespace spindrift::pbf {

namespace {

using Corners = std::array<Vec3d, 4>;
using Columns = std::array<Vec3d, 3>;
using Masses = std::array<double, 4>;

/// With the bulk stiffness equal to the shear modulus, 1 + m / l: no force at rest.
constexpr double rest_determinant = 2;

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

Symmetric3 weigh(const Corners& g, const Masses& w) {
    Symmetric3 m;
    for (std::size_t v = 0; v < 4; ++v) {
        m.xx += w[v] * g[v].x * g[v].x;
        m.xy += w[v] * g[v].x * g[v].y;
        m.xz += w[v] * g[v].x * g[v].z;
        m.yy += w[v] * g[v].y * g[v].y;
        m.yz += w[v] * g[v].y * g[v].z;
        m.zz += w[v] * g[v].z * g[v].z;
    }
    return m;
}

Masses masses_of(const ConstraintContext& context, const std::array<std::size_t, 4>& points) {
    return {context.inverse_mass(points[0]), context.inverse_mass(points[1]), context.inverse_mass(points[2]),
            context.inverse_mass(points[3])};
}

Corners positions_of(const ConstraintContext& context, const std::array<std::size_t, 4>& points) {
    return {context.position(points[0]), context.position(points[1]), context.position(points[2]),
            context.position(points[3])};
}

void push_shape(ConstraintContext& context, const std::array<std::size_t, 4>& points, const Corners& g, const Masses& w,
                const Columns& l) {
    for (std::size_t v = 0; v < 4; ++v) {
        if (w[v] > 0) context.move(points[v], (l[0] * g[v].x + l[1] * g[v].y + l[2] * g[v].z) * w[v]);
    }
}

void push_volume(ConstraintContext& context, const std::array<std::size_t, 4>& points, const Corners& gradient,
                 const Masses& w, double l) {
    for (std::size_t v = 0; v < 4; ++v) {
        if (w[v] > 0) context.move(points[v], gradient[v] * (w[v] * l));
    }
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
    active_.clear();
    for (std::size_t k = 0; k < solids_.size(); ++k) {
        Active active{.solid = k, .a = solids_[k].compliance / (context.dt() * context.dt())};
        bool whole = true;
        for (std::size_t v = 0; v < 4; ++v) {
            const std::optional<std::size_t> i = context.find(solids_[k].points[v]);
            whole = whole && i;
            active.points[v] = i.value_or(0);
        }
        if (!whole) continue;
        if (context.knows_start()) start(context, active);
        active_.push_back(active);
    }
}

void TetrahedronConstraint::start(ConstraintContext& context, Active& active) const {
    Corners x{};
    for (std::size_t v = 0; v < 4; ++v)
        x[v] = context.start(active.points[v]);
    const Corners& g = solids_[active.solid].gradient;
    const Masses w = masses_of(context, active.points);
    active.a = follow(active.a, weigh(g, w).trace() / 3);
    const Columns f = deformation(x, g);
    for (std::size_t c = 0; c < 3; ++c)
        active.shape[c] = f[c] / -active.a;
    active.volume = (rest_determinant - determinant(f)) / active.a;
    push_shape(context, active.points, g, w, active.shape);
    push_volume(context, active.points, volume_gradient(f, g), w, active.volume);
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
    const Corners& g = solids_[active.solid].gradient;
    const Masses w = masses_of(context, active.points);
    Symmetric3 matrix = weigh(g, w);
    matrix.xx += active.a;
    matrix.yy += active.a;
    matrix.zz += active.a;
    const Symmetric3 inverse = invert(matrix);
    Columns r = deformation(positions_of(context, active.points), g);
    for (std::size_t c = 0; c < 3; ++c)
        r[c] += active.shape[c] * active.a;
    const Columns step{-(r[0] * inverse.xx + r[1] * inverse.xy + r[2] * inverse.xz),
                       -(r[0] * inverse.xy + r[1] * inverse.yy + r[2] * inverse.yz),
                       -(r[0] * inverse.xz + r[1] * inverse.yz + r[2] * inverse.zz)};
    for (std::size_t c = 0; c < 3; ++c)
        active.shape[c] += step[c];
    push_shape(context, active.points, g, w, step);
}

void TetrahedronConstraint::project_volume(ConstraintContext& context, Active& active) const {
    const Corners& g = solids_[active.solid].gradient;
    const Masses w = masses_of(context, active.points);
    const Columns f = deformation(positions_of(context, active.points), g);
    const Corners gradient = volume_gradient(f, g);
    double weight = 0;
    for (std::size_t v = 0; v < 4; ++v)
        weight += w[v] * dot(gradient[v], gradient[v]);
    const double wanted = determinant(f) - rest_determinant;
    const double step = -(wanted + active.a * active.volume) / (weight + active.a);
    active.volume += step;
    push_volume(context, active.points, gradient, w, step);
}

double TetrahedronConstraint::fastest(std::span<const double> inverse_masses) const {
    double most = 0;
    for (const Solid& solid : solids_) {
        double sum = 0;
        for (std::size_t v = 0; v < 4; ++v)
            sum +=
                inverse_masses[static_cast<std::size_t>(solid.points[v])] * dot(solid.gradient[v], solid.gradient[v]);
        most = std::max(most, sum / 3 / solid.compliance);
    }
    return most;
}

}  // namespace spindrift::pbf
