#include "spindrift/bodies/soft/soft_body.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spindrift/bodies/shape.h"
#include "spindrift/bodies/soft/soft_parts.h"
#include "spindrift/collision/walls/colliders.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

namespace spindrift::bodies {

namespace {

collision::FieldSettings field_settings(const BodyParams& params, const SoftBody::Setup& setup) {
    const bool is_cloth = params.kind == Kind::cloth;
    collision::FieldSettings settings;
    settings.cell = params.cell.value_or(setup.spacing);
    settings.mode = is_cloth ? collision::Mode::shell : collision::Mode::solid_inside;
    settings.thickness = is_cloth ? params.thickness.value_or(0) : 0;
    settings.band = collision::band_radii * setup.support;
    settings.depth = collision::depth_radii * setup.support;
    settings.primitives = true;
    settings.name = params.name.empty() ? "a soft body" : params.name;
    return settings;
}

SoftMesh make_mesh(const BodyParams& params, const std::filesystem::path& folder) {
    const geometry::Mesh shape = read_shape(params, folder);
    if (params.kind == Kind::cloth) return make_cloth_mesh(shape, params);
    SoftMesh mesh = make_solid_mesh(shape, params);
    if (signed_volume(shape) < 0)
        log_warning(fmt::format("the faces of {} look inwards; it is filled all the same", describe_body(params)));
    return mesh;
}

/// Points that are closer together than the liquid's particles are hit by one at a time and shake.
void warn_of_small_cells(const BodyParams& params, const SoftMesh& mesh, double spacing) {
    constexpr double least = 1.9;
    if (params.coupling == Coupling::none || mesh.surface.triangles.empty()) return;
    double sum = 0;
    for (const geometry::Triangle& t : mesh.surface.triangles)
        sum += static_cast<double>(length(mesh.surface.points[t[0]] - mesh.surface.points[t[1]]));
    double cell = sum / static_cast<double>(mesh.surface.triangles.size());
    if (params.kind == Kind::soft) {
        const Vec3d size = geometry::bounds(mesh.surface).size();
        cell = params.soft.cell.value_or(std::max({size.x, size.y, size.z}) / 8);
    }
    if (!(cell < least * spacing)) return;
    log_warning(
        fmt::format("{} has cells of {:.2g} m, less than two spacings of the liquid ({:.2g} m): it may shake in it; {}",
                    describe_body(params), cell, spacing,
                    params.kind == Kind::soft ? fmt::format("give soft.cell = {:.2g}", 2 * spacing)
                                              : "make its triangles larger or the liquid finer"));
}

}  // namespace

SoftBody::SoftBody(const BodyParams& params, const Setup& setup) : parts_(std::make_unique<Parts>()) {
    Parts& parts = *parts_;
    parts.params = params;
    parts.setup = setup;
    parts.mesh = make_mesh(params, setup.folder);
    warn_of_small_cells(params, parts.mesh, setup.spacing);
    parts.points = SoftPoints(parts.mesh, params);
    parts.field = SoftField(field_settings(params, setup));
    for (const double mass : parts.mesh.masses)
        parts.mass += mass;
    reset();
}

SoftBody::~SoftBody() = default;
SoftBody::SoftBody(SoftBody&&) noexcept = default;
SoftBody& SoftBody::operator=(SoftBody&&) noexcept = default;

void SoftBody::reset() {
    Parts& parts = *parts_;
    const geometry::Pose pose = parts.pose(parts.setup.first_frame);
    BodyState state;
    for (const Vec3d point : parts.mesh.points)
        state.points.push_back(pose.to_world(point));
    state.velocities.assign(state.points.size(), parts.params.velocity);
    const Vec3d center = measure_whole(state.points, state.velocities, parts.mesh.masses).center;
    const Vec3d spin = parts.params.spin_deg * (std::acos(-1.0) / 180);
    for (std::size_t i = 0; i < state.points.size(); ++i)
        state.velocities[i] += cross(spin, state.points[i] - center);
    parts.state = std::move(state);
    parts.find_pins();
    for (std::size_t i = 0; i < parts.state.points.size(); ++i) {
        if (parts.points.pinned[i]) parts.state.velocities[i] = {};
    }
    parts.summarize();
    parts.seen.clear();
    parts.predicted.clear();
}

void SoftBody::begin_step(const Step& step) {
    Parts& parts = *parts_;
    parts.step = step;
    parts.tell_of_stiffness();
    BodyState& state = parts.state;
    if (state.points.size() != parts.mesh.points.size() || state.velocities.size() != state.points.size()) {
        throw UsageError(fmt::format("the state of {} has {} points, the body has {}: it belongs to another scene",
                                     describe_body(parts.params), state.points.size(), parts.mesh.points.size()));
    }
    if (parts.seen != state.points) parts.field_frame = std::numeric_limits<int>::min();
    parts.goals = state.points;
    if (parts.has_pins && (parts.params.position.moves() || parts.params.rotation_deg.moves())) {
        const geometry::Pose pose = parts.pose(step.frame + step.dt * parts.setup.fps);
        for (std::size_t i = 0; i < parts.goals.size(); ++i)
            parts.goals[i] = pose.to_world(parts.mesh.points[i]);
    }
    // What falls freely falls on; what lies on something stays.
    const bool falls = !parts.has_pins && state.held == Vec3d{};
    parts.predicted = state.velocities;
    for (std::size_t i = 0; i < state.points.size(); ++i) {
        if (parts.points.pinned[i]) {
            parts.predicted[i] = step.dt > 0 ? (parts.goals[i] - state.points[i]) / step.dt : Vec3d{};
        } else if (falls) {
            parts.predicted[i] += step.gravity * step.dt;
        }
    }
}

collision::WallField SoftBody::place(const collision::StepUnits& units) {
    Parts& parts = *parts_;
    const geometry::Mesh surface = parts.surface_of(parts.state.points);
    // Once in each frame in any case: a run that is taken up there does the same.
    const int frame = static_cast<int>(std::floor(parts.step.frame + 1e-6));
    parts.field.follow(surface, frame != parts.field_frame);
    parts.field_frame = frame;
    collision::WallField wall = parts.field.place(surface, parts.on_surface(parts.predicted), units);
    wall.surface.friction = static_cast<float>(parts.params.friction);
    wall.surface.bounce = static_cast<float>(parts.params.bounce);
    wall.presses = parts.params.kind != Kind::cloth;
    return wall;
}

double SoftBody::mass() const {
    return parts_->mass;
}

double SoftBody::volume() const {
    return parts_->params.kind == Kind::cloth ? 0 : std::abs(signed_volume(surface()));
}

fluid::Coupling::Body SoftBody::as_whole(Vec3d origin) const {
    const Whole whole = parts_->whole();
    return {whole.center - origin, whole.velocity, parts_->answers()};
}

fluid::Twist SoftBody::respond(const fluid::Twist& impulse) const {
    if (!parts_->answers()) return {};
    const Whole whole = parts_->whole();
    return {impulse.linear / whole.mass, whole.spin_of(impulse.angular)};
}

void SoftBody::press(const fluid::Twist& impulse) {
    Parts& parts = *parts_;
    if (!parts.answers()) return;
    const Whole whole = parts.whole();
    const fluid::Twist change{impulse.linear / whole.mass, whole.spin_of(impulse.angular)};
    for (std::size_t i = 0; i < parts.state.points.size(); ++i) {
        const Vec3d by = change.linear + cross(change.angular, parts.state.points[i] - whole.center);
        parts.state.velocities[i] += by;
        if (!parts.predicted.empty()) parts.predicted[i] += by;
    }
}

void SoftBody::take(std::span<fluid::BodyPush> pushes, const collision::Walls& obstacles, Vec3d origin) {
    Parts& parts = *parts_;
    BodyState& state = parts.state;
    for (fluid::BodyPush& push : pushes)
        push.returned = push.shift = {};
    if (!parts.params.feels_liquid()) pushes = {};
    parts.points.damp(state, parts.step.dt);
    std::vector<Vec3d> moved = parts.points_ahead();
    const geometry::Mesh ahead = parts.surface_of(moved);
    const SoftPushes given({parts.mesh, parts.field, ahead, parts.predicted, origin}, pushes);
    const std::vector<Vec3d> before = state.velocities;
    state.held = parts.run(given, obstacles, origin);
    parts.check_finite();
    if (parts.has_pins) state.held = parts.held_by_pins(given, before);
    for (std::size_t i = 0; i < moved.size(); ++i)
        moved[i] = state.points[i] - moved[i];
    given.give_back(state.velocities, moved, pushes);
    parts.summarize();
    parts.predicted.clear();
    parts.seen = state.points;
}

void SoftBody::add_constraint(std::shared_ptr<constraints::Constraint> constraint, int importance) {
    parts_->points.constraints.add(std::move(constraint), importance);
}

BodyState& SoftBody::state() {
    return parts_->state;
}

const BodyState& SoftBody::state() const {
    return parts_->state;
}

geometry::Mesh SoftBody::surface() const {
    return parts_->surface_of(parts_->state.points);
}

std::vector<Vec3f> SoftBody::surface_velocities() const {
    return parts_->on_surface(parts_->state.velocities);
}

Vec3d SoftBody::held_impulse() const {
    return parts_->state.held;
}

}  // namespace spindrift::bodies
