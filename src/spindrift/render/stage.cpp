#include "spindrift/render/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::render {

namespace {

/// Corners of a box by the bits of their number, and the four corners of each face.
constexpr std::array<std::array<unsigned, 4>, 6> box_faces{
    {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}}};

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

void check_liquid(const LiquidBody& liquid) {
    SPINDRIFT_CHECK(liquid.mesh);
    check_mesh(*liquid.mesh);
    SPINDRIFT_CHECK(!liquid.colors.empty());
    const auto fits = [](std::size_t size, std::size_t count) { return size == 0 || size == count; };
    SPINDRIFT_CHECK(fits(liquid.sides.size(), liquid.mesh->triangles.size()));
    SPINDRIFT_CHECK(fits(liquid.values.size(), liquid.mesh->points.size()));
    SPINDRIFT_CHECK(fits(liquid.point_colors.size(), liquid.mesh->points.size()));
}

/// What lies beyond a cut, in the eye's coordinates.
class Cut {
  public:
    Cut(const std::optional<SlicePlane>& slice, const View& view)
        : point_(slice ? view.to_local(slice->point) : Vec3f{}),
          normal_(slice ? vec_cast<float>(normalize(slice->normal)) : Vec3f{}) {}
    bool takes(Vec3f x) const { return dot(x - point_, normal_) > 0; }

  private:
    Vec3f point_, normal_;
};

/// Triangles with a point that is not finite are not drawn: the ray tracer leaves them out, and so those that are cut
/// away.
RTCGeometry mesh_geometry(RTCDevice device, const MeshBody& body, const View& view,
                          const std::optional<SlicePlane>& slice = {}) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Cut cut(slice, view);
    const geometry::Mesh& mesh = *body.mesh;
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* points = static_cast<Vec3f*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               sizeof(Vec3f), mesh.points.size()));
    auto* faces = static_cast<geometry::Triangle*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(geometry::Triangle), mesh.triangles.size()));
    if (!points || !faces) throw OutOfMemoryError("not enough memory to draw the meshes");
    parallel_for(mesh.points.size(), [&](Range range) {
        for (const auto i : range) {
            const Vec3f x = view.to_local(body.pose.to_world(vec_cast<double>(mesh.points[i]) * body.scale));
            points[i] = cut.takes(x) ? Vec3f{nan, nan, nan} : x;
        }
    });
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), faces);
    return geometry;
}

}  // namespace

Stage::Stage(const RenderScene& scene, const View& view, std::optional<double> ground,
             const std::optional<SlicePlane>& slice)
    : device_(rtcNewDevice(nullptr)), radius_(scene.radius) {
    if (!device_) throw Error(ExitCode::failure, "cannot start the ray tracer");
    bodies_.reset(rtcNewScene(device_.get()));
    glass_.reset(rtcNewScene(device_.get()));
    clear_.reset(rtcNewScene(device_.get()));
    if (ground) ground_ = static_cast<float>(*ground - view.eye().y);
    add_particles(scene, view, slice);
    add_solids(scene, view);
    add_meshes(scene, view);
    add_liquids(scene, view, slice);
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
        rtcCommitScene(clear_.get());
        code = rtcGetDeviceError(device_.get());
    }).join();
    check(code);
}

void Stage::add_particles(const RenderScene& scene, const View& view, const std::optional<SlicePlane>& slice) {
    if (scene.positions.empty()) return;

    // The ray tracer leaves out what is not finite; so do we with what would fill the whole view.
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Cut cut(slice, view);
    spheres_.resize(scene.positions.size());
    parallel_for(scene.positions.size(), [&](Range r) {
        for (const auto i : r) {
            const Vec3f x = view.to_local(vec_cast<double>(scene.positions[i]));
            const float radius = scene.radius_of(i), clearance = 3 * radius;
            const bool shown = is_finite(x) && radius > 0 && dot(x, x) > clearance * clearance && !cut.takes(x);
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

void Stage::add_solids(const RenderScene& scene, const View& view) {
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

void Stage::add_meshes(const RenderScene& scene, const View& view) {
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

void Stage::add_liquids(const RenderScene& scene, const View& view, const std::optional<SlicePlane>& slice) {
    liquids_.resize(scene.liquids.size());
    for (std::size_t i = 0; i < liquids_.size(); ++i) {
        const LiquidBody& liquid = scene.liquids[i];
        check_liquid(liquid);
        const geometry::Mesh& mesh = *liquid.mesh;
        if (mesh.triangles.empty()) continue;
        const geometry::Attribute* normals = mesh.find("N");
        const bool has_normals = normals && normals->width == 3 && normals->values.size() == 3 * mesh.points.size();
        liquids_[i] = {&mesh,
                       has_normals ? normals->values.data() : nullptr,
                       liquid.sides,
                       {liquid.pose, has_normals ? std::vector<CornerNormals>{} : corner_normals(mesh)}};
        const RTCGeometry geometry =
            mesh_geometry(device_.get(), MeshBody{.mesh = &mesh, .pose = liquid.pose}, view, slice);
        rtcCommitGeometry(geometry);
        has_clear_ = has_clear_ || liquid.is_clear();
        rtcAttachGeometryByID(liquid.is_clear() ? clear_.get() : bodies_.get(), geometry,
                              first_mesh + static_cast<unsigned>(meshes_.size() + i));
        rtcReleaseGeometry(geometry);
    }
}

}  // namespace spindrift::render
