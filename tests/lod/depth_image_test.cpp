#include "spindrift/lod/depth_image.h"

#include <cmath>

#include <gtest/gtest.h>

namespace spindrift::lod {
namespace {

/// At the origin, looking along -z; 90 degrees high and wide, with the margin of a twentieth on each side.
constexpr geometry::Camera camera{.position = {0, 0, 0}, .target = {0, 0, -1}, .up = {0, 1, 0}, .fov_deg = 90};

TEST(DepthImage, covers_the_view_and_a_margin_in_pixels_of_the_wanted_size) {
    const DepthImage image(camera, 2, 0.01, {});
    // 2 tan(45) (1 + 2 / 20) / 0.01.
    EXPECT_EQ(image.height(), 220);
    EXPECT_EQ(image.width(), 440);
}

TEST(DepthImage, shows_the_front_of_the_nearest_sphere) {
    DepthImage image(camera, 1, 0.01, {});
    image.draw({0, 0, -4}, 0.5f);
    image.draw({0, 0, -2}, 0.5f);
    image.draw({0, 0, -3}, 0.5f);
    // The middle lies between four pixels, whose centres are 0.01 away from it along both axes at that depth: the
    // sphere is 0.01^2 / 0.5 = 2e-4 farther back there.
    EXPECT_NEAR(image.depth(110, 110), 1.5002f, 1e-5f);
    // 0.4 beside the middle: 2 - sqrt(0.5^2 - 0.4^2) = 1.7; a pixel is 0.02 wide at that depth.
    EXPECT_NEAR(image.depth(110 + 20, 110), 1.7f, 0.02f);
    EXPECT_EQ(image.depth(110 + 40, 110), DepthImage::unseen);
}

TEST(DepthImage, a_sphere_smaller_than_a_pixel_is_there_by_its_centre) {
    DepthImage image(camera, 1, 0.1, {});
    const DepthImage::Spot spot = image.find({0.03f, 0.02f, -2});
    image.draw_center(spot, 0.001f);
    EXPECT_FLOAT_EQ(image.depth_behind(spot, 0.001f), 0);
    EXPECT_FLOAT_EQ(image.depth_behind(image.find({0.03f, 0.02f, -2.5f}), 0.001f),
                    0.5f * std::hypot(2.5f, 0.03f, 0.02f) / 2.5f);
}

TEST(DepthImage, distances_behind_the_surface_are_along_the_ray) {
    DepthImage image(camera, 1, 0.01, {});
    const float r = 0.1f;
    // Both on the ray through (3, 0, -4): 5 and 10 from the eye.
    const DepthImage::Spot front = image.find({3, 0, -4}), back = image.find({6, 0, -8});
    image.draw_center(front, r);
    EXPECT_FLOAT_EQ(image.depth_behind(front, r), 0);
    EXPECT_NEAR(image.depth_behind(back, r), 5, 1e-4);
}

TEST(DepthImage, what_is_beside_or_behind_the_camera_is_unseen) {
    const DepthImage image(camera, 1, 0.01, {});
    EXPECT_EQ(image.depth_behind(image.find({0, 0, 1}), 0.1f), DepthImage::unseen);
    EXPECT_EQ(image.depth_behind(image.find({0, 0, 0}), 0.1f), DepthImage::unseen);
    EXPECT_EQ(image.depth_behind(image.find({3, 0, -2}), 0.1f), DepthImage::unseen);
    EXPECT_EQ(image.depth_behind(image.find({1.05f, 0, -1}), 0.1f), 0) << "within the margin, and nothing was drawn";
}

TEST(DepthImage, a_sphere_around_the_eye_hides_everything) {
    DepthImage image(camera, 1, 0.01, {});
    image.draw({0.05f, 0, 0.05f}, 0.1f);
    EXPECT_EQ(image.depth(0, 0), 0);
    EXPECT_NEAR(image.depth_behind(image.find({0, 0, -2}), 0.1f), 1.9, 1e-6);
}

TEST(DepthImage, points_count_from_an_origin_and_images_add_up) {
    const Vec3d far_away{1e6, 0, 0};
    geometry::Camera there = camera;
    there.position += far_away;
    there.target += far_away;
    DepthImage left(there, 1, 0.01, far_away), right = left;
    left.draw({-0.5f, 0, -2}, 0.2f);
    right.draw({0.5f, 0, -3}, 0.2f);
    left.add(right);
    EXPECT_NEAR(left.depth(110 - 25, 110), 1.8f, 1e-3f);
    // The centre of the pixel is 0.025 from that of the sphere: 0.025^2 / 2 / 0.2 = 1.6e-3 farther back, and as much up
    // and down.
    EXPECT_NEAR(left.depth(110 + 17, 110), 2.802f, 5e-4f);
}

TEST(DepthImage, sees_past_the_edges_of_what_is_before_it) {
    // Three pixels in a row see 1, 5 and nothing: the first sees past itself, to 5, the last nothing still.
    DepthImage image(camera, 1, 0.1, {});
    const auto at = [&](int x, float depth) {
        const float across = (static_cast<float>(x) + 0.5f - 11) * 0.1f * depth;
        image.draw_center(image.find({across, -0.05f * depth, -depth}), 0);
    };
    at(12, 1);
    at(13, 5);
    EXPECT_FLOAT_EQ(image.depth(12, 11), 1);
    EXPECT_FLOAT_EQ(image.depth(13, 11), 5);
    image.see_past_edges();
    EXPECT_FLOAT_EQ(image.depth(12, 11), 5);
    EXPECT_FLOAT_EQ(image.depth(13, 11), 5);
    EXPECT_EQ(image.depth(14, 11), DepthImage::unseen);
    EXPECT_EQ(image.depth(12, 12), DepthImage::unseen);
}

}  // namespace
}  // namespace spindrift::lod
