#include "spindrift/collision/fields/field_layout.h"

#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"

namespace spindrift::collision {

namespace {

/// Points are floats: farther from the origin they are not known to a quarter of a cell.
constexpr double farthest_cell = 1 << 21;
/// Positions in a field are floats too, and the table's entries are counted in 31 bits.
constexpr double widest_table = 1 << 17, most_blocks = 1 << 30;

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double area_of(const geometry::Mesh& mesh) {
    return parallel_sum<double>(mesh.triangles.size(), [&](Range range) {
        double sum = 0;
        for (const std::size_t t : range) {
            const auto [a, b, c] = mesh.triangles[t];
            const Vec3d p = vec_cast<double>(mesh.points[a]);
            sum += length(cross(vec_cast<double>(mesh.points[b]) - p, vec_cast<double>(mesh.points[c]) - p)) / 2;
        }
        return sum;
    });
}

/// Reach and band in cells; the table is left empty.
FieldLayout reach_of(const FieldSettings& settings, double cell) {
    const auto in_cells = [&](double metres) { return static_cast<float>(metres / cell); };
    FieldLayout layout{};
    layout.cell = cell;
    layout.band = std::max(2.f, in_cells(settings.band));
    layout.depth = std::max(2.f, in_cells(settings.depth));
    layout.offset = in_cells(settings.offset);
    layout.half_thickness = std::max(in_cells(settings.thickness / 2), least_half_thickness);
    if (settings.mode == Mode::shell) {
        // The skin itself is all there is to be inside of.
        layout.depth = std::max(0.f, layout.half_thickness + layout.offset);
        layout.free_reach = layout.solid_reach = layout.band + std::max(0.f, layout.half_thickness + layout.offset);
    } else {
        layout.free_reach = std::max(1.f, layout.band + layout.offset);
        layout.solid_reach = std::max(1.f, layout.depth - layout.offset);
    }
    layout.free_reach += beyond_band;
    layout.solid_reach += beyond_band;
    return layout;
}

Vec3d table_size(const Box3d& box, const FieldLayout& layout) {
    const double margin = layout.reach() + 1;
    Vec3d blocks;
    for (int a = 0; a < 3; ++a) {
        blocks[a] = std::ceil((box.hi[a] / layout.cell + margin) / brick_cells) -
                    std::floor((box.lo[a] / layout.cell - margin) / brick_cells);
    }
    return blocks;
}

/// Bytes while a field is made. A block has a brick if the band is within it, which for flat parts of the surface and
/// all directions of it are as many blocks as fit in the band widened by their diagonal.
double estimate_bytes(const Box3d& box, double area, std::size_t triangles, const FieldLayout& layout) {
    const Vec3d table = table_size(box, layout);
    const double blocks = table.x * table.y * table.z, cells = area / (layout.cell * layout.cell);
    const double width = layout.free_reach + layout.solid_reach - 2 * beyond_band + 1.75 * brick_cells;
    const double bricks = std::min(blocks, cells * width / (brick_cells * brick_cells * brick_cells) + 27);
    // OpenVDB has a leaf of distances and one of indices in every block the surface passes, and a copy while it merges.
    const double leaves = std::min(blocks, cells * 1.5 / (brick_cells * brick_cells) + 8);
    return bricks * brick_nodes * 8 + blocks * 9 + leaves * 2 * 4300 + static_cast<double>(triangles) * 64;
}

bool fits(const Box3d& box, const FieldLayout& layout) {
    const Vec3d table = table_size(box, layout);
    return std::max({table.x, table.y, table.z}) * brick_cells <= widest_table &&
           table.x * table.y * table.z <= most_blocks;
}

/// The next of 1, 2, 5, 10, ... millimetres and so on above a length.
double next_round(double length) {
    const double decade = std::pow(10, std::floor(std::log10(length * 1.01)));
    for (const double step : {1., 2., 5.}) {
        if (decade * step > length * 1.01) return decade * step;
    }
    return decade * 10;
}

std::string format_length(double metres) {
    return metres < 1 ? fmt::format("{:.4g} mm", metres * 1e3) : fmt::format("{:.4g} m", metres);
}

[[noreturn]] void refuse(const FieldSettings& settings, const Box3d& box, double area, std::size_t triangles,
                         double limit) {
    const double wanted = estimate_bytes(box, area, triangles, reach_of(settings, settings.cell));
    const double modest = std::min(limit / 4, 2e9);
    double cell = next_round(settings.cell), bytes = wanted;
    for (int tries = 0; tries < 100; ++tries, cell = next_round(cell)) {
        const FieldLayout layout = reach_of(settings, cell);
        bytes = estimate_bytes(box, area, triangles, layout);
        if (bytes <= modest && fits(box, layout)) break;
    }
    throw OutOfMemoryError(
        fmt::format("the field of collider '{}' would take {} with cells of {}; a cell of {} takes {}", settings.name,
                    format_bytes(wanted), format_length(settings.cell), format_length(cell), format_bytes(bytes)));
}

Disc disc_of(Vec3f a, Vec3f b, Vec3f c) {
    const Vec3f center = (a + b + c) / 3.f;
    const float radius = std::max({length(a - center), length(b - center), length(c - center)});
    const Vec3d origin = vec_cast<double>(a);
    const Vec3d normal = cross(vec_cast<double>(b) - origin, vec_cast<double>(c) - origin);
    const bool is_sliver = length(normal) <= 1e-5 * radius * radius;
    return {center, radius, is_sliver ? Vec3f{} : vec_cast<float>(normalize(normal))};
}

}  // namespace

FieldLayout plan_field(const geometry::Mesh& mesh, const FieldSettings& settings) {
    const Box3d box = geometry::bounds(mesh);
    const Vec3d far = max(max(box.lo, -box.lo), max(box.hi, -box.hi));
    const double farthest = std::max({far.x, far.y, far.z}) / settings.cell;
    const double area = area_of(mesh);
    const double limit = static_cast<double>(settings.memory_limit ? settings.memory_limit : physical_memory() / 2);
    FieldLayout layout = reach_of(settings, settings.cell);
    if (!fits(box, layout) || estimate_bytes(box, area, mesh.triangles.size(), layout) > limit)
        refuse(settings, box, area, mesh.triangles.size(), limit);
    if (farthest > farthest_cell) {
        throw UsageError(
            fmt::format("the points of collider '{}' are {:.3g} cells of {} from its origin, where they are "
                        "not known to a cell; move the mesh to its origin or use a larger 'cell'",
                        settings.name, farthest, format_length(settings.cell)));
    }
    const Vec3d table = table_size(box, layout);
    for (int a = 0; a < 3; ++a) {
        const double low = std::floor((box.lo[a] / layout.cell - layout.reach() - 1) / brick_cells);
        layout.first[a] = static_cast<std::int32_t>(low) * brick_cells;
        layout.bricks[a] = static_cast<std::int32_t>(table[a]);
    }
    return layout;
}

CellMesh to_cells(const geometry::Mesh& mesh, const FieldLayout& layout) {
    CellMesh cells{std::vector<Vec3f>(mesh.points.size()), &mesh.triangles, std::vector<Disc>(mesh.triangles.size()),
                   static_cast<float>(std::max({layout.bricks.x, layout.bricks.y, layout.bricks.z}) * brick_cells)};
    const Vec3d first = vec_cast<double>(layout.first);
    parallel_for(mesh.points.size(), [&](Range range) {
        for (const std::size_t i : range)
            cells.points[i] = vec_cast<float>(vec_cast<double>(mesh.points[i]) / layout.cell - first);
    });
    parallel_for(mesh.triangles.size(), [&](Range range) {
        for (const std::size_t t : range)
            cells.discs[t] = disc_of(cells.corner(t, 0), cells.corner(t, 1), cells.corner(t, 2));
    });
    return cells;
}

}  // namespace spindrift::collision
