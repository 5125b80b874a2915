#pragma once
// Kernels shaped like the liquid around their particles: flat in sheets and at surfaces, balls inside and in spray.
//
// Source: Yu and Turk 2013, section 4.
//
// Equations: covariance C with eigenvalues s_1 >= s_2 >= s_3 and axes Q (spread.h) over R = 2 h = 4 spacings; axes of
// the kernel a_k = k_s max(s_k, s_1 / k_r), k_r = 4; G = 1 / radius Q diag(1 / a) Q^T. Weights of the field are
// W(r) = det(G) P(|G r|) with a P that ends at 1. Centres are (1 - lambda) x + lambda mean, lambda = 0.4. k_s is such
// that a = 1 in a lattice, where the kernel is the ball it would be without.
//
// Differs: lambda is 0.9 in the paper, which draws the outermost kernels in by a spacing: no level of the field would
// lie half a spacing outside of the particles. With few neighbours the kernel is a ball of half the radius, a_k = k_n =
// 0.5, as in the paper; but from 20 to 30 neighbours (the paper's limit is 25) the two are mixed, so that nothing jumps
// between frames. No axis is longer than 1.5 radii, so that whoever looks for kernels knows how far to look, nor
// shorter than 0.1. Inside of the liquid nothing is computed.
//
// Symbols: h = two spacings, Q = rotation, a = lengths of the kernel's axes in radii.
//
//   Anisotropy kernels = make_anisotropy(cells, 2.8);
//   Vec3f g = transform(kernels.G[i], p - kernels.center[i]);   // dot(g, g) < 1: within reach

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/neighbors/particle_cells.h"

namespace spindrift::surface {

/// Longest axis a kernel may have, in radii.
inline constexpr float longest_axis = 1.5f;
/// Axes of the kernel of a particle that is alone, in radii.
inline constexpr float lone_axis = 0.5f;

/// By sorted particle, in the units of the cells.
struct Anisotropy {
    std::vector<std::array<float, 6>> G{};  ///< xx, xy, xz, yy, yz, zz; in 1/units
    std::vector<Vec3f> center{};
};

constexpr Vec3f transform(const std::array<float, 6>& m, Vec3f a) {
    return {m[0] * a.x + m[1] * a.y + m[2] * a.z, m[1] * a.x + m[3] * a.y + m[4] * a.z,
            m[2] * a.x + m[4] * a.y + m[5] * a.z};
}

/// Kernels end a radius away from their centres where they are balls. Only particles whose entry in `near` is not 0
/// are looked at, others are balls; without entries, those that may be near a surface.
Anisotropy make_anisotropy(const neighbors::ParticleCells& cells, double radius_in_spacings,
                           ConstChannel<std::uint8_t> near = {});

}  // namespace spindrift::surface
