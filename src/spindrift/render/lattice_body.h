#pragma once
// The surface of a lattice's samples as rays meet it, without a mesh: a primitive of the ray tracer for each leaf, in
// which a ray goes from cell to cell.
//
//   LatticeBody body(lattice, vec_cast<double>(view.to_local(lattice.origin)), Cut({}, view));
//   if (body.leaf_count() > 0) rtcAttachGeometry(scene, body.make_geometry(device));   // of use while `body` lives
//   geometry::Sides sides = LatticeBody::sides(met.hit);
//   Vec3f n = body.normal(met.hit.primID, sides, point);
//
// Source: Onderik 2014, ray tracing of composite implicit functions. Differs: rays meet the samples that meshes are
// made of, so that both show the same surface; cells that a mesh has no triangles in are skipped.

#include <cstdint>
#include <optional>
#include <vector>

#include <embree3/rtcore.h>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/render/cut.h"
#include "spindrift/render/lattice_cell.h"
#include "spindrift/surface/contour/cube_kinds.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::render {

class LatticeBody {
  public:
    /// `corner` is where the lattice's origin is, seen from the eye. The lattice belongs to the caller.
    LatticeBody(const surface::Lattice& lattice, Vec3d corner, const Cut& cut);

    /// Leaves that a surface passes.
    std::size_t leaf_count() const { return leaves_.size(); }
    /// Hits have the gradient of the function at the point as their normal, from the first side to the second.
    RTCGeometry make_geometry(RTCDevice device);

    static geometry::Sides sides(const RTCHit& hit) {
        return {static_cast<std::uint8_t>(hit.u), static_cast<std::uint8_t>(hit.v)};
    }
    /// Direction of the gradient at a hit's point, smooth over the cells; 0 where it is unknown.
    Vec3f normal(std::uint32_t leaf, geometry::Sides sides, Vec3f point) const;

  private:
    /// A leaf that the surface passes, and the box of its cells that it does.
    struct Leaf {
        std::uint32_t index = 0;
        Vec3i lo{}, hi{};
    };
    struct Way {
        Vec3d origin{}, direction{};  ///< in voxels from the corner of a leaf
        double near = 0, far = 0;
    };
    struct LeafHit {
        double distance = 0;
        CellHit cell{};
    };

    static void intersect(const RTCIntersectFunctionNArguments* call);
    static void occluded(const RTCOccludedFunctionNArguments* call);
    static void find_bounds(const RTCBoundsFunctionArguments* call);

    std::optional<LeafHit> meet(std::uint32_t leaf, const RTCRay& ray) const;
    std::optional<LeafHit> meet_cell(const Leaf& leaf, Vec3i at, const Way& way) const;
    bool is_cut(const Leaf& leaf, Vec3i at) const {
        return cubes_[leaf.index].cut[static_cast<std::size_t>(at.z)] >> (at.x + 8 * at.y) & 1;
    }
    /// Number of a sample among all, -1 if its leaf is not there; points may lie up to a leaf outside of theirs.
    std::int64_t find_sample(std::size_t leaf, Vec3i point) const;
    bool read_cell(const Leaf& leaf, Vec3i at, LatticeCell& cell) const;
    float sample(std::size_t leaf, Vec3i point, geometry::Sides sides) const;
    Vec3f slope(std::size_t leaf, Vec3i point, geometry::Sides sides) const;
    Vec3d leaf_corner(const Leaf& leaf) const;

    const surface::Lattice& lattice_;
    Vec3d corner_;
    Cut cut_;
    std::vector<surface::LeafCubes> cubes_;
    std::vector<Leaf> leaves_;
};

}  // namespace spindrift::render
