#pragma once
// Tetrahedra of an elastic solid that resist every change of shape, and recover when they are turned inside out.
//
// Source: Smith et al. 2018 (stable Neo-Hookean), Macklin and Mueller 2021 (as constraints); elastic.h.
// Equations: energy = m V (1/2 |F|^2 + 1/2 (det F - 2)^2 + const), which is stable, has no force at rest and, for
// small strains, the shear modulus m and no bulk stiffness of its own; VolumeConstraint adds that.
// Symbols: F deformation gradient, V volume at rest, m shear modulus, Pa.
// Constraints: C1 = |F|, C2 = det F - 2, both with compliance 1 / (m V). Neither changes when the solid turns, so that
// nothing slows it.
// Differs: tetrahedra that are too stiff for steps of this length are softened, see the source.
//
//   std::vector<constraints::Tetrahedron> one = {{.points = {0, 1, 2, 3}}};
//   body.add_constraint(std::make_shared<constraints::TetrahedronConstraint>(one, points, 7e3), 1);

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/constraints/constraint.h"
#include "spindrift/constraints/elastic.h"

namespace spindrift::constraints {

struct Tetrahedron {
    std::array<std::int64_t, 4> points{};  ///< ids
    double share = 1;                      ///< of its volume that is filled
};

class TetrahedronConstraint : public Constraint {
  public:
    /// The ids of tetrahedra are indices into `rest`. Shear modulus in Pa.
    /// Throws UsageError for a modulus that is not positive and tetrahedra without volume.
    TetrahedronConstraint(std::span<const Tetrahedron> tetrahedra, std::span<const Vec3d> rest, double shear_modulus);

    void begin_step(ConstraintContext& context) override;
    void project(ConstraintContext& context) override;

    /// Steps per second that it needs to be as stiff as it should be.
    double rate(std::span<const double> inverse_masses) const;

  private:
    struct Solid {
        std::array<std::int64_t, 4> points{};
        std::array<Vec3d, 4> gradient{};  ///< of the shares of the corners, 1/m
        double compliance = 0;
    };
    struct Multiplier {
        double shape = 0, volume = 0;
    };
    using Active = ActiveElement<4, Multiplier>;
    void start(ConstraintContext& context, Active& active) const;
    void project_shape(ConstraintContext& context, Active& active) const;
    void project_volume(ConstraintContext& context, Active& active) const;

    std::vector<Solid> solids_;
    std::vector<Active> active_;
};

}  // namespace spindrift::constraints
