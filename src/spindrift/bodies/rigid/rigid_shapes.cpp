#include "spindrift/bodies/rigid/rigid_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <LinearMath/btConvexHullComputer.h>
#include <fmt/format.h>

#include "spindrift/bodies/rigid/convex_parts.h"
#include "spindrift/core/log.h"

namespace spindrift::bodies {

namespace {

using geometry::Mesh;
using geometry::Pose;

/// Corners that the hull of a body may have: contacts look at all of them.
constexpr std::size_t most_corners = 64;

btVector3 to_bullet(Vec3d v) {
    return {v.x, v.y, v.z};
}

Pose frame_of(const MassProperties& body, const Inertia& inertia) {
    return {body.center, inertia.axis[0], inertia.axis[1], inertia.axis[2]};
}

Vec3d half_extents(const std::vector<Vec3d>& points) {
    Vec3d lo = points.front(), hi = lo;
    for (const Vec3d& p : points) {
        lo = min(lo, p);
        hi = max(hi, p);
    }
    return (hi - lo) * 0.5;
}

double smallest(Vec3d v) {
    return std::min({v.x, v.y, v.z});
}

/// Those of many points that lie farthest out in directions spread over the sphere (a Fibonacci lattice).
std::vector<Vec3d> thinned(const std::vector<Vec3d>& points) {
    if (points.size() <= most_corners) return points;
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < most_corners; ++k) {
        const double y = 1 - (2.0 * static_cast<double>(k) + 1) / most_corners, r = std::sqrt(1 - y * y);
        const double angle = static_cast<double>(k) * std::numbers::pi * (3 - std::sqrt(5.0));
        const Vec3d direction{r * std::cos(angle), y, r * std::sin(angle)};
        std::size_t best = 0;
        for (std::size_t i = 1; i < points.size(); ++i) {
            if (dot(points[i], direction) > dot(points[best], direction)) best = i;
        }
        chosen.push_back(best);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::vector<Vec3d> few;
    for (const std::size_t i : chosen)
        few.push_back(points[i]);
    return few;
}

/// Whether the hull of some corners has a volume: a flat part of a mesh stops nothing.
bool is_solid(const std::vector<Vec3d>& corners) {
    if (corners.size() < 4) return false;
    Mesh mesh;
    for (const Vec3d& p : corners)
        mesh.points.push_back(vec_cast<float>(p));
    return encloses(convex_hull(mesh));
}

std::vector<Vec3d> hull_corners(const std::vector<Vec3d>& points) {
    btConvexHullComputer hull;
    hull.compute(&points.front().x, sizeof(Vec3d), static_cast<int>(points.size()), 0, 0);
    std::vector<Vec3d> corners;
    for (int i = 0; i < hull.vertices.size(); ++i)
        corners.push_back({hull.vertices[i].x(), hull.vertices[i].y(), hull.vertices[i].z()});
    return corners;
}

std::vector<Vec3d> points_in(const std::vector<Vec3d>& points, const Pose& frame) {
    std::vector<Vec3d> local;
    for (const Vec3d& p : points)
        local.push_back(frame.to_local(p));
    return local;
}

std::vector<Vec3d> points_of(const Mesh& mesh) {
    std::vector<Vec3d> points;
    for (const Vec3f& p : mesh.points)
        points.push_back(vec_cast<double>(p));
    return points;
}

/// A hull whose faces and corners are known, so that two of them touch at several points at once.
BulletShape make_hull(const std::vector<Vec3d>& corners) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3d& p : corners)
        hull->addPoint(to_bullet(p), false);
    hull->setMargin(0.002 * smallest(half_extents(corners)));
    hull->recalcLocalAabb();
    hull->initializePolyhedralFeatures();
    return BulletShape(hull.release());
}

void add_box(RigidShape& shape, Vec3d half) {
    auto box = std::make_unique<btBoxShape>(to_bullet(half));
    box->setMargin(0.01 * smallest(half));
    box->initializePolyhedralFeatures();
    for (int corner = 0; corner < 8; ++corner)
        shape.corners.push_back(
            {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z});
    shape.parts.emplace_back(box.release());
    shape.thinnest = 2 * smallest(half);
    shape.reach = length(half);
}

void add_cylinder(RigidShape& shape, double length_, double radius) {
    const Vec3d half{radius, 0.5 * length_, radius};
    auto cylinder = std::make_unique<btCylinderShape>(to_bullet(half));
    cylinder->setMargin(0.01 * smallest(half));
    shape.parts.emplace_back(cylinder.release());
    shape.ends = RoundEnds{half.y, radius};
    shape.thinnest = 2 * smallest(half);
    shape.reach = std::hypot(half.y, radius);
}

