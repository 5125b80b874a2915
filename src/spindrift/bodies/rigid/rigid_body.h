#pragma once
// A rigid body as the scene describes it: what it is made of, what it weighs, where its keys put it.
//
//   RigidBody crate = make_rigid_body(params, {.name = "crate", .folder = folder, .first_frame = 1});
//   geometry::Pose pose = key_pose(crate, 12);

#include <filesystem>
#include <optional>
#include <string>

#include "spindrift/bodies/params.h"
#include "spindrift/bodies/rigid/contact_solver.h"
#include "spindrift/bodies/rigid/mass_properties.h"
#include "spindrift/bodies/rigid/rigid_shapes.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

struct RigidBody {
    BodyParams params{};
    std::string name{};  ///< for messages
    geometry::Mesh mesh{};
    MassProperties weight{};
    RigidShape shape{};
    std::optional<HingePlace> hinge{};
    double first_frame = 1;
};

struct RigidBodySetup {
    std::string name{};
    std::filesystem::path folder{};
    double first_frame = 1;
};

/// Throws IoError, and UsageError if there is no volume to weigh.
RigidBody make_rigid_body(const BodyParams& params, const RigidBodySetup& setup);

/// The centre of mass and the shape's axes as keys have them; a fixed body stays where it is at the first frame.
geometry::Pose key_pose(const RigidBody& body, double frame);

/// The same of a state, and of the frame that Bullet knows.
geometry::Pose center_pose(const BodyState& state);
geometry::Pose bullet_frame(const RigidBody& body, const geometry::Pose& center);
/// Back from the frame that Bullet knows.
geometry::Pose from_bullet_frame(const RigidBody& body, const geometry::Pose& frame);
/// Of the shape's own space.
geometry::Pose shape_pose(const RigidBody& body, const geometry::Pose& center);
/// About the centre, along the axes of the world.
Inertia world_inertia(const RigidBody& body, const geometry::Pose& center);

/// Where a body is at the first frame, and how fast.
BodyState start_state(const RigidBody& body, double fps);

}  // namespace spindrift::bodies
