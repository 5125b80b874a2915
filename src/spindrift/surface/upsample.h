#pragma once
// More particles between those at the surface, so that sheets stretched thin still make a closed surface.
//
// Source: Onderik 2014, section 4.2, equations 11 to 14.
//
// Equations: for neighbours p and q with normals n_p and n_q, a = q - p, b = (n_p + n_q) / 2: tangents
// t_p = n_p x (a x b), t_q = (a x b) x n_q; the middle of the Bezier curve p, p + beta |a| t_p / |t_p|,
// q + beta |a| t_q / |t_q|, q is c = (p + q) / 2 + 3/8 beta |a| (t_p / |t_p| + t_q / |t_q|). It lies outside of
// the chord where the surface is convex.
//
// Differs: beta = 1/3 instead of 0.4, with which points on a sphere of radius S give points on it, to
// |a|^4 / (128 S^3), and not 0.025 |a|^2 / S too high. Neighbours are within 3 spacings instead of 3.6: enough for the
// diagonals of a sheet stretched to twice its spacing. Of middles too close to each other the one of the nearest
// parents stays as it is; a mean would have no parents. Pairs whose normals are more than a right angle apart are the
// two sides of a sheet and get none; those of one layer have no outside, so their normals are turned to agree. Without
// a normal the middle is straight.
//
// Symbols: distances are in spacings of the liquid, and are halved each time.
//
// New particles are for the mesh alone. A function of the mesh that divides each particle's weight by the sum of its
// neighbours' (the default does) may take them like any others, since crowds weigh no more than one; sums that measure
// density must leave them out.
//
//   Upsampled more = upsample({.x = x, .spacing = {0.01}}, cells, at_surface, {.times = 1});
//   auto [p, q] = more.parents[k];   // v_new = (v[p] + v[q]) / 2

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/surface/surface_particles.h"

namespace spindrift::surface {

struct UpsampleParams {
    int times = 1;
    double reach = 3;   ///< of pairs, spacings
    double weld = 0.4;  ///< least distance of a new particle from all others, spacings
};

/// The new particles.
struct Upsampled {
    std::vector<Vec3f> x{};  ///< m from the origin of the old
    std::vector<std::uint16_t> liquid{};
    std::vector<Vec3f> normal{};
    /// Numbers of the two each is between. From the number of old particles on they count new ones, always earlier.
    std::vector<std::array<std::uint32_t, 2>> parents{};
};

/// The cells are those of the particles.
Upsampled upsample(const neighbors::ParticleView& particles, const neighbors::ParticleCells& cells,
                   const SurfaceParticles& at_surface, const UpsampleParams& params);

}  // namespace spindrift::surface
