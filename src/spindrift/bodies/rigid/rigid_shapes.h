#pragma once
// Rigid bodies as Bullet meets them: convex shapes about the centre of mass, along the principal axes.
//
//   RigidShape crate = make_shape(params, mesh, weight);
//   geometry::Pose frame = compose(pose, crate.frame);     // where Bullet has it

#include <memory>
#include <optional>
#include <vector>

#include "spindrift/bodies/params.h"
#include "spindrift/bodies/rigid/mass_properties.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/pose.h"

class btCollisionShape;

namespace spindrift::bodies {

struct FreeShape {
    void operator()(btCollisionShape* shape) const;
};
using BulletShape = std::unique_ptr<btCollisionShape, FreeShape>;

/// A cylinder about the y axis.
struct RoundEnds {
    double half_length = 0, radius = 0;
};

struct RigidShape {
    std::vector<BulletShape> parts{};  ///< the last one is the whole
    std::vector<Vec3d> corners{};      ///< of a polyhedron, in the frame
    std::optional<RoundEnds> ends{};   ///< of a cylinder
    geometry::Pose frame{};            ///< centre of mass and principal axes in the shape's own space
    Vec3d moment{1, 1, 1};             ///< of inertia about the frame's axes
    double thinnest = 0;               ///< smallest extent along the frame's axes
    double reach = 0;                  ///< largest distance from the centre

    btCollisionShape* whole() const { return parts.back().get(); }
};

RigidShape make_shape(const BodyParams& params, const geometry::Mesh& mesh, const MassProperties& body);

/// The convex hull of a mesh's points as a closed mesh.
geometry::Mesh convex_hull(const geometry::Mesh& mesh);

/// Axes whose y points along the given one.
geometry::Pose pose_along(Vec3d position, Vec3d axis);
/// A pose within a pose.
geometry::Pose compose(const geometry::Pose& outer, const geometry::Pose& inner);
geometry::Pose inverse(const geometry::Pose& pose);

}  // namespace spindrift::bodies
