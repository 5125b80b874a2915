#pragma once
// What a SoftBody consists of; for its own sources.
//
//   geometry::Mesh ahead = parts.surface_of(parts.points_ahead());            // where the step is thought to end

#include <limits>
#include <span>
#include <vector>

#include "spindrift/bodies/soft/soft_field.h"
#include "spindrift/bodies/soft/soft_mesh.h"
#include "spindrift/bodies/soft/soft_points.h"
#include "spindrift/bodies/soft/soft_pushes.h"
#include "spindrift/bodies/soft/soft_setup.h"

namespace spindrift::bodies {

struct SoftParts {
    BodyParams params;
    SoftSetup setup;
    SoftMesh mesh;
    SoftPoints points;
    SoftField field;
    BodyState state{};
    double mass = 0;
    bool has_pins = false, told_of_stiffness = false;

    SoftStep step{};
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
    std::vector<Vec3d> points_ahead() const;
    void find_pins();
    void tell_of_stiffness();
    void check_finite() const;
    Vec3d run(const SoftPushes& given, const collision::Walls& obstacles, Vec3d origin);
    Vec3d held_by_pins(const SoftPushes& given, std::span<const Vec3d> before) const;
};

}  // namespace spindrift::bodies
