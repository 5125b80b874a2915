#include "spindrift/bodies/soft/soft_parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

namespace spindrift::bodies {

std::vector<Vec3f> SoftParts::on_surface(std::span<const Vec3d> values) const {
    std::vector<Vec3f> all(mesh.riders.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = vec_cast<float>(mesh.riders[i].at(values));
    return all;
}

geometry::Mesh SoftParts::surface_of(std::span<const Vec3d> points_now) const {
    geometry::Mesh surface = mesh.surface;
    surface.points = on_surface(points_now);
    return surface;
}

/// As predicted for the end of the step.
std::vector<Vec3d> SoftParts::points_ahead() const {
    std::vector<Vec3d> ahead = state.points;
    for (std::size_t i = 0; i < ahead.size(); ++i)
        ahead[i] += predicted[i] * step.dt;
    return ahead;
}

void SoftParts::find_pins() {
    // Points are as exact as a file's; those on the border are meant.
    constexpr double margin = 1e-6;
    points.pinned.assign(state.points.size(), 0);
    for (Box3d box : params.pin) {
        box = {box.lo - Vec3d{margin, margin, margin}, box.hi + Vec3d{margin, margin, margin}};
        for (std::size_t i = 0; i < state.points.size(); ++i) {
            if (box.contains(state.points[i])) points.pinned[i] = 1;
        }
    }
    has_pins = std::find(points.pinned.begin(), points.pinned.end(), 1) != points.pinned.end();
}

/// Once, when steps are much too long for the material.
void SoftParts::tell_of_stiffness() {
    const double needed = points.rate() * step.dt,
                 has = setup.iterations > 0 ? setup.iterations : points.passes(step.dt);
    if (told_of_stiffness || needed < 2 * has) return;
    told_of_stiffness = true;
    log_warning(
        fmt::format("{} is too stiff for its mesh and gives way more than it should: it would take {:.0f} passes in a "
                    "step, and has {:.0f}; make it softer or heavier, its mesh coarser, or the steps shorter",
                    describe_body(params), std::ceil(needed), has));
}

void SoftParts::check_finite() const {
    const bool finite = std::all_of(state.points.begin(), state.points.end(), [](Vec3d x) { return is_finite(x); });
    if (finite) return;
    throw Error(ExitCode::diverged,
                fmt::format("{} flew apart: make it softer or heavier, or the steps shorter", describe_body(params)));
}

/// What obstacles gave in the step.
Vec3d SoftParts::run(const SoftPushes& given, const collision::Walls& obstacles, Vec3d origin) {
    const double unit = setup.support > 0 ? setup.support : 1;
    const collision::Walls walls = collision::in_units_of(obstacles, static_cast<float>(unit));
    SoftPoints::Run run{.dt = step.dt, .gravity = step.gravity, .passes = setup.iterations};
    run.goals = goals;
    run.impulses = given.impulses();
    run.attached = given.attached();
    run.obstacles = &walls;
    run.origin = origin;
    run.unit = unit;
    return points.run(state, run);
}

/// Of the momentum that free points and what is attached to them gained, what neither liquid nor gravity gave.
Vec3d SoftParts::held_by_pins(const SoftPushes& given, std::span<const Vec3d> before) const {
    Vec3d held{};
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (points.pinned[i]) continue;
        held += (state.velocities[i] - before[i] - step.gravity * step.dt) * mesh.masses[i] +
                given.attached()[i] * state.velocities[i] - given.impulses()[i];
    }
    return held;
}

}  // namespace spindrift::bodies
