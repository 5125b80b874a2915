#pragma once
// What liquid gives to the points of a soft body, and what comes back.
//
// Source: Alduan et al. 2017, section 5.3: the momentum goes to the nearest triangle and from there to the points.
// Differs: the liquid that pressed moves along with the points through the step, so that a sheet lighter than the
// liquid does not fly off; what it then feels of the elastic forces and the pins is given back to it.
//
//   SoftPushes pushes(mesh, field, surface, taken, origin);
//   run({.attached = pushes.attached()});
//   pushes.give_back(changes, taken);                       // changes of the points' velocities

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/bodies/soft_field.h"
#include "spindrift/bodies/soft_mesh.h"
#include "spindrift/pbf/coupling.h"

namespace spindrift::bodies {

class SoftPushes {
  public:
    /// `surface` is the body's, in the world; refers to the mesh.
    SoftPushes(const SoftMesh& mesh, const SoftField& field, const geometry::Mesh& surface,
               std::span<const pbf::BodyPush> pushes, Vec3d origin);

    std::span<const Vec3d> impulses() const { return impulses_; }   ///< N s, of each point
    std::span<const double> attached() const { return attached_; }  ///< kg of liquid
    /// Fills `returned` of the same pushes.
    void give_back(std::span<const Vec3d> changes, std::span<pbf::BodyPush> pushes) const;

  private:
    struct Place {
        std::array<std::uint32_t, 3> corners{};
        Vec3d shares{1, 0, 0};
    };
    static Place find_place(const SoftField& field, const geometry::Mesh& surface, Vec3f at);
    void add(const Place& place, Vec3d impulse, double mass);

    const SoftMesh* mesh_;
    std::vector<Place> places_{};
    std::vector<Vec3d> impulses_;
    std::vector<double> attached_;
};

}  // namespace spindrift::bodies
