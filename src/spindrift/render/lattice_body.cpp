#include "spindrift/render/lattice_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spindrift/core/errors.h"

namespace spindrift::render {

namespace {

using surface::lattice_width;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// How far a cell's part of a ray reaches into the next cells, in voxels: more than what rounding could leave between
/// them, and less than anybody sees.
constexpr double overlap = 1e-6;

constexpr Vec3i corner_of(int k) {
    return {k & 1, k >> 1 & 1, k >> 2};
}

/// Box of the cells whose bits are set.
Box3<std::int32_t> box_of(const surface::CubeBits& bits) {
    Box3<std::int32_t> box{{8, 8, 8}, {0, 0, 0}};
    for (int z = 0; z < lattice_width; ++z) {
        for (int i = 0; i < 64; ++i) {
            if (!(bits[static_cast<std::size_t>(z)] >> i & 1)) continue;
            const Vec3i cell{i & 7, i >> 3, z};
            box = {min(box.lo, cell), max(box.hi, cell + Vec3i{1, 1, 1})};
        }
    }
    return box;
}

/// Shortens the way from near to far to what is in a box.
void enter(const Box3<std::int32_t>& box, Vec3d origin, Vec3d direction, double& near, double& far) {
    for (int axis = 0; axis < 3; ++axis) {
        const double lo = box.lo[axis] - origin[axis], hi = box.hi[axis] - origin[axis];
        if (direction[axis] == 0) {
            if (lo > 0 || hi < 0) far = -infinity;
            continue;
        }
        const double a = lo / direction[axis], b = hi / direction[axis];
        near = std::max(near, std::min(a, b));
        far = std::min(far, std::max(a, b));
    }
}

/// The cells along a ray, one after the other.
class CellWalk {
  public:
    CellWalk(const Box3<std::int32_t>& box, Vec3d origin, Vec3d direction, double near) : box_(box) {
        for (int axis = 0; axis < 3; ++axis) {
            const double d = direction[axis], place = std::floor(origin[axis] + d * near);
            const auto last = static_cast<double>(box.hi[axis] - 1);
            at_[axis] = static_cast<std::int32_t>(std::clamp(place, static_cast<double>(box.lo[axis]), last));
            step_[axis] = d > 0 ? 1 : -1;
            next_[axis] = d == 0 ? infinity : (at_[axis] + (d > 0) - origin[axis]) / d;
            width_[axis] = d == 0 ? infinity : std::abs(1 / d);
        }
    }

    Vec3i at() const { return at_; }
    /// Where the ray leaves the cell.
    double exit() const { return std::min({next_.x, next_.y, next_.z}); }
    /// False behind the last one.
    bool go_on() {
        const int axis = next_.x <= next_.y ? (next_.x <= next_.z ? 0 : 2) : (next_.y <= next_.z ? 1 : 2);
        at_[axis] += step_[axis];
        next_[axis] += width_[axis];
        return at_[axis] >= box_.lo[axis] && at_[axis] < box_.hi[axis];
    }

  private:
    Box3<std::int32_t> box_;
    Vec3i at_{}, step_{};
    Vec3d next_{}, width_{};
};

Vec3d origin_of(const RTCRay& ray) {
    return {ray.org_x, ray.org_y, ray.org_z};
}

Vec3d direction_of(const RTCRay& ray) {
    return {ray.dir_x, ray.dir_y, ray.dir_z};
}

/// Difference to the neighbours along an axis. Where one of them is not there, or so far away that it was not
/// evaluated, the other tells.
float slope_between(float low, float middle, float high, float likely) {
    const float below = middle - low, above = high - middle;
    const bool has_below = std::abs(below) <= likely, has_above = std::abs(above) <= likely;
    if (has_below && has_above) return 0.5f * (below + above);
    if (has_below) return below;
    if (has_above) return above;
    const float all = 0.5f * (high - low);
    return std::isfinite(all) ? std::clamp(all, -likely, likely) : 0;
}

}  // namespace

LatticeBody::LatticeBody(const surface::Lattice& lattice, Vec3d corner, const Cut& cut)
    : lattice_(lattice),
      corner_(corner),
      cut_(cut),
      cubes_(surface::find_cubes(lattice, surface::Cut::where_liquids_meet)) {
    for (std::uint32_t i = 0; i < cubes_.size(); ++i) {
        if (!surface::is_cut(cubes_[i])) continue;
        const auto box = box_of(cubes_[i].cut);
        leaves_.push_back({i, box.lo, box.hi});
    }
}

RTCGeometry LatticeBody::make_geometry(RTCDevice device) {
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    if (!geometry) throw OutOfMemoryError("not enough memory to draw the surface");
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(leaves_.size()));
    rtcSetGeometryUserData(geometry, this);
    rtcSetGeometryBoundsFunction(geometry, find_bounds, nullptr);
    rtcSetGeometryIntersectFunction(geometry, intersect);
    rtcSetGeometryOccludedFunction(geometry, occluded);
    return geometry;
}

