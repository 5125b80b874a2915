// Points spread over surfaces, and surfaces in motion.

#include "spindrift/emitters/emitter_skin.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spindrift/emitters/emitter.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::emitters {
namespace {

constexpr double d = 0.02;

SurfaceSource still(const geometry::Mesh& mesh) {
    SurfaceSource source;
    source.mesh = [&mesh](int) -> const geometry::Mesh& { return mesh; };
    source.pose = [](double) { return geometry::Pose{}; };
    source.lift = 0.5 * d;
    return source;
}

EmitterSkin make_surface(const SurfaceSource& source) {
    return EmitterSkin(source, {.spacing = d, .seed = 3, .fps = 24});
}

TEST(SurfaceTest, points_lie_a_spacing_apart_whatever_the_size_of_triangles) {
    for (const geometry::Mesh& mesh :
         {geometry::make_sphere({0, 0, 0}, 0.2), geometry::make_box({{-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}})}) {
        const EmitterSkin surface = make_surface(still(mesh));
        const std::vector<SurfacePoint>& points = surface.now().points;
        // Darts fill about all there is room for; where particles start there is a little more of it than below.
        EXPECT_NEAR(static_cast<double>(points.size()) * d * d, area(mesh), 0.12 * area(mesh));
        std::vector<Vec3d> places;
        double upper = 0;
        for (const SurfacePoint& point : points) {
            places.push_back(surface.place(point, 1).position);
            upper += places.back().y > 0;
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                ASSERT_GT(length(places[i] - places[j]), 0.79 * d);
        }
        // Darts are no dice: both halves differ by a few points.
        EXPECT_NEAR(upper / static_cast<double>(points.size()), 0.5, 0.02);
    }
}

TEST(SurfaceTest, particles_start_off_the_surface_on_the_side_that_liquid_leaves) {
    const geometry::Mesh ball = geometry::make_sphere({0, 0, 0}, 0.2);
    SurfaceSource source = still(ball);
    for (const double side : {1.0, -1.0}) {
        source.inward = side < 0;
        const EmitterSkin surface = make_surface(source);
        for (const SurfacePoint& point : surface.now().points) {
            const EmitterSkin::Place place = surface.place(point, 1);
            // Triangles lie up to 0.12 % of the radius below the sphere.
            EXPECT_NEAR(length(place.position), 0.2 + side * 0.5 * d, 5e-4);
            EXPECT_GT(dot(place.normal, place.position) * side, 0);
        }
    }
}

TEST(SurfaceTest, points_ride_on_their_triangles_between_two_files) {
    std::vector<geometry::Mesh> files;
    for (int k = 0; k < 3; ++k)
        files.push_back(geometry::make_sphere({0.1 * k * k, 0, 0}, 0.2));
    SurfaceSource source = still(files[0]);
    source.mesh = [&](int frame) -> const geometry::Mesh& {
        return files[static_cast<std::size_t>(std::clamp(frame - 1, 0, 2))];
    };
    source.deforms = true;
    source.pose = [](double frame) { return geometry::make_pose({0, 0.5 * frame, 0}, {}); };
    EmitterSkin surface = make_surface(source);
    const SurfacePoint point = surface.now().points[0];
    const Vec3d start = surface.place(point, 1).position;
    surface.use(2.25);
    const EmitterSkin::Place later = surface.place(point, 2.25);
    EXPECT_LT(length(later.position - start - Vec3d{0.1 + 0.25 * 0.3, 0.625, 0}), 1e-6);
    EXPECT_LT(length(later.velocity - Vec3d{0.3 * 24, 0.5 * 24, 0}), 1e-4);
    EXPECT_GE(surface.speed(2.25), length(later.velocity) - 1e-4);
}

TEST(SurfaceTest, a_file_with_other_triangles_gets_points_of_its_own) {
    const geometry::Mesh ball = geometry::make_sphere({0, 0, 0}, 0.2), none,
                         box = geometry::make_box({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}});
    SurfaceSource source = still(ball);
    source.mesh = [&](int frame) -> const geometry::Mesh& { return frame == 1 ? ball : frame == 2 ? box : none; };
    source.deforms = true;
    EmitterParams params;
    params.mesh = "any";
    params.rate = 1.0;
    Emitter emitter(params, 0, d, 3, std::make_shared<EmitterSkin>(source, EmitterSkin::Setup{d, 3, 24}));
    EXPECT_FALSE(emitter.emit({.frame = 1.9, .fps = 24, .dt = 0.9 / 24}).empty());
    for (const Birth& born : emitter.emit({.frame = 2.9, .fps = 24, .dt = 0.9 / 24}))
        EXPECT_LT(born.left.y, 0.12);
    EXPECT_TRUE(emitter.emit({.frame = 3.9, .fps = 24, .dt = 0.9 / 24}).empty()) << "nothing is there";
    EXPECT_EQ(emitter.speed(3.9, 24), 0);
}

TEST(SurfaceTest, the_flow_is_exact_whatever_the_substeps_are) {
    const geometry::Mesh ball = geometry::make_sphere({0, 0, 0}, 0.2);
    EmitterParams params;
    params.mesh = "any";
    params.rate = 0.05;
    std::size_t counts[2] = {};
    for (int k = 0; k < 2; ++k) {
        Emitter emitter(params, 0, d, 3, std::make_shared<EmitterSkin>(still(ball), EmitterSkin::Setup{d, 3, 24}));
        const int substeps = k == 0 ? 24 : 101;
        for (int s = 1; s <= substeps; ++s) {
            const double dt = 1.0 / substeps;
            counts[k] += emitter.emit({.frame = 1 + 24 * dt * s, .fps = 24, .dt = dt}).size();
        }
        // Some five sheets: half of one may be missing at each end.
        EXPECT_NEAR(static_cast<double>(counts[k]) * d * d * d, 0.05,
                    0.5 * static_cast<double>(emitter.surface()->now().points.size()) * d * d * d);
    }
    EXPECT_EQ(counts[0], counts[1]);
}

}  // namespace
}  // namespace spindrift::emitters
