#include "spindrift/bodies/soft_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spindrift/bodies/shape.h"
#include "spindrift/bodies/soft_field.h"
#include "spindrift/bodies/soft_mesh.h"
#include "spindrift/bodies/soft_points.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

namespace spindrift::bodies {

namespace {

/// Six times what a surface encloses, about one of its points so that far from the origin nothing is lost.
double signed_volume(const geometry::Mesh& mesh) {
    if (mesh.points.empty()) return 0;
    const Vec3d about = vec_cast<double>(mesh.points[0]);
    double six = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = vec_cast<double>(mesh.points[a]) - about, q = vec_cast<double>(mesh.points[b]) - about,
                    r = vec_cast<double>(mesh.points[c]) - about;
        six += dot(p, cross(q, r));
    }
    return six / 6;
}

collision::FieldSettings field_settings(const BodyParams& params, const SoftBody::Setup& setup) {
    const bool is_cloth = params.kind == Kind::cloth;
    collision::FieldSettings settings;
    settings.cell = params.cell.value_or(setup.spacing);
    settings.mode = is_cloth ? collision::Mode::shell : collision::Mode::solid_inside;
    settings.thickness = is_cloth ? params.thickness.value_or(0) : 0;
    settings.band = collision::band_radii * setup.support;
    settings.depth = collision::depth_radii * setup.support;
    settings.primitives = true;
    settings.name = params.name;
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

}  // namespace

struct SoftBody::Parts {
    BodyParams params;
    Setup setup;
    SoftMesh mesh;
    SoftPoints points;
    SoftField field;
    BodyState state{};
    double mass = 0;
    bool has_pins = false;

    Step step{};
    std::vector<Vec3d> predicted{};  ///< velocities of the points in this step
    std::vector<Vec3d> goals{};      ///< where pinned points are at its end
    std::vector<Vec3d> seen{};       ///< the points as the last step left them
    int field_frame = std::numeric_limits<int>::min();

