#pragma once
// Cells of a solid that resist a change of their volume. A cell is a box or what became of it: its eight corners.
//
// Source: mean dilatation (Hughes 1980): the volume of single tetrahedra would lock nearly incompressible solids;
// elastic.h.
// Equations: C = V / V0 - 1,  energy = 1/2 l V0 C^2.
// Symbols: V volume, V0 at rest, l the first Lame parameter, Pa.
//
//   std::vector<constraints::Cell> one = {{.points = {0, 1, 2, 3, 4, 5, 6, 7}}};      // x fastest, then y, then z
//   body.add_constraint(std::make_shared<constraints::VolumeConstraint>(one, points, 6e4), 1);

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/constraints/constraint.h"
#include "spindrift/constraints/elastic.h"

namespace spindrift::constraints {

struct Cell {
    std::array<std::int64_t, 8> points{};  ///< ids
    double share = 1;                      ///< of its volume that is filled
};

/// The corners of the twelve triangles of a cell's faces, outward; opposite faces are cut along the same diagonal.
extern const std::array<std::array<std::uint8_t, 3>, 12> cell_faces;

class VolumeConstraint : public Constraint {
  public:
    /// The ids of cells are indices into `rest`. Throws UsageError for a stiffness (Pa) that is not positive and cells
    /// without volume.
    VolumeConstraint(std::span<const Cell> cells, std::span<const Vec3d> rest, double stiffness);

    void begin_step(ConstraintContext& context) override;
    void project(ConstraintContext& context) override;

    /// Steps per second that it needs to be as stiff as it should be.
    double rate(std::span<const double> inverse_masses) const;

  private:
    struct Rest {
        std::array<std::int64_t, 8> points{};
        double volume = 0, compliance = 0;
        std::array<double, 8> weight{};  ///< squared derivatives by the points
    };
    using Active = ActiveElement<8, double>;
    void start(ConstraintContext& context, Active& active) const;
    void project_cell(ConstraintContext& context, Active& active) const;

    std::vector<Rest> cells_;
    std::vector<Active> active_;
};

}  // namespace spindrift::constraints
