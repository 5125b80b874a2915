// How far cloth and soft solids give way, against the equations of strings, plates and bars.
#include "spindrift/bodies/soft/soft_body.h"

#include <cmath>

#include "soft_fixture.h"
#include <gtest/gtest.h>

namespace spindrift::bodies {
namespace {

TEST(SoftBody, a_strip_that_hangs_stretches_by_its_own_weight) {
    BodyParams params = strip({1, 0.2}, 20);
    params.rotation_deg = Vec3d{0, 0, -90};
    params.pin = {slab(1, 0.5)};
    params.cloth.stretch = 200;
    SoftBody body(params, usual);
    settle(body, 1);
    const double expected = 0.3 * 9.81 / (2 * 200.0);
    EXPECT_NEAR(-0.5 - lowest(body), expected, 0.02 * expected);
}

TEST(SoftBody, a_strip_between_two_clamps_sags_as_a_string_does) {
    BodyParams params = strip({1, 0.2}, 20);
    params.pin = {slab(0, -0.5), slab(0, 0.5)};
    SoftBody body(params, usual);
    settle(body, 1);
    // T = w L^2 / (8 s), and the arc is longer than L by 8 s^2 / (3 L) = T L / K: s^3 = 3 w L^4 / (64 K).
    const double sag = std::cbrt(3 * 0.3 * 9.81 / (64 * 2000.0));
    EXPECT_NEAR(-lowest(body), sag, 0.02 * sag);
}

TEST(SoftBody, a_clamped_plate_bends_as_the_equation_of_plates_says) {
    BodyParams params = strip({0.4, 0.1}, 16);
    params.pin = {slab(0, -0.2), slab(0, -0.175)};
    params.cloth.stretch = 2e4;
    params.cloth.bend = 0.05;
    SoftBody body(params, usual);
    // Hinges stand for half a cell on either side: the clamp is in the middle between the pinned rows.
    const double g = 0.5, free = 0.375 + 0.0125;
    settle(body, 2, {0, -g, 0});
    const double expected = 0.3 * g * std::pow(free, 4) / (8 * 0.05);
    EXPECT_NEAR(-lowest(body), expected, 0.07 * expected);
}

TEST(SoftBody, a_plate_bends_as_far_whatever_its_mesh_is) {
    const auto tip = [](int cells) {
        BodyParams params = strip({0.4, 0.1}, cells);
        params.pin = {slab(0, -0.2), slab(0, -0.2 + 0.4 / cells)};
        params.cloth.stretch = 2e4;
        params.cloth.bend = 0.05;
        SoftBody body(params, usual);
        settle(body, 2, {0, -0.5, 0});
        const double free = 0.4 - 0.2 / cells;
        return -lowest(body) / std::pow(free, 4);
    };
    // The coarse one is two squares wide.
    const double fine = tip(16);
    EXPECT_NEAR(tip(8), fine, 0.12 * fine);
}

TEST(SoftBody, a_bar_that_hangs_stretches_by_its_own_weight) {
    BodyParams params = jelly({{-0.05, -0.8, -0.05}, {0.05, 0, 0.05}}, 0.05);
    params.pin = {slab(1, 0)};
    params.soft.poisson = 0.3;
    params.soft.young = 2e5;
    SoftBody body(params, usual);
    settle(body, 0.5);
    // Strains below 2 %: what is not linear in them is less than the tolerance.
    const double expected = 500 * 9.81 * 0.64 / (2 * 2e5);
    EXPECT_NEAR(-0.8 - lowest(body), expected, 0.03 * expected);
}

TEST(SoftBody, a_sag_does_not_depend_on_passes_and_steps) {
    const auto sag = [](double dt, int passes) {
        BodyParams params = jelly({{0, -0.05, -0.05}, {0.4, 0.05, 0.05}}, 0.05);
        params.pin = {slab(0, 0)};
        SoftBody::Setup setup = usual;
        setup.iterations = passes;
        SoftBody body(params, setup);
        settle(body, 1.5, gravity * 0.2, dt);
        return -0.05 - lowest(body);
    };
    const double exact = sag(1.0 / 240, 32);
    EXPECT_GT(exact, 0.05);
    for (const double dt : {1.0 / 120, 1.0 / 240}) {
        for (const int passes : {4, 8, 16})
            EXPECT_NEAR(sag(dt, passes), exact, 0.05 * exact) << dt << " " << passes;
    }
}

TEST(SoftBody, a_box_weighs_what_its_volume_says_and_has_it) {
    BodyParams params = jelly({{0, 0, 0}, {0.3, 0.2, 0.1}}, 0.06);
    EXPECT_NEAR(SoftBody(params, usual).mass(), 3, 1e-6);
    EXPECT_NEAR(SoftBody(params, usual).volume(), 0.006, 1e-8);
    params.mass = 7;
    EXPECT_NEAR(SoftBody(params, usual).mass(), 7, 1e-6);
}

TEST(SoftBody, a_ball_weighs_what_its_volume_says) {
    BodyParams params = jelly({}, 0.05);
    params.box = {};
    params.sphere = geometry::SphereShape{.center = {0, 0, 0}, .radius = 0.2};
    const SoftBody body(params, usual);
    // Its triangles lie a little below the sphere.
    EXPECT_NEAR(body.mass(), 500 * 4.18879 * 0.008, 0.003 * body.mass());
    EXPECT_NEAR(body.state().center.x, 0, 1e-4);
}

TEST(SoftBody, says_what_is_wrong_with_a_body) {
    BodyParams params = jelly({{0, 0, 0}, {0.3, 0.2, 0.1}}, 0.0005);
    EXPECT_THROW(SoftBody(params, usual), UsageError);
    BodyParams sheet = strip({1, 1}, 10);
    sheet.kind = Kind::soft;
    EXPECT_THROW(SoftBody(sheet, usual), UsageError);
    SoftBody body(strip({1, 1}, 4), usual);
    body.state().points.pop_back();
    EXPECT_THROW(body.begin_step({.frame = 1, .dt = step}), UsageError);
}

}  // namespace
}  // namespace spindrift::bodies
