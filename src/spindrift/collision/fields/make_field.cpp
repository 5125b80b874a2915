#include "spindrift/collision/fields/make_field.h"

#include <optional>

#include <fmt/format.h>

#include "spindrift/collision/fields/field_layout.h"
#include "spindrift/collision/fields/measure_field.h"
#include "spindrift/collision/fields/open_edges.h"
#include "spindrift/collision/fields/thin_parts.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {

namespace {

/// If more of a solid's area is thin, all of it becomes a shell.
constexpr double most_thin = 0.5;
/// Sharp edges are thin too; so little of the area is not worth a word.
constexpr double noticeable = 0.02;

void check_input(const geometry::Mesh& mesh, const FieldSettings& settings) {
    SPINDRIFT_CHECK(settings.cell > 0 && std::isfinite(settings.cell));
    SPINDRIFT_CHECK(settings.thickness >= 0 && settings.band >= 0 && settings.depth >= 0);
    SPINDRIFT_CHECK(std::isfinite(settings.offset + settings.thickness + settings.band + settings.depth));
    SPINDRIFT_CHECK(mesh.triangles.size() < (std::size_t{1} << 31));
    if (mesh.triangles.empty())
        throw Error(ExitCode::input, fmt::format("the mesh of collider '{}' has no triangles", settings.name));
    // OpenVDB never returns from an infinite point and crashes on a bad index.
    bool valid = true;
    for (const Vec3f p : mesh.points)
        valid &= is_finite(p);
    for (const geometry::Triangle& t : mesh.triangles)
        valid &= std::max({t[0], t[1], t[2]}) < mesh.points.size();
    SPINDRIFT_CHECK(valid);
}

/// Adds the offset and cuts what is farther than distances were asked for, so that no far value looks like a surface.
void finish(Field& field, const FieldLayout& layout, float shift, bool keep_primitives) {
    const float most = layout.band + beyond_band, least = -layout.depth - beyond_band;
    parallel_for(field.distance.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const float distance = field.distance[i];
            const bool is_far = field.primitive[i] < 0;
            field.distance[i] = is_far ? (distance < 0 ? least : most) : std::clamp(distance - shift, least, most);
        }
    });
    if (!keep_primitives) field.primitive = {};
}

Field make_shell(const geometry::Mesh& mesh, const FieldSettings& settings) {
    FieldSettings shell = settings;
    shell.mode = Mode::shell;
    const FieldLayout layout = plan_field(mesh, shell);
    const CellMesh cells = to_cells(mesh, layout);
    const std::vector<std::uint8_t> all(mesh.triangles.size(), 1);
    Field field = measure_field(layout, cells, all, {}, settings.name);
    finish(field, layout, layout.half_thickness + layout.offset, settings.primitives);
    return field;
}

/// Triangles beside which there may be liquid; those deep inside of other parts of the solid are left out.
std::vector<std::uint8_t> find_wanted(const CellMesh& mesh, const SolidSide& side) {
    std::vector<std::uint8_t> wanted(mesh.discs.size());
    parallel_for(wanted.size(), 256, [&](Range range) {
        for (const std::size_t t : range) {
            wanted[t] = any_point_on(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), 1,
                                     [&](Vec3f p) { return side.has_free_near(p); });
        }
    });
    return wanted;
}

/// Nothing if the mesh is open or too thin to be a solid.
std::optional<Field> make_solid(const geometry::Mesh& mesh, const FieldSettings& settings) {
    const FieldLayout layout = plan_field(mesh, settings);
    const CellMesh cells = to_cells(mesh, layout);
    const Inside inside(cells);
    if (!inside.any()) return {};
    const SolidSide side{&inside, settings.mode};
    const std::vector<std::uint8_t> wanted = find_wanted(cells, side);
    Field field = measure_field(layout, cells, wanted, side, settings.name);
    const ThinParts thin = find_thin_parts(field, cells, wanted);
    if (thin.share > most_thin) return {};
    if (thin.share > 0) thicken(field, cells, thin, layout.half_thickness);
    finish(field, layout, layout.offset, settings.primitives);
    if (thin.share > noticeable) {
        field.closed = count_open_edges(mesh) == 0;
        field.note = fmt::format(
            "{:.0f} % of collider '{}' is {}thinner than two cells and taken as a shell {:.3g} m thick; a smaller "
            "'cell' keeps it thin",
            thin.share * 100, settings.name, field.closed ? "" : "open or ", 2 * layout.half_thickness * layout.cell);
    }
    return field;
}

std::string shell_note(const FieldSettings& settings, std::size_t open_edges) {
    const double thickness = std::max(settings.thickness, 2 * least_half_thickness * settings.cell);
    if (open_edges > 0) {
        return fmt::format("collider '{}' is not closed ({} open edges): it is taken as a shell {:.3g} m thick",
                           settings.name, open_edges, thickness);
    }
    return fmt::format(
        "collider '{}' is thinner than two of its cells of {:.3g} m: it is taken as a shell {:.3g} m thick; a smaller "
        "'cell' makes it solid",
        settings.name, settings.cell, thickness);
}

}  // namespace

Field make_field(const geometry::Mesh& mesh, const FieldSettings& settings) {
    check_input(mesh, settings);
    if (settings.mode == Mode::shell) return make_shell(mesh, settings);
    if (std::optional<Field> solid = make_solid(mesh, settings)) return std::move(*solid);
    Field field = make_shell(mesh, settings);
    const std::size_t open_edges = count_open_edges(mesh);
    field.closed = open_edges == 0;
    field.note = shell_note(settings, open_edges);
    return field;
}

}  // namespace spindrift::collision
