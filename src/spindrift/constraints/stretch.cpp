#include "spindrift/constraints/stretch.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "spindrift/constraints/elastic.h"
#include "spindrift/core/errors.h"

namespace spindrift::constraints {

namespace {

using Corners = std::array<Vec3d, 3>;
using Gradient = std::array<std::array<double, 2>, 3>;

/// How a triangle is stretched: images of its two directions at rest, their lengths less one, and their product.
struct Strain {
    Vec3d a{}, b{};              ///< images
    Vec3d along_a{}, along_b{};  ///< as unit vectors
    Vec3d value{};
};

Strain strain_of(const Corners& x, const Gradient& g) {
    Strain strain;
    strain.a = x[0] * g[0][0] + x[1] * g[1][0] + x[2] * g[2][0];
    strain.b = x[0] * g[0][1] + x[1] * g[1][1] + x[2] * g[2][1];
    const double size_a = length(strain.a), size_b = length(strain.b);
    if (size_a > 0) strain.along_a = strain.a / size_a;
    if (size_b > 0) strain.along_b = strain.b / size_b;
    strain.value = {size_a - 1, size_b - 1, dot(strain.a, strain.b)};
    return strain;
}

/// The derivatives of the strains by a corner.
Corners derivatives(const Strain& strain, const std::array<double, 2>& g) {
    return {strain.along_a * g[0], strain.along_b * g[1], strain.b * g[0] + strain.a * g[1]};
}

/// By how much each corner shifts for each of the multipliers.
using Shifts = std::array<Corners, 3>;

/// J W J^T, and the shifts.
Symmetric3 weigh(const ConstraintContext& context, const std::array<std::size_t, 3>& points, const Strain& strain,
                 const Gradient& gradient, Shifts& shifts) {
    Symmetric3 sum;
    for (std::size_t v = 0; v < 3; ++v) {
        const Vec3d a = context.shift(points[v], strain.a), b = context.shift(points[v], strain.b);
        const double size_a = strain.value.x + 1, size_b = strain.value.y + 1;
        const auto [ga, gb] = gradient[v];
        shifts[v] = {a * (size_a > 0 ? ga / size_a : 0), b * (size_b > 0 ? gb / size_b : 0), b * ga + a * gb};
        const Corners d = derivatives(strain, gradient[v]);
        const auto& [s, t, u] = shifts[v];
        sum += {dot(d[0], s), dot(d[0], t), dot(d[0], u), dot(d[1], t), dot(d[1], u), dot(d[2], u)};
    }
    return sum;
}

/// Shear gives way twice as easily as it would with the stiffness of stretching.
constexpr double shear_compliance = 2;

Vec3d scale(Vec3d strain, double a) {
    return {strain.x * a, strain.y * a, strain.z * a * shear_compliance};
}

void push(ConstraintContext& context, const std::array<std::size_t, 3>& points, const Shifts& shifts, Vec3d l) {
    for (std::size_t v = 0; v < 3; ++v) {
        const Vec3d by = shifts[v][0] * l.x + shifts[v][1] * l.y + shifts[v][2] * l.z;
        if (by != Vec3d{}) context.move(points[v], by);
    }
}

/// In the plane of the triangle, the first direction as near to the x axis as can be, so that neighbours agree.
/// Nothing if it has no area.
std::optional<Gradient> gradient_of(const Corners& x) {
    const Vec3d p = x[1] - x[0], q = x[2] - x[0], normal = cross(p, q);
    const double size = length(normal);
    if (size <= 1e-9 * std::max(dot(p, p), dot(q, q))) return {};
    const Vec3d n = normal / size;
    const Vec3d axis = std::abs(n.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    const Vec3d u = normalize(axis - n * dot(axis, n)), v = cross(n, u);
    const double pu = dot(p, u), pv = dot(p, v), qu = dot(q, u), qv = dot(q, v);
    Gradient g{};
    g[1] = {qv / size, -qu / size};
    g[2] = {-pv / size, pu / size};
    g[0] = {-g[1][0] - g[2][0], -g[1][1] - g[2][1]};
    return g;
}

}  // namespace

StretchConstraint::StretchConstraint(std::span<const std::array<std::int64_t, 3>> triangles,
                                     std::span<const Vec3d> rest, double stiffness) {
    if (!(stiffness > 0 && std::isfinite(stiffness)))
        throw UsageError(fmt::format("StretchConstraint: the stiffness is {} N/m; give more than 0", stiffness));
    for (const std::array<std::int64_t, 3>& triangle : triangles) {
        Corners x{};
        for (std::size_t v = 0; v < 3; ++v) {
            if (triangle[v] < 0 || static_cast<std::size_t>(triangle[v]) >= rest.size())
                throw UsageError(fmt::format("StretchConstraint: there is no point {}", triangle[v]));
            x[v] = rest[static_cast<std::size_t>(triangle[v])];
        }
        const std::optional<Gradient> gradient = gradient_of(x);
        if (!gradient) continue;
        const double area = length(cross(x[1] - x[0], x[2] - x[0])) / 2;
        patches_.push_back({triangle, *gradient, 1 / (stiffness * area)});
    }
}

void StretchConstraint::begin_step(ConstraintContext& context) {
    // Points of bodies do not come and go.
    if (!context.knows_start() || active_.empty()) find_active(context, patches_, active_);
    for (Active& active : active_) {
        active.a = patches_[active.item].compliance / (context.dt() * context.dt());
        active.multiplier = {};
        if (context.knows_start()) start(context, active);
    }
}

void StretchConstraint::start(ConstraintContext& context, Active& active) const {
    const Corners x{context.start(active.points[0]), context.start(active.points[1]), context.start(active.points[2])};
    const Strain strain = strain_of(x, patches_[active.item].gradient);
    Shifts shifts;
    const Symmetric3 weight = weigh(context, active.points, strain, patches_[active.item].gradient, shifts);
    const double force = -begin_with(active.a, weight.trace() / (2 + shear_compliance)) / active.a;
    active.multiplier = {strain.value.x * force, strain.value.y * force, strain.value.z * force / shear_compliance};
    push(context, active.points, shifts, active.multiplier);
}

void StretchConstraint::project(ConstraintContext& context) {
    const std::size_t n = active_.size();
    for (std::size_t k = 0; k < n; ++k)
        project_patch(context, active_[context.iteration() % 2 == 1 ? k : n - 1 - k]);
}

void StretchConstraint::project_patch(ConstraintContext& context, Active& active) const {
    const Corners x{context.position(active.points[0]), context.position(active.points[1]),
                    context.position(active.points[2])};
    const Strain strain = strain_of(x, patches_[active.item].gradient);
    Shifts shifts;
    Symmetric3 matrix = weigh(context, active.points, strain, patches_[active.item].gradient, shifts);
    if (matrix.trace() == 0) return;
    matrix.xx += active.a;
    matrix.yy += active.a;
    matrix.zz += active.a * shear_compliance;
    const Vec3d step = -(invert(matrix) * (strain.value + scale(active.multiplier, active.a)));
    active.multiplier += step;
    push(context, active.points, shifts, step);
}

double StretchConstraint::rate(std::span<const double> inverse_masses) const {
    double most = 0;
    for (const Patch& patch : patches_) {
        double sum = 0;
        for (std::size_t v = 0; v < 3; ++v) {
            const std::array<double, 2>& g = patch.gradient[v];
            sum += inverse_masses[static_cast<std::size_t>(patch.points[v])] * (g[0] * g[0] + g[1] * g[1]);
        }
        // At rest the strains have the squares of g1, g2 and both for derivatives: twice the sum over four parts.
        most = std::max(most, sum / 2 / patch.compliance);
    }
    return std::sqrt(most / most_stiffness);
}

}  // namespace spindrift::constraints
