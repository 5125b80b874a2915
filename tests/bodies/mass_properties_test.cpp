#include "spindrift/bodies/rigid/mass_properties.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "spindrift/geometry/primitives.h"

namespace spindrift::bodies {
namespace {

TEST(MassProperties, OfABoxAreThoseOfTheFormula) {
    MassProperties box = integrate(geometry::make_box({{1, 2, 3}, {1.5, 2.2, 3.3}}));
    EXPECT_NEAR(box.volume, 0.5 * 0.2 * 0.3, 1e-7);  // corners are floats
    EXPECT_NEAR(length(box.center - Vec3d{1.25, 2.1, 3.15}), 0, 1e-6);
    set_mass(box, 12);
    EXPECT_NEAR(box.inertia[0][0], 0.2 * 0.2 + 0.3 * 0.3, 1e-6);
    EXPECT_NEAR(box.inertia[1][1], 0.5 * 0.5 + 0.3 * 0.3, 1e-6);
    EXPECT_NEAR(box.inertia[2][2], 0.5 * 0.5 + 0.2 * 0.2, 1e-6);
    EXPECT_NEAR(box.inertia[0][1], 0, 1e-6);
}

TEST(MassProperties, OfASphereAreThoseOfTheFormulaWithinItsTriangles) {
    const double radius = 0.3;
    MassProperties ball = integrate(geometry::make_sphere({0.1, -2, 1}, radius));
    // The triangles lie at most 0.12 % of the radius below the sphere, a third of that in the mean.
    EXPECT_NEAR(ball.volume / (4.0 / 3 * std::numbers::pi * radius * radius * radius), 1, 2.5e-3);
    EXPECT_NEAR(length(ball.center - Vec3d{0.1, -2, 1}), 0, 1e-6);
    set_mass(ball, 5);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(ball.inertia[k][k] / (0.4 * 5 * radius * radius), 1, 1.5e-3);
}

TEST(MassProperties, FindTheAxesOfATurnedBox) {
    geometry::Mesh mesh = geometry::make_box({{-0.5, -0.1, -0.2}, {0.5, 0.1, 0.2}});
    geometry::transform(mesh, 1, geometry::make_pose({0.3, 0, 0}, {20, 30, 40}));
    MassProperties body = integrate(mesh);
    set_mass(body, 12);
    const Inertia inertia = principal_axes(body);
    const Vec3d longest = geometry::make_pose({}, {20, 30, 40}).turn({1, 0, 0});
    int smallest = 0;
    for (int k = 1; k < 3; ++k) {
        if (inertia.moment[k] < inertia.moment[smallest]) smallest = k;
    }
    EXPECT_NEAR(inertia.moment[smallest], 0.2 * 0.2 + 0.4 * 0.4, 1e-6);
    EXPECT_NEAR(std::abs(dot(inertia.axis[static_cast<std::size_t>(smallest)], longest)), 1, 1e-6);
    const Vec3d spin{0.3, -1, 2};
    EXPECT_NEAR(length(inertia.spin(inertia.momentum(spin)) - spin), 0, 1e-12);
    EXPECT_NEAR(dot(cross(inertia.axis[0], inertia.axis[1]), inertia.axis[2]), 1, 1e-12) << "not right-handed";
}

TEST(MassProperties, AreNegativeForFacesThatLookInward) {
    geometry::Mesh mesh = geometry::make_box({{0, 0, 0}, {1, 1, 1}});
    for (auto& triangle : mesh.triangles)
        std::swap(triangle[0], triangle[1]);
    EXPECT_NEAR(integrate(mesh).volume, -1, 1e-7);
}

TEST(MassProperties, TellWhatEnclosesNothing) {
    geometry::Mesh box = geometry::make_box({{0, 0, 0}, {1, 1, 1}});
    EXPECT_TRUE(encloses(box));
    box.triangles.resize(box.triangles.size() - 2);
    EXPECT_FALSE(encloses(box)) << "a side is missing";
    EXPECT_FALSE(encloses(geometry::make_sheet({1, 1}, 4)));
    EXPECT_FALSE(encloses(geometry::make_box({{0, 0, 0}, {1, 1, 1e-7}})));
    EXPECT_FALSE(encloses({}));
}

}  // namespace
}  // namespace spindrift::bodies
