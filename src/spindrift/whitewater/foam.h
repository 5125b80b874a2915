#pragma once
// Foam among foam: how crowded it is, how it lies side by side and how holes open in it.
//
// Source: docs/decisions/0029. Equations: side by side, two Jacobi passes of x_i += sum_j t_ij (r_i + r_j - |x_ij|) / 4
// over others that overlap, t_ij the direction away from j along the surface; nobody moves farther than its own radius.
// Holes of width w: some of the foam are centres, those whose random number, drawn from the id, is the lowest for about
// w around; they go with the liquid as all foam does. Others nearer than w / 2 leave them along the surface, r -> r +
// (w / 2 - r) (1 - exp(-opening dt)).
//
//   Foam foam{all, {first, last}, flow, &walls};
//   foam.open_cells({.width = 0.05f, .share = 0.1f, .seed = 1});
//   foam.spread(1);

#include <cstdint>
#include <span>

#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/flow.h"
#include "spindrift/whitewater/particles.h"

namespace spindrift::whitewater {

/// The foam among all particles: one range of them, in the order of cells.
struct Foam {
    Particles& all;
    Range range;
    const Flow& flow;
    const collision::Walls* walls = nullptr;  ///< that nobody is pushed through

    /// Fills `crowd`: how many share a cell.
    void count_crowds() const;

    struct Cells {
        float width = 0;  ///< m
        float share = 0;  ///< of the way that is left, now
        std::uint64_t seed = 0;
    };
    void open_cells(const Cells& cells) const;

    /// Pushes particles apart along the surface, by a share of what would let them lie side by side.
    void spread(float share) const;

  private:
    void go(std::span<const Vec3f> to) const;
};

}  // namespace spindrift::whitewater
