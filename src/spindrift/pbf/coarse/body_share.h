#pragma once
// What a body takes of the hat of a node in the coarse projection.
//
//   BodyHats hats(field);
//   BodyShare share = hats.at({4, 0, 7});                // share.gradient is how the node's pressure pushes the body

#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"

namespace spindrift::pbf {

/// How free a point is of a field; the surface is as soft as the quadrature's points are apart.
float softly_free(const collision::WallField& field, Vec3f at);

/// Share of a node's hat that a body leaves free, and the integral of the hat's gradient over it.
struct BodyShare {
    float share = 0;
    Vec3f gradient{};
    Vec3f moment{};  ///< of the gradient about a pivot: what turns the body
};

struct ShareView {
    const collision::Walls* beside = nullptr;  ///< a body is never in these boxes and planes: what is there counts as
                                               ///< free of it
    const Vec3f* from = nullptr;               ///< where the liquid is: what a thin body hides from there is not free
};

/// By quadrature with a few points: for thin bodies, whose other side does not count. The pivot is the node.
BodyShare body_share(const collision::WallField& field, const ShareView& view, Vec3f node);

/// What the body's motion pushes into the node's hat.
float flow_of(const collision::WallField& field, const BodyShare& share, Vec3f pivot, Vec3f node);

/// Integrals over a whole body for all nodes around it. What the liquid loses the body gains: a linear pressure pushes
/// it by its volume times the slope, exactly, wherever its edges lie among the nodes.
class BodyHats {
  public:
    BodyHats() = default;
    explicit BodyHats(const collision::WallField& field);

    /// Of a node, by its number along each axis, for hats of unit volume.
    BodyShare at(Vec3i node) const;
    Vec3f pivot() const { return pivot_; }

  private:
    std::size_t index(Vec3i local) const {
        return static_cast<std::size_t>((local.z * size_.y + local.y) * size_.x + local.x);
    }

    struct Sums {
        Vec3f gradient{}, moment{};  ///< of the hat, integrated over the body
        float hat = 0;
    };

    Vec3i first_{}, size_{};
    Vec3f pivot_{};
    std::vector<Sums> sums_;
};

}  // namespace spindrift::pbf
