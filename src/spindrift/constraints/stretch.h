#pragma once
// Triangles that resist stretching and shearing in their plane: cloth.
//
// Source: Baraff and Witkin 1998 (strains along warp and weft); elastic.h.
// Equations: F = (a, b) the images of two directions at rest; C = (|a| - 1, |b| - 1, a . b);
// energy = 1/2 K A (C1^2 + C2^2 + C3^2 / 2).
// Symbols: K force per width that doubles the length, N/m; A area at rest.
// Differs: all three strains of a triangle are solved for at once. A strip does not get narrower when it is pulled.
//
//   std::vector<std::array<std::int64_t, 3>> triangles = {{0, 1, 2}};
//   body.add_constraint(std::make_shared<constraints::StretchConstraint>(triangles, points, 2000), 1);

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/constraints/constraint.h"
#include "spindrift/constraints/elastic.h"

namespace spindrift::constraints {

class StretchConstraint : public Constraint {
  public:
    /// The ids of triangles are indices into `rest`. Triangles without area are left out.
    /// Throws UsageError for a stiffness that is not positive.
    StretchConstraint(std::span<const std::array<std::int64_t, 3>> triangles, std::span<const Vec3d> rest,
                      double stiffness);

    void begin_step(ConstraintContext& context) override;
    void project(ConstraintContext& context) override;

    /// Steps per second that it needs to be as stiff as it should be.
    double rate(std::span<const double> inverse_masses) const;

  private:
    struct Patch {
        std::array<std::int64_t, 3> points{};
        std::array<std::array<double, 2>, 3> gradient{};  ///< of the shares of the corners, 1/m
        double compliance = 0;
    };
    using Active = ActiveElement<3, Vec3d>;
    void start(ConstraintContext& context, Active& active) const;
    void project_patch(ConstraintContext& context, Active& active) const;

    std::vector<Patch> patches_;
    std::vector<Active> active_;
};

}  // namespace spindrift::constraints
