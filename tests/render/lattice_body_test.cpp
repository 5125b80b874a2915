// Surfaces traced from samples, without meshes.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "draw.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/geometry/finish/normals.h"
#include "spindrift/render/cubic_root.h"
#include "spindrift/render/ray_scene.h"
#include "spindrift/render/render.h"
#include "spindrift/surface/contour/chromatic.h"
#include "spindrift/surface/contour/march.h"

namespace spindrift::render {
namespace {

using surface::Lattice;

constexpr double voxel = 0.05, radius = 0.4;

/// Leaves of a block around the origin, sampled by a function of the place.
template <class F>
Lattice lattice_of(const F& phi_at) {
    Lattice lattice;
    lattice.voxel = voxel;
    for (int i = 0; i < 64; ++i)
        lattice.leaves.push_back({i % 4 - 2, i / 4 % 4 - 2, i / 16 - 2});
    lattice.phi.resize(surface::leaf_points * lattice.leaves.size());
    for (std::size_t i = 0; i < lattice.phi.size(); ++i) {
        const auto k = static_cast<int>(i % surface::leaf_points);
        lattice.phi[i] = phi_at(lattice.place(lattice.leaves[i / surface::leaf_points], {k & 7, k >> 3 & 7, k >> 6}));
    }
    surface::link_leaves(lattice);
    return lattice;
}

Lattice ball() {
    return lattice_of([](Vec3d p) { return static_cast<float>(length(p) - radius); });
}

constexpr Vec3d border_normal{0.6, 0.48, 0.64};
constexpr double border_height = 0.0137;

/// A ball whose halves on both sides of a plane are different liquids, the first below it.
Lattice two_halves() {
    Lattice lattice = ball();
    lattice.label.resize(lattice.phi.size());
    lattice.lead.resize(lattice.phi.size());
    for (std::size_t i = 0; i < lattice.phi.size(); ++i) {
        const auto k = static_cast<int>(i % surface::leaf_points);
        const Vec3d p = lattice.place(lattice.leaves[i / surface::leaf_points], {k & 7, k >> 3 & 7, k >> 6});
        const double height = dot(p, border_normal) - border_height;
        lattice.label[i] = lattice.phi[i] >= 0 ? surface::air : height > 0;
        lattice.lead[i] = std::max(1e-6f, static_cast<float>(std::abs(height)));
    }
    return lattice;
}

/// The samples' function, worked out from the definition.
double trilinear(const Lattice& lattice, Vec3d place) {
    const Vec3d at = (place - lattice.origin) / lattice.voxel;
    double sum = 0;
    for (int k = 0; k < 8; ++k) {
        Vec3i point;
        double weight = 1;
        for (int a = 0; a < 3; ++a) {
            const double low = std::floor(at[a]), t = at[a] - low;
            point[a] = static_cast<std::int32_t>(low) + (k >> a & 1);
            weight *= k >> a & 1 ? t : 1 - t;
        }
        const Vec3i leaf{point.x >> 3, point.y >> 3, point.z >> 3};
        const auto found = std::find(lattice.leaves.begin(), lattice.leaves.end(), leaf) - lattice.leaves.begin();
        const int i = surface::point_index({point.x & 7, point.y & 7, point.z & 7});
        sum += weight * lattice.phi[static_cast<std::size_t>(512 * found + i)];
    }
    return sum;
}

/// A scene with one lattice, in coordinates of the world: the eye is far from it, at a place that floats have.
struct Traced {
    explicit Traced(const Lattice& lattice, bool matte = false, RaySceneParams params = {})
        : view({.position = {0, 0, 4}}, {64, 64}) {
        scene.radius = static_cast<float>(voxel);
        scene.liquids = {{.lattice = &lattice, .looks = {LiquidLook{}, LiquidLook{}}, .matte = matte}};
        rays.emplace(scene, view, params);
    }

    Ray ray(Vec3d from, Vec3d direction) const {
        return {view.to_local(from), vec_cast<float>(normalize(direction)), 0.5f};
    }
    Vec3d place(const Ray& ray, const Hit& hit) const {
        return vec_cast<double>(ray.origin) + view.eye() + vec_cast<double>(ray.direction) * hit.distance;
    }

