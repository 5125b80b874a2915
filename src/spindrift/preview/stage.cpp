#include "spindrift/preview/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::preview {

namespace {

constexpr unsigned particle_geometry = 0, solid_geometry = 1, first_mesh = 2;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Corners of a box by the bits of their number, and the four corners of each face.
constexpr std::array<std::array<unsigned, 4>, 6> box_faces{
    {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}}};

RTCRay make_ray(Vec3f origin, Vec3f direction) {
    RTCRay ray{};
    ray.org_x = origin.x, ray.org_y = origin.y, ray.org_z = origin.z;
    ray.dir_x = direction.x, ray.dir_y = direction.y, ray.dir_z = direction.z;
    ray.tfar = infinity;
    ray.mask = ~0u;
    return ray;
}

void check(RTCError code) {
    if (code == RTC_ERROR_OUT_OF_MEMORY) throw OutOfMemoryError("not enough memory to draw the particles");
    if (code == RTC_ERROR_NONE) return;
    throw Error(ExitCode::failure, fmt::format("the ray tracer failed (code {})", static_cast<int>(code)));
}

Vec3f box_corner(const Box3d& box, unsigned corner, const View& view) {
    return view.to_local(
        {(corner & 1 ? box.hi : box.lo).x, (corner & 2 ? box.hi : box.lo).y, (corner & 4 ? box.hi : box.lo).z});
}

void check_mesh(const geometry::Mesh& mesh) {
    SPINDRIFT_CHECK(mesh.uv.empty() || mesh.uv.size() == mesh.triangles.size());
    for (const geometry::Triangle& t : mesh.triangles)
        SPINDRIFT_CHECK(std::max({t[0], t[1], t[2]}) < mesh.points.size());
}

/// Triangles with a point that is not finite are not drawn: the ray tracer leaves them out.
RTCGeometry mesh_geometry(RTCDevice device, const MeshBody& body, const View& view) {
    const geometry::Mesh& mesh = *body.mesh;
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* points = static_cast<Vec3f*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               sizeof(Vec3f), mesh.points.size()));
    auto* faces = static_cast<geometry::Triangle*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(geometry::Triangle), mesh.triangles.size()));
    if (!points || !faces) throw OutOfMemoryError("not enough memory to draw the meshes");
    parallel_for(mesh.points.size(), [&](Range range) {
        for (const auto i : range)
            points[i] = view.to_local(body.pose.to_world(vec_cast<double>(mesh.points[i]) * body.scale));
    });
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), faces);
    return geometry;
}

}  // namespace

Stage::Stage(const PreviewScene& scene, const View& view, std::optional<double> ground,
             const std::optional<SlicePlane>& slice)
    : device_(rtcNewDevice(nullptr)), radius_(scene.radius) {
    if (!device_) throw Error(ExitCode::failure, "cannot start the ray tracer");
    bodies_.reset(rtcNewScene(device_.get()));
    glass_.reset(rtcNewScene(device_.get()));
    if (ground) ground_ = static_cast<float>(*ground - view.eye().y);
    add_particles(scene, view, slice);
    add_solids(scene, view);
    add_meshes(scene, view);
    check(rtcGetDeviceError(device_.get()));
    build();
}

void Stage::build() {
    // The ray tracer flushes subnormal numbers while it builds. Loops take over the modes of the thread that ran the
    // first of them; on a thread of its own the build leaves those of the simulation as they are. Errors are kept per
    // thread.
    RTCError code = RTC_ERROR_NONE;
    std::thread([&] {
        rtcCommitScene(bodies_.get());
        rtcCommitScene(glass_.get());
        code = rtcGetDeviceError(device_.get());
    }).join();
    check(code);
}

void Stage::add_particles(const PreviewScene& scene, const View& view, const std::optional<SlicePlane>& slice) {
    if (scene.positions.empty()) return;

    // The ray tracer leaves out what is not finite; so do we with what would fill the whole view.
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Vec3f cut_point = slice ? view.to_local(slice->point) : Vec3f{};
    const Vec3f cut_normal = slice ? vec_cast<float>(normalize(slice->normal)) : Vec3f{};
    spheres_.resize(scene.positions.size());
    parallel_for(scene.positions.size(), [&](Range r) {
        for (const auto i : r) {
            const Vec3f x = view.to_local(vec_cast<double>(scene.positions[i]));
            const float radius = scene.radius_of(i), clearance = 3 * radius;
            const bool shown = is_finite(x) && radius > 0 && dot(x, x) > clearance * clearance &&
                               !(dot(x - cut_point, cut_normal) > 0);
            spheres_[i] = shown ? Float4{x.x, x.y, x.z, radius} : Float4{nan, nan, nan, radius_};
        }
    });
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, spheres_.data(), 0,
                               sizeof(Float4), spheres_.size());
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(bodies_.get(), geometry, particle_geometry);
    rtcReleaseGeometry(geometry);
}

