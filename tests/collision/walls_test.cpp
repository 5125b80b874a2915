#include "spindrift/collision/walls/walls.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift::collision {
namespace {

/// Rounding of coordinates up to about 16 cells, a hundredth of the contact gap.
constexpr float rounding = 1e-5f;

Vec3f random_point(std::uint64_t seed, std::uint64_t i, Vec3f lo, Vec3f hi) {
    Vec3f p;
    for (int a = 0; a < 3; ++a) {
        p[a] = lo[a] + (hi[a] - lo[a]) * uniform(hash_counter(seed, i, static_cast<std::uint64_t>(a)));
    }
    return p;
}

ColliderParams box_collider(Vec3d lo, Vec3d hi, double friction = 0, double bounce = 0) {
    ColliderParams collider;
    collider.box = Box3d{lo, hi};
    collider.friction = friction;
    collider.bounce = bounce;
    return collider;
}

ColliderParams plane_collider(Vec3d point, Vec3d normal, double friction = 0) {
    ColliderParams collider;
    collider.plane = PlaneShape{point, normal};
    collider.friction = friction;
    return collider;
}

Walls walls_of(std::optional<DomainParams> domain, const std::vector<ColliderParams>& colliders) {
    return make_walls(domain, colliders, {}, 1);
}

DomainParams domain_of(Vec3d lo, Vec3d hi, std::vector<Side> open = {}) {
    DomainParams domain;
    domain.box = {lo, hi};
    domain.open = std::move(open);
    return domain;
}

/// Whether the straight way between two points touches the box, by its slabs, in doubles.
bool crosses(const Box3d& box, Vec3f from, Vec3f to) {
    double enter = 0, leave = 1;
    for (int a = 0; a < 3; ++a) {
        const double x = static_cast<double>(from[a]), move = static_cast<double>(to[a]) - x;
        if (move == 0) {
            if (x < box.lo[a] || x > box.hi[a]) return false;
            continue;
        }
        const double t0 = (box.lo[a] - x) / move, t1 = (box.hi[a] - x) / move;
        enter = std::max(enter, std::min(t0, t1));
        leave = std::min(leave, std::max(t0, t1));
    }
    return enter <= leave;
}

TEST(WallsTest, no_way_of_any_length_crosses_a_thin_solid_box) {
    constexpr std::size_t ways = 20000;
    for (int thin = 0; thin < 3; ++thin) {
        Box3d box{{-1, -1, -1}, {1, 1, 1}};
        box.lo[thin] = 0;
        box.hi[thin] = 0.001;
        const Walls walls = walls_of({}, {box_collider(box.lo, box.hi)});
        std::size_t hits = 0;
        for (std::size_t i = 0; i < ways; ++i) {
            const float scale = std::pow(10.f, 3 * uniform(hash_counter(3, i, 9)) - 1.5f);
            const Vec3f from = random_point(1, i, {-2, -2, -2}, {2, 2, 2});
            const Vec3f aim = from + random_point(2, i, {-1, -1, -1}, {1, 1, 1}) * scale;
            if (!walls.is_free(from, contact_gap)) continue;
            Vec3f to = aim;
            const WallHit hit = walls.trace(from, to);
            ASSERT_FALSE(crosses(box, from, to)) << "way " << i;
            ASSERT_TRUE(walls.is_free(to, contact_gap - rounding)) << "way " << i;
            ASSERT_EQ(hit.hit, to != aim);
            // A way that misses the box with its gap is left alone.
            const Vec3d gap{2 * contact_gap, 2 * contact_gap, 2 * contact_gap};
            ASSERT_TRUE(to == aim || crosses({box.lo - gap, box.hi + gap}, from, aim)) << "way " << i;
            hits += hit.hit;
        }
        EXPECT_GT(hits, ways / 40);
    }
}

TEST(WallsTest, a_particle_resting_on_a_box_stays_on_its_side_for_ever) {
    const Walls walls = walls_of({}, {box_collider({-5, -0.01, -5}, {5, 0, 5})});
    Vec3f x{0, 0.3f, 0};
    for (int step = 0; step < 200; ++step) {
        Vec3f to = x + Vec3f{0.01f, step % 10 == 0 ? -100.f : -0.001f, 0};
        walls.trace(x, to);
        x = to;
        ASSERT_GE(x.y, contact_gap - rounding);
    }
    EXPECT_NEAR(x.x, 2, 200 * rounding);
}

TEST(WallsTest, ways_slide_along_the_face_they_meet) {
    const Walls walls = walls_of({}, {box_collider({0, 0, 0}, {1, 1, 1}, 0.3, 0.4)});
    Vec3f to{0.7f, 0.2f, 0.6f};
    const WallHit hit = walls.trace({0.5f, 1.5f, 0.5f}, to);
    ASSERT_TRUE(hit.hit);
    EXPECT_EQ(hit.normal, (Vec3f{0, 1, 0}));
    EXPECT_FLOAT_EQ(hit.surface.friction, 0.3f);
    EXPECT_FLOAT_EQ(hit.surface.bounce, 0.4f);
    EXPECT_EQ(to, (Vec3f{0.7f, 1 + contact_gap, 0.6f}));
}

TEST(WallsTest, particles_that_start_inside_a_solid_leave_by_the_nearest_face) {
    const Walls walls = walls_of({}, {box_collider({0, 0, 0}, {4, 2, 4})});
    Vec3f to{2, 1.8f, 2};
    EXPECT_EQ(walls.trace({2, 1.7f, 2}, to).normal, (Vec3f{0, 1, 0}));
    EXPECT_TRUE(walls.is_free(to, contact_gap - rounding));
}

TEST(WallsTest, particles_within_the_gap_may_leave_the_wall) {
    const Walls walls = walls_of({}, {box_collider({0, 0, 0}, {1, 1, 1})});
    Vec3f to{0.5f, 3, 0.5f};
    EXPECT_FALSE(walls.trace({0.5f, 1 + contact_gap / 2, 0.5f}, to).hit);
    EXPECT_EQ(to, (Vec3f{0.5f, 3, 0.5f}));
}

TEST(WallsTest, two_boxes_in_a_corner_let_nothing_in) {
    const Box3d floor{{-4, -0.1, -4}, {4, 0, 4}}, wall{{0, -0.1, -4}, {0.1, 4, 4}};
    for (bool floor_first : {true, false}) {
        const auto a = box_collider(floor.lo, floor.hi), b = box_collider(wall.lo, wall.hi);
        const Walls walls = floor_first ? walls_of({}, {a, b}) : walls_of({}, {b, a});
        for (std::size_t i = 0; i < 5000; ++i) {
            const Vec3f from = random_point(4, i, {-2, 0.02f, -2}, {-0.02f, 2, 2});
            Vec3f to = from + random_point(5, i, {-2, -3, -1}, {4, 2, 1});
            walls.trace(from, to);
            ASSERT_FALSE(crosses(floor, from, to) || crosses(wall, from, to)) << "way " << i;
            ASSERT_TRUE(walls.is_free(to, contact_gap - rounding)) << "way " << i;
        }
    }
}

TEST(WallsTest, the_domain_keeps_particles_inside_and_reports_the_wall) {
    const Walls walls = walls_of(domain_of({0, 0, 0}, {2, 3, 4}), {});
    for (std::size_t i = 0; i < 2000; ++i) {
        const Vec3f from = random_point(6, i, {0.1f, 0.1f, 0.1f}, {1.9f, 2.9f, 3.9f});
        const Vec3f aim = from + random_point(7, i, {-30, -30, -30}, {30, 30, 30});
        Vec3f to = aim;
        const WallHit hit = walls.trace(from, to);
        ASSERT_TRUE(walls.is_free(to, contact_gap - rounding));
        ASSERT_EQ(hit.hit, to != aim);
        ASSERT_TRUE(!hit.hit || dot(hit.normal, aim - to) < 0);
    }
}

TEST(WallsTest, open_sides_let_particles_through) {
    const Walls walls = walls_of(domain_of({0, 0, 0}, {1, 1, 1}, {Side::top, Side::left}), {});
    const Vec3f middle{0.5f, 0.5f, 0.5f};
    for (Vec3f exit : {Vec3f{0.5f, 1000, 0.5f}, Vec3f{-1000, 0.5f, 0.5f}}) {
        Vec3f to = exit;
        EXPECT_FALSE(walls.trace(middle, to).hit);
        EXPECT_EQ(to, exit);
    }
    for (Vec3f blocked : {Vec3f{0.5f, -9, 0.5f}, Vec3f{9, 0.5f, 0.5f}, Vec3f{0.5f, 0.5f, -9}, Vec3f{0.5f, 0.5f, 9}}) {
        Vec3f to = blocked;
        EXPECT_TRUE(walls.trace(middle, to).hit);
        EXPECT_NE(to, blocked);
    }
}

TEST(WallsTest, walls_are_scaled_to_support_radii_from_the_origin) {
    const DomainParams domain = domain_of({100, 0, 0}, {102, 1, 1});
    const std::vector<ColliderParams> colliders{plane_collider({100, 0.5, 0}, {0, 3, 0})};
    const Walls walls = make_walls(domain, colliders, {100, 0, 0}, 0.1);
    ASSERT_EQ(walls.boxes.size(), 1u);
    EXPECT_FLOAT_EQ(walls.boxes[0].lo[0], 0);
    EXPECT_FLOAT_EQ(walls.boxes[0].hi[0], 20);
    EXPECT_FLOAT_EQ(walls.planes[0].offset, 5);
    EXPECT_FLOAT_EQ(walls.planes[0].normal[1], 1);
    EXPECT_TRUE(make_walls({}, {}, {}, 0.1).empty());
}

TEST(WallsTest, a_plane_stops_particles_on_its_free_side) {
    const Walls walls = walls_of({}, {plane_collider({0, 0, 0}, {1, 1, 0})});
    const Vec3f n = normalize(Vec3f{1, 1, 0});
    Vec3f to{-3, -1, 2};
    const WallHit hit = walls.trace({1, 1, 0}, to);
    EXPECT_TRUE(hit.hit);
    EXPECT_LT(length(hit.normal - n), rounding);
    EXPECT_NEAR(dot(to, n), contact_gap, rounding);
    EXPECT_FLOAT_EQ(to.z, 2);
    Vec3f free{1, -0.5f, 0};
    EXPECT_FALSE(walls.trace({1, 1, 0}, free).hit);
}

/// What falls beside an obstacle and reaches the floor under it must not come up inside.
TEST(WallsTest, obstacles_standing_on_the_floor_let_nothing_in) {
    const Box3d box{{4, 0, 4}, {6, 2, 6}};
    const Walls walls = walls_of(domain_of({0, 0, 0}, {10, 10, 10}), {box_collider(box.lo, box.hi)});
    for (std::size_t i = 0; i < 20000; ++i) {
        const Vec3f from = random_point(15, i, {3, 0.02f, 3}, {7, 3, 7});
        if (!walls.is_free(from, contact_gap)) continue;
        Vec3f to = from + random_point(16, i, {-1, -3, -1}, {1, 1, 1});
        walls.trace(from, to);
        ASSERT_FALSE(crosses(box, from, to)) << "way " << i;
        ASSERT_TRUE(walls.is_free(to, contact_gap - rounding)) << "way " << i;
    }
}

TEST(WallsTest, a_way_said_to_be_clear_is_not_changed) {
    const Walls walls = walls_of(domain_of({-8, -8, -8}, {8, 8, 8}, {Side::top}),
                                 {box_collider({-1, -1, -1}, {1, 0, 2}), plane_collider({0, -6, 0}, {0.3, 1, 0.2})});
    std::size_t clear = 0;
    for (std::size_t i = 0; i < 10000; ++i) {
        const Vec3f from = random_point(17, i, {-9, -9, -9}, {9, 9, 9});
        const Vec3f aim = from + random_point(18, i, {-3, -3, -3}, {3, 3, 3});
        if (!walls.is_clear(from, aim)) continue;
        ++clear;
        Vec3f to = aim;
        ASSERT_FALSE(walls.trace(from, to).hit);
        ASSERT_EQ(to, aim);
    }
    EXPECT_GT(clear, 2000u);
}

TEST(WallsTest, particles_between_a_slope_and_the_walls_end_free_of_both) {
    const Walls walls = walls_of(domain_of({0, 0, 0}, {10, 10, 10}), {plane_collider({5, 0, 5}, {1, 1, 0})});
    for (std::size_t i = 0; i < 2000; ++i) {
        const Vec3f from = random_point(8, i, {6, 3, 1}, {9, 9, 9});
        Vec3f to = from + random_point(9, i, {-12, -12, -2}, {2, 2, 2});
        walls.trace(from, to);
        ASSERT_TRUE(walls.is_free(to, contact_gap - 10 * rounding)) << to.x << " " << to.y << " " << to.z;
    }
}

TEST(WallsTest, near_misses_no_point_within_reach) {
    const Walls walls = walls_of(domain_of({-8, -8, -8}, {8, 8, 8}, {Side::top}),
                                 {box_collider({-1, -1, -1}, {1, 0, 2}), plane_collider({0, -6, 0}, {0.3, 1, 0.2})});
    constexpr float reach = 1.25f;
    std::size_t far_boxes = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
        const Vec3f lo = random_point(10, i, {-9, -9, -9}, {9, 9, 9});
        const Vec3f hi = lo + random_point(11, i, {0, 0, 0}, {2, 2, 2});
        if (walls.near(lo, hi, reach)) continue;
        ++far_boxes;
        for (std::size_t s = 0; s < 50; ++s)
            ASSERT_TRUE(walls.is_free(random_point(i, s, lo, hi), reach - rounding));
    }
    EXPECT_GT(far_boxes, 400u) << "near() must not cry wolf everywhere";
    EXPECT_FALSE(walls_of({}, {}).near({-1, -1, -1}, {1, 1, 1}, 100));
}

