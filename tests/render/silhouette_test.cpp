// What pixels show besides light, and what covers them while the shutter is open.

#include <cmath>
#include <vector>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

/// Pixels that a ball before the camera covers: its outline is a circle of tan(asin(r / d)).
double pixels_of_ball(double radius, double distance, const geometry::View& view) {
    const double pixel = static_cast<double>(view.pixel());
    return pi * radius * radius / (distance * distance - radius * radius) / (pixel * pixel);
}

TEST(Silhouette, a_particle_covers_the_pixels_of_its_outline) {
    const std::vector<Vec3f> x{{}};
    const RenderScene scene{.positions = x, .radius = 0.5f};
    const RenderParams params = quick_params(32);
    const Picture picture = render(scene, camera_at(3), params);
    const double expected = pixels_of_ball(0.5, 3, geometry::View(camera_at(3), params.resolution));
    EXPECT_GT(expected, 500);
    EXPECT_NEAR(sum_of(picture.layers->alpha), expected, 0.005 * expected);
}

TEST(Silhouette, a_mesh_covers_the_pixels_of_its_outline) {
    const geometry::Mesh mesh = smooth_ball({}, 0.5);
    RenderScene scene;
    scene.meshes = {{.mesh = &mesh}};
    const RenderParams params = quick_params(32);
    const double covered = sum_of(render(scene, camera_at(3), params).layers->alpha);
    const double expected = pixels_of_ball(0.5, 3, geometry::View(camera_at(3), params.resolution));
    // Faces lie up to 0.12 % of the radius below the sphere.
    EXPECT_NEAR(covered, expected, 0.005 * expected);
}

TEST(Silhouette, layers_tell_depth_normal_and_what_it_is) {
    const geometry::Mesh mesh = smooth_ball({}, 0.5);
    const std::vector<Vec3f> x{{}};
    std::vector<RenderScene> scenes(4);
    scenes[0].positions = x, scenes[0].radius = 0.5f;
    scenes[1].meshes = {{.mesh = &mesh, .id = body_id::first_collider + 3}};
    scenes[2].liquids = {{.mesh = &mesh}};
    scenes[3].clouds = {{}, {.positions = x, .radius = 0.5f}};
    const std::vector<std::uint32_t> ids{body_id::first_particles, body_id::first_collider + 3, body_id::first_liquid,
                                         body_id::first_cloud + 1};
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Picture picture = render(scenes[i], camera_at(3), quick_params());
        const Layers& layers = *picture.layers;
        const std::size_t middle = layers.index(32, 24), corner = layers.index(0, 0);
        EXPECT_NEAR(layers.depth[middle], 2.5f, 0.005f) << "pixels are 0.03 wide there, and faces flat: case " << i;
        EXPECT_LT(length(layers.normal[middle] - Vec3f{0, 0, 1}), 0.1f) << i;
        EXPECT_EQ(layers.id[middle], ids[i]) << i;
        EXPECT_EQ(layers.alpha[middle], 1) << i;
        EXPECT_EQ(layers.id[corner], body_id::sky) << i;
        EXPECT_EQ(layers.alpha[corner], 0) << i;
        EXPECT_EQ(layers.normal[corner], Vec3f{}) << i;
        EXPECT_TRUE(std::isinf(layers.depth[corner])) << i;
    }
}

TEST(Silhouette, floor_and_several_liquids_have_ids_of_their_own) {
    const geometry::Mesh mesh = smooth_ball({}, 0.5);
    std::vector<geometry::Sides> sides;
    for (const geometry::Triangle& t : mesh.triangles)
        sides.push_back({static_cast<std::uint8_t>(mesh.points[t[0]].x < 0 ? 0 : 1), 255});
    RenderScene scene{.ground = -0.5};
    scene.liquids = {{.mesh = &mesh, .sides = sides, .looks = {{}, {}}}};
    const Picture picture = render(scene, {.position = {0, 0.5, 3}, .target = {}}, quick_params());
    const Layers& layers = *picture.layers;
    EXPECT_EQ(layers.id[layers.index(28, 24)], body_id::first_liquid);
    EXPECT_EQ(layers.id[layers.index(36, 24)], body_id::first_liquid + 1);
    EXPECT_EQ(layers.id[layers.index(32, 47)], body_id::floor);
}

/// Far away, so that there is no perspective to speak of.
geometry::Camera far_camera() {
    return {.position = {0, 0, 100}, .target = {}, .fov_deg = 1.6};
}

/// Metres to the side of a pixel at the origin.
double pixel_width(const RenderParams& params) {
    return static_cast<double>(geometry::View(far_camera(), params.resolution).pixel()) * 100;
}

