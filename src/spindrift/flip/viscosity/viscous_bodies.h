#pragma once
// Bodies in the viscous solve: they move as the stress on their faces says, and their faces move along.
//
// Source: Batty, Bertails and Bridson 2007, section 5 (the body's energy within that of the liquid), for viscosity.
// Equations: faces that a body holds have the velocities J V. To what Viscosity makes least comes the energy of the
//   bodies' change, (V - V0) . W^-1 (V - V0) / 2. W is known, its inverse is not (bodies that touch, joints): the
//   unknowns are impulses y with V = V0 + W y, and in the equations of bodies, W (y + J^T K (u, J V)) = 0, the W in
//   front is their preconditioner. So each step of conjugate gradients asks once for an answer. Bodies that touch no
//   other have W (1 + C W)^-1 instead, C = J^T diag(K) J: light ones in thick liquid would take long without.
// Symbols: V velocities and spins, V0 before, W the bodies' answer to impulses (Coupling::respond), J^T what a force on
//   a face is to a body, K (u, J V) the force of the stresses on held faces.
//
//   bodies.list(grid.leaves, solids, weights, {.coupling = coupling, .cell = cell, .cell_mass = mass});
//   bodies.set_residual(stress);                       // of what there is
//   double rz = bodies.precondition();
//   bodies.turn(beta, p);                             // writes the bodies' part of p
//   pq += bodies.multiply(stress_of_p);
//   bodies.advance(alpha);

#include <array>
#include <cstddef>
#include <vector>

#include "spindrift/flip/mac.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/mac/solids.h"

namespace spindrift::flip {

class ViscousBodies {
  public:
    using Faces = grid::AxisFields<float>;
    struct Setup {
        const fluid::Coupling* coupling = nullptr;  ///< nullptr: no bodies
        double cell = 1;                            ///< m
        double cell_mass = 0;                       ///< of a cell full of liquid, kg
    };
    /// Weights of stresses, and FaceKind.
    struct Weights {
        const grid::Field<float>& cell;
        const Faces &edge, &kind;
    };
    struct Stress {
        const Faces &normal, &shear;
    };

    /// Finds the faces of bodies that answer and that a stress pulls at.
    void list(const grid::LeafSet& leaves, const Solids& solids, const Weights& weights, const Setup& setup);
    /// No bodies.
    void clear() { faces_.clear(); }
    bool empty() const { return faces_.empty(); }

    /// The residual without impulses: what these stresses do.
    void set_residual(const Stress& stress);
    /// Takes from the residual what the impulses so far and the stresses of x, which has their motion, do.
    void subtract(const Stress& stress_of_x);
    /// Writes the velocities of the impulses so far.
    void put(Faces& x);
    /// The next direction's first part; returns its product with the residual, in kg of a cell.
    double precondition();
    /// p = z + beta p, and its velocities.
    void turn(double beta, Faces& p);
    /// q = A p of the bodies' equations; returns p . q.
    double multiply(const Stress& stress_of_p);
    void advance(double alpha);

    /// What stress gave each body, N s; as many as there are bodies.
    const std::vector<fluid::Twist>& impulses() const { return x_; }

  private:
    struct BodyFace {
        std::size_t at;                 ///< of its value in a field that begins with leaf 0
        std::array<std::size_t, 3> by;  ///< of the cell before it on its axis, and behind it on the two others
        int axis, body;
        Vec3d turn;  ///< speed along the axis that a spin of the body makes, m
    };
    using Twists = std::vector<fluid::Twist>;
    /// out += scale J^T (force on faces), N s
    void pull(const Stress& stress, double scale, Twists& out) const;
    void write(const Twists& motion, Faces& out) const;
    void find_easing();
    void ease(const Twists& in, Twists& out) const;

    Setup setup_;
    std::vector<BodyFace> faces_;
    using Matrix6 = std::array<std::array<double, 6>, 6>;
    std::vector<Matrix6> stiffness_, easing_;  ///< C and (1 + C W)^-1 by body
    Twists x_, r_, z_, p_, q_;                 ///< impulses: of the solution, the residual, the preconditioned one, ...
    Twists motion_x_, motion_z_, motion_p_;
};

}  // namespace spindrift::flip
