// Liquids of different spacing: what they fill, how they fall, and what they pass on to each other.

#include <cmath>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr double g = 9.81;

/// A length that is 6 coarse and 13 fine spacings: one coarse particle has the volume of 10.2 fine ones, and boxes of
/// whole units have no holes.
constexpr double unit = 0.12, coarse = unit / 6, fine = unit / 13;

std::string named(const std::string& name, double density, double spacing, const std::string& fill) {
    return fmt::format("[[liquid]]\nname = \"{}\"\ndensity = {}\nspacing = {}\nfill = {{ {} }}\n", name, density,
                       spacing, fill);
}

std::string box(Vec3d lo, Vec3d hi) {
    return "box = " + box_text(lo, hi);
}

/// Share of each slab of one coarse spacing along an axis that liquid fills; a particle is a cube of its spacing.
std::vector<double> filled_slabs(const sim::Simulation& simulation, int axis, int slabs, double area) {
    std::vector<double> filled(static_cast<std::size_t>(slabs));
    for (const Parcel& p : parcels(simulation)) {
        const double lo = p.x[axis] - p.spacing / 2, hi = lo + p.spacing;
        for (std::size_t s = 0; s < filled.size(); ++s) {
            const double from = static_cast<double>(s) * coarse;
            const double overlap = std::min(hi, from + coarse) - std::max(lo, from);
            if (overlap > 0) filled[s] += p.volume * overlap / p.spacing / (area * coarse);
        }
    }
    return filled;
}

struct Profile {
    double least, most;  ///< filled share of a slab
    double kinetic;      ///< relative to m g H
};

/// Two cubes at rest, a lighter one upon the other or an equal one beside it, after half a second; the profile of the
/// eight slabs about the middle.
Profile interface_profile(bool layered, double first_spacing, double second_spacing) {
    const double side = 2 * unit;
    const Vec3d along = layered ? Vec3d{0, side, 0} : Vec3d{side, 0, 0}, cube{side, side, side};
    auto simulation =
        start(fmt::format("[domain]\nbox = {}\n{}{}", box_text({}, cube + along + Vec3d{0, 2 * coarse, 0}),
                          named("first", 1000, first_spacing, box({}, cube)),
                          named("second", layered ? 900 : 1000, second_spacing, box(along, cube + along))));
    run_for(simulation, 0.5);
    const std::vector<double> filled = filled_slabs(simulation, layered ? 1 : 0, 24, side * side);
    const auto [least, most] = std::minmax_element(filled.begin() + 8, filled.begin() + 16);
    const io::FrameStatistics s = simulation.statistics();
    const Profile profile{
        .least = *least, .most = *most, .kinetic = s.kinetic_energy / (s.volume * 1000 * g * (along.y + side))};
    fmt::print("{} {:.4f} {:.4f}: {:.3f} error {:.5f} kinetic {:.1e}\n", layered ? "layered" : "side by side",
               first_spacing, second_spacing, fmt::join(filled.begin() + 8, filled.begin() + 16, " "),
               s.mean_density_error, profile.kinetic);
    return profile;
}

TEST(Resolutions, liquid_fills_the_space_where_spacings_meet) {
    for (const bool layered : {true, false}) {
        for (const bool fine_first : {true, false}) {
            const Profile p = interface_profile(layered, fine_first ? fine : coarse, fine_first ? coarse : fine);
            EXPECT_GT(p.least, 0.9);
            EXPECT_LT(p.most, 1.1);
            // After half a second; it goes on falling.
            EXPECT_LT(p.kinetic, 5e-5);
        }
    }
}

struct Calm {
    double error;          ///< mean, of density
    double kinetic;        ///< relative to m g H
    double fastest, fall;  ///< fastest particle of all times, and what falls from the top to the bottom (m/s)
};

/// Layers at rest in a tank so many coarse spacings wide and high, one of them with 64 times the particle volume of the
/// other.
Calm rest_at_one_to_64(int size, bool fine_below) {
    const double d = 0.005, side = size * 4 * d;
    auto simulation =
        start(fmt::format("[domain]\nbox = {}\n{}{}", box_text({}, {side, 1.5 * side, side}),
                          named("lower", 1000, fine_below ? d : 4 * d, box({}, {side, side / 2, side})),
                          named("upper", 900, fine_below ? 4 * d : d, box({0, side / 2, 0}, {side, side, side}))));
    Calm calm{.error = 0, .kinetic = 0, .fastest = 0, .fall = std::sqrt(2 * g * side)};
    run_for(simulation, 0.5, [&](double) {
        for (const Float4& v : simulation.particles().velocity())
            calm.fastest = std::max(calm.fastest, static_cast<double>(length(v.xyz())));
    });
    const io::FrameStatistics s = simulation.statistics();
    calm.error = s.mean_density_error;
    calm.kinetic = s.kinetic_energy / (s.volume * 1000 * g * side);
    fmt::print("size {} {} below: error {:.5f} max {:.3f} kinetic {:.1e} fastest {:.3f} of {:.3f}\n", size,
               fine_below ? "fine" : "coarse", calm.error, s.max_density_error, calm.kinetic, calm.fastest, calm.fall);
    return calm;
}

