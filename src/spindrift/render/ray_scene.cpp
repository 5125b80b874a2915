#include "spindrift/render/ray_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/thread_context.h"
#include "spindrift/geometry/topology.h"
#include "spindrift/render/cut.h"
#include "spindrift/render/optics.h"

namespace spindrift::render {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Corners of a box by the bits of their number, and the four corners of each face.
constexpr std::array<std::array<unsigned, 4>, 6> box_faces{
    {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}}};

void check(RTCError code) {
    if (code == RTC_ERROR_OUT_OF_MEMORY) throw OutOfMemoryError("not enough memory to draw the picture");
    if (code == RTC_ERROR_NONE) return;
    throw Error(ExitCode::failure, fmt::format("the ray tracer failed (code {})", static_cast<int>(code)));
}

/// The ray tracer asks this while it builds.
bool goes_on(void* work, double) {
    return !static_cast<const Interruptible*>(work)->is_requested();
}

Vec3f box_corner(const Box3d& box, unsigned corner, const geometry::View& view) {
    return view.to_local(
        {(corner & 1 ? box.hi : box.lo).x, (corner & 2 ? box.hi : box.lo).y, (corner & 4 ? box.hi : box.lo).z});
}

void check_mesh(const geometry::Mesh& mesh) {
    SPINDRIFT_CHECK(mesh.uv.empty() || mesh.uv.size() == mesh.triangles.size());
    for (const geometry::Triangle& t : mesh.triangles)
        SPINDRIFT_CHECK(std::max({t[0], t[1], t[2]}) < mesh.points.size());
}

void check_liquid(const LiquidBody& liquid) {
    SPINDRIFT_CHECK((liquid.mesh || liquid.lattice) && !liquid.looks.empty());
    if (!liquid.mesh) return;
    check_mesh(*liquid.mesh);
    const auto fits = [](std::size_t size, std::size_t count) { return size == 0 || size == count; };
    SPINDRIFT_CHECK(fits(liquid.sides.size(), liquid.mesh->triangles.size()));
    SPINDRIFT_CHECK(fits(liquid.values.size(), liquid.mesh->points.size()));
    SPINDRIFT_CHECK(fits(liquid.point_colors.size(), liquid.mesh->points.size()));
}

bool is_turned(const geometry::Pose& pose) {
    return pose.x != Vec3d{1, 0, 0} || pose.y != Vec3d{0, 1, 0};
}

/// A geometry of triangles whose points are `place(point, moment)` for one moment or two. Triangles with a point that
/// is not finite are not drawn: the ray tracer leaves them out, and so those that are cut away.
template <class Place>
RTCGeometry triangle_geometry(RTCDevice device, const geometry::Mesh& mesh, int moments, const Place& place) {
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryTimeStepCount(geometry, static_cast<unsigned>(moments));
    auto* faces = static_cast<geometry::Triangle*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(geometry::Triangle), mesh.triangles.size()));
    if (!faces) throw OutOfMemoryError("not enough memory to draw the meshes");
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), faces);
    for (int moment = 0; moment < moments; ++moment) {
        auto* points =
            static_cast<Vec3f*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, static_cast<unsigned>(moment),
                                                        RTC_FORMAT_FLOAT3, sizeof(Vec3f), mesh.points.size()));
        if (!points) throw OutOfMemoryError("not enough memory to draw the meshes");
        parallel_for(mesh.points.size(), [&](Range range) {
            for (const auto i : range)
                points[i] = place(i, moment);
        });
    }
    return geometry;
}