TEST(MotionBlur, a_moving_particle_covers_its_way_and_others_stay) {
    const std::vector<Vec3f> x{{0, 0.6f, 0}, {0, -0.6f, 0}}, v{{4, 0, 0}, {}};
    RenderScene scene{.positions = x, .radius = 0.4f, .velocities = v};
    RenderParams params = quick_params(64);
    const Layers still = *render(scene, far_camera(), params).layers;
    scene.shutter = 0.2;
    const Layers moved = *render(scene, far_camera(), params).layers;
    const double width = pixel_width(params), area = pi * 0.4 * 0.4 / (width * width);
    // While the shutter is open the ball is somewhere all the time: alpha sums to its area, spread over its way.
    const auto sum = [](const std::vector<float>& alpha, bool upper) {
        const auto half = static_cast<std::ptrdiff_t>(alpha.size() / 2);
        return sum_of(upper ? std::vector<float>(alpha.begin(), alpha.begin() + half)
                            : std::vector<float>(alpha.begin() + half, alpha.end()));
    };
    EXPECT_NEAR(sum(still.alpha, true), area, 0.01 * area);
    EXPECT_NEAR(sum(moved.alpha, true), area, 0.02 * area);
    EXPECT_NEAR(sum(moved.alpha, false), sum(still.alpha, false), 0.005 * area);
    // What is touched at any moment is the ball's area and a strip as wide as the ball along its way of 0.8 m.
    double touched = 0;
    for (std::size_t i = 0; i < moved.alpha.size() / 2; ++i)
        touched += moved.alpha[i] > 0;
    const double swept = area + 0.8 * 0.8 / (width * width);
    EXPECT_GT(touched, 0.98 * swept);
    EXPECT_LT(touched, 1.02 * swept + (2 * pi * 0.4 + 2 * 0.8) / width) << "pixels of the rim are touched as a whole";
    const auto at = [&](double px, double py) {
        return moved.index(32 + static_cast<int>(std::lround(px / width)),
                           24 - static_cast<int>(std::lround(py / width)));
    };
    EXPECT_GT(moved.alpha[at(0.5, 0.6)], 0) << "symmetric about the moment of the positions";
    EXPECT_GT(moved.alpha[at(-0.5, 0.6)], 0);
    EXPECT_EQ(still.alpha[at(0.5, 0.6)], 0);
}

TEST(MotionBlur, meshes_and_liquids_move_too) {
    geometry::Mesh mesh = smooth_ball({}, 0.4);
    RenderScene body, liquid;
    body.meshes = {{.mesh = &mesh, .pose = {.position = {-0.4, 0, 0}}}};
    body.meshes[0].pose_end = geometry::Pose{.position = {0.4, 0, 0}};
    body.shutter = liquid.shutter = 0.2;
    std::vector<float> v;
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        v.insert(v.end(), {4, 0, 0});
    mesh.attributes.push_back({"v", 3, v});
    liquid.liquids = {{.mesh = &mesh}};
    const RenderParams params = quick_params(64);
    const double width = pixel_width(params), area = pi * 0.4 * 0.4 / (width * width);
    for (const RenderScene* scene : {&body, &liquid}) {
        const Layers layers = *render(*scene, far_camera(), params).layers;
        EXPECT_NEAR(sum_of(layers.alpha), area, 0.02 * area);
        const int reach = static_cast<int>(0.7 / width);
        EXPECT_GT(layers.alpha[layers.index(32 - reach, 24)], 0);
        EXPECT_GT(layers.alpha[layers.index(31 + reach, 24)], 0);
        EXPECT_GT(layers.alpha[layers.index(32, 24)], 0.93f) << "as wide as its way is long: there nearly all the time";
    }
}

TEST(MotionBlur, a_moving_camera_blurs_everything) {
    const std::vector<Vec3f> x{{0, 0.6f, 0}, {0, -0.6f, 0}};
    RenderScene scene{.positions = x, .radius = 0.3f};
    scene.shutter = 0.1;
    const auto partly = [&] {
        const Picture picture = render(scene, far_camera(), quick_params(32));
        int count = 0;
        for (const float alpha : picture.layers->alpha)
            count += alpha > 0.05f && alpha < 0.95f;
        return count;
    };
    const int rim = partly();
    geometry::Camera open = far_camera(), close = far_camera();
    open.position.x = open.target.x = -0.3, close.position.x = close.target.x = 0.3;
    scene.camera_move = {{open, close}};
    EXPECT_GT(partly(), 3 * rim);
    scene.camera_move = {{far_camera(), far_camera()}};
    EXPECT_EQ(partly(), rim) << "one that stands still does not";
}

}  // namespace
}  // namespace spindrift::render