void Stage::add_solids(const PreviewScene& scene, const View& view) {
    if (scene.solids.empty()) return;
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_QUAD);
    auto* corners = static_cast<Vec3f*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                                sizeof(Vec3f), scene.solids.size() * 8));
    auto* faces = static_cast<std::array<unsigned, 4>*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4, sizeof(box_faces[0]), scene.solids.size() * 6));
    if (!corners || !faces) throw OutOfMemoryError("not enough memory to draw the solids");
    unsigned first = 0;
    for (const Box3d& box : scene.solids) {
        for (unsigned corner = 0; corner < 8; ++corner)
            *corners++ = box_corner(box, corner, view);
        for (const auto& face : box_faces) {
            *faces++ = {first + face[0], first + face[1], first + face[2], first + face[3]};
        }
        first += 8;
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(bodies_.get(), geometry, solid_geometry);
    rtcReleaseGeometry(geometry);
}

void Stage::add_meshes(const PreviewScene& scene, const View& view) {
    meshes_.resize(scene.meshes.size());
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
        const MeshBody& body = scene.meshes[i];
        SPINDRIFT_CHECK(body.mesh);
        if (body.mesh->triangles.empty()) continue;
        check_mesh(*body.mesh);
        meshes_[i] = {body.pose, corner_normals(*body.mesh)};
        const RTCGeometry geometry = mesh_geometry(device_.get(), body, view);
        rtcCommitGeometry(geometry);
        const bool is_glass = body.opacity < 1;
        has_glass_ = has_glass_ || is_glass;
        const RTCScene place = is_glass ? glass_.get() : bodies_.get();
        rtcAttachGeometryByID(place, geometry, first_mesh + static_cast<unsigned>(i));
        rtcReleaseGeometry(geometry);
    }
}

Hit Stage::make_hit(const RTCRayHit& ray, Vec3f direction) const {
    const auto towards_ray = [&](Vec3f n) { return dot(n, direction) > 0 ? -n : n; };
    Hit hit{Body::solid, ray.hit.primID, ray.ray.tfar, {}, {}, 0, ray.hit.u, ray.hit.v};
    hit.face = hit.normal = towards_ray(normalize(Vec3f{ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z}));
    if (ray.hit.geomID == particle_geometry) hit.body = Body::particle;
    if (ray.hit.geomID < first_mesh) return hit;

    hit.body = Body::mesh;
    hit.mesh = ray.hit.geomID - first_mesh;
    const DrawnMesh& mesh = meshes_[hit.mesh];
    const CornerNormals& corners = mesh.normals[hit.index];
    const Vec3f mean = corners[0] * (1 - hit.u - hit.v) + corners[1] * hit.u + corners[2] * hit.v;
    const Vec3f normal = vec_cast<float>(mesh.pose.turn(vec_cast<double>(mean)));
    const float size = length(normal);
    if (!(size > 0.1f)) return hit;
    hit.normal = dot(normal, hit.face) < 0 ? -normal / size : normal / size;
    return hit;
}

Hit Stage::trace(Vec3f direction) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    RTCRayHit ray{make_ray({}, direction), {}};
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(bodies_.get(), &context, &ray);

    const float to_ground = ground_ && direction.y < 0 && *ground_ < 0 ? *ground_ / direction.y : infinity;
    if (to_ground < ray.ray.tfar) return {Body::ground, 0, to_ground, {0, 1, 0}, {0, 1, 0}};
    if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return make_hit(ray, direction);
}

Hit Stage::trace_glass(Vec3f direction, float near, float far) const {
    if (!has_glass_) return {};
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit ray{make_ray({}, direction), {}};
    ray.ray.tnear = near;
    ray.ray.tfar = far;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(glass_.get(), &context, &ray);
    if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return make_hit(ray, direction);
}

bool Stage::occluded(Vec3f point, Vec3f face, Vec3f direction) const {
    // Rounding at a point grows with its distance from the eye; a thousandth of a particle is below what can be seen.
    const float lift = 1e-3f * radius_ + 4 * std::numeric_limits<float>::epsilon() * length(point);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay ray = make_ray(point + face * lift, direction);
    rtcOccluded1(bodies_.get(), &context, &ray);
    return ray.tfar < 0;
}

}  // namespace spindrift::preview