/// Whether a mesh has an inside that can be told from its outside.
bool is_closed(const geometry::Mesh& mesh) {
    const std::vector<std::uint32_t> welded = geometry::weld(mesh.points);
    std::vector<geometry::Triangle> triangles = mesh.triangles;
    for (geometry::Triangle& t : triangles)
        for (auto& corner : t)
            corner = welded[corner];
    std::erase_if(triangles, [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    const geometry::EdgeCounts edges = geometry::count_edges(triangles, mesh.points.size());
    return edges.open + edges.non_manifold + edges.mixed == 0;
}

bool is_inside_out(const geometry::Mesh& mesh) {
    double volume = 0;
    for (const geometry::Triangle& t : mesh.triangles) {
        const auto at = [&](int k) { return vec_cast<double>(mesh.points[t[static_cast<std::size_t>(k)]]); };
        volume += dot(at(0), cross(at(1), at(2)));
    }
    return volume < 0;
}

Medium liquid_medium(const LiquidLook& look) {
    Medium medium{.ior = look.ior, .cloudiness = look.cloudiness, .color = look.color};
    medium.absorption = absorption_of(look.color, look.clarity);
    medium.glow = look.color * look.glow;
    return medium;
}

}  // namespace

RayScene::RayScene(const RenderScene& scene, const geometry::View& view, const RaySceneParams& params)
    : scene_(scene),
      params_(params),
      device_(rtcNewDevice(nullptr)),
      radius_(scene.radius),
      eye_(vec_cast<float>(view.eye())) {
    if (!device_) throw Error(ExitCode::failure, "cannot start the ray tracer");
    scene_of_rays_.reset(rtcNewScene(device_.get()));
    if (params.quick) rtcSetSceneBuildQuality(scene_of_rays_.get(), RTC_BUILD_QUALITY_LOW);
    if (params.ground) ground_ = static_cast<float>(*params.ground - view.eye().y);
    add_spheres({scene.positions, scene.radius, scene.radii, scene.velocities}, scene, view, {Body::particle});
    for (std::uint32_t i = 0; i < scene.clouds.size(); ++i)
        add_spheres(scene.clouds[i], scene, view, {Body::cloud, i});
    add_solids(scene, view);
    meshes_.resize(scene.meshes.size());
    for (std::uint32_t i = 0; i < scene.meshes.size(); ++i)
        add_mesh(scene, view, i);
    liquids_.resize(scene.liquids.size());
    lattices_.resize(scene.liquids.size());
    for (std::uint32_t i = 0; i < scene.liquids.size(); ++i)
        add_liquid(scene, view, i);
    check(rtcGetDeviceError(device_.get()));
    build();
}

void RayScene::build() {
    // The ray tracer flushes subnormal numbers while it builds. Loops take over the modes of the thread that ran the
    // first of them; on a thread of its own the build leaves those of the simulation as they are. Errors are kept per
    // thread.
    RTCError code = RTC_ERROR_NONE;
    const Interruptible* const work = Interruptible::current();
    if (work) rtcSetSceneProgressMonitorFunction(scene_of_rays_.get(), goes_on, const_cast<Interruptible*>(work));
    std::thread([&, context = thread_context()] {
        const InheritContext inherit(context);
        run_limited([&] {
            rtcCommitScene(scene_of_rays_.get());
            code = rtcGetDeviceError(device_.get());
        });
    }).join();
    rtcSetSceneProgressMonitorFunction(scene_of_rays_.get(), nullptr, nullptr);
    if (work && code == RTC_ERROR_CANCELLED) work->stop();
    check(code);
}

void RayScene::attach(RTCGeometry geometry, const Geometry& what) {
    rtcSetGeometryMask(geometry, what.clear ? clear_bodies : matte_bodies);
    has_matte_ = has_matte_ || !what.clear;
    if (params_.quick) rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_LOW);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_of_rays_.get(), geometry, static_cast<unsigned>(geometries_.size()));
    rtcReleaseGeometry(geometry);
    geometries_.push_back(what);
}

void RayScene::add_spheres(const Cloud& cloud, const RenderScene& scene, const geometry::View& view,
                           const Geometry& what) {
    const std::size_t count = cloud.positions.size();
    if (count == 0) return;
    const bool moves = scene.shutter > 0 && cloud.velocities.size() == count;
    const Cut cut(params_.slice, view);
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
    rtcSetGeometryTimeStepCount(geometry, moves ? 2 : 1);
    for (int moment = 0; moment < (moves ? 2 : 1); ++moment) {
        Buffer<Float4>& spheres = spheres_.emplace_back("spheres of pictures");
        spheres.resize(count);
        const float time = static_cast<float>(scene.shutter * (moment == 0 ? -0.5 : 0.5));
        // The ray tracer leaves out what is not finite; so do we with what would fill the whole view.
        parallel_for(count, [&](Range r) {
            for (const auto i : r) {
                const Vec3f x = view.to_local(vec_cast<double>(cloud.positions[i]));
                const Vec3f at = moves ? x + cloud.velocities[i] * time : x;
                const float radius = cloud.radii.empty() ? cloud.radius : cloud.radii[i], clearance = 3 * radius;
                const bool shown = is_finite(at) && radius > 0 && dot(x, x) > clearance * clearance && !cut.takes(x);
                spheres[i] = shown ? Float4{at.x, at.y, at.z, radius} : Float4{nan, nan, nan, radius_};
            }
        });
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, static_cast<unsigned>(moment), RTC_FORMAT_FLOAT4,
                                   spheres.data(), 0, sizeof(Float4), count);
    }
    attach(geometry, what);
}

