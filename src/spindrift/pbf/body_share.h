#pragma once
// What a body takes of the hat of a node in the coarse projection.
//
//   BodyShare of_body = body_share(field, {}, node);      // of_body.gradient is how the node's pressure pushes it

#include "spindrift/collision/walls.h"
#include "spindrift/core/vec.h"

namespace spindrift::pbf {

/// How free a point is of a field; the surface is as soft as the quadrature's points are apart.
float softly_free(const collision::WallField& field, Vec3f at);

/// Share of a node's hat that a body leaves free, and the integral of the hat's gradient over it.
struct BodyShare {
    float share = 0;
    Vec3f gradient{};
};

struct ShareView {
    const collision::Walls* beside = nullptr;  ///< a body is never in these boxes and planes: what is there counts as
                                               ///< free of it
    const Vec3f* from = nullptr;               ///< where the liquid is: what a thin body hides from there is not free
};

/// What the liquid loses the body gains, so edges and corners count as they are: a box that floats has many.
BodyShare body_share(const collision::WallField& field, const ShareView& view, Vec3f node);

}  // namespace spindrift::pbf
