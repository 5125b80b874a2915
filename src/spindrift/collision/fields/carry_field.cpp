#include "spindrift/collision/fields/carry_field.h"

#include "spindrift/collision/fields/triangle_distance.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {

namespace {

struct Nearest {
    std::size_t triangle;
    Vec3f weights;
};

Vec3d corner(const geometry::Mesh& mesh, std::size_t triangle, std::size_t i) {
    return vec_cast<double>(mesh.points[mesh.triangles[triangle][i]]);
}

Vec3d weights_on(const geometry::Mesh& mesh, std::size_t triangle, Vec3d p) {
    return nearest_weights(p, corner(mesh, triangle, 0), corner(mesh, triangle, 1), corner(mesh, triangle, 2));
}

geometry::Uv uv_at(const geometry::Mesh& mesh, const Nearest& nearest) {
    if (mesh.uv.empty()) return {};
    const auto& [a, b, c] = mesh.uv[nearest.triangle];
    const Vec3f w = nearest.weights;
    return {a[0] * w.x + b[0] * w.y + c[0] * w.z, a[1] * w.x + b[1] * w.y + c[1] * w.z};
}

/// Calls visit(index, Nearest) for the nodes of a brick that have a triangle.
template <class Visit>
void visit_brick(const Field& field, const geometry::Mesh& mesh, Vec3i block, std::int32_t brick, const Visit& visit) {
    const Vec3i low = field.first + block * brick_cells;
    for (int i = 0; i < brick_nodes; ++i) {
        const std::size_t node = static_cast<std::size_t>(brick) * brick_nodes + static_cast<std::size_t>(i);
        if (field.primitive[node] < 0) continue;
        const Vec3i at = low + Vec3i{i % brick_side, i / brick_side % brick_side, i / brick_side / brick_side};
        const auto triangle = static_cast<std::size_t>(field.primitive[node]);
        const Vec3d weights = weights_on(mesh, triangle, vec_cast<double>(at) * field.cell);
        visit(node, Nearest{triangle, vec_cast<float>(weights)});
    }
}

/// The same for all bricks, in parallel.
template <class Visit>
void visit_nodes(const Field& field, const geometry::Mesh& mesh, const Visit& visit) {
    SPINDRIFT_CHECK(field.primitive.size() == field.distance.size());
    const std::size_t x = static_cast<std::size_t>(field.bricks.x), y = static_cast<std::size_t>(field.bricks.y);
    parallel_for(field.table.size(), 64, [&](Range range) {
        for (const std::size_t b : range) {
            const Vec3i block{static_cast<std::int32_t>(b % x), static_cast<std::int32_t>(b / x % y),
                              static_cast<std::int32_t>(b / x / y)};
            if (field.table[b] >= 0) visit_brick(field, mesh, block, field.table[b], visit);
        }
    });
}

}  // namespace

std::vector<Vec3f> carry_vectors(const Field& field, const geometry::Mesh& mesh, std::span<const Vec3f> per_point) {
    SPINDRIFT_CHECK(per_point.size() == mesh.points.size());
    std::vector<Vec3f> values(field.distance.size());
    visit_nodes(field, mesh, [&](std::size_t node, const Nearest& nearest) {
        const auto [a, b, c] = mesh.triangles[nearest.triangle];
        const Vec3f w = nearest.weights;
        values[node] = per_point[a] * w.x + per_point[b] * w.y + per_point[c] * w.z;
    });
    return values;
}

std::vector<float> carry_texture(const Field& field, const geometry::Mesh& mesh,
                                 const std::function<float(geometry::Uv)>& texture) {
    SPINDRIFT_CHECK(mesh.uv.size() == mesh.triangles.size());
    std::vector<float> values(field.distance.size());
    visit_nodes(field, mesh,
                [&](std::size_t node, const Nearest& nearest) { values[node] = texture(uv_at(mesh, nearest)); });
    return values;
}

void trace_back(const Field& field, std::span<const Vec3f> motion, double seconds, std::vector<float>& distance) {
    const FieldView view = field.view();
    const auto cells = static_cast<float>(seconds / field.cell);
    distance.resize(field.distance.size());
    parallel_for(field.table.size(), 8, [&](Range range) {
        for (const std::size_t block : range) {
            if (field.table[block] < 0) continue;
            const auto b = static_cast<int>(block);
            const Vec3i low =
                Vec3i{b % field.bricks.x, b / field.bricks.x % field.bricks.y, b / field.bricks.x / field.bricks.y} *
                brick_cells;
            const std::size_t first = static_cast<std::size_t>(field.table[block]) * brick_nodes;
            for (int n = 0; n < brick_nodes; ++n) {
                const Vec3i node{n % brick_side, n / brick_side % brick_side, n / brick_side / brick_side};
                const std::size_t i = first + static_cast<std::size_t>(n);
                distance[i] = sample(view, vec_cast<float>(low + node) - motion[i] * cells).distance;
            }
        }
    });
}

std::optional<SurfacePoint> closest_point(const Field& field, const geometry::Mesh& mesh, Vec3f local) {
    SPINDRIFT_CHECK(field.primitive.size() == field.distance.size());
    const Vec3d p = vec_cast<double>(local);
    const FieldPlace place = find_place(field.view(), vec_cast<float>(field.to_nodes(p)));
    if (place.brick < 0) return {};
    const std::size_t low = static_cast<std::size_t>(place.brick) * brick_nodes + static_cast<std::size_t>(place.node);
    std::optional<Nearest> best;
    double best_squared = 0;
    std::int32_t tested = -1;
    for (int i = 0; i < 8; ++i) {
        const int step = (i & 1) + (i >> 1 & 1) * brick_side + (i >> 2) * brick_side * brick_side;
        const std::int32_t triangle = field.primitive[low + static_cast<std::size_t>(step)];
        if (triangle < 0 || triangle == tested) continue;
        tested = triangle;
        const auto t = static_cast<std::size_t>(triangle);
        const Vec3d w = weights_on(mesh, t, p);
        const Vec3d offset = corner(mesh, t, 0) * w.x + corner(mesh, t, 1) * w.y + corner(mesh, t, 2) * w.z - p;
        if (best && dot(offset, offset) >= best_squared) continue;
        best = Nearest{t, vec_cast<float>(w)};
        best_squared = dot(offset, offset);
    }
    if (!best) return {};
    const auto [a, b, c] = mesh.triangles[best->triangle];
    const Vec3f w = best->weights;
    const Vec3f position = mesh.points[a] * w.x + mesh.points[b] * w.y + mesh.points[c] * w.z;
    return SurfacePoint{static_cast<std::uint32_t>(best->triangle), w, position, uv_at(mesh, *best)};
}

}  // namespace spindrift::collision
