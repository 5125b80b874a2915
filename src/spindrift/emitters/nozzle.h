#pragma once
// The points of a nozzle that particles leave together, as a sheet, and how far apart sheets follow.
//
// A sheet holds points * spacing^3 of liquid, the liquid between two sheets is area * layer: with these equal the flow
// is exact whatever the nozzle's size. The lattice is chosen so that the layer comes near the spacing, since a jet then
// has the distances of liquid at rest.
//
//   Nozzle nozzle = make_nozzle(tap, 0.01);
//   double flow = nozzle.area * speed;                      // m^3/s

#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"

namespace spindrift::emitters {

struct Nozzle {
    std::vector<Vec3d> points;  ///< x and y across the nozzle, z = 0; metres from its centre
    Vec3d size;                 ///< of the rectangle around it
    double area = 0;            ///< m^2
    double layer = 0;           ///< m, between sheets
};

Nozzle make_nozzle(const EmitterParams& emitter, double spacing);

}  // namespace spindrift::emitters