    geometry::View view;
    RenderScene scene{};
    std::optional<RayScene> rays;
};

Vec3d random_direction(std::uint64_t i, std::uint64_t stream) {
    const double z = 2 * uniform(hash_counter(7, i, stream)) - 1.0;
    const double turn = 2 * std::numbers::pi * uniform(hash_counter(7, i, stream + 1)), r = std::sqrt(1 - z * z);
    return {r * std::cos(turn), r * std::sin(turn), z};
}

/// From outside of the ball to somewhere about it; one in four misses.
Ray random_ray(const Traced& traced, std::uint64_t i) {
    const Vec3d from = random_direction(i, 0) * 2.0, to = random_direction(i, 2) * 0.45;
    return traced.ray(from, to - from);
}

TEST(CubicRoot, the_first_of_several_is_found) {
    // (s - 0.2) (s - 0.5) (s - 0.9), by its values in the Bernstein basis.
    const auto cubic = [](double a, double b, double c) {
        const double p0 = -a * b * c, p1 = a * b + b * c + c * a, p2 = -(a + b + c);
        return Cubic{p0, p0 + p1 / 3, p0 + 2 * p1 / 3 + p2 / 3, p0 + p1 + p2 + 1};
    };
    EXPECT_NEAR(first_root(cubic(0.2, 0.5, 0.9)).value(), 0.2, 1e-9);
    EXPECT_NEAR(first_root(cubic(-1, 0.5, 0.501)).value(), 0.5, 1e-9);
    EXPECT_NEAR(first_root(cubic(-1, 2, 0.999)).value(), 0.999, 1e-9);
    EXPECT_FALSE(first_root(cubic(-1, 2, 1.1)));
    EXPECT_FALSE(first_root({1, -0.3, -0.3, 1})) << "0.025 at the middle";
    EXPECT_TRUE(first_root({1, -0.5, -0.6, 0.5}));
}

TEST(LatticeBody, a_ball_covers_what_a_disc_of_its_radius_does) {
    const Lattice lattice = ball();
    const Traced traced(lattice);
    constexpr int n = 300;
    int hits = 0;
    for (int i = 0; i < n * n; ++i) {
        const Vec3d from{(i % n + 0.5) / n - 0.5, (i / n + 0.5) / n - 0.5, 2};
        hits += traced.rays->trace(traced.ray(from, {0, 0, -1})).body == Body::liquid;
    }
    // The function is linear between samples, which lie an eighth of a radius apart: it bulges in by 0.2 % of it.
    EXPECT_NEAR(hits / double(n * n), std::numbers::pi * radius * radius, 0.01 * std::numbers::pi * radius * radius);
}

TEST(LatticeBody, hits_lie_on_the_surface_with_its_normal_and_nothing_is_missed_before) {
    const Lattice lattice = ball();
    const Traced traced(lattice);
    double worst = 0, angle = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        const Ray ray = random_ray(traced, i);
        const Hit hit = traced.rays->trace(ray);
        const double end = hit.body == Body::none ? 3 : hit.distance - 0.01 * voxel;
        const auto phi_at = [&](double distance) {
            Hit there;
            there.distance = static_cast<float>(distance);
            const Vec3d place = traced.place(ray, there);
            return length(place) < 0.7 ? trilinear(lattice, place) : 1;
        };
        for (double t = 1.4; t < end; t += 0.05 * voxel)
            ASSERT_GE(phi_at(t), 0) << "ray " << i;
        if (hit.body == Body::none) continue;
        const Vec3d place = traced.place(ray, hit);
        worst = std::max(worst, std::abs(trilinear(lattice, place)) / voxel);
        EXPECT_LE(phi_at(hit.distance + 0.01 * voxel), 1e-6) << "ray " << i;
        const double cosine = dot(vec_cast<double>(hit.normal), normalize(place));
        angle = std::max(angle, std::acos(std::min(1.0, cosine)));
        EXPECT_FALSE(hit.behind);
        EXPECT_EQ(hit.sides, (geometry::Sides{0, surface::air}));
    }
    EXPECT_LT(worst, 0.01);
    EXPECT_LT(angle * 180 / std::numbers::pi, 1);
}

TEST(LatticeBody, rays_go_in_and_out_again_and_again) {
    const Lattice lattice = ball();
    const Traced traced(lattice);
    int lost = 0, inside = 0;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        Ray ray = random_ray(traced, i);
        int medium = air_medium, met = 0;
        for (Hit hit = traced.rays->trace(ray); hit.body == Body::liquid && met < 8; hit = traced.rays->trace(ray)) {
            lost += hit.near != medium;
            medium = hit.far;
            met += 1;
            ray = traced.rays->leave(ray.origin + ray.direction * hit.distance, -hit.face, ray.direction, 0.5f);
        }
        lost += medium != air_medium || (met != 0 && met != 2);
        inside += met > 0;
    }
    EXPECT_EQ(lost, 0);
    EXPECT_GT(inside, 5000);
}

TEST(LatticeBody, a_ray_that_leaves_the_surface_does_not_meet_it_where_it_starts) {
    const Lattice lattice = ball();
    const Traced traced(lattice);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Ray ray = random_ray(traced, i);
        const Hit hit = traced.rays->trace(ray);
        if (hit.body == Body::none) continue;
        const Vec3f point = ray.origin + ray.direction * hit.distance;
        const Vec3f away = normalize(vec_cast<float>(random_direction(i, 4)) + hit.face * 1.02f);
        EXPECT_FALSE(traced.rays->is_hidden(point, hit.face, {point, away, 0.5f})) << "ray " << i;
    }
}

