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

#include <cstdint>
#include <limits>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/whitewater/crests.h"
#include "spindrift/whitewater/four.h"

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
    struct Surface : Sample {
        Vec3f slope{};  ///< direction and steepness in which phi grows
    };
    /// The leaf that was looked at last: who asks for places near each other finds it again without a search.
    struct Cursor {
        FourInts coord{std::numeric_limits<int>::min(), 0, 0, 0};
        const Float4* values = nullptr;
    };
    /// At a place in metres from the origin of the cells. In the air far from liquid phi is far() and nothing moves.
    Sample at(Vec3f x, Cursor& cursor) const;
    Surface surface_at(Vec3f x, Cursor& cursor) const;
    Sample at(Vec3f x) const;
    Surface surface_at(Vec3f x) const;

    /// What tells a crest from other places, in the cell around a place.
    Crests::Crest crest_at(Vec3f x) const;

    float h() const { return h_; }
    float far() const { return reach * h_; }
    Vec3d origin() const { return origin_; }
    const grid::LeafSet& leaves() const { return leaves_; }
    bool empty() const { return leaves_.empty(); }
    /// Velocities in the order of the cells.
    const Float4* v() const { return v_.data(); }

    /// How far particles reach, in cells.
    static constexpr float reach = 1.75f;

  private:
    void take_velocities(const Setup& setup);
    void choose_leaves(const neighbors::ParticleCells& cells);
    void find_solid_shares(const collision::Walls* walls);
    void fill_leaf(const neighbors::ParticleCells& cells, std::size_t leaf);
    void close_seams();
    /// The eight cells around a place: the first of them, and where the place is between them; nullptr far from liquid.
    const Float4* corner_of(Vec3f x, Cursor& cursor, Four& t) const;
    void look_for(Cursor& cursor, FourInts coord) const;
    /// Velocity and distance.
    Four values_at(Vec3f x, Cursor& cursor) const;
    friend class FlowReader;

    float h_ = 1, per_h_ = 1;
    Vec3d origin_{};
    grid::LeafSet leaves_;
    Buffer<Float4> v_{"whitewater flow"};
    /// Velocity and distance of 9 x 9 x 9 cells for each leaf: its own and the first ones of the leaves behind it.
    Buffer<Float4> flow_{"whitewater flow"};
    grid::Field<float> solid_{"whitewater flow"};  ///< share of each cell that is solid
    std::vector<std::uint8_t> has_solid_;          ///< of each leaf
    bool has_crests_ = false;
    Crests crests_;
};

/// Two frames of the same origin.
struct FlowBetween {
    const Flow& before;
    const Flow& after;
    float span = 0;  ///< seconds from the one to the other
};

/// What is between two frames, for one who asks for many places near each other. Not for several threads.
class FlowReader {
  public:
    explicit FlowReader(const FlowBetween& flow) : flow_(flow) {}

    /// `share` of the span has passed.
    Flow::Sample at(Vec3f x, float share);
    /// The same where about the velocity is known already.
    Flow::Sample at(Vec3f x, float share, Vec3f v);
    Flow::Surface surface_at(Vec3f x, float share, Vec3f v);

  private:
    FlowBetween flow_;
    Flow::Cursor before_{}, after_{};
};

}  // namespace spindrift::whitewater
