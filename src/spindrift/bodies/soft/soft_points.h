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
#include "spindrift/bodies/soft/soft_mesh.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/constraints/constraint_list.h"
#include "spindrift/constraints/symmetric3.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

/// Motion of points as if they were one rigid thing.
struct Whole {
    double mass = 0;
    Vec3d center{};
    fluid::Twist velocity{};
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
        int passes = 0;                     ///< 0 chooses
        std::span<const Vec3d> goals{};     ///< where pinned points are at the end; of all points
        std::span<const Vec3d> impulses{};  ///< N s that liquid gives each point, or none
        std::span<const constraints::Symmetric3>
            attached{};                               ///< kg of liquid that moves along with each point; or none
        const collision::Walls* obstacles = nullptr;  ///< in units of `unit` metres from `origin`
        Vec3d origin{};
        double unit = 1;
    };
    /// Moves points and velocities on; what obstacles gave the body, N s. Impulses have the momentum of what is
    /// attached.
    Vec3d run(BodyState& state, const Run& run);
    /// Takes out of the motion what is not that of a rigid whole.
    void damp(BodyState& state, double dt) const;

    /// Into how many short steps one is cut.
    int passes(double dt) const;
    /// Short steps per second that all constraints need to be as stiff as they should be.
    double rate() const { return rate_; }
    std::vector<std::uint8_t> pinned{};
    constraints::ConstraintList constraints{};

  private:
    void begin(BodyState& state, const Run& run);
    void fly(BodyState& state, const Run& run, double h);
    void pull(BodyState& state, double h);
    Vec3d meet(BodyState& state, const Run& run) const;
    Vec3d meet_one(BodyState& state, const Run& run, const Rider& rider) const;
    Vec3d answer(const collision::WallHit& hit, Vec3d velocity, const constraints::Symmetric3& gives) const;

    std::vector<std::shared_ptr<constraints::Constraint>> own_{};
    double rate_ = 0;
    double damping_ = 0, grip_ = 0, restitution_ = 0;
    std::vector<double> masses_{};
    std::vector<Rider> riders_{};

    // Of a step.
    std::vector<constraints::Symmetric3> mobility_{};  ///< inverse masses with the liquid that is attached
    std::vector<Vec3d> start_{}, pin_velocity_{};
};

}  // namespace spindrift::bodies
