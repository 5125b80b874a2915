#pragma once
// How the particles around a point are spread: their mean place and covariance, and the axes of that.
//
// Source: Yu and Turk 2013, section 4 (weighted principal component analysis).
//
// Equations: weights w_j = 1 - (|x_j - x| / R)^3; mean = sum w_j x_j / sum w_j; covariance = sum w_j (x_j - mean)
// (x_j - mean)^T / sum w_j.
//
// Differs: particles of several spacings weigh by their volume.
//
//   std::array<Spread, 8> spread = spread_around(cells, group.points, group.of_class, 2.f, gatherer);
//   Vec3d normal = eigen_of(spread[0].covariance).axis[2];

#include <array>

#include "spindrift/core/eigen.h"
#include "spindrift/surface/near_surface.h"

namespace spindrift::surface {

struct Spread {
    double count = 0;  ///< particles within the radius, itself included, in volumes of its own class
    Vec3d mean{};      ///< offset from the point, in units
    Symmetric3 covariance{};
};

/// Around each of eight points, which belong to a class; the radius is in cells of the class.
std::array<Spread, 8> spread_around(const neighbors::ParticleCells& cells, const Points8& points, int of_class,
                                    float radius, Gatherer& gatherer);

}  // namespace spindrift::surface