    geometry::Pose pose(double frame) const {
        return geometry::make_pose(params.position.at(frame), params.rotation_deg.at(frame));
    }
    bool answers() const { return params.kind == Kind::soft && !has_pins && params.feels_liquid(); }
    Whole whole() const {
        return measure_whole(state.points, predicted.empty() ? state.velocities : predicted, mesh.masses);
    }
    void summarize() {
        const Whole now = measure_whole(state.points, state.velocities, mesh.masses);
        state.center = now.center;
        state.velocity = now.velocity.linear;
        state.spin = now.velocity.angular;
    }
    std::vector<Vec3f> on_surface(std::span<const Vec3d> values) const;
    geometry::Mesh surface_of(std::span<const Vec3d> points) const;
    geometry::Mesh surface_ahead() const;
    void find_pins();
    Rider rider_at(const geometry::Mesh& surface, Vec3d at) const;
    void check_finite() const;
    Vec3d held_by_pins(std::span<const Vec3d> before, std::span<const Vec3d> impulses,
                       std::span<const double> attached) const;
};

std::vector<Vec3f> SoftBody::Parts::on_surface(std::span<const Vec3d> values) const {
    std::vector<Vec3f> all(mesh.riders.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = vec_cast<float>(mesh.riders[i].at(values));
    return all;
}

geometry::Mesh SoftBody::Parts::surface_of(std::span<const Vec3d> points_now) const {
    geometry::Mesh surface = mesh.surface;
    surface.points = on_surface(points_now);
    return surface;
}

/// As predicted for the end of the step.
geometry::Mesh SoftBody::Parts::surface_ahead() const {
    std::vector<Vec3d> ahead = state.points;
    for (std::size_t i = 0; i < ahead.size(); ++i)
        ahead[i] += predicted[i] * step.dt;
    return surface_of(ahead);
}

void SoftBody::Parts::find_pins() {
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

/// The place of the surface that is nearest to a point of the world.
Rider SoftBody::Parts::rider_at(const geometry::Mesh& surface, Vec3d at) const {
    const Vec3f local = vec_cast<float>(at);
    std::array<std::uint32_t, 3> corners{};
    Vec3d share{1, 0, 0};
    if (const auto found = field.nearest(surface, local)) {
        corners = surface.triangles[found->triangle];
        share = vec_cast<double>(found->weights);
        share = share / (share.x + share.y + share.z);
    } else {
        float nearest = std::numeric_limits<float>::infinity();
        for (std::uint32_t i = 0; i < surface.points.size(); ++i) {
            const float away = length(surface.points[i] - local);
            if (away < nearest) corners[0] = i;
            nearest = std::min(nearest, away);
        }
    }
    // Twelve weights at most; the heaviest four stand for all, so that one rider is enough.
    std::vector<std::pair<std::uint32_t, double>> parts;
    for (int k = 0; k < 3; ++k) {
        const Rider& rider = mesh.riders[corners[static_cast<std::size_t>(k)]];
        for (std::size_t v = 0; v < 4; ++v)
            parts.emplace_back(rider.points[v], rider.weights[v] * share[k]);
    }
    std::sort(parts.begin(), parts.end());
    std::vector<std::pair<std::uint32_t, double>> merged;
    for (const auto& [point, weight] : parts) {
        if (merged.empty() || merged.back().first != point) merged.emplace_back(point, 0);
        merged.back().second += weight;
    }
    std::stable_sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    Rider best;
    best.points.fill(merged[0].first);
    double sum = 0;
    for (std::size_t v = 0; v < std::min<std::size_t>(4, merged.size()); ++v) {
        if (merged[v].second <= 0) break;
        best.points[v] = merged[v].first;
        best.weights[v] = merged[v].second;
        sum += merged[v].second;
    }
    for (double& weight : best.weights)
        weight /= sum;
    return best;
}

void SoftBody::Parts::check_finite() const {
    const bool finite = std::all_of(state.points.begin(), state.points.end(), [](Vec3d x) { return is_finite(x); });
    if (finite) return;
    throw Error(ExitCode::diverged,
                fmt::format("{} flew apart: make it softer or heavier, or the steps shorter", describe_body(params)));
}

/// Of the momentum that free points gained, what neither liquid nor gravity gave.
Vec3d SoftBody::Parts::held_by_pins(std::span<const Vec3d> before, std::span<const Vec3d> impulses,
                                    std::span<const double> attached) const {
    Vec3d held{};
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (points.pinned[i]) continue;
        held += (state.velocities[i] - before[i]) * (mesh.masses[i] + attached[i]) - impulses[i] -
                step.gravity * (mesh.masses[i] * step.dt);
    }
    return held;
}

SoftBody::SoftBody(const BodyParams& params, const Setup& setup) : parts_(std::make_unique<Parts>()) {
    Parts& parts = *parts_;
    parts.params = params;
    parts.setup = setup;
    parts.mesh = make_mesh(params, setup.folder);
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

pbf::Coupling::Body SoftBody::as_whole(Vec3d origin) const {
    const Whole whole = parts_->whole();
    return {whole.center - origin, whole.velocity, parts_->answers()};
}

pbf::Twist SoftBody::respond(const pbf::Twist& impulse) const {
    if (!parts_->answers()) return {};
    const Whole whole = parts_->whole();
    return {impulse.linear / whole.mass, whole.spin_of(impulse.angular)};
}

void SoftBody::press(const pbf::Twist& impulse) {
    Parts& parts = *parts_;
    if (!parts.answers()) return;
    const Whole whole = parts.whole();
    const pbf::Twist change{impulse.linear / whole.mass, whole.spin_of(impulse.angular)};
    for (std::size_t i = 0; i < parts.state.points.size(); ++i) {
        const Vec3d by = change.linear + cross(change.angular, parts.state.points[i] - whole.center);
        parts.state.velocities[i] += by;
        if (!parts.predicted.empty()) parts.predicted[i] += by;
    }
}

void SoftBody::take(std::span<pbf::BodyPush> pushes, const collision::Walls& obstacles, Vec3d origin) {
    Parts& parts = *parts_;
    BodyState& state = parts.state;
    const std::vector<Vec3d> before = state.velocities;
    std::vector<Vec3d> impulses(before.size());
    std::vector<double> attached(before.size());
    std::vector<Rider> riders;
    if (parts.params.feels_liquid() && !pushes.empty()) {
        const geometry::Mesh surface = parts.surface_ahead();
        for (const pbf::BodyPush& push : pushes) {
            const Rider& rider = riders.emplace_back(parts.rider_at(surface, vec_cast<double>(push.point) + origin));
            for (std::size_t v = 0; v < 4; ++v) {
                impulses[rider.points[v]] += vec_cast<double>(push.impulse) * rider.weights[v];
                attached[rider.points[v]] += static_cast<double>(push.mass) * rider.weights[v];
            }
        }
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double mass = parts.mesh.masses[i] + attached[i];
        if (!parts.points.pinned[i] && mass > 0) state.velocities[i] += impulses[i] / mass;
    }
    const double unit = parts.setup.support > 0 ? parts.setup.support : 1;
    const collision::Walls walls = collision::in_units_of(obstacles, static_cast<float>(unit));
    SoftPoints::Run run{.dt = parts.step.dt, .gravity = parts.step.gravity, .passes = parts.setup.iterations};
    run.goals = parts.goals;
    run.attached = attached;
    run.obstacles = &walls;
    run.origin = origin;
    run.unit = unit;
    state.held = parts.points.run(state, run);
    if (parts.has_pins) state.held = parts.held_by_pins(before, impulses, attached);
    parts.check_finite();
    std::vector<Vec3d> changes = state.velocities;
    for (std::size_t i = 0; i < before.size(); ++i)
        changes[i] -= before[i];
    for (std::size_t k = 0; k < pushes.size(); ++k)
        pushes[k].returned = riders.empty() ? Vec3f{} : vec_cast<float>(riders[k].at(changes));
    parts.summarize();
    parts.predicted.clear();
    parts.seen = state.points;
}

void SoftBody::add_constraint(std::shared_ptr<pbf::Constraint> constraint, int importance) {
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
