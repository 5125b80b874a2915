#include "spindrift/geometry/camera.h"

#include <algorithm>
#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace spindrift::geometry {
namespace {

Box3f frame_of(const Box3d& box, std::array<int, 2> resolution) {
    const View view(automatic_camera(box, static_cast<double>(resolution[0]) / resolution[1]), resolution);
    Box3f frame{{1e9f, 1e9f, 1e9f}, {-1e9f, -1e9f, -1e9f}};
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p{(corner & 1 ? box.hi : box.lo).x, (corner & 2 ? box.hi : box.lo).y,
                      (corner & 4 ? box.hi : box.lo).z};
        const Vec3f place = view.project(view.to_local(p));
        frame = {min(frame.lo, place), max(frame.hi, place)};
    }
    return frame;
}

class AutomaticCamera : public testing::TestWithParam<Box3d> {};

TEST_P(AutomaticCamera, shows_the_whole_box_centred_and_large) {
    for (const std::array<int, 2> resolution : {std::array{960, 540}, std::array{400, 400}, std::array{300, 900}}) {
        const Box3f frame = frame_of(GetParam(), resolution);
        const float width = static_cast<float>(resolution[0]), height = static_cast<float>(resolution[1]);
        EXPECT_GT(frame.lo.z, 0);
        EXPECT_GT(frame.lo.x, 0);
        EXPECT_GT(frame.lo.y, 0);
        EXPECT_LT(frame.hi.x, width);
        EXPECT_LT(frame.hi.y, height);
        // Along the axis that decides the distance nine tenths are used, and the margins of both sides are alike.
        EXPECT_GT(std::max(frame.size().x / width, frame.size().y / height), 0.85f);
        const bool wide = frame.size().x / width > frame.size().y / height;
        const float before = wide ? frame.lo.x / width : frame.lo.y / height;
        const float after = wide ? 1 - frame.hi.x / width : 1 - frame.hi.y / height;
        EXPECT_NEAR(before, after, 0.01f);
    }
}

INSTANTIATE_TEST_SUITE_P(Boxes, AutomaticCamera,
                         testing::Values(Box3d{{0, 0, 0}, {2, 1, 1}}, Box3d{{-1, 0, -1}, {1, 30, 1}},
                                         Box3d{{1000, 200, -3000}, {1001, 200.01, -2999}},
                                         Box3d{{0, 0, 0}, {40, 0, 3}}));

TEST(Camera, empty_boxes_still_give_a_usable_camera) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Box3d box : {Box3d{}, Box3d{{1, 1, 1}, {-1, -1, -1}}, Box3d{{nan, 0, 0}, {1, 1, 1}}}) {
        const Camera camera = automatic_camera(box, 1.5);
        EXPECT_TRUE(is_finite(camera.position));
        EXPECT_GT(length(camera.position - camera.target), 0.1);
    }
}

TEST(Camera, rays_and_projection_are_inverse) {
    const View view({.position = {1, 2, 3}, .target = {0, 0.5, -1}}, {640, 360});
    const Vec3f place = view.project(view.ray(123.25f, 45.5f) * 7.f);
    EXPECT_NEAR(place.x, 123.25f, 1e-3f);
    EXPECT_NEAR(place.y, 45.5f, 1e-3f);
    EXPECT_NEAR(length(view.ray(10, 20)), 1, 1e-6f);
}

TEST(Camera, fov_is_the_vertical_angle) {
    const View view({.position = {0, 0, 0}, .target = {0, 0, -1}, .fov_deg = 90}, {200, 100});
    EXPECT_NEAR(view.project({0, 1, -1}).y, 0, 1e-4f);
    EXPECT_NEAR(view.project({0, -1, -1}).y, 100, 1e-4f);
    EXPECT_NEAR(view.project({2, 0, -1}).x, 200, 1e-4f);
}

TEST(Camera, a_useless_up_or_target_is_replaced) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Vec3d up : {Vec3d{0, 0, 0}, Vec3d{0, -1, 0}, Vec3d{nan, 1, 0}}) {
        const View view({.position = {0, 5, 0}, .target = {0, 0, 0}, .up = up}, {100, 100});
        EXPECT_NEAR(view.ray(50, 50).y, -1, 1e-6f);
        EXPECT_TRUE(is_finite(view.ray(0, 0)));
        EXPECT_GT(length(cross(view.ray(0, 0), view.ray(100, 0))), 0.1f);
    }
    EXPECT_EQ(View({.position = {1, 1, 1}, .target = {1, 1, 1}}, {10, 10}).forward(), (Vec3f{0, 0, -1}));
}

}  // namespace
}  // namespace spindrift::geometry
