// Shapes made, names of sequences.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh_files.h"

#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/sequence.h"

namespace spindrift::geometry {
namespace {

void expect_sound(Mesh mesh) {
    EXPECT_EQ(mesh.uv.size(), mesh.triangles.size());
    const MeshReport report = clean(mesh);
    EXPECT_EQ(describe_defects(report), "clean");
    EXPECT_EQ(report.pieces, 1u);
    for (const auto& corners : mesh.uv) {
        for (const Uv& uv : corners) {
            EXPECT_TRUE(uv[0] >= 0 && uv[0] <= 1.5f && uv[1] >= 0 && uv[1] <= 1) << uv[0] << " " << uv[1];
        }
        const auto [low, high] = std::minmax({corners[0][0], corners[1][0], corners[2][0]});
        EXPECT_LT(high - low, 1.01f) << "no triangle is smeared over the whole picture";
    }
}

TEST(Shapes, a_box_is_closed_with_faces_outward) {
    const Mesh box = make_box({{-1, 0, 2}, {1, 3, 4}});
    expect_sound(box);
    EXPECT_NEAR(enclosed_volume(box), 12, 1e-5);
    EXPECT_EQ(bounds(box), (Box3d{{-1, 0, 2}, {1, 3, 4}}));
}

TEST(Shapes, a_sphere_is_round_to_two_thousandths) {
    const Mesh ball = make_sphere({0, 2, 0}, 0.5);
    expect_sound(ball);
    EXPECT_LE(ball.triangles.size(), 6000u);
    EXPECT_GT(enclosed_volume(ball), 0);
    for (const auto& [a, b, c] : ball.triangles) {
        const Vec3f middle = (ball.points[a] + ball.points[b] + ball.points[c]) / 3.f;
        EXPECT_NEAR(length(middle - Vec3f{0, 2, 0}), 0.5, 0.002 * 0.5);
    }
    for (std::size_t t = 0; t < ball.uv.size(); ++t) {
        const auto& uv = ball.uv[t];
        EXPECT_LT(std::ranges::max({uv[0][0], uv[1][0], uv[2][0]}) - std::ranges::min({uv[0][0], uv[1][0], uv[2][0]}),
                  0.26f)
            << "around a pole a triangle is a fifth of a turn wide at most, elsewhere much less";
    }
}

TEST(Shapes, a_cylinder_stands_in_any_direction) {
    for (const Vec3d top : {Vec3d{0, 2, 0}, Vec3d{0, -2, 0}, Vec3d{1, 1, 1}, Vec3d{0, 0, 3}}) {
        const Mesh mesh = make_cylinder({0, 0, 0}, top, 0.25);
        expect_sound(mesh);
        const double volume = std::numbers::pi * 0.25 * 0.25 * length(top);
        // 96 sides have 0.07 % less volume than the circle.
        EXPECT_NEAR(enclosed_volume(mesh) / volume, 1, 1e-3);
    }
}

TEST(Shapes, transforming_scales_turns_and_moves_and_keeps_the_outside_out) {
    Mesh box = make_box({{0, 0, 0}, {1, 1, 1}});
    transform(box, -2, make_pose({1, 0, 0}, {0, 0, 90}));
    // Scaled to [-2, 0], turned about z to x in [0, 2], moved by one.
    EXPECT_NEAR(length(bounds(box).lo - Vec3d{1, -2, -2}), 0, 1e-6);
    EXPECT_NEAR(length(bounds(box).hi - Vec3d{3, 0, 0}), 0, 1e-6);
    EXPECT_NEAR(enclosed_volume(box), 8, 1e-5);
}

TEST(Sequence, a_run_of_signs_stands_for_the_frame) {
    EXPECT_EQ(frame_file("a/creature.####.ply", 42), "a/creature.0042.ply");
    EXPECT_EQ(frame_file("x#.obj", 7), "x7.obj");
    EXPECT_EQ(frame_file("x#.obj", 123), "x123.obj");
    EXPECT_EQ(frame_file("###", 5), "005");
    EXPECT_EQ(frame_file("x.###.ply", -5), "x.-005.ply");
    EXPECT_EQ(frame_file("take#2/x.ply", 5), "take#2/x.ply");
    EXPECT_EQ(frame_file("shot#.##.ply", 5), "shot#.05.ply");
    EXPECT_TRUE(is_sequence("x.#.ply"));
    EXPECT_FALSE(is_sequence("take#2/x.ply"));
}

TEST(Sequence, missing_frames_are_listed) {
    const TemporaryFolder folder;
    for (const int frame : {1, 2, 5, 9})
        put_file(frame_file(folder / "x.##.ply", frame), "");
    EXPECT_EQ(missing_frames(folder / "x.##.ply", 1, 9), (std::vector<int>{3, 4, 6, 7, 8}));
    EXPECT_TRUE(missing_frames(folder / "x.##.ply", 5, 5).empty());
    EXPECT_EQ(describe_frames(missing_frames(folder / "x.##.ply", 1, 10)), "3-4, 6-8, 10");
    std::vector<int> odd;
    for (int i = 1; i < 40; i += 2)
        odd.push_back(i);
    EXPECT_EQ(describe_frames(odd), "1, 3, 5, 7, 9, 11, 13, 15 and 12 more");
}

}  // namespace
}  // namespace spindrift::geometry
