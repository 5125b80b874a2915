#include "spindrift/bodies/rigid/obstacles.h"

#include <cmath>
#include <string_view>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <fmt/format.h>

#include "spindrift/bodies/body_state.h"
#include "spindrift/collision/walls/colliders.h"

namespace spindrift::bodies {

namespace {

using collision::ColliderParams;
using geometry::Pose;

btVector3 to_bullet(Vec3d v) {
    return {v.x, v.y, v.z};
}

BulletShape make_plane(const collision::PlaneShape& plane) {
    return BulletShape(new btStaticPlaneShape(to_bullet(plane.normal), dot(plane.normal, plane.point)));
}

BulletShape make_box(Vec3d half) {
    auto box = std::make_unique<btBoxShape>(to_bullet(half));
    box->setMargin(0.01 * std::min({half.x, half.y, half.z}));
    box->initializePolyhedralFeatures();
    return BulletShape(box.release());
}

}  // namespace

struct Obstacles::Solid {
    std::optional<ColliderParams> params{};  ///< none for sides of the domain
    std::optional<collision::MeshSource> source{};
    std::unique_ptr<geometry::Mesh> mesh{};  ///< that the triangles refer to
    std::unique_ptr<btTriangleIndexVertexArray> triangles{};
    BulletShape shape{};
    Pose local{};  ///< of the Bullet shape in the collider's space
    int frame = 0;

    void make_simple();
    void make_mesh(int at);
};

/// Solid boxes, balls and cylinders are convex: bodies that got inside find the way out.
void Obstacles::Solid::make_simple() {
    const double scale = params->scale.at(0);
    if (params->plane) {
        collision::PlaneShape plane = *params->plane;
        plane.normal = normalize(plane.normal);
        shape = make_plane(plane);
    } else if (params->box) {
        shape = make_box(params->box->size() * (0.5 * scale));
        local.position = params->box->center() * scale;
    } else if (params->sphere) {
        shape.reset(new btSphereShape(params->sphere->radius * scale));
        local.position = params->sphere->center * scale;
    } else {
        const auto& [base, top, radius] = *params->cylinder;
        const Vec3d half{radius * scale, 0.5 * scale * length(top - base), radius * scale};
        auto cylinder = std::make_unique<btCylinderShape>(to_bullet(half));
        cylinder->setMargin(0.01 * std::min(half.x, half.y));
        shape.reset(cylinder.release());
        local = pose_along((base + top) * (0.5 * scale), top - base);
    }
}

void Obstacles::Solid::make_mesh(int at) {
    if (shape && (at == frame || !source->deforms())) return;
    frame = at;
    mesh = std::make_unique<geometry::Mesh>(source->at(at));
    shape.reset();
    triangles.reset();
    if (mesh->triangles.empty()) return;
    btIndexedMesh part;
    part.m_numTriangles = static_cast<int>(mesh->triangles.size());
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(mesh->triangles.data());
    part.m_triangleIndexStride = sizeof(geometry::Triangle);
    part.m_numVertices = static_cast<int>(mesh->points.size());
    part.m_vertexBase = reinterpret_cast<const unsigned char*>(mesh->points.data());
    part.m_vertexStride = sizeof(Vec3f);
    part.m_vertexType = PHY_FLOAT;
    triangles = std::make_unique<btTriangleIndexVertexArray>();
    triangles->addIndexedMesh(part, PHY_INTEGER);
    auto tree = std::make_unique<btBvhTriangleMeshShape>(triangles.get(), true);
    const Vec3d size = geometry::bounds(*mesh).size();
    tree->setMargin(1e-4 * std::max({size.x, size.y, size.z}));
    shape.reset(tree.release());
}

Obstacles::Obstacles(const Setup& setup) {
    if (setup.domain) {
        const Box3d& box = setup.domain->box;
        constexpr auto words = enum_words(collision::Side{});
        for (int side = 0; side < 6; ++side) {
            const auto& open = setup.domain->open;
            if (std::find(open.begin(), open.end(), static_cast<collision::Side>(side)) != open.end()) continue;
            collision::PlaneShape plane{side % 2 ? box.hi : box.lo, {}};
            plane.normal[side / 2] = side % 2 ? -1 : 1;
            Solid solid;
            solid.shape = make_plane(plane);
            solids_.push_back(std::move(solid));
            all_.push_back(
                {.name = fmt::format("the domain's {} side", words[static_cast<std::size_t>(side)]), .plane = plane});
        }
    }
    for (const ColliderParams& params : setup.colliders) {
        Solid solid;
        solid.params = params;
        const bool simple = params.mesh.empty() && params.vdb.empty() && params.mode == collision::Mode::solid_inside &&
                            !params.scale.moves();
        if (simple)
            solid.make_simple();
        else
            solid.source.emplace(params, setup.folder);
        Obstacle obstacle;
        obstacle.name = params.name.empty() ? "a collider" : params.name;
        if (params.plane) obstacle.plane = collision::PlaneShape{params.plane->point, normalize(params.plane->normal)};
        solids_.push_back(std::move(solid));
        all_.push_back(std::move(obstacle));
    }
}

Obstacles::~Obstacles() = default;
Obstacles::Obstacles(Obstacles&&) noexcept = default;
Obstacles& Obstacles::operator=(Obstacles&&) noexcept = default;

void Obstacles::place(double frame, double dt, double fps) {
    for (std::size_t i = 0; i < solids_.size(); ++i) {
        Solid& solid = solids_[i];
        Obstacle& obstacle = all_[i];
        // A step may begin a rounding before its frame.
        if (solid.source) solid.make_mesh(static_cast<int>(std::floor(frame + 1e-6)));
        obstacle.shape = solid.shape.get();
        if (!solid.params) continue;
        if (!solid.params->is_active(frame)) obstacle.shape = nullptr;
        obstacle.pose = compose(collision::pose_of(*solid.params, frame), solid.local);
        obstacle.velocity = {};
        if (!solid.params->moves() || dt == 0) continue;
        const auto later = [&](const Animated<Vec3d>& curve) {
            return curve.at(curve.jumps() ? frame : frame + dt * fps);
        };
        const Pose after =
            compose(geometry::make_pose(later(solid.params->position), later(solid.params->rotation_deg)), solid.local);
        obstacle.velocity = velocity_between(obstacle.pose, after, dt);
    }
}

const geometry::Mesh* Obstacles::mesh(std::size_t obstacle) const {
    return solids_[obstacle].mesh.get();
}

collision::Mode Obstacles::mode(std::size_t obstacle) const {
    return solids_[obstacle].params ? solids_[obstacle].params->mode : collision::Mode::solid_inside;
}

fluid::Twist velocity_between(const Pose& from, const Pose& to, double seconds) {
    const Pose turn{{},
                    to.x * from.x.x + to.y * from.y.x + to.z * from.z.x,
                    to.x * from.x.y + to.y * from.y.y + to.z * from.z.y,
                    to.x * from.x.z + to.y * from.y.z + to.z * from.z.z};
    const auto [x, y, z, w] = turn_of(turn);
    const Vec3d axis = w < 0 ? Vec3d{-x, -y, -z} : Vec3d{x, y, z};
    const double sine = length(axis), angle = 2 * std::atan2(sine, std::abs(w));
    return {(to.position - from.position) / seconds, sine == 0 ? Vec3d{} : axis * (angle / (sine * seconds))};
}

}  // namespace spindrift::bodies
