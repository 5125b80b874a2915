#include "spindrift/bodies/bodies.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/bodies/shape.h"
#include "spindrift/collision/fields/field_cache.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/walls/colliders.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

namespace spindrift::bodies {

namespace {

/// A body nowhere thicker than twice this, in support radii, has liquid on either side within a cell's reach.
constexpr double thin_radii = 1;

/// Around the solid at both ends of a step, in the solver's units: much tighter than around all that its field knows.
Box3f bounds_of(const geometry::Mesh& mesh, const collision::Placement& placement, const collision::StepUnits& units,
                double margin) {
    const Box3d box = geometry::bounds(mesh);
    Box3d world{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (const geometry::Pose& pose : {placement.before, placement.now}) {
        for (int k = 0; k < 8; ++k) {
            const Vec3d corner =
                pose.to_world({k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y, k & 4 ? box.hi.z : box.lo.z});
            world = {min(world.lo, corner), max(world.hi, corner)};
        }
    }
    const Vec3d out{margin, margin, margin};
    return {vec_cast<float>((world.lo - out - units.origin) / units.h),
            vec_cast<float>((world.hi + out - units.origin) / units.h)};
}

}  // namespace

Bodies::Bodies(const Setup& setup)
    : params_(setup.params.begin(), setup.params.end()),
      spacing_(setup.spacing),
      world_({.params = params_,
              .colliders = setup.colliders,
              .domain = setup.domain,
              .folder = setup.folder,
              .fps = setup.fps,
              .first_frame = setup.first_frame}),
      rigid_(params_.size()),
      soft_(params_.size()),
      impulses_(params_.size()) {
    for (std::size_t i = 0; i < params_.size(); ++i) {
        if (params_[i].deforms()) {
            soft_[i].emplace(params_[i], SoftBody::Setup{.folder = setup.folder,
                                                         .spacing = setup.spacing,
                                                         .support = setup.support,
                                                         .fps = setup.fps,
                                                         .first_frame = setup.first_frame});
            continue;
        }
        const collision::FieldSettings settings =
            field_settings(params_[i], i, geometry::bounds(world_.mesh(i)).size(), setup.spacing, setup.support);
        Rigid& rigid = rigid_[i];
        rigid.field = collision::cached_field(setup.cache, world_.mesh(i), settings);
        if (!rigid.field.note.empty()) log_warning(fmt::format("body {}: {}", settings.name, rigid.field.note));
        // A shell takes no more room than its skin.
        rigid.inside = collision::sample_volume(rigid.field, rigid.field.closed ? world_.mass(i).volume : 0);
        if (!rigid.field.closed)
            rigid.thickness = std::max(settings.thickness, 2.0 * collision::least_half_thickness * rigid.field.cell);
    }
}

Bodies::~Bodies() = default;
Bodies::Bodies(Bodies&&) noexcept = default;

void Bodies::reset() {
    world_.reset();
    for (std::optional<SoftBody>& body : soft_) {
        if (body) body->reset();
    }
    ledger_ = {};
    begin_frame();
}

void Bodies::begin_frame() {
    std::fill(impulses_.begin(), impulses_.end(), fluid::Twist{});
}

bool Bodies::is_free(std::size_t body) const {
    return soft_[body] ? true : world_.is_free(body);
}

void Bodies::begin_step(const Step& step, const collision::Walls& fixed) {
    step_ = step;
    fixed_ = &fixed;
    momentum_before_ = momentum();
    world_.begin_step({step.frame, step.dt, step.gravity});
    for (std::optional<SoftBody>& body : soft_) {
        if (body) body->begin_step({step.frame, step.dt, step.gravity});
    }
}

fluid::Coupling::Body Bodies::body(std::size_t index) const {
    if (soft_[index]) return soft_[index]->as_whole(step_.units.origin);
    return {world_.center(index) - step_.units.origin, world_.velocity(index), is_free(index)};
}

void Bodies::respond(std::span<const fluid::Twist> impulses, std::span<fluid::Twist> changes) const {
    world_.respond(impulses, changes);
    for (std::size_t i = 0; i < soft_.size(); ++i) {
        if (soft_[i]) changes[i] = soft_[i]->respond(impulses[i]);
    }
}

bool Bodies::let_go(std::span<const fluid::Twist> impulses) {
    return world_.let_go(impulses);
}

/// What the liquid gives a body, for the statistics and the ledger.
void Bodies::book(std::size_t body, const fluid::Twist& impulse) {
    impulses_[body] += impulse;
    if (is_free(body)) ledger_.given += impulse.linear;
}

void Bodies::press(std::span<const fluid::Twist> impulses) {
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        book(i, impulses[i]);
        if (soft_[i]) {
            soft_[i]->press(impulses[i]);
        } else if (is_free(i)) {
            world_.press(i, impulses[i]);
        }
    }
}

collision::WallField Bodies::place_rigid(std::size_t body, const collision::StepUnits& units) const {
    const BodyParams& params = params_[body];
    const collision::Placement placement{world_.pose(body), world_.pose_after(body)};
    collision::WallField wall = collision::place_field(rigid_[body].field, placement, units);
    const fluid::Twist twist = world_.velocity(body);
    wall.velocity = vec_cast<float>(twist.linear + cross(twist.angular, units.origin - world_.center(body)));
    wall.velocity_before = wall.velocity;
    wall.spin = vec_cast<float>(twist.angular * units.h);
    wall.surface = {static_cast<float>(params.friction), static_cast<float>(params.bounce), 0};
    wall.thickness = static_cast<float>(rigid_[body].thickness / units.h);
    wall.bounds = bounds_of(world_.mesh(body), placement, units, rigid_[body].thickness + 0.1 * units.h);
    wall.inside = rigid_[body].inside.points.data();
    wall.inside_count = rigid_[body].inside.points.size();
    wall.thin = static_cast<double>(rigid_[body].inside.deepest) * rigid_[body].field.cell < thin_radii * units.h;
    return wall;
}

const collision::Walls& Bodies::place() {
    walls_ = *fixed_;
    for (std::size_t i = 0; i < params_.size(); ++i) {
        if (!params_[i].pushes_liquid()) continue;
        collision::WallField wall = soft_[i] ? soft_[i]->place(step_.units) : place_rigid(i, step_.units);
        wall.body = params_[i].feels_liquid() ? static_cast<int>(i) : -1;
        walls_.fields.push_back(wall);
    }
    return walls_;
}

collision::Walls Bodies::obstacles() const {
    const collision::StepUnits metres{step_.units.origin, 1, step_.dt};
    collision::Walls walls = collision::in_units_of(*fixed_, static_cast<float>(1 / step_.units.h));
    for (std::size_t i = 0; i < params_.size(); ++i) {
        if (!soft_[i]) walls.fields.push_back(place_rigid(i, metres));
    }
    return walls;
}

void Bodies::take_soft(std::size_t body, std::span<fluid::BodyPush> pushes, const collision::Walls& obstacles) {
    std::vector<fluid::BodyPush> own;
    for (const fluid::BodyPush& push : pushes) {
        if (push.body == body) own.push_back(push);
    }
    soft_[body]->take(own, obstacles, step_.units.origin);
    auto next = own.begin();
    for (fluid::BodyPush& push : pushes) {
        if (push.body == body) push = *next++;
    }
}

void Bodies::take(std::span<fluid::BodyPush> pushes) {
    world_.take(pushes, step_.units.origin);
    if (std::any_of(soft_.begin(), soft_.end(), [](const auto& body) { return body.has_value(); })) {
        const collision::Walls around = obstacles();
        for (std::size_t i = 0; i < soft_.size(); ++i) {
            if (soft_[i]) take_soft(i, pushes, around);
        }
    }
    std::vector<Vec3d> centers(params_.size());
    for (std::size_t i = 0; i < params_.size(); ++i)
        centers[i] = body(i).center;
    for (const fluid::BodyPush& push : pushes) {
        const Vec3d kept =
            vec_cast<double>(push.impulse) - vec_cast<double>(push.returned) * static_cast<double>(push.mass);
        book(push.body, {kept, cross(vec_cast<double>(push.point) - centers[push.body], kept)});
    }
}

void Bodies::end_step() {
    world_.end_step();
    Vec3d gravity{}, held{};
    for (std::size_t i = 0; i < params_.size(); ++i) {
        if (!is_free(i)) continue;
        gravity += step_.gravity * (mass(i) * step_.dt);
        held += soft_[i] ? soft_[i]->held_impulse() : world_.held_impulse(i).linear;
    }
    ledger_.gravity += gravity;
    ledger_.held += held;
    ledger_.received += momentum() - momentum_before_ - gravity - held;
}

double Bodies::mass(std::size_t body) const {
    return soft_[body] ? soft_[body]->mass() : world_.mass(body).mass;
}

Vec3d Bodies::momentum() const {
    Vec3d sum{};
    for (std::size_t i = 0; i < params_.size(); ++i) {
        if (is_free(i))
            sum += soft_[i] ? soft_[i]->as_whole({}).velocity.linear * mass(i) : world_.states()[i].velocity * mass(i);
    }
    return sum;
}

SoftBody* Bodies::soft(std::size_t body) {
    return soft_[body] ? &*soft_[body] : nullptr;
}

}  // namespace spindrift::bodies
