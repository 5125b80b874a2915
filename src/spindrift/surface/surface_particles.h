#pragma once
// Which particles are at the surface, frame after frame, without flickering between yes and no.
//
// Source: Onderik 2014, section 4.1, equations 6 to 10.
//
// Equations: centre C(p) = sum W p_j / sum W, W = (1 - r^2 / R^2)^3, R = 1.7 h; the particle mirrored at it
// r = 2 p - C(p); displacement d = r - C(r); measure D = |d| / h + 2 (0.95 - rho / rho_0). A particle becomes one of
// the surface when D > max(upper - decay half (t - t0), middle), one of the inside when
// D < min(lower + decay half (t - t0), middle), where half is half of the distance of the thresholds and t0 is when it
// changed last.
//
// Differs: the displacement has weight 1 instead of 0.01, with which it would decide nothing. Thresholds come together
// over seconds instead of hundredths, which would be less than a frame. Particles of several spacings weigh by volume
// and see each other over the larger of their radii, scaled so that the two sides of a flat border balance. The inside
// is not looked at (near_surface.h). Normals are d / |d|, but on sheets of one layer, where d vanishes, the axis in
// which the neighbours spread least.
//
// Symbols: h = two spacings, R = radius, rho = density, rho_0 = rest density.
//
//   SurfaceState state;                                  // empty before the first frame
//   auto [at_surface, next] = detect(cells, {.id = id, .time = 0.5}, state);
//   if (at_surface.flag[i]) ... at_surface.normal[i] ...
//   state = std::move(next);

#include <cstdint>
#include <vector>

#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/neighbors/particle_cells.h"

namespace spindrift::surface {

/// What a frame hands to the next: the particles that were looked at, by ascending id.
struct SurfaceState {
    std::vector<std::int64_t> id{};
    std::vector<std::uint8_t> flag{};  ///< 1 at the surface
    std::vector<float> since{};        ///< s
};

/// What a particle may be.
enum SurfaceFlag : std::uint8_t {
    inside = 0,
    outer = 1,  ///< liquid behind it, air before it
    sheet = 2,  ///< air on both sides: which way its normal points means nothing
};

/// Of each of the caller's particles.
struct SurfaceParticles {
    std::vector<std::uint8_t> flag{};  ///< a SurfaceFlag
    std::vector<Vec3f> normal{};       ///< out of the liquid, of length 1; 0 inside, and in strings and drops of few
    std::vector<float> measure{};      ///< D of those that were looked at, 0 of all others
};

/// On lattices with jitter of a fifth of the spacing, D is 0.7 to 1.3 in a flat outermost layer, more at edges and in
/// sheets; below 0.3 in the second layer, but up to 0.66 behind corners.
struct SurfaceThresholds {
    float lower = 0.45f, upper = 0.75f;
    float decay = 0.5f;  ///< how fast they come together, 1/s

    float middle() const { return 0.5f * (lower + upper); }
};

/// What is known of the particles besides their places, in the caller's order.
struct SurfaceInput {
    ConstChannel<std::int64_t> id{};  ///< empty: each frame is on its own
    ConstChannel<float> density{};    ///< as the solver measured it, in rest densities; empty: measured here
    double time = 0;                  ///< s
    SurfaceThresholds thresholds{};
};

struct DetectedSurface {
    SurfaceParticles particles{};
    SurfaceState state{};
};

DetectedSurface detect(const neighbors::ParticleCells& cells, const SurfaceInput& input, const SurfaceState& before);

}  // namespace spindrift::surface