TEST(LatticeBody, what_is_hidden_is_what_a_ray_meets) {
    const Lattice lattice = two_halves();
    const Traced traced(lattice);
    int differ = 0, hidden = 0;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        const Vec3f point = traced.view.to_local(random_direction(i, 0) * 0.6);
        const Ray ray{point, vec_cast<float>(random_direction(i, 2)), 0.5f};
        const bool is_hidden = traced.rays->is_hidden(point, ray.direction, ray);
        const Hit hit = traced.rays->trace(traced.rays->leave(point, ray.direction, ray.direction, 0.5f));
        differ += is_hidden != (hit.body == Body::liquid);
        hidden += is_hidden;
    }
    EXPECT_EQ(differ, 0);
    EXPECT_GT(hidden, 1000);
}

TEST(LatticeBody, rays_together_meet_what_each_meets_alone) {
    const Lattice lattice = two_halves();
    const Traced traced(lattice);
    std::vector<Ray> rays;
    for (std::uint64_t i = 0; i < 1003; ++i)
        rays.push_back(random_ray(traced, i));
    std::vector<Met> met(rays.size());
    traced.rays->trace(rays, met);
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const Hit alone = traced.rays->trace(rays[i]), together = traced.rays->hit_of(met[i], rays[i]);
        EXPECT_EQ(together.body, alone.body);
        EXPECT_EQ(together.distance, alone.distance);
        EXPECT_EQ(together.normal, alone.normal);
        EXPECT_EQ(together.sides, alone.sides);
    }
}

TEST(LatticeBody, the_border_of_two_liquids_is_where_their_leads_are_equal) {
    const Lattice lattice = two_halves();
    const Traced traced(lattice);
    int met = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        // From one side of the border, deep inside, to the other.
        const bool up = i % 2 == 0;
        const Vec3d within = random_direction(i, 0) * 0.15 * uniform(hash_counter(3, i, 9));
        const Vec3d way = normalize(random_direction(i, 2) + border_normal * (up ? 1.3 : -1.3));
        const double rise = dot(way, border_normal), height = dot(within, border_normal) - border_height;
        const Ray ray = traced.ray(within - way * (height / rise + 0.1 / std::abs(rise)), way);
        const Hit hit = traced.rays->trace(ray);
        ASSERT_EQ(hit.body, Body::liquid);
        if (hit.sides[1] == surface::air) continue;  // a slanted way may begin outside
        met += 1;
        EXPECT_EQ(hit.sides, (geometry::Sides{0, 1}));
        EXPECT_LT(std::abs(dot(traced.place(ray, hit), border_normal) - border_height), 0.1 * voxel);
        EXPECT_EQ(hit.near, up ? 0 : 1);
        EXPECT_EQ(hit.far, up ? 1 : 0);
        EXPECT_GT(std::abs(dot(vec_cast<double>(hit.normal), border_normal)), 0.99);
    }
    EXPECT_GT(met, 400);
}

TEST(LatticeBody, media_follow_each_other_along_rays_through_two_liquids) {
    const Lattice lattice = two_halves();
    const Traced traced(lattice);
    int lost = 0, borders = 0;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        Ray ray = random_ray(traced, i);
        int medium = air_medium, met = 0;
        for (Hit hit = traced.rays->trace(ray); hit.body == Body::liquid && met < 8; hit = traced.rays->trace(ray)) {
            lost += hit.near != medium;
            borders += hit.near != air_medium && hit.far != air_medium;
            medium = hit.far;
            met += 1;
            ray = traced.rays->leave(ray.origin + ray.direction * hit.distance, -hit.face, ray.direction, 0.5f);
        }
        lost += medium != air_medium;
    }
    // Rays that pass the line where both liquids and air meet closer than they are lifted off surfaces.
    EXPECT_LE(lost, 10);
    EXPECT_GT(borders, 1000);
}