TEST(WallsTest, free_points_keep_the_gap_from_every_wall) {
    const Walls walls = walls_of(domain_of({0, 0, 0}, {10, 10, 10}), {box_collider({4, 0, 4}, {6, 2, 6})});
    EXPECT_TRUE(walls.is_free({2, 2, 2}, 1));
    EXPECT_FALSE(walls.is_free({0.5f, 5, 5}, 1));
    EXPECT_FALSE(walls.is_free({5, 2.9f, 5}, 1));
    EXPECT_FALSE(walls.is_free({5, 1, 5}, 0));
    EXPECT_FALSE(walls.is_free({5, -1, 5}, 0));
    // Around an edge the distance is round: 0.8 in x and y are 1.13 away.
    EXPECT_TRUE(walls.is_free({6.8f, 2.8f, 5}, 1.1f));
    EXPECT_FALSE(walls.is_free({6.8f, 2.8f, 5}, 1.2f));
}

TEST(WallsTest, contact_is_the_nearest_wall_with_friction) {
    DomainParams domain = domain_of({0, 0, 0}, {10, 10, 10});
    domain.friction = 0.5;
    const Walls walls =
        walls_of(domain, {box_collider({4, 0, 4}, {6, 2, 6}, 0.25), plane_collider({0, 9, 0}, {0, -1, 0})});
    const WallHit on_box = walls.contact({5, 2.1f, 5}, 0.5f);
    EXPECT_EQ(on_box.normal, (Vec3f{0, 1, 0}));
    EXPECT_FLOAT_EQ(on_box.surface.friction, 0.25f);
    const WallHit at_wall = walls.contact({9.9f, 5, 5}, 0.5f);
    EXPECT_EQ(at_wall.normal, (Vec3f{-1, 0, 0}));
    EXPECT_FLOAT_EQ(at_wall.surface.friction, 0.5f);
    EXPECT_FALSE(walls.contact({5, 8.9f, 5}, 0.5f).hit) << "a wall without friction";
    EXPECT_FALSE(walls.contact({2, 5, 2}, 0.5f).hit);
    // Between the floor, 0.3 away, and the box, 0.2 away.
    EXPECT_FLOAT_EQ(walls.contact({3.8f, 0.3f, 5}, 0.5f).surface.friction, 0.25f);
}

