#include "spindrift/filling/mesh_fill.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/fields/mesh_source.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/validate.h"

namespace spindrift::filling {

namespace {

/// Cells of the field in spacings: parts of the mesh as thin as one particle are seen.
constexpr double cell_share = 0.5;

/// Most places that are looked at, for each particle that the machine can hold: meshes fill little of their box.
constexpr double box_share = 4;

Box3d world_box(const geometry::Mesh& mesh, const geometry::Pose& pose) {
    const Vec3d first = pose.to_world(vec_cast<double>(mesh.points.at(mesh.triangles[0][0])));
    Box3d box{first, first};
    for (const geometry::Triangle& triangle : mesh.triangles) {
        for (const std::uint32_t corner : triangle) {
            const Vec3d p = pose.to_world(vec_cast<double>(mesh.points[corner]));
            box = {min(box.lo, p), max(box.hi, p)};
        }
    }
    return box;
}

void check_size(const std::filesystem::path& file, const Box3d& box, double spacing) {
    const Vec3d layers = box.size() / spacing;
    const double sites = layers.x * layers.y * layers.z;
    if (sites <= box_share * most_particles()) return;
    throw OutOfMemoryError(fmt::format(
        "{}: the box around the mesh, {:.3g} x {:.3g} x {:.3g} m, has room for {} particles at a spacing "
        "of {} m, more than this machine can hold; make 'scale' smaller or the spacing larger",
        file.string(), box.size().x, box.size().y, box.size().z, format_count(sites), format_number(spacing)));
}

[[noreturn]] void refuse(const std::filesystem::path& file, std::size_t open_edges, double spacing) {
    if (open_edges > 0) {
        throw IoError(IoError::Kind::corrupt, file,
                      fmt::format("the mesh is open ({} edges), so it has no inside to fill; close its holes in your "
                                  "modelling program, or make it a collider and fill that with 'flood'",
                                  open_edges));
    }
    throw IoError(IoError::Kind::corrupt, file,
                  fmt::format("the mesh is too thin to hold a particle at a spacing of {} m; make 'scale' larger or "
                              "the spacing smaller",
                              format_number(spacing)));
}

collision::Field inside_field(const geometry::Mesh& mesh, const std::filesystem::path& file, double spacing) {
    const double cell = cell_share * spacing;
    collision::FieldSettings settings{.cell = cell, .band = 2 * cell, .depth = 2 * cell, .name = file.string()};
    // Liquid is where it would be in a container of this form.
    settings.mode = collision::Mode::solid_outside;
    try {
        return collision::make_field(mesh, settings);
    } catch (const OutOfMemoryError&) {
        throw OutOfMemoryError(fmt::format(
            "{}: the mesh is too large to be filled at a spacing of {} m with the memory of this machine; make 'scale' "
            "smaller or the spacing larger",
            file.string(), format_number(spacing)));
    }
}

}  // namespace

MeshFill::MeshFill(const emitters::FillParams& fill, const Setup& setup)
    : pose_(geometry::make_pose(fill.position, fill.rotation_deg)) {
    collision::ColliderParams params;
    params.mesh = fill.mesh;
    params.scale = fill.scale;
    collision::MeshSource source(params, setup.folder);
    const std::filesystem::path file = source.file(setup.frame);
    geometry::Mesh mesh = source.at(setup.frame);
    if (mesh.triangles.empty())
        throw IoError(IoError::Kind::corrupt, file, "the mesh has no faces, so there is nothing to fill");
    bounds_ = world_box(mesh, pose_);
    check_size(file, bounds_, setup.spacing);

    const Vec3d size = geometry::bounds(mesh).size();
    const bool is_thin = std::min({size.x, size.y, size.z}) < setup.spacing * (1 - 1e-6);
    // Fields count from the origin in single precision, so the mesh comes there.
    center_ = geometry::bounds(mesh).center();
    for (Vec3f& p : mesh.points)
        p = vec_cast<float>(vec_cast<double>(p) - center_);
    field_ = inside_field(mesh, file, setup.spacing);
    const std::size_t open_edges = source.report().open_edges;
    const bool is_shell = field_.beyond == collision::free_block;
    if (is_shell || is_thin) refuse(file, open_edges, setup.spacing);
    if (open_edges > 0) {
        log_warning(fmt::format("{}: the mesh is open ({} edges); those of its parts that are closed are filled",
                                file.string(), open_edges));
    }
}

bool MeshFill::contains(Vec3d p) const {
    if (!bounds_.contains(p)) return false;
    const Vec3d local = pose_.to_local(p) - center_;
    return collision::sample(field_.view(), vec_cast<float>(field_.to_nodes(local))).distance >= 0;
}

}  // namespace spindrift::filling
