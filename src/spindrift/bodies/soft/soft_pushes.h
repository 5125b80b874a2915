#pragma once
// What liquid gives to the points of a soft body, and what comes back.
//
// Source: Alduan et al. 2017, section 5.3: the momentum goes to the nearest triangle and from there to the points.
// Differs: the liquid that presses moves along with the points through the step, so that a sheet lighter than the
// liquid does not fly off; what it then feels of the elastic forces and the pins is given back to it.
//
// A particle is attached along the push, by the share f that says how hard it presses among those beside it. Each of
// its parts that lie with the points of its triangle goes on with that point: a collision without rebound, in which
// energy never grows, however light the points are. Pushes of density are shifts, and the particle is shifted back with
// the body: else the liquid would be pressed together with nothing to show for it in its velocity.
// Equations: (m + sum s M F) u = m u_before + sum s M (F u_p - g),  F = f d d^T,  returned = F (sum s u_after - u_p).
// Symbols: u velocities of points, s a particle's share in a point, M its mass, g the velocity that the body gave it,
// d its direction, u_p the body's velocity at the particle when it did.
//
//   SoftPushes pushes({mesh, field, surface, predicted, origin}, taken);
//   run({.attached = pushes.attached()});
//   pushes.give_back(velocities, moved, taken);                // when the step is over

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/bodies/soft/soft_field.h"
#include "spindrift/bodies/soft/soft_mesh.h"
#include "spindrift/constraints/symmetric3.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

class SoftPushes {
  public:
    struct Body {
        const SoftMesh& mesh;
        const SoftField& field;
        const geometry::Mesh& surface;     ///< in the world, at the end of the step
        std::span<const Vec3d> predicted;  ///< velocities of its points that the pushes reckoned with
        Vec3d origin{};                    ///< of the pushes
    };
    /// Refers to the mesh.
    SoftPushes(const Body& body, std::span<const fluid::BodyPush> pushes);

    std::span<const Vec3d> impulses() const { return impulses_; }  ///< N s, with those of what is attached
    std::span<const constraints::Symmetric3> attached() const { return attached_; }  ///< kg of liquid
    /// Fills `returned` and `shift` of the same pushes. `moved` is how far the points are from where they were
    /// predicted.
    void give_back(std::span<const Vec3d> velocities, std::span<const Vec3d> moved,
                   std::span<fluid::BodyPush> pushes) const;

  private:
    struct Place {
        std::array<std::uint32_t, 3> corners{};
        Vec3d shares{1, 0, 0};
        Vec3d velocity{};                    ///< of the body there, as predicted
        double given = 0;                    ///< |g|, m/s
        constraints::Symmetric3 attached{};  ///< F
    };
    static Place find_place(const Body& body, Vec3f at);
    Vec3d at(const Place& place, std::span<const Vec3d> values) const;
    std::vector<double> mean_pressure(std::span<const fluid::BodyPush> pushes) const;
    static void attach(Place& place, const fluid::BodyPush& push, double mean);
    void add(const Place& place, const fluid::BodyPush& push);

    /// Calls visit(point, share) for all points of the body that a place lies with.
    template <class Visit>
    void visit_points(const Place& place, const Visit& visit) const {
        for (int k = 0; k < 3; ++k) {
            const Rider& rider = mesh_->riders[place.corners[static_cast<std::size_t>(k)]];
            for (std::size_t v = 0; v < 4; ++v) {
                if (const double share = place.shares[k] * rider.weights[v]; share != 0) visit(rider.points[v], share);
            }
        }
    }

    const SoftMesh* mesh_;
    std::vector<Place> places_{};
    std::vector<Vec3d> impulses_;
    std::vector<constraints::Symmetric3> attached_;
};

}  // namespace spindrift::bodies