TEST(LatticeBody, liquids_that_lie_on_a_plane_of_samples_are_told_apart_there) {
    // As on a floor that the surface is cut at: phi is exactly 0 in a plane of samples, where no liquid leads.
    Lattice lattice = two_halves();
    for (std::size_t i = 0; i < lattice.phi.size(); ++i) {
        const auto k = static_cast<int>(i % surface::leaf_points);
        const Vec3d p = lattice.place(lattice.leaves[i / surface::leaf_points], {k & 7, k >> 3 & 7, k >> 6});
        lattice.phi[i] = std::max(lattice.phi[i], static_cast<float>(-2 * voxel - p.y));
        if (lattice.phi[i] >= 0) lattice.label[i] = surface::air, lattice.lead[i] = 1e-6f;
    }
    const Traced traced(lattice);
    int wrong = 0, met = 0;
    for (int i = 0; i < 4000; ++i) {
        const Vec3d below{i % 60 * 0.0041 - 0.12, -2 * voxel, i / 60 * 0.0037 - 0.12};
        const double height = dot(below, border_normal) - border_height;
        if (std::abs(height) < 0.6 * voxel)
            continue;  // below the last samples in the liquid the border goes straight on
        met += 1;
        const Vec3d up{0, 0.01 * voxel, 0};
        const Hit out = traced.rays->trace(traced.ray(below + up, {0, -1, 0}));
        const Hit in = traced.rays->trace(traced.ray(below - up, {0, 1, 0}));
        wrong += out.near != int(height > 0) || out.far != air_medium;
        wrong += in.far != int(height > 0) || in.near != air_medium;
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(met, 2000);
}

TEST(LatticeBody, its_box_is_that_of_the_surface) {
    const Lattice lattice = ball();
    RenderScene scene;
    scene.liquids = {{.lattice = &lattice}};
    scene.liquids[0].pose.position = {1, 0, 0};
    const Box3d box = bounds(scene);
    EXPECT_NEAR(box.lo.x, 1 - radius, voxel);
    EXPECT_NEAR(box.hi.y, radius, voxel);
}

TEST(LatticeBody, a_slice_opens_it) {
    const Lattice lattice = ball();
    const Traced traced(lattice, false, {.slice = SlicePlane{.point = {0, 0, 0.1}, .normal = {0, 0, 1}}});
    const Ray ray = traced.ray({0.03, 0.02, 2}, {0, 0, -1});
    const Hit hit = traced.rays->trace(ray);
    ASSERT_EQ(hit.body, Body::liquid);
    EXPECT_TRUE(hit.behind) << "the far side from within";
    EXPECT_NEAR(traced.place(ray, hit).z, -radius, 0.01);
}

TEST(LatticeBody, nothing_is_drawn_of_a_lattice_without_leaves_or_without_liquid) {
    const Lattice none, dry = lattice_of([](Vec3d) { return 1.f; });
    for (const Lattice* lattice : {&none, &dry}) {
        const Traced traced(*lattice);
        EXPECT_EQ(traced.rays->trace(traced.ray({0, 0, 2}, {0, 0, -1})).body, Body::none);
        EXPECT_FALSE(traced.rays->clear_bounds());
    }
}

/// Two liquids above a tiled floor.
Image picture_of(LiquidBody liquid) {
    RenderScene scene{.radius = static_cast<float>(voxel), .ground = -0.5};
    scene.floor.tiles = 0.2;
    liquid.looks = {{.color = {0.1f, 0.3f, 0.7f}}, {.color = {0.7f, 0.2f, 0.1f}, .ior = 1.47f}};
    scene.liquids = {std::move(liquid)};
    const RenderParams params{.resolution = {64, 48}, .quality = Quality::draft, .samples = 8, .label = false};
    return draw(scene, {.position = {0, 1.2, 1.6}, .target = {0, -0.1, 0}}, params);
}

/// Mean of what pictures of the mesh and of the lattice differ by in a channel.
double difference(const Lattice& lattice, bool matte) {
    geometry::InterfaceMesh all;
    if (lattice.has_labels())
        all = surface::contour_liquids(lattice);
    else
        all.mesh = surface::march(lattice);
    geometry::add_normals(all.mesh);
    const Image a = picture_of({.mesh = &all.mesh, .sides = all.sides, .matte = matte});
    const Image b = picture_of({.lattice = &lattice, .matte = matte});
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const Vec3f d = a.pixels[i] - b.pixels[i];
        sum += std::abs(d.x) + std::abs(d.y) + std::abs(d.z);
    }
    return sum / (3 * static_cast<double>(a.pixels.size()));
}

// Edges of the mesh are flat between points an eighth of a radius apart, and grain is not the same in both: means are
// 0.0002 to 0.003.

TEST(LatticeBody, its_matte_picture_is_that_of_its_mesh) {
    EXPECT_LT(difference(ball(), true), 0.02);
    EXPECT_LT(difference(two_halves(), true), 0.02);
}

TEST(LatticeBody, its_clear_picture_is_that_of_its_mesh) {
    EXPECT_LT(difference(ball(), false), 0.02);
    EXPECT_LT(difference(two_halves(), false), 0.02);
}

TEST(LatticeBody, pictures_do_not_depend_on_the_number_of_threads) {
    const Lattice lattice = two_halves();
    std::array<Image, 2> images;
    for (const int threads : {1, 4}) {
        const ThreadLimit limit(threads);
        images[threads == 1 ? 0 : 1] = picture_of({.lattice = &lattice});
    }
    EXPECT_EQ(images[0].pixels, images[1].pixels);
}

}  // namespace
}  // namespace spindrift::render
