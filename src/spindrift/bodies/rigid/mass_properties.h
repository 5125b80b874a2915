#pragma once
// What a closed mesh weighs, by the divergence theorem: sums over its triangles.
//
// Source: Mirtich 1996; Eberly 2002 (polyhedral mass properties), as tetrahedra between triangles and one point.
//
//   geometry::Mesh mesh = geometry::make_box({{0, 0, 0}, {1, 1, 1}});
//   MassProperties crate = integrate(mesh);        // density 1: a mass of 1 kg about {0.5, 0.5, 0.5}
//   set_mass(crate, 20);

#include <array>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

/// What a body weighs.
struct MassProperties {
    double mass = 0, volume = 0;
    Vec3d center{};          ///< in the shape's own space
    double inertia[3][3]{};  ///< about the centre, along the shape's axes
};

/// Of a density of 1 kg/m^3. Volume and mass are negative if the faces look inward.
MassProperties integrate(const geometry::Mesh& mesh);

/// Gives a body another mass, and the inertia that goes with it.
void set_mass(MassProperties& body, double mass);

/// Whether the triangles enclose a volume worth the name: no large holes, not flat.
bool encloses(const geometry::Mesh& mesh);

/// Inertia by its principal axes, wherever they point.
struct Inertia {
    std::array<Vec3d, 3> axis{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
    Vec3d moment{1, 1, 1};

    /// Angular momentum of a spin.
    Vec3d momentum(Vec3d spin) const {
        Vec3d sum{};
        for (int k = 0; k < 3; ++k)
            sum += axis[static_cast<std::size_t>(k)] * (moment[k] * dot(axis[static_cast<std::size_t>(k)], spin));
        return sum;
    }
    /// Spin of an angular momentum.
    Vec3d spin(Vec3d momentum_) const {
        Vec3d sum{};
        for (int k = 0; k < 3; ++k)
            sum += axis[static_cast<std::size_t>(k)] * (dot(axis[static_cast<std::size_t>(k)], momentum_) / moment[k]);
        return sum;
    }
};

/// The principal axes, right-handed; near-equal moments give the shape's own axes where they are principal.
Inertia principal_axes(const MassProperties& body);
/// The moments about given axes, which should be principal.
Inertia about_axes(const MassProperties& body, const std::array<Vec3d, 3>& axes);

}  // namespace spindrift::bodies
