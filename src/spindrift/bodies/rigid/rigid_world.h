#pragma once
// Rigid bodies under gravity, impulses, joints and contacts with each other and with colliders (Bullet).
//
// Nothing is hidden between steps: a world is made anew for each from the states and the contacts of the step before,
// so that a run taken up again does the same. Within a step impulses are collected; `velocity()` tells at any time how
// bodies move with those so far, held by their joints and by the contacts that held them in the step before.
//
//   RigidWorld world({.params = scene.body, .folder = folder});
//   world.begin_step({.frame = 12, .dt = 0.004, .gravity = {0, -9.81, 0}});
//   world.press(0, {.linear = {0, 0.1, 0}});
//   world.end_step();
//   geometry::Pose pose = world.pose(0);

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/params.h"
#include "spindrift/bodies/rigid/mass_properties.h"
#include "spindrift/bodies/rigid/rigid_setup.h"
#include "spindrift/collision/params.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

struct RigidParts;

class RigidWorld {
  public:
    using Setup = RigidSetup;

    /// Reads the meshes. Throws IoError, and SceneError or UsageError for a body that has no volume or mass.
    explicit RigidWorld(const Setup& setup);
    ~RigidWorld();
    RigidWorld(RigidWorld&&) noexcept;
    RigidWorld& operator=(RigidWorld&&) noexcept;

    /// Puts all bodies where the scene has them at its first frame.
    void reset();

    using Step = RigidStep;
    void begin_step(const Step& step);

    const MassProperties& mass(std::size_t body) const;
    const geometry::Mesh& mesh(std::size_t body) const;  ///< in the shape's own space
    bool is_free(std::size_t body) const;                ///< whether forces move it in this step

    /// Of the shape's own space, at the start of the step, and where velocity() takes it by its end.
    geometry::Pose pose(std::size_t body) const;
    geometry::Pose pose_after(std::size_t body) const;
    /// About the centre, with all impulses so far.
    Vec3d center(std::size_t body) const;
    fluid::Twist velocity(std::size_t body) const;

    /// How impulses on all bodies change velocity(). Linear, symmetric; zero for bodies that forces do not move.
    void respond(std::span<const fluid::Twist> impulses, std::span<fluid::Twist> changes) const;
    /// Whether contacts open or slide under impulses on top of those so far; then respond() is another.
    bool let_go(std::span<const fluid::Twist> impulses);
    void press(std::size_t body, const fluid::Twist& impulse);
    /// Pushes of particles on rigid bodies; those on others are left alone. Positions count from `origin`.
    void take(std::span<fluid::BodyPush> pushes, Vec3d origin);

    /// Solves contacts and joints and moves the bodies.
    void end_step();

    std::span<BodyState> states();
    std::span<const BodyState> states() const;
    /// Of the last step; part of the state.
    std::vector<BodyContact>& contacts();
    const std::vector<BodyContact>& contacts() const;
    /// What contacts and joints gave a body in the last step, N s.
    fluid::Twist held_impulse(std::size_t body) const;

  private:
    using Parts = RigidParts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace spindrift::bodies
