#include "spindrift/filling/emitter_surface.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/fields/mesh_source.h"
#include "spindrift/collision/walls/colliders.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/text.h"
#include "spindrift/image/read_image.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/validate.h"

namespace spindrift::filling {

namespace {

namespace fs = std::filesystem;

/// Distance from the surface at which particles start, in spacings: that of a first layer from a wall.
constexpr double start_distance = 0.5;

/// The collider that the emitter names, or its mesh as if it were one.
collision::ColliderParams body_of(const Scene& scene, const emitters::EmitterParams& emitter) {
    for (const collision::ColliderParams& collider : scene.collider) {
        if (!emitter.collider.empty() && collider.name == emitter.collider) return collider;
    }
    SPINDRIFT_CHECK(emitter.collider.empty());
    collision::ColliderParams body;
    body.mesh = emitter.mesh;
    body.position = emitter.position;
    body.rotation_deg = emitter.rotation_deg;
    body.scale = emitter.scale;
    body.start = emitter.start;
    return body;
}

/// Positive if the faces of a closed mesh look outwards.
double signed_volume(const geometry::Mesh& mesh) {
    const Vec3d center = geometry::bounds(mesh).center();
    double sum = 0;
    for (const geometry::Triangle& t : mesh.triangles) {
        const auto at = [&](std::size_t k) { return vec_cast<double>(mesh.points[t[k]]) - center; };
        sum += dot(at(0), cross(at(1), at(2))) / 6;
    }
    return sum;
}

/// Of the skin that a collider has where its mesh is no solid.
double half_thickness(const Scene& scene, const collision::ColliderParams& collider) {
    double finest = scene.liquid[0].spacing;
    for (const LiquidParams& liquid : scene.liquid)
        finest = std::min(finest, liquid.spacing);
    const double least =
        static_cast<double>(collision::least_half_thickness) * collision::used_cell(collider.cell, finest);
    return std::max(0.5 * collider.thickness.value_or(0), least);
}

/// Where the surface is told about, for messages.
fs::path file_of(const Scene& scene, const collision::ColliderParams& body, const collision::MeshSource& source) {
    if (!body.mesh.empty()) return source.file(scene.frames[0]);
    return body.vdb.empty() ? scene.file : scene.file.parent_path() / body.vdb;
}

void check_mesh(const geometry::Mesh& mesh, const fs::path& file, double spacing) {
    if (mesh.triangles.empty())
        throw IoError(IoError::Kind::corrupt, file, "the mesh has no faces that liquid could leave");
    // Each takes some hundred bytes while places are drawn; one corner of a mesh that is far away makes billions.
    constexpr double most = 4e6;
    const double points = emitters::area(mesh) / (spacing * spacing);
    if (points <= std::min(most, most_particles())) return;
    throw OutOfMemoryError(fmt::format(
        "{}: one layer of liquid over the surface has {} particles at a spacing of {} m, and emitters may "
        "have {}; make 'scale' smaller or the spacing larger, and look for points that are far away",
        file.string(), format_count(points), format_number(spacing), format_count(std::min(most, most_particles()))));
}

image::Image read_map(const fs::path& map, const geometry::Mesh& mesh, const fs::path& file) {
    if (mesh.uv.empty()) {
        throw IoError(IoError::Kind::corrupt, file,
                      fmt::format("has no texture coordinates, so {} cannot be laid over it; unwrap it in your "
                                  "modelling program",
                                  map.filename().string()));
    }
    return image::read_data_image(map);
}

}  // namespace

std::shared_ptr<emitters::EmitterSkin> make_surface(const Scene& scene, const emitters::EmitterParams& emitter,
                                                    double spacing, std::uint64_t seed) {
    if (!emitter.is_surface()) return {};
    const collision::ColliderParams body = body_of(scene, emitter);
    const fs::path folder = scene.file.parent_path();
    const auto files = std::make_shared<collision::MeshSource>(body, folder);
    const geometry::Mesh& mesh = files->at(scene.frames[0]);
    const fs::path file = file_of(scene, body, *files);
    check_mesh(mesh, file, spacing);

    emitters::SurfaceSource source;
    source.mesh = [files](int frame) -> const geometry::Mesh& { return files->at(frame); };
    source.pose = [body](double frame) { return collision::pose_of(body, frame); };
    source.lift = start_distance * spacing + body.offset;
    const bool is_closed = files->report().open_edges == 0;
    const bool is_shell = body.mode == collision::Mode::shell || !is_closed;
    if (is_shell && !emitter.collider.empty()) source.lift += half_thickness(scene, body);
    const bool faces_inwards = is_closed && signed_volume(mesh) < 0;
    source.inward = faces_inwards != (body.mode == collision::Mode::solid_outside);
    source.deforms = files->deforms();
    source.first_frame = scene.frames[0];
    const fs::path map = folder / emitter.emission_map;
    if (!emitter.emission_map.empty()) source.map = read_map(map, mesh, file);
    const auto surface = std::make_shared<emitters::EmitterSkin>(
        std::move(source), emitters::EmitterSkin::Setup{.spacing = spacing, .seed = seed, .fps = scene.fps});
    if (surface->now().open_area <= 0)
        throw IoError(IoError::Kind::corrupt, map, "is black all over the surface, so that no liquid would leave it");
    return surface;
}

}  // namespace spindrift::filling