Vec3d LatticeBody::leaf_corner(const Leaf& leaf) const {
    return corner_ + vec_cast<double>(lattice_.leaves[leaf.index] * lattice_width) * lattice_.voxel;
}

void LatticeBody::find_bounds(const RTCBoundsFunctionArguments* call) {
    const auto& body = *static_cast<const LatticeBody*>(call->geometryUserPtr);
    const Leaf& leaf = body.leaves_[call->primID];
    const Vec3d corner = body.leaf_corner(leaf);
    const Vec3d lo = corner + vec_cast<double>(leaf.lo) * body.lattice_.voxel;
    const Vec3d hi = corner + vec_cast<double>(leaf.hi) * body.lattice_.voxel;
    // The ray tracer works in floats, which are coarse far away from the eye.
    const double pad = 1e-3 * body.lattice_.voxel + 4e-7 * (length(lo) + length(hi));
    RTCBounds& out = *call->bounds_o;
    out.lower_x = static_cast<float>(lo.x - pad), out.upper_x = static_cast<float>(hi.x + pad);
    out.lower_y = static_cast<float>(lo.y - pad), out.upper_y = static_cast<float>(hi.y + pad);
    out.lower_z = static_cast<float>(lo.z - pad), out.upper_z = static_cast<float>(hi.z + pad);
}

void LatticeBody::intersect(const RTCIntersectFunctionNArguments* call) {
    const auto& body = *static_cast<const LatticeBody*>(call->geometryUserPtr);
    RTCRayN* rays = RTCRayHitN_RayN(call->rayhit, call->N);
    for (unsigned i = 0; i < call->N; ++i) {
        if (call->valid[i] == 0) continue;
        const auto met = body.meet(call->primID, rtcGetRayFromRayN(rays, call->N, i));
        if (!met) continue;
        RTCHit hit{};
        const Vec3f gradient = vec_cast<float>(met->cell.gradient);
        hit.Ng_x = gradient.x, hit.Ng_y = gradient.y, hit.Ng_z = gradient.z;
        hit.u = met->cell.sides[0], hit.v = met->cell.sides[1];
        hit.primID = call->primID, hit.geomID = call->geomID, hit.instID[0] = call->context->instID[0];
        RTCRayN_tfar(rays, call->N, i) = static_cast<float>(met->distance);
        rtcCopyHitToHitN(RTCRayHitN_HitN(call->rayhit, call->N), &hit, call->N, i);
    }
}

void LatticeBody::occluded(const RTCOccludedFunctionNArguments* call) {
    const auto& body = *static_cast<const LatticeBody*>(call->geometryUserPtr);
    for (unsigned i = 0; i < call->N; ++i) {
        if (call->valid[i] == 0) continue;
        if (body.meet(call->primID, rtcGetRayFromRayN(call->ray, call->N, i)))
            RTCRayN_tfar(call->ray, call->N, i) = -std::numeric_limits<float>::infinity();
    }
}

std::optional<LatticeBody::LeafHit> LatticeBody::meet(std::uint32_t number, const RTCRay& ray) const {
    const Leaf& leaf = leaves_[number];
    double first = ray.tnear, last = ray.tfar;
    cut_.shorten(origin_of(ray), direction_of(ray), first, last);
    const Vec3d origin = (origin_of(ray) - leaf_corner(leaf)) / lattice_.voxel;
    const Vec3d direction = direction_of(ray) / lattice_.voxel;
    const double more = overlap / length(direction);
    double near = first, far = last;
    enter({leaf.lo, leaf.hi}, origin, direction, near, far);
    if (!(near - more <= far + more)) return {};
    CellWalk walk({leaf.lo, leaf.hi}, origin, direction, near);
    do {
        const double exit = std::min(walk.exit(), far);
        if (is_cut(leaf, walk.at())) {
            const Way way{origin, direction, std::max(first, near - more), std::min(last, exit + more)};
            if (const auto hit = meet_cell(leaf, walk.at(), way)) return hit;
        }
        near = exit;
    } while (near < far && walk.go_on());
    return {};
}

