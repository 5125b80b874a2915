#pragma once
// Densities at faces where what particles are mixed of makes them unlike heavy, and velocities by momenta over masses.
//
// Source: Kang, Fedkiw and Liu 2000: pressure accelerates what is at a face by its gradient over the density there.
//
//   FaceDensities densities;
//   scatter(densities.as_velocities(density, count), nullptr);           // in place of velocities
//   densities.take(grid);
//   scatter(densities.weighted(v, density, count), densities.weighted_affine(...));
//   densities.divide(grid);                                              // now they are velocities
//   pressure.project(grid, {.lightness = densities.lightness()});

#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/per_particle.h"
#include "spindrift/grid/field.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::flip {

class FaceDensities {
  public:
    /// All particles are as dense as the densest, and nothing is weighted.
    void clear() { any_ = false; }

    const Float4* as_velocities(const fluid::PerParticle& density, std::size_t particles);
    /// What stands at the grid's faces are densities: the means of the particles around them.
    void take(mac::MacGrid& grid);
    const Float4* weighted(const ParticleStore& particles, const fluid::PerParticle& density);
    /// Gradients of velocities by slot; nullptr if there are none.
    const float* weighted_affine(const ParticleStore& particles, const ChannelArray* affine,
                                 const fluid::PerParticle& density);
    void divide(mac::MacGrid& grid) const;

    /// One over the density at each face, relative to the densest; nullptr if all are alike.
    const grid::AxisFields<float>* lightness() const { return any_ ? &lightness_ : nullptr; }

  private:
    bool any_ = false;
    grid::AxisFields<float> lightness_{"face densities"};
    Buffer<Float4> values_{"face densities"};
    std::vector<float> affine_;
};

}  // namespace spindrift::flip
