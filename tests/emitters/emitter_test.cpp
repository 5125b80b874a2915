#include "spindrift/emitters/emitter.h"

#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

namespace spindrift::emitters {
namespace {

constexpr double fps = 24, spacing = 0.01;

EmitterParams disc(double radius, double speed) {
    EmitterParams emitter;
    emitter.disc = DiscShape{radius};
    emitter.direction = Vec3d{0, 1, 0};
    emitter.speed = speed;
    return emitter;
}

EmitterParams rectangle(double width, double height, double speed) {
    EmitterParams emitter = disc(0, speed);
    emitter.disc.reset();
    emitter.rectangle = RectangleShape{{width, height}};
    return emitter;
}

/// Substeps of given lengths, over and over.
struct Rhythm {
    std::vector<double> dt;
};
const Rhythm frames{{1 / fps}}, thousandths{{1e-3}}, uneven{{0.004, 0.0007, 0.011, 0.0021, 1e-5, 0.03}};

/// A jet that flies with nothing to stop it: all particles where they are at the end.
struct Jet {
    std::vector<Vec3d> position, velocity;
    std::vector<Birth> births;

    Jet(Emitter& emitter, const Rhythm& rhythm, double seconds, double first_frame = 1) {
        double time = 0;
        for (std::size_t k = 0; time < seconds - 1e-9; ++k) {
            const double dt = std::min(rhythm.dt[k % rhythm.dt.size()], seconds - time);
            time += dt;
            for (std::size_t i = 0; i < position.size(); ++i)
                position[i] += velocity[i] * dt;
            Emission step{.frame = first_frame + time * fps, .fps = fps, .dt = dt};
            for (const Birth& born : emitter.emit(step)) {
                position.push_back(born.position);
                velocity.push_back(born.velocity);
                births.push_back(born);
            }
        }
    }
    double volume() const { return static_cast<double>(position.size()) * spacing * spacing * spacing; }

