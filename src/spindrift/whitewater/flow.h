#pragma once
// The liquid of a frame as whitewater sees it: distance from its surface and its velocity, on cells two spacings of the
// coarsest liquid wide, at any place and, with the next frame, at any time.
//
// Source: docs/decisions/0029. Equations: with w = (1 - r^2/R^2)^3 over particles within R = 1.75 cells, the share of
// the ball that is full and the distance m of its centre of mass are those of a half-space at one depth z each; z of m
// is taken, unless the share is so small that there must be a thin sheet. Both are exact for flat surfaces.
// Between frames: v(x, t) = (1-s) v_n(x - s D v) + s v_n+1(x + (1-s) D v), v on the right from the plain blend: a fast
// sheet is seen once, not twice.
// Differs: walls are as full as the space before them, so that liquid has no surface there.
// Symbols: h cell width, D time between two frames, s share of it that has passed, phi distance (negative inside).
//
//   Flow now; now.make({.cells = &cells, .v = velocities, .walls = &walls});
//   Flow::Sample here = now.at({0.1f, 0.2f, 0.3f});                     // metres from the cells' origin

#include <array>
#include <cstdint>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/neighbors/particle_cells.h"

namespace spindrift::whitewater {

class Flow {
  public:
    struct Setup {
        const neighbors::ParticleCells* cells = nullptr;
        ConstChannel<Vec3f> v{};                  ///< of the particles in the caller's order, m/s
        const collision::Walls* walls = nullptr;  ///< in units of the cells; none if nullptr
        double crest_length = 0;                  ///< m that crests are looked for at; 0 if nobody asks for them
    };
    void make(const Setup& setup);

    struct Sample {
        Vec3f v{};      ///< m/s
        float phi = 0;  ///< m
    };
    /// At a place in metres from the origin of the cells. In the air far from liquid phi is far() and nothing moves.
    Sample at(Vec3f x) const;
    struct Surface : Sample {
        Vec3f slope{};  ///< direction and steepness in which phi grows
    };
    Surface surface_at(Vec3f x) const;

    /// What tells a crest from other places.
    struct Crest {
        float curvature = 0;  ///< 1/m, positive where the surface is bent outwards
        Vec3f normal{};       ///< out of the liquid
        Vec3f around{};       ///< velocity of the liquid around, m/s
    };
    Crest crest_at(Vec3f x) const;

    float h() const { return h_; }
    float far() const { return reach * h_; }
    Vec3d origin() const { return origin_; }
    const grid::LeafSet& leaves() const { return leaves_; }
    bool empty() const { return leaves_.empty(); }

    /// How far particles reach, in cells.
    static constexpr float reach = 1.75f;

  private:
    void choose_leaves(const neighbors::ParticleCells& cells);
    void find_solid_shares(const collision::Walls* walls);
    void fill_leaf(const Setup& setup, std::size_t leaf);
    void find_crests(double length);
    void smooth(int axis);
    /// The eight cells around a place, x fastest, and where it is between them; false far from all leaves.
    struct Corners {
        std::array<Float4, 8> value;
        Vec3f t;
    };
    bool corners_at(Vec3f x, Corners& corners) const;

    float h_ = 1;
    Vec3d origin_{};
    grid::LeafSet leaves_;
    grid::Field<Float4> flow_{"whitewater flow"};  ///< velocity and distance
    grid::Field<float> solid_{"whitewater flow"};  ///< share of each cell that is solid
    bool has_crests_ = false;
    grid::Field<Float4> mean_{"whitewater crests"};   ///< share that is full, times velocity; and the share
    grid::Field<Float4> crest_{"whitewater crests"};  ///< normal and curvature
    grid::Field<Float4> other_{"whitewater crests"};
};

/// Two frames of the same origin, and what is between them.
struct FlowBetween {
    const Flow& before;
    const Flow& after;
    float span = 0;  ///< seconds from the one to the other

    /// `share` of the span has passed.
    Flow::Sample at(Vec3f x, float share) const;
    /// The same where about the velocity is known already.
    Flow::Sample at(Vec3f x, float share, Vec3f v) const;
    Flow::Surface surface_at(Vec3f x, float share, Vec3f v) const;
};

}  // namespace spindrift::whitewater
