#pragma once
// Colliders from and to OpenVDB files, as other programs exchange them: level sets in metres, positive outside of the
// solid.
//
//   Field rock = read_vdb_field("rock.vdb", {.cell = 0.01, .band = 0.06, .depth = 0.03, .name = "rock"});
//   write_vdb_fields("colliders.0042.vdb", {{{.name = "rock", .field = &rock, .pose = pose}}});

#include <filesystem>
#include <span>
#include <string>

#include "spindrift/collision/fields/make_field.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/geometry/pose.h"

namespace spindrift::collision {

/// The surface of a level set, in world space, whatever the grid's transform.
struct VdbSurface {
    geometry::Mesh mesh;
    double voxel;    ///< its size in metres
    bool is_cavity;  ///< the level set is solid all around: a container
};

/// Takes the grid called `collision`, else `surface`, else the first of floats. Throws IoError if there is no level set
/// of floats in the file.
VdbSurface read_vdb_surface(const std::filesystem::path& path);

/// The field of that surface, as wide as the settings ask whatever the file's band is; cells are the file's voxels if
/// `settings.cell` is 0. Mode solid_inside takes as solid what the file says is, solid_outside the opposite.
Field read_vdb_field(const std::filesystem::path& path, FieldSettings settings);

/// What is written of a collider.
struct VdbCollider {
    std::string name;
    const Field* field;
    geometry::Pose pose{};            ///< of the field's space in the world
    const Vec3f* velocity = nullptr;  ///< of each node, in the field's space, m/s; laid out as Field::distance
};

/// One level set `collision` and one grid of vectors `collisionvel`; of several colliders, `collision_<name>` and
/// `collisionvel_<name>` each. Turned and moved colliders have a turned and moved grid: nothing is resampled.
WrittenFile write_vdb_fields(const std::filesystem::path& path, std::span<const VdbCollider> colliders);

}  // namespace spindrift::collision