    double smallest_distance() const {
        double least = 1e30;
        for (std::size_t i = 0; i < position.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                least = std::min(least, length(position[i] - position[j]));
        }
        return least;
    }
    /// Of the heights at which there are particles, from the nozzle at 0 on.
    double largest_gap() const {
        std::set<double> heights{0};
        for (const Vec3d p : position)
            heights.insert(p.y);
        double gap = 0, last = 0;
        for (const double y : heights) {
            gap = std::max(gap, y - last);
            last = y;
        }
        return gap;
    }
};

TEST(EmitterTest, a_nozzle_gives_area_times_speed_times_time_whatever_its_size_and_the_substeps) {
    const double seconds = 1, speed = 2;
    for (const Rhythm& rhythm : {frames, thousandths, uneven}) {
        for (const double radius : {0.002, 0.005, 0.0081, 0.013, 0.04}) {
            Emitter emitter(disc(radius, speed), 0, spacing, 1);
            const double expected = std::numbers::pi * radius * radius * speed * seconds;
            // Sheets are whole: half a sheet may be missing at the end.
            const double sheet = emitter.nozzle().area * emitter.nozzle().layer;
            EXPECT_NEAR(Jet(emitter, rhythm, seconds).volume(), expected, std::max(0.005 * expected, 0.5 * sheet))
                << radius;
        }
        Emitter emitter(rectangle(0.033, 0.0149, speed), 0, spacing, 1);
        const double expected = 0.033 * 0.0149 * speed * seconds;
        EXPECT_NEAR(Jet(emitter, rhythm, seconds).volume(), expected, 0.01 * expected);
    }
}

TEST(EmitterTest, the_flow_is_exact_while_the_speed_changes) {
    using Keys = std::vector<Animated<double>::Key>;
    for (const Interpolation between : {Interpolation::linear, Interpolation::smooth}) {
        for (const Rhythm& rhythm : {frames, thousandths, uneven}) {
            EmitterParams params = disc(0.02, 0);
            params.speed = Animated<double>(Keys{{1, 0.0}, {9.5, 4.0}, {25, 0.0}}, between);
            Emitter emitter(params, 0, spacing, 1);
            // A triangle over one second, or a curve of the same area: 2 m.
            const double expected = std::numbers::pi * 0.02 * 0.02 * 2;
            EXPECT_NEAR(Jet(emitter, rhythm, 1.1).volume(), expected, 0.01 * expected);
        }
    }
}

TEST(EmitterTest, a_rate_makes_the_speed_that_gives_it) {
    EmitterParams params = disc(0.02, 0);
    params.speed.reset();
    params.rate = 0.002;
    Emitter emitter(params, 0, spacing, 1);
    EXPECT_NEAR(emitter.speed(1, fps), 0.002 / (std::numbers::pi * 0.0004), 1e-12);
    EXPECT_NEAR(Jet(emitter, uneven, 1).volume(), 0.002, 0.01 * 0.002);
}

TEST(EmitterTest, a_free_jet_has_no_overlaps_and_no_gaps) {
    std::vector<EmitterParams> nozzles{rectangle(0.033, 0.0149, 1.5), rectangle(0.0149, 0.0149, 1.5),
                                       rectangle(0.011, 0.011, 1.5), rectangle(0.05, 0.004, 1.5)};
    for (double radius = 0.003; radius < 0.04; radius *= 1.07)
        nozzles.push_back(disc(radius, 1.5));
    for (const EmitterParams& params : nozzles) {
        for (const Rhythm& rhythm : {frames, thousandths, uneven}) {
            Emitter emitter(params, 0, spacing, 1);
            const Jet jet(emitter, rhythm, 0.15);
            EXPECT_GT(jet.smallest_distance(), 0.8 * spacing * (1 - 1e-9)) << (params.disc ? params.disc->radius : 0);
            EXPECT_LT(jet.largest_gap(), 1.3 * emitter.nozzle().layer);
        }
    }
}

TEST(EmitterTest, sheets_follow_at_about_one_spacing_unless_the_nozzle_is_smaller) {
    for (double radius = 0.01; radius < 0.1; radius *= 1.05) {
        const Nozzle nozzle = make_nozzle(disc(radius, 1), spacing);
        EXPECT_NEAR(nozzle.layer, spacing, 0.2 * spacing) << radius;
        for (const Vec3d p : nozzle.points)
            EXPECT_LE(length(p), radius * (1 + 1e-9));
    }
    EXPECT_EQ(make_nozzle(disc(0.001, 1), spacing).points.size(), 1u);
    EXPECT_EQ(make_nozzle(rectangle(0.2, 0.1, 1), spacing).points.size(), 200u);
}

TEST(EmitterTest, points_keep_half_a_spacing_from_the_edge_so_that_a_nozzle_fits_its_pipe) {
    for (double radius = 0.041; radius < 0.1; radius *= 1.07) {
        double farthest = 0;
        for (const Vec3d p : make_nozzle(disc(radius, 1), spacing).points)
            farthest = std::max(farthest, length(p));
        // Rings are 0.8 to 1.25 spacings apart.
        EXPECT_NEAR(radius - farthest, 0.5 * spacing, 0.13 * spacing) << radius;
    }
    double widest = 0;
    for (const Vec3d p : make_nozzle(rectangle(0.107, 0.042, 1), spacing).points)
        widest = std::max(widest, std::abs(p.x));
    EXPECT_NEAR(0.5 * 0.107 - widest, 0.5 * spacing, 0.13 * spacing);
}

TEST(EmitterTest, substeps_do_not_change_where_particles_are) {
    Emitter coarse(disc(0.02, 3), 0, spacing, 1), fine(disc(0.02, 3), 0, spacing, 1);
    const Jet a(coarse, frames, 0.5), b(fine, uneven, 0.5);
    ASSERT_EQ(a.position.size(), b.position.size());
    // Sums of some hundred steps.
    for (std::size_t i = 0; i < a.position.size(); ++i)
        EXPECT_LT(length(a.position[i] - b.position[i]), 1e-9);
}

TEST(EmitterTest, a_moving_nozzle_hands_its_velocity_on) {
    using Keys = std::vector<Animated<Vec3d>::Key>;
    EmitterParams params = disc(0.02, 2);
    params.position = Animated<Vec3d>(Keys{{1, {0, 0, 0}}, {25, {3, 0, 0}}});
    Emitter moving(params, 0, spacing, 1);
    const Jet jet(moving, uneven, 0.5);
    for (const Vec3d v : jet.velocity)
        EXPECT_LT(length(v - Vec3d{3, 2, 0}), 1e-6);
    // All particles move along with the nozzle, so they stand above it.
    for (const Vec3d p : jet.position)
        EXPECT_NEAR(p.x, 1.5, 0.021);
    params.inherit = 0;
    Emitter cold(params, 0, spacing, 1);
    for (const Vec3d v : Jet(cold, uneven, 0.5).velocity)
        EXPECT_LT(length(v - Vec3d{0, 2, 0}), 1e-9);
}

TEST(EmitterTest, a_turning_nozzle_throws_its_particles_sideways) {
    using Keys = std::vector<Animated<Vec3d>::Key>;
    EmitterParams params = disc(0.02, 2);
    params.rotation_deg = Animated<Vec3d>(Keys{{1, {0, 0, 0}}, {25, {0, 360, 0}}});
    Emitter emitter(params, 0, spacing, 1);
    const double omega = 2 * std::numbers::pi;
    for (const Birth& born : Jet(emitter, uneven, 0.5).births) {
        const Vec3d around = cross(Vec3d{0, omega, 0}, born.left);
        EXPECT_LT(length(born.velocity - around - Vec3d{0, 2, 0}), 1e-6);
    }
}

TEST(EmitterTest, rotation_turns_the_direction_about_x_then_y_then_z) {
    EmitterParams params = disc(0.02, 2);
    params.rotation_deg = Vec3d{90, 90, 0};
    // y to z, then z to x.
    EXPECT_LT(length(pose_at(params, 1).z - Vec3d{1, 0, 0}), 1e-12);
}

TEST(EmitterTest, windows_open_and_close_between_substeps) {
    EmitterParams params = disc(0.02, 2);
    params.active = {4.5, 11.25};
    Emitter emitter(params, 0, spacing, 1);
    const double expected = std::numbers::pi * 0.0004 * 2 * (11.25 - 4.5) / fps;
    const Jet jet(emitter, frames, 1);
    // Within one sheet.
    EXPECT_NEAR(jet.volume(), expected, emitter.nozzle().area * emitter.nozzle().layer);
    EXPECT_EQ(emitter.speed(4, fps), 0);
    EXPECT_EQ(emitter.speed(5, fps), 2);
}

TEST(EmitterTest, no_more_particles_than_the_limit) {
    EmitterParams params = disc(0.02, 2);
    params.limit = 777;
    Emitter emitter(params, 0, spacing, 1);
    EXPECT_EQ(Jet(emitter, uneven, 2).births.size(), 777u);
    EXPECT_EQ(emitter.speed(30, fps), 0);
}

TEST(EmitterTest, jitter_and_spread_stay_in_their_limits_and_follow_the_seed) {
    EmitterParams params = disc(0.02, 2);
    Emitter still(params, 0, spacing, 1);
    params.jitter = 0.3;
    Emitter shaken(params, 0, spacing, 1);
    const Jet a(still, uneven, 0.2), b(shaken, uneven, 0.2);
    ASSERT_EQ(a.position.size(), b.position.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        const Vec3d moved = b.position[i] - a.position[i];
        largest = std::max({largest, std::abs(moved.x), std::abs(moved.y), std::abs(moved.z)});
    }
    EXPECT_LE(largest, 0.3 * spacing * (1 + 1e-9));
    EXPECT_GT(largest, 0.29 * spacing);

    params.spread_deg = 10;
    Emitter wide(params, 0, spacing, 1), same(params, 0, spacing, 1), other(params, 0, spacing, 2);
    const Jet cone(wide, uneven, 0.2);
    double widest = 0;
    for (const Vec3d v : cone.velocity) {
        EXPECT_NEAR(length(v), 2, 1e-9);
        widest = std::max(widest, std::acos(std::min(1.0, v.y / 2)) * 180 / std::numbers::pi);
    }
    EXPECT_LE(widest, 10 + 1e-6);
    EXPECT_GT(widest, 9.5);
    EXPECT_EQ(Jet(same, uneven, 0.2).position, cone.position);
    EXPECT_NE(Jet(other, uneven, 0.2).position, cone.position);
}

TEST(EmitterTest, points_behind_walls_make_nothing) {
    Emitter emitter(disc(0.02, 2), 0, spacing, 1);
    Emission step{.frame = 2, .fps = fps, .dt = 1 / fps};
    step.is_free = [](Vec3d p, double) { return p.x >= 0; };
    const std::vector<Birth> births = emitter.emit(step);
    EXPECT_FALSE(births.empty());
    for (const Birth& born : births)
        EXPECT_GE(born.left.x, 0);
}

TEST(EmitterTest, uv_runs_across_the_nozzle_and_along_the_jet) {
    Emitter emitter(rectangle(0.2, 0.1, 2), 0, spacing, 1);
    const Jet jet(emitter, uneven, 0.2);
    for (const Birth& born : jet.births) {
        // Straight up the width lies along x.
        EXPECT_NEAR(born.uv.x, born.left.x / 0.2 + 0.5, 1e-6);
        EXPECT_GT(born.uv.y, 0);
        EXPECT_LT(born.uv.y, 1);
    }
    EXPECT_EQ(jet.births.front().uv.z, 0);
    EXPECT_EQ(static_cast<std::int64_t>(jet.births.back().uv.z) + 1, emitter.state.sheets);
}

}  // namespace
}  // namespace spindrift::emitters