void add_hulls(RigidShape& shape, const std::vector<std::vector<Vec3d>>& hulls) {
    for (const std::vector<Vec3d>& points : hulls) {
        const std::vector<Vec3d> corners = thinned(hull_corners(points_in(points, shape.frame)));
        if (!is_solid(corners)) continue;
        shape.parts.push_back(make_hull(corners));
        shape.corners.insert(shape.corners.end(), corners.begin(), corners.end());
    }
}

/// A mesh by its hull, or by the hulls of its parts.
void add_mesh(RigidShape& shape, const BodyParams& params, const Mesh& mesh) {
    if (params.contact == ContactShape::parts) {
        add_hulls(shape, convex_parts(mesh));
        if (shape.parts.empty())
            log_warning(fmt::format("{}: no convex parts were found; other bodies meet its hull", params.name));
    }
    if (shape.parts.empty()) add_hulls(shape, {points_of(mesh)});
    if (shape.parts.size() > 1) {
        auto whole = std::make_unique<btCompoundShape>(true, static_cast<int>(shape.parts.size()));
        for (const BulletShape& part : shape.parts)
            whole->addChildShape(btTransform::getIdentity(), part.get());
        shape.parts.emplace_back(whole.release());
    }
    shape.thinnest = 2 * smallest(half_extents(shape.corners));
    for (const Vec3d& p : shape.corners)
        shape.reach = std::max(shape.reach, length(p));
}

}  // namespace

void FreeShape::operator()(btCollisionShape* shape) const {
    delete shape;
}

RigidShape make_shape(const BodyParams& params, const Mesh& mesh, const MassProperties& body) {
    RigidShape shape;
    shape.frame = frame_of(body, principal_axes(body));
    if (params.box || params.sphere) shape.frame = {.position = body.center};
    if (params.cylinder) shape.frame = pose_along(body.center, params.cylinder->top - params.cylinder->base);
    if (params.capsule) shape.frame = pose_along(body.center, params.capsule->top - params.capsule->base);
    shape.moment = about_axes(body, {shape.frame.x, shape.frame.y, shape.frame.z}).moment;
    if (params.box) {
        add_box(shape, params.box->size() * (0.5 * params.scale));
    } else if (params.sphere) {
        shape.reach = params.sphere->radius * params.scale;
        shape.thinnest = 2 * shape.reach;
        shape.parts.emplace_back(new btSphereShape(shape.reach));
    } else if (params.cylinder) {
        const auto& [base, top, radius] = *params.cylinder;
        add_cylinder(shape, length(top - base) * params.scale, radius * params.scale);
    } else if (params.capsule) {
        const double radius = params.capsule->radius * params.scale;
        const double span = length(params.capsule->top - params.capsule->base) * params.scale;
        shape.parts.emplace_back(new btCapsuleShape(radius, span));
        shape.thinnest = 2 * radius;
        shape.reach = 0.5 * span + radius;
    } else {
        add_mesh(shape, params, mesh);
    }
    return shape;
}

Mesh convex_hull(const Mesh& mesh) {
    const std::vector<Vec3d> points = points_of(mesh);
    btConvexHullComputer computer;
    computer.compute(&points.front().x, sizeof(Vec3d), static_cast<int>(points.size()), 0, 0);
    Mesh hull;
    for (int i = 0; i < computer.vertices.size(); ++i) {
        const btVector3& p = computer.vertices[i];
        hull.points.push_back(vec_cast<float>(Vec3d{p.x(), p.y(), p.z()}));
    }
    for (int face = 0; face < computer.faces.size(); ++face) {
        const btConvexHullComputer::Edge* first = &computer.edges[computer.faces[face]];
        const auto apex = static_cast<std::uint32_t>(first->getSourceVertex());
        for (auto* edge = first->getNextEdgeOfFace(); edge != first; edge = edge->getNextEdgeOfFace()) {
            const auto a = static_cast<std::uint32_t>(edge->getSourceVertex());
            const auto b = static_cast<std::uint32_t>(edge->getTargetVertex());
            if (b != apex) hull.triangles.push_back({apex, a, b});
        }
    }
    return hull;
}

Pose pose_along(Vec3d position, Vec3d axis) {
    const Vec3d y = normalize(axis), other = std::abs(y.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    const Vec3d z = normalize(cross(other, y));
    return {position, cross(y, z), y, z};
}

Pose compose(const Pose& outer, const Pose& inner) {
    return {outer.to_world(inner.position), outer.turn(inner.x), outer.turn(inner.y), outer.turn(inner.z)};
}

Pose inverse(const Pose& pose) {
    const Pose back{{}, {pose.x.x, pose.y.x, pose.z.x}, {pose.x.y, pose.y.y, pose.z.y}, {pose.x.z, pose.y.z, pose.z.z}};
    return {-back.turn(pose.position), back.x, back.y, back.z};
}

}  // namespace spindrift::bodies
