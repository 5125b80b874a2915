// How far cloth and soft solids give way, against the equations of strings, plates and bars.
#include "spindrift/bodies/soft_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "soft_fixture.h"

namespace spindrift::bodies {
namespace {

TEST(SoftBody, a_strip_that_hangs_stretches_by_its_own_weight) {
    BodyParams params = strip({1, 0.2}, 20);
    params.rotation_deg = Vec3d{0, 0, -90};
    params.pin = {slab(1, 0.5)};
    params.cloth.stretch = 200;
    SoftBody body(params, usual);
    settle(body, 1.5);
    const double expected = 0.3 * 9.81 / (2 * 200.0);
    const double stretched = -0.5 - lowest(body);
    std::printf("strip %g vs %g\n", stretched, expected);
    EXPECT_NEAR(stretched, expected, 0.05 * expected);
}

TEST(SoftBody, a_strip_between_two_clamps_sags_as_a_string_does) {
    BodyParams params = strip({1, 0.2}, 20);
    params.pin = {slab(0, -0.5), slab(0, 0.5)};
    params.cloth.stretch = 2000;
    SoftBody body(params, usual);
    settle(body, 1.5);
    // T = w L^2 / (8 s), and the arc is longer than L by 8 s^2 / (3 L) = T L / K: s^3 = 3 w L^4 / (64 K).
    const double sag = std::cbrt(3 * 0.3 * 9.81 / (64 * 2000.0));
    std::printf("sag %g vs %g\n", -lowest(body), sag);
    EXPECT_NEAR(-lowest(body), sag, 0.05 * sag);
}

TEST(SoftBody, a_clamped_plate_bends_as_the_equation_of_plates_says) {
    BodyParams params = strip({0.4, 0.1}, 16);
    params.pin = {slab(0, -0.2), slab(0, -0.175)};
    params.cloth.stretch = 2e4;
    params.cloth.bend = 0.05;
    SoftBody body(params, usual);
    // Hinges stand for half a cell on either side: the clamp is in the middle between the pinned rows.
    const double g = 0.5, free = 0.375 + 0.0125;
    settle(body, 4, {0, -g, 0});
    const double expected = 0.3 * g * std::pow(free, 4) / (8 * 0.05);
    std::printf("plate %g vs %g\n", -lowest(body), expected);
    EXPECT_NEAR(-lowest(body), expected, 0.08 * expected);
}

TEST(SoftBody, a_bar_that_hangs_stretches_by_its_own_weight) {
    BodyParams params = jelly({{-0.05, -0.8, -0.05}, {0.05, 0, 0.05}}, 0.05);
    params.pin = {slab(1, 0)};
    params.soft.poisson = 0.3;
    params.soft.young = 2e5;
    SoftBody body(params, usual);
    settle(body, 1);
    const double expected = 500 * 9.81 * 0.64 / (2 * 2e5);
    std::printf("bar %g vs %g\n", -0.8 - lowest(body), expected);
    EXPECT_NEAR(-0.8 - lowest(body), expected, 0.05 * expected);
}

TEST(SoftBody, a_sag_does_not_depend_on_passes_and_steps) {
    for (const double dt : {1.0 / 120, 1.0 / 240}) {
        for (const int iterations : {4, 8, 16, 32}) {
            BodyParams params = jelly({{0, -0.05, -0.05}, {0.4, 0.05, 0.05}}, 0.05);
            params.pin = {slab(0, 0)};
            SoftBody::Setup setup = usual;
            setup.iterations = iterations;
            SoftBody body(params, setup);
            settle(body, 3, gravity * 0.2, dt);
            std::printf("dt %g iterations %d: %g\n", dt, iterations, lowest(body));
        }
    }
}

TEST(SoftBody, a_cloth_sag_does_not_depend_on_passes_and_steps) {
    for (const double dt : {1.0 / 120, 1.0 / 240}) {
        for (const int iterations : {4, 8, 16, 32}) {
            BodyParams params = strip({1, 0.2}, 20);
            params.pin = {slab(0, -0.5), slab(0, 0.5)};
            SoftBody::Setup setup = usual;
            setup.iterations = iterations;
            SoftBody body(params, setup);
            settle(body, 3, gravity, dt);
            std::printf("cloth dt %g iterations %d: %g\n", dt, iterations, lowest(body));
        }
    }
}

}  // namespace
}  // namespace spindrift::bodies
