#pragma once
// Pairs of triangles that resist folding along their common edge: cloth, paper, thin sheet metal.
//
// Source: Grinspun et al. 2003 (hinges), Bridson et al. 2003 (derivatives of the angle); elastic.h.
// Equations: C = angle - angle at rest,  energy = 1/2 s B e^2 / (A1 + A2) C^2.
// Symbols: B stiffness of the plate, N m; e length of the edge, A areas, both at rest; s the edge's share.
// Differs: in place of the factor 3 of hinge energies, which is right for no regular mesh, s is 1.41 for sides of
// squares, 0.5 for their diagonals and 1.03 in meshes of equal sides: then a strip has the energy 1/2 B curvature^2.
//
//   std::vector<constraints::Hinge> hinges = {{.points = {0, 1, 2, 3}}};          // edge 0 1, triangles 0 1 2 and 1 0
//   3 body.add_constraint(std::make_shared<constraints::BendConstraint>(hinges, points, 1e-3), 1);

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/constraints/constraint.h"
#include "spindrift/constraints/elastic.h"

namespace spindrift::constraints {

struct Hinge {
    std::array<std::int64_t, 4> points{};  ///< ids: the edge, then what lies across from it in each triangle
};

/// Folded by an angle about its edge; zero if it is flat.
double hinge_angle(const std::array<Vec3d, 4>& x);
/// How the angle changes with the points; zero if a triangle has no area.
std::array<Vec3d, 4> hinge_gradient(const std::array<Vec3d, 4>& x);

class BendConstraint : public Constraint {
  public:
    /// The ids of hinges are indices into `rest`, whose angles are kept. Hinges without area are left out.
    /// Throws UsageError for a stiffness that is not positive.
    BendConstraint(std::span<const Hinge> hinges, std::span<const Vec3d> rest, double stiffness);

    void begin_step(ConstraintContext& context) override;
    void project(ConstraintContext& context) override;

    /// Steps per second that it needs to be as stiff as it should be.
    double rate(std::span<const double> inverse_masses) const;

  private:
    struct Fold {
        std::array<std::int64_t, 4> points{};
        double angle = 0, compliance = 0;
        double weight = 0;  ///< sum of the squared derivatives at rest
    };
    using Active = ActiveElement<4, double>;
    void start(ConstraintContext& context, Active& fold) const;
    void project_fold(ConstraintContext& context, Active& fold) const;

    std::vector<Fold> folds_;
    std::vector<Active> active_;
};

}  // namespace spindrift::constraints
