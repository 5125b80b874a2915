// Small pieces taken away.

#include "spindrift/geometry/finish/pieces.h"

#include "shapes.h"
#include <gtest/gtest.h>

#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::geometry {
namespace {

using geometry::make_sphere;
using geometry::measure;
using geometry::Mesh;

Mesh inside_out(Mesh mesh) {
    for (geometry::Triangle& t : mesh.triangles)
        std::swap(t[1], t[2]);
    return mesh;
}

TEST(DropSmallPieces, drops_and_bubbles_go_and_the_rest_keeps_its_order) {
    Mesh mesh = make_sphere({5, 0, 0}, 0.01);
    const std::size_t drop = mesh.points.size();
    append(mesh, make_sphere({0, 0, 0}, 1));
    append(mesh, inside_out(make_sphere({0.5, 0, 0}, 0.01)));
    append(mesh, inside_out(make_sphere({-0.5, 0, 0}, 0.3)));
    append(mesh, make_sphere({0, 3, 0}, 0.2));
    mesh.points.push_back({9, 9, 9});
    mesh.uv.clear();
    geometry::Attribute number{"number", 2, {}};
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        number.values.insert(number.values.end(), {mesh.points[i].x, static_cast<float>(i)});
    mesh.attributes.push_back(number);
    const double volume = measure(mesh, false).volume;

    EXPECT_EQ(drop_small_pieces(mesh, 1e-4), 2u);
    const geometry::MeshQuality q = measure(mesh, false);
    EXPECT_EQ(q.pieces, 3u);
    EXPECT_TRUE(q.watertight() && q.manifold());
    EXPECT_EQ(q.loose_points, 0u);
    // One drop and one bubble of the same size.
    EXPECT_NEAR(q.volume, volume, 1e-9);
    ASSERT_EQ(mesh.attributes[0].values.size(), 2 * mesh.points.size());
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        EXPECT_EQ(mesh.attributes[0].values[2 * i], mesh.points[i].x);
        EXPECT_TRUE(i == 0 || mesh.attributes[0].values[2 * i + 1] > mesh.attributes[0].values[2 * i - 1]);
    }
    EXPECT_EQ(mesh.attributes[0].values[1], static_cast<float>(drop));
}

TEST(DropSmallPieces, keeps_all_if_none_is_small_and_can_take_all) {
    Mesh mesh = make_sphere({0, 0, 0}, 0.1);
    const Mesh before = mesh;
    EXPECT_EQ(drop_small_pieces(mesh, 0), 0u);
    EXPECT_EQ(drop_small_pieces(mesh, 1e-6), 0u);
    EXPECT_EQ(mesh.points, before.points);
    EXPECT_EQ(mesh.uv, before.uv);
    EXPECT_EQ(drop_small_pieces(mesh, 1), 1u);
    EXPECT_TRUE(mesh.points.empty() && mesh.triangles.empty() && mesh.uv.empty());
    EXPECT_EQ(drop_small_pieces(mesh, 1), 0u);
}

}  // namespace
}  // namespace spindrift::geometry
