#pragma once
// The volume of each piece of a closed mesh, remembered before points are moved and brought back after.
//
//   VolumeKeeper keeper;
//   keeper.remember(mesh, fans, held);
//   mesh.points[0] += Vec3f{0, 0.001f, 0};
//   keeper.restore(mesh, fans, held);

#include <vector>

#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/finish/held_points.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::geometry {

class VolumeKeeper {
  public:
    /// `pieces` saves looking for them.
    void remember(const Mesh& mesh, const Fans& fans, const HeldPoints& held, Pieces pieces = {});
    /// Moves the free points of each piece along their normals, all by the same distance, to 1e-5 of the volume.
    void restore(Mesh& mesh, const Fans& fans, const HeldPoints& held) const;

  private:
    /// Of a piece: its volume, and how fast that grows when its free points move out.
    struct Sums {
        double volume = 0, rate = 0;

        friend Sums operator+(const Sums& a, const Sums& b) { return {a.volume + b.volume, a.rate + b.rate}; }
    };
    /// Of each piece; the gradients of the volume by the points too, unless they are nullptr.
    std::vector<Sums> measure(const Mesh& mesh, const Fans& fans, const HeldPoints& held, Vec3f* gradients) const;

    Vec3d middle_{};
    Pieces pieces_{};
    std::vector<Sums> before_{};
};

}  // namespace spindrift::geometry
