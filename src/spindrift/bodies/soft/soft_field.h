#pragma once
// The distance field of a surface whose points move: made anew when they have gone far, else looked back along the way
// that they went.
//
//   SoftField field({.cell = 0.01, .mode = collision::Mode::solid_inside, .primitives = true});
//   field.follow(surface, false);                            // with the points where the step begins
//   collision::WallField wall = field.place(surface, velocities, units);

#include <optional>
#include <span>
#include <vector>

#include "spindrift/collision/fields/carry_field.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/fields/volume_samples.h"
#include "spindrift/collision/walls/wall_field.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

class SoftField {
  public:
    explicit SoftField(const collision::FieldSettings& settings = {}) : settings_(settings) {}

    /// Makes the field of these points if there is none, if `anew` says so, or if any point is farther than half a cell
    /// from where it was when the field was made.
    void follow(const geometry::Mesh& surface, bool anew);

    /// The field at the end of a step that begins with `surface`, whose points have these velocities (m/s) in it.
    /// Refers to this object until it is asked again.
    collision::WallField place(const geometry::Mesh& surface, std::span<const Vec3f> velocities,
                               const collision::StepUnits& units);

    /// The nearest point of a surface that has these triangles to a point of the world, if it is near. As placed last.
    std::optional<collision::SurfacePoint> nearest(const geometry::Mesh& surface, Vec3f at) const;

  private:
    bool is_shell() const { return settings_.mode == collision::Mode::shell || !field_.closed; }

    collision::FieldSettings settings_;
    geometry::Mesh made_of_{};
    collision::Field field_{}, placed_{};
    std::vector<Vec3f> velocity_{};  ///< at nodes
    collision::VolumeSamples inside_{};
};

}  // namespace spindrift::bodies
