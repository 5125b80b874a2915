#pragma once
// The points of a soft body in motion: a step is cut into short ones, each of which lets them fly, pulls them back with
// one pass of the constraints and keeps them out of obstacles.
//
// Source: Macklin et al. 2019 (small steps); Mueller et al. 2007, section 3.5 (damping that keeps momentum).
//
//   SoftPoints points(mesh, params);
//   points.run(state, {.dt = 0.004, .gravity = {0, -9.81, 0}, .passes = 20});

#include <memory>
#include <span>
#include <vector>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/soft_mesh.h"
#include "spindrift/collision/walls.h"
#include "spindrift/pbf/constraint_list.h"
#include "spindrift/pbf/coupling.h"

namespace spindrift::bodies {

/// Motion of points as if they were one rigid thing.
struct Whole {
    double mass = 0;
    Vec3d center{};
    pbf::Twist velocity{};
    double inertia[3][3]{};

    /// The spin that an angular momentum about the centre is; zero about axes that points lie on.
    Vec3d spin_of(Vec3d momentum) const;
    Vec3d velocity_at(Vec3d point) const { return velocity.linear + cross(velocity.angular, point - center); }
};

Whole measure_whole(std::span<const Vec3d> points, std::span<const Vec3d> velocities, std::span<const double> masses);

class SoftPoints {
  public:
    SoftPoints() = default;
    SoftPoints(const SoftMesh& mesh, const BodyParams& params);

    struct Run {
        double dt = 0;
        Vec3d gravity{};
        int passes = 0;                               ///< 0 chooses
        std::span<const Vec3d> goals{};               ///< where pinned points are at the end; of all points
        std::span<const double> attached{};           ///< kg of liquid that moves along with each point; or none
        const collision::Walls* obstacles = nullptr;  ///< in units of `unit` metres from `origin`
        Vec3d origin{};
        double unit = 1;
    };
    /// Moves points and velocities on; what obstacles gave the body, N s.
    Vec3d run(BodyState& state, const Run& run);

    /// Into how many short steps one is cut.
    int passes(double dt) const;
    std::vector<std::uint8_t> pinned{};
    pbf::ConstraintList constraints{};

  private:
    void begin(const BodyState& state, const Run& run);
    void fly(BodyState& state, const Run& run, double h);
    void pull(BodyState& state, double h);
    Vec3d meet(BodyState& state, const Run& run) const;
    Vec3d meet_one(BodyState& state, const Run& run, const Rider& rider) const;
    void damp(BodyState& state, double dt) const;

    std::vector<std::shared_ptr<pbf::Constraint>> own_{};
    double fastest_ = 0;  ///< square of the highest frequency, 1/s^2
    double damping_ = 0, grip_ = 0, restitution_ = 0;
    std::vector<double> masses_{};
    std::vector<Rider> riders_{};

    // Of a step.
    std::vector<double> total_{}, inverse_{};  ///< masses with the liquid that is attached
    std::vector<Vec3d> start_{}, pin_velocity_{};
};

}  // namespace spindrift::bodies