std::optional<LatticeBody::LeafHit> LatticeBody::meet_cell(const Leaf& leaf, Vec3i at, const Way& way) const {
    if (!(way.near < way.far)) return {};
    LatticeCell cell;
    if (!read_cell(leaf, at, cell)) return {};
    const Vec3d origin = way.origin - vec_cast<double>(at);
    auto hit = first_hit(cell, origin + way.direction * way.near, origin + way.direction * way.far);
    if (!hit) return {};
    // A ray that goes along the surface may leave the gradient nothing to say.
    if (const double size = length(hit->gradient); size > 0)
        hit->gradient = hit->gradient / size;
    else
        hit->gradient = -normalize(way.direction);
    return LeafHit{way.near + hit->s * (way.far - way.near), *hit};
}

std::int64_t LatticeBody::find_sample(std::size_t leaf, Vec3i point) const {
    const int side = 13 + (point.x >> 3) + 3 * (point.y >> 3) + 9 * (point.z >> 3);
    const std::int64_t other =
        side == 13 ? static_cast<std::int64_t>(leaf) : lattice_.neighbors[27 * leaf + static_cast<std::size_t>(side)];
    if (other < 0) return -1;
    return 512 * other + surface::point_index({point.x & 7, point.y & 7, point.z & 7});
}

/// False if not all of its corners are there: meshes leave such cells out as well.
bool LatticeBody::read_cell(const Leaf& leaf, Vec3i at, LatticeCell& cell) const {
    const auto z = static_cast<std::size_t>(at.z);
    const bool has_labels = lattice_.has_labels();
    cell.several = cubes_[leaf.index].tetra[z] >> (at.x + 8 * at.y) & 1;
    for (int k = 0; k < 8; ++k) {
        const std::int64_t found = find_sample(leaf.index, at + corner_of(k));
        if (found < 0) return false;
        const auto i = static_cast<std::size_t>(found), corner = static_cast<std::size_t>(k);
        cell.phi[corner] = lattice_.phi[i];
        if (!has_labels) continue;
        if (lattice_.label[i] != surface::air) cell.liquid = lattice_.label[i];
        cell.label[corner] = lattice_.label[i];
        cell.lead[corner] = lattice_.lead[i];
    }
    return true;
}

/// Of the function whose gradient goes from one side to the other: phi, or the lead of the second side. Not a number
/// where there is none.
float LatticeBody::sample(std::size_t leaf, Vec3i point, geometry::Sides sides) const {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::int64_t found = find_sample(leaf, point);
    if (found < 0) return nan;
    const auto i = static_cast<std::size_t>(found);
    if (sides[1] == surface::air) return lattice_.phi[i];
    if (lattice_.label[i] == sides[0]) return -lattice_.lead[i];
    return lattice_.label[i] == sides[1] ? lattice_.lead[i] : nan;
}

Vec3f LatticeBody::slope(std::size_t leaf, Vec3i point, geometry::Sides sides) const {
    // Distances grow by about a voxel per voxel; leads by what they like.
    const bool outer = sides[1] == surface::air;
    const float likely = outer ? static_cast<float>(2 * lattice_.voxel) : std::numeric_limits<float>::max();
    const float middle = sample(leaf, point, sides);
    Vec3f slope;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3i below = point, above = point;
        below[axis] -= 1;
        above[axis] += 1;
        slope[axis] = slope_between(sample(leaf, below, sides), middle, sample(leaf, above, sides), likely);
    }
    return slope;
}

Vec3f LatticeBody::normal(std::uint32_t number, geometry::Sides sides, Vec3f point) const {
    const Leaf& leaf = leaves_[number];
    const Vec3d place = (vec_cast<double>(point) - leaf_corner(leaf)) / lattice_.voxel;
    Vec3i at;
    Vec3f t;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = std::clamp(std::floor(place[axis]), 0.0, 7.0);
        at[axis] = static_cast<std::int32_t>(low);
        t[axis] = static_cast<float>(std::clamp(place[axis] - low, 0.0, 1.0));
    }
    Vec3f sum;
    for (int k = 0; k < 8; ++k) {
        const Vec3i corner = at + corner_of(k);
        if (!std::isfinite(sample(leaf.index, corner, sides))) continue;
        const float weight = (k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z);
        sum += slope(leaf.index, corner, sides) * weight;
    }
    const float size = length(sum);
    return size > 0 ? sum / size : Vec3f{};
}

}  // namespace spindrift::render