TEST(RespondTest, a_wall_gives_back_its_bounce_and_nothing_when_left) {
    const Vec3f n{0, 1, 0};
    for (float bounce : {0.f, 0.5f, 1.f}) {
        EXPECT_EQ(respond({3, -2, 1}, {true, n, {0, bounce}}), (Vec3f{3, 2 * bounce, 1}));
        EXPECT_EQ(respond({3, 2, 1}, {true, n, {1, bounce}}), (Vec3f{3, 2, 1}));
    }
    EXPECT_EQ(respond({3, -2, 1}, WallHit{}), (Vec3f{3, -2, 1}));
}

TEST(RespondTest, friction_takes_at_most_its_share_of_the_push_and_never_turns_a_velocity_round) {
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const Vec3f n = normalize(random_point(12, i, {-1, -1, -1}, {1, 1, 1}));
        const Vec3f v = random_point(13, i, {-5, -5, -5}, {5, 5, 5});
        const float friction = uniform(hash_counter(14, i, 0)), bounce = uniform(hash_counter(14, i, 1));
        const Vec3f after = respond(v, {true, n, {friction, bounce}});
        ASSERT_LE(length(after), length(v) + rounding) << "energy from nothing";
        const float push = std::max(0.f, -dot(v, n));
        const Vec3f slip = v - n * dot(v, n), slip_after = after - n * dot(after, n);
        ASSERT_NEAR(length(slip_after), std::max(0.f, length(slip) - friction * push), rounding);
        ASSERT_GE(dot(slip, slip_after), -rounding);
        ASSERT_GE(dot(after, n), -rounding);
    }
}

TEST(RespondTest, full_friction_stops_a_steep_impact) {
    EXPECT_EQ(respond({1, -2, 0}, {true, {0, 1, 0}, 1, 0}), (Vec3f{}));
    EXPECT_EQ(apply_friction({0, 3, 0}, {0, 1, 0}, 1, 5), (Vec3f{0, 3, 0}));
    EXPECT_EQ(apply_friction({2, 3, 0}, {0, 1, 0}, 0.5f, 0), (Vec3f{2, 3, 0}));
}

}  // namespace
}  // namespace spindrift::collision
