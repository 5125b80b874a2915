#pragma once
// Keeps the momentum of liquid that nothing holds: a projection on a grid is no perfect quadrature, and what it gives
// the liquid as a whole, beside what bodies in it lost, is taken out again as a push and a turn.
//
//   std::vector<LeafChange> changes(leaves);
//   changes[l].add(x, change, mass);
//   const RigidMotion rest = rigid_motion(changes, of_bodies);      // v -= rest.at(x)

#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::pbf {

/// What the change of a leaf's velocities does to its momentum, and what it takes to turn the leaf.
struct LeafChange {
    Vec3d momentum{}, angular{}, weighted{};
    double mass = 0;
    double products[6] = {};  ///< of coordinates: xx yy zz xy yz zx

    void add(Vec3f at, Vec3f change, float mass_at);
};

/// Momentum, and angular momentum about the origin.
struct Momenta {
    Vec3d linear{}, angular{};
};

struct RigidMotion {
    Vec3d velocity{}, spin{}, middle{};

    Vec3f at(Vec3f x) const { return vec_cast<float>(velocity + cross(spin, vec_cast<double>(x) - middle)); }
};

/// The motion of the whole that has the momenta of the changes and of bodies together.
RigidMotion rigid_motion(const std::vector<LeafChange>& changes, const Momenta& of_bodies);

}  // namespace spindrift::pbf
