#pragma once
// Smoothing of meshes that neither shrinks them nor moves what walls hold.
//
// Source: Taubin 1995, "A signal processing approach to fair surface design".
// Equations: x += lambda (mean of the neighbours - x), then the same with mu < -lambda (section 4).
// Differs: the small change of volume that is left is undone along the normals, for each piece of a closed mesh.
//
//   smooth(mesh, {.passes = 4});
//   smooth(mesh, {.passes = 4, .held = {.kind = kind, .wall_normals = normals}});

#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/finish/held_points.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::geometry {

struct SmoothSettings {
    int passes = 4;  ///< each goes once inward and once outward
    float lambda = 0.5f, mu = -0.53f;
    HeldPoints held{};
    Pieces pieces{};  ///< of the mesh, if they are known
};

/// Points on lines where one, three or more triangles meet, such as borders and lines between three liquids, move along
/// the line only; those where such lines meet or end stay. A mesh whose edges all have two triangles keeps the volume
/// of each piece to 1e-4.
void smooth(Mesh& mesh, const SmoothSettings& settings);
void smooth(Mesh& mesh, const Fans& fans, const SmoothSettings& settings);

}  // namespace spindrift::geometry
