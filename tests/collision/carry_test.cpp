#include "meshes.h"
#include <gtest/gtest.h>

#include "spindrift/collision/fields/carry_field.h"

namespace spindrift::collision {
namespace {

Field field_of(const Mesh& mesh) {
    FieldSettings settings;
    settings.cell = 0.05;
    settings.band = 0.2;
    settings.depth = 0.2;
    settings.primitives = true;
    return make_field(mesh, settings);
}

TEST(Carry, GivesATurningMeshTheVelocityOfItsNearestPoint) {
    const Mesh mesh = bumpy_sphere(60);
    const Vec3f spin{0.3f, 2, -1};
    std::vector<Vec3f> per_point;
    for (const Vec3f p : mesh.points)
        per_point.push_back(cross(spin, p));
    const Field field = field_of(mesh);
    const std::vector<Vec3f> carried = carry_vectors(field, mesh, per_point);
    ASSERT_EQ(carried.size(), field.distance.size());
    std::size_t compared = 0;
    visit_some_nodes(field, 2000, [&](Vec3d p, std::size_t node) {
        if (field.primitive[node] < 0) {
            EXPECT_EQ(carried[node], Vec3f{});
            return;
        }
        ++compared;
        const auto [a, b, c] = mesh.triangles[static_cast<std::size_t>(field.primitive[node])];
        const Vec3d nearest = nearest_point(p, vec_cast<double>(mesh.points[a]), vec_cast<double>(mesh.points[b]),
                                            vec_cast<double>(mesh.points[c]));
        // Rotation is linear, so barycentrics are exact up to rounding.
        EXPECT_LT(length(vec_cast<double>(carried[node]) - cross(vec_cast<double>(spin), nearest)), 1e-5);
    });
    EXPECT_GT(compared, 500u);
}

TEST(Carry, FindsTheClosestPointOfTheSurface) {
    Mesh mesh = bumpy_sphere(60);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        mesh.uv.push_back({{{0.f, 0.f}, {1.f, 0.f}, {0.f, 1.f}}});
    const Field field = field_of(mesh);
    double worst = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Vec3f p = normalize(random_vector(4, i)) * (0.9f + 0.2f * uniform(hash_counter(5, i, 0)));
        const std::optional<SurfacePoint> found = closest_point(field, mesh, p);
        ASSERT_TRUE(found);
        const double expected = nearest_by_force(mesh, vec_cast<double>(p)).distance;
        worst = std::max(worst, (length(found->position - p) - expected) / field.cell);
        EXPECT_NEAR(found->uv[0], found->weights.y, 1e-6);
        EXPECT_NEAR(found->uv[1], found->weights.z, 1e-6);
        EXPECT_NEAR(found->weights.x + found->weights.y + found->weights.z, 1, 1e-6);
    }
    // Triangles are about two cells wide, so the eight nodes of a cell nearly always know the nearest.
    EXPECT_LT(worst, 0.05);
    EXPECT_FALSE(closest_point(field, mesh, {0, 0, 0}));
    EXPECT_FALSE(closest_point(field, mesh, {90, 0, 0}));
}

TEST(Carry, ReadsATextureAtTheNearestPoint) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.uv = {{{{0, 0}, {1, 0}, {1, 1}}}, {{{0, 0}, {1, 1}, {0, 1}}}};
    const Field field = field_of(mesh);
    const std::vector<float> carried = carry_texture(field, mesh, [](geometry::Uv uv) { return uv[0] + 10 * uv[1]; });
    visit_some_nodes(field, 500, [&](Vec3d p, std::size_t node) {
        if (field.primitive[node] < 0) return;
        const double expected = std::clamp(p.x, 0., 1.) + 10 * std::clamp(p.y, 0., 1.);
        EXPECT_NEAR(carried[node], expected, 1e-4);
    });
}

}  // namespace
}  // namespace spindrift::collision
