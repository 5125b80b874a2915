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
//   body.add_constraint(std::make_shared<pbf::StretchConstraint>(triangles, points, 2000), 1);

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/pbf/constraint.h"

namespace spindrift::pbf {

class StretchConstraint : public Constraint {
  public:
    /// The ids of triangles are indices into `rest`. Triangles without area are left out.
    /// Throws UsageError for a stiffness that is not positive.
    StretchConstraint(std::span<const std::array<std::int64_t, 3>> triangles, std::span<const Vec3d> rest,
                      double stiffness);

    void begin_step(ConstraintContext& context) override;
    void project(ConstraintContext& context) override;

    /// Square of the highest frequency that a triangle alone has, 1/s^2.
    double fastest(std::span<const double> inverse_masses) const;

  private:
    struct Patch {
        std::array<std::int64_t, 3> points{};
        std::array<std::array<double, 2>, 3> gradient{};  ///< of the shares of the corners, 1/m
        double compliance = 0;
    };
    struct Active {
        std::size_t patch = 0;
        std::array<std::size_t, 3> points{};
        double a = 0;
        Vec3d multiplier{};
    };
    void start(ConstraintContext& context, Active& active) const;
    void project_patch(ConstraintContext& context, Active& active) const;

    std::vector<Patch> patches_;
    std::vector<Active> active_;
};

}  // namespace spindrift::pbf
