#include "spindrift/pbf/constraints/stretch.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/pbf/constraints/elastic.h"

namespace spindrift::pbf {

namespace {

using Corners = std::array<Vec3d, 3>;
using Gradient = std::array<std::array<double, 2>, 3>;

struct Strain {
    Vec3d value{};
    std::array<Corners, 3> derivative{};  ///< of each strain by each corner
};

Vec3d unit_or_zero(Vec3d a) {
    const double size = length(a);
    return size > 0 ? a / size : Vec3d{};
}

Strain strain_of(const Corners& x, const Gradient& g) {
    const Vec3d a = x[0] * g[0][0] + x[1] * g[1][0] + x[2] * g[2][0];
    const Vec3d b = x[0] * g[0][1] + x[1] * g[1][1] + x[2] * g[2][1];
    const Vec3d along_a = unit_or_zero(a), along_b = unit_or_zero(b);
    Strain strain;
    strain.value = {length(a) - 1, length(b) - 1, dot(a, b)};
    for (std::size_t v = 0; v < 3; ++v) {
        strain.derivative[0][v] = along_a * g[v][0];
        strain.derivative[1][v] = along_b * g[v][1];
        strain.derivative[2][v] = b * g[v][0] + a * g[v][1];
    }
    return strain;
}

/// J W J^T
Symmetric3 weigh(const Strain& strain, const std::array<double, 3>& w) {
    const auto entry = [&](std::size_t i, std::size_t j) {
        double sum = 0;
        for (std::size_t v = 0; v < 3; ++v)
            sum += w[v] * dot(strain.derivative[i][v], strain.derivative[j][v]);
        return sum;
    };
    return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
}

/// Shear gives way twice as easily as it would with the stiffness of stretching.
constexpr double shear_compliance = 2;

Vec3d scale(Vec3d strain, double a) {
    return {strain.x * a, strain.y * a, strain.z * a * shear_compliance};
}

std::array<double, 3> inverse_masses(const ConstraintContext& context, const std::array<std::size_t, 3>& points) {
    return {context.inverse_mass(points[0]), context.inverse_mass(points[1]), context.inverse_mass(points[2])};
}

void push(ConstraintContext& context, const std::array<std::size_t, 3>& points, const Strain& strain,
          const std::array<double, 3>& w, Vec3d l) {
    for (std::size_t v = 0; v < 3; ++v) {
        if (w[v] == 0) continue;
        const Vec3d force =
            strain.derivative[0][v] * l.x + strain.derivative[1][v] * l.y + strain.derivative[2][v] * l.z;
        context.move(points[v], force * w[v]);
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
    active_.clear();
    for (std::size_t k = 0; k < patches_.size(); ++k) {
        Active active{.patch = k, .a = patches_[k].compliance / (context.dt() * context.dt())};
        bool whole = true;
        for (std::size_t v = 0; v < 3; ++v) {
            const std::optional<std::size_t> i = context.find(patches_[k].points[v]);
            whole = whole && i;
            active.points[v] = i.value_or(0);
        }
        if (!whole) continue;
        if (context.knows_start()) start(context, active);
        active_.push_back(active);
    }
}

void StretchConstraint::start(ConstraintContext& context, Active& active) const {
    const Corners x{context.start(active.points[0]), context.start(active.points[1]), context.start(active.points[2])};
    const Strain strain = strain_of(x, patches_[active.patch].gradient);
    const std::array<double, 3> w = inverse_masses(context, active.points);
    active.a = follow(active.a, weigh(strain, w).trace() / (2 + shear_compliance));
    active.multiplier = {-strain.value.x / active.a, -strain.value.y / active.a,
                         -strain.value.z / (active.a * shear_compliance)};
    push(context, active.points, strain, w, active.multiplier);
}

void StretchConstraint::project(ConstraintContext& context) {
    const std::size_t n = active_.size();
    for (std::size_t k = 0; k < n; ++k)
        project_patch(context, active_[context.iteration() % 2 == 1 ? k : n - 1 - k]);
}

void StretchConstraint::project_patch(ConstraintContext& context, Active& active) const {
    const Corners x{context.position(active.points[0]), context.position(active.points[1]),
                    context.position(active.points[2])};
    const Strain strain = strain_of(x, patches_[active.patch].gradient);
    const std::array<double, 3> w = inverse_masses(context, active.points);
    if (w[0] + w[1] + w[2] == 0) return;
    Symmetric3 matrix = weigh(strain, w);
    matrix.xx += active.a;
    matrix.yy += active.a;
    matrix.zz += active.a * shear_compliance;
    const Vec3d step = -(invert(matrix) * (strain.value + scale(active.multiplier, active.a)));
    active.multiplier += step;
    push(context, active.points, strain, w, step);
}

double StretchConstraint::fastest(std::span<const double> inverse_masses) const {
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
    return most;
}

}  // namespace spindrift::pbf
