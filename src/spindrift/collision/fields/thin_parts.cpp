#include "spindrift/collision/fields/thin_parts.h"

#include "spindrift/collision/fields/triangle_distance.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {

namespace {

/// A wall of one and a half cells is just this deep in its middle as nodes see it.
constexpr float least_depth = -0.5f;

bool is_deep(const FieldView& view, Vec3f p) {
    return sample(view, p).distance < least_depth;
}

/// Whether the solid about a point of its surface is less than two cells thick. `across` points into it or out of it.
/// Beside edges the depth is not found straight below the surface, so all around is looked at.
bool is_thin(const FieldView& view, Vec3f point, Vec3f across) {
    if (is_deep(view, point - across) || is_deep(view, point + across)) return false;
    constexpr float step = 1.25f;
    for (int z = -1; z <= 1; ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                const Vec3f way{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                if (is_deep(view, point + way * step)) return false;
            }
        }
    }
    return true;
}

Vec3f unit_or_zero(Vec3f v) {
    const float size = length(v);
    return size > 0 ? v / size : Vec3f{};
}

bool is_thin_at_node(const Field& field, const CellMesh& mesh, std::size_t triangle, Vec3f node) {
    const Vec3f a = mesh.corner(triangle, 0), b = mesh.corner(triangle, 1), c = mesh.corner(triangle, 2);
    const Vec3f point = vec_cast<float>(
        nearest_point(vec_cast<double>(node), vec_cast<double>(a), vec_cast<double>(b), vec_cast<double>(c)));
    return is_thin(field.view(), point, unit_or_zero(node - point));
}

/// Position of each brick's first node, in cells from the table's low corner.
std::vector<Vec3f> brick_corners(const Field& field) {
    std::vector<Vec3f> corners(field.brick_count());
    std::size_t block = 0;
    for (int z = 0; z < field.bricks.z; ++z) {
        for (int y = 0; y < field.bricks.y; ++y) {
            for (int x = 0; x < field.bricks.x; ++x, ++block) {
                const std::int32_t brick = field.table[block];
                if (brick >= 0)
                    corners[static_cast<std::size_t>(brick)] = vec_cast<float>(Vec3i{x, y, z} * brick_cells);
            }
        }
    }
    return corners;
}

struct Areas {
    double thin = 0, all = 0;
};

}  // namespace

ThinParts find_thin_parts(const Field& field, const CellMesh& mesh, const std::vector<std::uint8_t>& wanted) {
    ThinParts parts{std::vector<std::uint8_t>(wanted.size(), 0), 0};
    const FieldView view = field.view();
    const auto measure = [&](Range range) {
        Areas areas;
        for (const std::size_t t : range) {
            const Vec3f a = mesh.corner(t, 0), b = mesh.corner(t, 1), c = mesh.corner(t, 2);
            const Vec3f normal = cross(b - a, c - a), across = unit_or_zero(normal);
            if (!wanted[t]) continue;
            const bool thin = any_point_on(a, b, c, 2, [&](Vec3f p) { return is_thin(view, p, across); });
            parts.triangle[t] = thin;
            areas.all += length(normal);
            areas.thin += thin ? length(normal) : 0.f;
        }
        return areas;
    };
    const auto add = [](const Areas& a, const Areas& b) { return Areas{a.thin + b.thin, a.all + b.all}; };
    const Areas areas = parallel_reduce(wanted.size(), 256, Areas{}, measure, add);
    parts.share = areas.all > 0 ? areas.thin / areas.all : 0;
    return parts;
}

void thicken(Field& field, const CellMesh& mesh, const ThinParts& thin, float half_thickness) {
    const std::vector<Vec3f> corners = brick_corners(field);
    std::vector<std::uint8_t> is_shell(field.distance.size(), 0);
    parallel_for(corners.size(), 8, [&](Range range) {
        for (const std::size_t b : range) {
            for (int i = 0; i < brick_nodes; ++i) {
                const std::size_t node = b * brick_nodes + static_cast<std::size_t>(i);
                const std::int32_t t = field.primitive[node];
                if (t < 0 || !thin.triangle[static_cast<std::size_t>(t)]) continue;
                const Vec3i at{i % brick_side, i / brick_side % brick_side, i / brick_side / brick_side};
                is_shell[node] =
                    is_thin_at_node(field, mesh, static_cast<std::size_t>(t), corners[b] + vec_cast<float>(at));
            }
        }
    });
    // Not before all have been looked at: the test reads the distances around.
    parallel_for(field.distance.size(), [&](Range range) {
        for (const std::size_t i : range) {
            if (is_shell[i]) field.distance[i] = std::abs(field.distance[i]) - half_thickness;
        }
    });
}

}  // namespace spindrift::collision
