#pragma once
// Cloth and soft solids: points held together by constraints (XPBD), met by liquid through a distance field that is
// rebuilt as they move.
//
// Source: Macklin, Mueller and Chentanez 2016 (XPBD); Macklin et al. 2019 (small steps).
//
//   SoftBody jelly(params, {.folder = folder, .spacing = 0.01, .support = 0.02});
//   jelly.begin_step({.dt = 0.004, .gravity = {0, -9.81, 0}});
//   walls.fields.push_back(jelly.place(units));
//   jelly.take(pushes, obstacles, origin);      // liquid pushed; now `returned` is filled and the step is over

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/params.h"
#include "spindrift/bodies/soft/soft_setup.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/constraints/constraint.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

struct SoftParts;

class SoftBody {
  public:
    using Setup = SoftSetup;

    /// Throws IoError, and UsageError for a mesh that has no triangles, encloses nothing or needs too many points.
    SoftBody(const BodyParams& params, const Setup& setup);
    ~SoftBody();
    SoftBody(SoftBody&&) noexcept;
    SoftBody& operator=(SoftBody&&) noexcept;

    /// Puts the points where the scene has them at its first frame.
    void reset();

    using Step = SoftStep;
    void begin_step(const Step& step);

    /// The field as the points' velocities move it through the step; it refers to this object until it is asked again.
    collision::WallField place(const collision::StepUnits& units);

    double mass() const;
    double volume() const;  ///< that the surface encloses now; zero for cloth
    /// As a rigid whole: centre, mean velocity and spin; answers unless points are pinned or it is cloth.
    fluid::Coupling::Body as_whole(Vec3d origin) const;
    fluid::Twist respond(const fluid::Twist& impulse) const;
    void press(const fluid::Twist& impulse);

    /// Takes the pushes of the step, all on this body, runs the constraints to the step's end and says what comes back.
    /// `obstacles` are what its points may not enter, in metres from `origin` (unit 1).
    void take(std::span<fluid::BodyPush> pushes, const collision::Walls& obstacles, Vec3d origin);

    /// For programs with constraints of their own; indices are those of the points, see docs/constraints.md.
    void add_constraint(std::shared_ptr<constraints::Constraint> constraint, int importance);

    /// All that a run needs to go on; who changes it does so between steps.
    BodyState& state();
    const BodyState& state() const;
    /// The surface as it is now, in the world.
    geometry::Mesh surface() const;
    /// m/s at its points.
    std::vector<Vec3f> surface_velocities() const;
    /// What obstacles and pins gave it in the last step, N s.
    Vec3d held_impulse() const;

  private:
    using Parts = SoftParts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace spindrift::bodies
