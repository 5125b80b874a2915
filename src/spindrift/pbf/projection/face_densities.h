#pragma once
// Densities at the faces of the projection's grid, where liquids differ in them.
//
// Pressure accelerates what is at a face by its gradient over the mean density there, so liquids on both sides of an
// interface move on together (Kang et al. 2000). A particle among others that are heavier or lighter than itself
// answers with its own density, so that liquids which were stirred part again.
//
//   FaceDensities densities;
//   densities.find(leaves, x, density, grid);                            // uses the grid's velocities
//   leaves.scatter(x, densities.weighted(v, density, n), grid);
//   densities.divide(grid);                                              // the momenta of faces are velocities now

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/per_particle.h"
#include "spindrift/grid/field.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/pbf/projection/projected_leaves.h"

namespace spindrift::pbf {

class FaceDensities {
  public:
    /// Means of the particles around each face; none if all have one density.
    void find(ProjectedLeaves& leaves, const Float4* x, const fluid::PerParticle& density, std::size_t particles,
              mac::MacGrid& grid);
    bool any() const { return any_; }

    /// Velocities times densities.
    const Float4* weighted(const Float4* v, const fluid::PerParticle& density, std::size_t particles);
    /// Makes velocities of the means of those.
    void divide(mac::MacGrid& grid) const;

    /// At each face; nullptr if there are none.
    const float* lightness(int axis) const { return any_ ? lightness_[axis].leaf(std::size_t{0}) : nullptr; }
    const grid::AxisFields<float>& densities() const { return density_; }

    /// What a particle of some density adds to the change that pressure makes of the liquid around it, as a share of
    /// that: nothing for one that is among its like.
    float drift(float own, float around) const;

  private:
    bool any_ = false;
    float least_ = 1, most_ = 1;
    grid::AxisFields<float> density_{"projection"}, lightness_{"projection"};
    Buffer<Float4> values_{"projection"};
};

}  // namespace spindrift::pbf