void RayScene::add_solids(const RenderScene& scene, const geometry::View& view) {
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
    attach(geometry, {Body::solid});
}

void RayScene::add_mesh(const RenderScene& scene, const geometry::View& view, std::uint32_t index) {
    const MeshBody& body = scene.meshes[index];
    SPINDRIFT_CHECK(body.mesh);
    if (body.mesh->triangles.empty()) return;
    check_mesh(*body.mesh);
    meshes_[index] = {body.mesh, nullptr, {}, body.pose, corner_normals(*body.mesh)};
    Geometry what{Body::mesh, index, body.opacity < 1};
    if (what.clear) {
        what.thin = body.thin || !is_closed(*body.mesh);
        what.inside_out = is_inside_out(*body.mesh);
        what.first_medium = static_cast<int>(media_.size());
        media_.push_back({.ior = body.ior});
        const Box3d box = bounds(body);
        add_clear({view.to_local(box.lo), view.to_local(box.hi)});
    }
    const bool moves = scene.shutter > 0 && body.pose_end;
    const auto place = [&](std::size_t i, int moment) {
        const geometry::Pose& pose = moment == 1 ? *body.pose_end : body.pose;
        return view.to_local(pose.to_world(vec_cast<double>(body.mesh->points[i]) * body.scale));
    };
    attach(triangle_geometry(device_.get(), *body.mesh, moves ? 2 : 1, place), what);
}

void RayScene::add_liquid(const RenderScene& scene, const geometry::View& view, std::uint32_t index) {
    const LiquidBody& liquid = scene.liquids[index];
    check_liquid(liquid);
    if (!liquid.mesh) return add_lattice(liquid, view, index);
    const geometry::Mesh& mesh = *liquid.mesh;
    if (mesh.triangles.empty()) return;
    const auto find = [&](const char* name) -> const float* {
        const geometry::Attribute* found = mesh.find(name);
        const bool fits = found && found->width == 3 && found->values.size() == 3 * mesh.points.size();
        return fits ? found->values.data() : nullptr;
    };
    const float* normals = find("N");
    liquids_[index] = {&mesh, normals, liquid.sides, liquid.pose,
                       normals ? std::vector<CornerNormals>{} : corner_normals(mesh)};
    liquids_[index].turned = is_turned(liquid.pose);
    const Geometry what = liquid_geometry(liquid, view, index);
    const Cut cut(params_.slice, view);
    const float* motion = scene.shutter > 0 ? find("v") : nullptr;
    const auto place = [&](std::size_t i, int moment) {
        const Vec3f x = view.to_local(liquid.pose.to_world(vec_cast<double>(mesh.points[i])));
        if (cut.takes(x)) return Vec3f{nan, nan, nan};
        if (!motion) return x;
        const float time = static_cast<float>(scene.shutter * (moment == 0 ? -0.5 : 0.5));
        return x + Vec3f{motion[3 * i], motion[3 * i + 1], motion[3 * i + 2]} * time;
    };
    attach(triangle_geometry(device_.get(), mesh, motion ? 2 : 1, place), what);
}

RayScene::Geometry RayScene::liquid_geometry(const LiquidBody& liquid, const geometry::View& view,
                                             std::uint32_t index) {
    Geometry what{Body::liquid, index, liquid.is_clear()};
    what.first_medium = static_cast<int>(media_.size());
    for (const LiquidLook& look : liquid.looks) {
        Medium& medium = media_.emplace_back(liquid_medium(look));
        medium.dye = liquid.dye;
        medium.dye_from = vec_cast<float>(view.eye());
    }
    if (what.clear) {
        const Box3d box = bounds(liquid);
        add_clear({view.to_local(box.lo), view.to_local(box.hi)});
    }
    return what;
}

void RayScene::add_lattice(const LiquidBody& liquid, const geometry::View& view, std::uint32_t index) {
    SPINDRIFT_CHECK(!is_turned(liquid.pose));
    const Vec3d corner = liquid.pose.position + liquid.lattice->origin - view.eye();
    auto body = std::make_unique<LatticeBody>(*liquid.lattice, corner, Cut(params_.slice, view));
    if (body->leaf_count() == 0) return;
    attach(body->make_geometry(device_.get()), liquid_geometry(liquid, view, index));
    lattices_[index] = std::move(body);
}

void RayScene::add_clear(const Box3f& box) {
    if (!is_finite(box.lo) || !is_finite(box.hi)) return;
    clear_bounds_ = clear_bounds_ ? Box3f{min(clear_bounds_->lo, box.lo), max(clear_bounds_->hi, box.hi)} : box;
}

}  // namespace spindrift::render