TEST(Resolutions, one_to_64_is_stable) {
    for (const int size : {8, 6}) {
        for (const bool fine_below : {true, false}) {
            const Calm calm = rest_at_one_to_64(size, fine_below);
            // One per cent is the aim. It is not met where walls and interface fall between the nodes of the coarse
            // projection, four coarse spacings apart, as in a tank of six: three per cent, and more unrest.
            const bool aligned = size == 8;
            EXPECT_LT(calm.error, aligned ? 0.01 : 0.05);
            EXPECT_LT(calm.kinetic, aligned ? 1e-3 : 3e-3);
            // Particles in the way of the other liquid are pushed aside at first, hardly faster than a fall makes them.
            EXPECT_LT(calm.fastest, aligned ? calm.fall : 2 * calm.fall);
        }
    }
}

/// Fronts of a column of two liquids side by side that collapses, at three times, in widths of the column: the place
/// that 99.5 % of the volume is behind.
std::vector<double> fronts(double ratio, double second_spacing) {
    auto simulation =
        start(fmt::format("[domain]\nbox = {}\n{}{}", box_text({}, {9 * unit, 3 * unit, unit}),
                          named("left", 1000, coarse, box({}, {unit, 2 * unit, unit})),
                          named("right", 1000 * ratio, second_spacing, box({unit, 0, 0}, {2 * unit, 2 * unit, unit}))));
    std::vector<double> result;
    for (int n = 0; n < 3; ++n) {
        run_for(simulation, n == 0 ? 0.1 : 0.15);
        std::vector<std::pair<double, double>> x;
        double total = 0, sum = 0;
        for (const Parcel& p : parcels(simulation)) {
            x.push_back({p.x.x, p.volume});
            total += p.volume;
        }
        std::sort(x.begin(), x.end());
        std::size_t i = 0;
        while (sum < 0.995 * total)
            sum += x[i++].second;
        result.push_back(x[i - 1].first / (2 * unit));
    }
    return result;
}

TEST(Resolutions, dam_of_two_liquids_runs_alike_with_equal_and_unequal_spacings) {
    for (const double ratio : {1.0, 0.2, 3.0}) {
        const std::vector<double> equal = fronts(ratio, coarse), unequal = fronts(ratio, fine);
        for (std::size_t n = 0; n < equal.size(); ++n) {
            fmt::print("ratio {} front {:.3f} with equal spacings, {:.3f} with unequal: {:+.3f}\n", ratio, equal[n],
                       unequal[n], unequal[n] / equal[n] - 1);
            // A few per cent are the aim: 3 % hold for the first two times, 6 % for the thin sheet of the third.
            EXPECT_NEAR(unequal[n], equal[n], (n < 2 ? 0.05 : 0.08) * equal[n]);
        }
    }
}

/// Two balls of unlike density and spacing meet in empty space; the change of momentum relative to the sum of the
/// particles' momenta by size.
double momentum_change(double second_spacing, const std::string& solver, const std::string& more = "") {
    auto simulation = start(fmt::format(R"(
        gravity = [0, 0, 0]
        solver = {{ {} }}
        [[liquid]]
        name = "light"
        density = 500
        spacing = 0.01
        {}
        fill = {{ sphere = {{ center = [0, 0, 0], radius = 0.08 }}, velocity = [1, 0, 0] }}
        [[liquid]]
        name = "heavy"
        density = 2000
        spacing = {}
        {}
        fill = {{ sphere = {{ center = [0.17, 0.03, 0.02], radius = 0.08 }}, velocity = [-1, 0.25, 0] }})",
                                        solver, more, second_spacing, more));
    const Vec3d before = simulation.statistics().momentum;
    run_for(simulation, 0.15);
    double sizes = 0;
    for (const Parcel& p : parcels(simulation))
        sizes += p.mass * length(p.v);
    const double change = length(simulation.statistics().momentum - before) / sizes;
    fmt::print("spacings 0.01 and {} {} {}: momentum change {:.2e}\n", second_spacing, solver, more, change);
    return change;
}

TEST(Resolutions, pairs_keep_momentum_to_rounding_across_liquids_and_spacings) {
    // Float velocities round at 1e-7 of the speeds a step, and there are some dozens.
    for (const double spacing : {0.01, 0.012, 0.02})
        EXPECT_LT(momentum_change(spacing, "iterations = 1, coarse = false"), 2e-6);
}

TEST(Resolutions, pairs_that_meet_during_four_iterations_hardly_touch_momentum) {
    for (const double spacing : {0.01, 0.012, 0.02})
        EXPECT_LT(momentum_change(spacing, "iterations = 4, coarse = false"), 5e-5);
    EXPECT_LT(momentum_change(0.012, "iterations = 4, coarse = false", "viscosity = 0.01"), 5e-5);
    EXPECT_LT(momentum_change(0.012, "iterations = 4, coarse = false", "tension = 0.5"), 5e-5);
}

TEST(Resolutions, coarse_projection_keeps_momentum_across_liquids) {
    // Its own change has no momentum up to rounding; what is left with four iterations is that of their lists.
    for (const double spacing : {0.01, 0.012, 0.02}) {
        EXPECT_LT(momentum_change(spacing, "iterations = 1"), 5e-6);
        EXPECT_LT(momentum_change(spacing, "iterations = 4"), 1e-4);
    }
}

}  // namespace
}  // namespace spindrift
