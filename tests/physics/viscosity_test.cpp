// Viscosity in real units: flow between plates, drops that turn, and a ball that sinks.

#include <cmath>
#include <numbers>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

/// A slug of liquid between two plates that it sticks to, driven along them by gravity. Its ends are free, so nothing
/// but the plates holds it back; its middle is as in an endless channel while it moves by less than half its length.
struct PlateFlow {
    static constexpr double d = 0.01, height = 12 * d, along = 48 * d, depth = 6 * d;
    double nu, force, steady;  ///< m2/s, m/s2, and the speed in the middle that theory expects in the end
    Started simulation;

    PlateFlow(double viscosity, double reynolds, int least_substeps)
        : nu(viscosity),
          force(8 * reynolds * nu * nu / std::pow(height, 3)),
          steady(reynolds * nu / height),
          simulation(scene(least_substeps)) {}

    /// Smoothing is a viscosity too, the greater the shorter the step, so it is off.
    std::string scene(int least_substeps) const {
        return fmt::format(R"(
            gravity = [{}, 0, 0]
            [domain]
            box = {}
            open = ["top", "bottom", "left", "right"]
            [solver]
            substeps = [{}, 400]
            smoothing = 0
            [[collider]]
            plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }}
            friction = 1
            [[collider]]
            plane = {{ point = [0, {}, 0], normal = [0, -1, 0] }}
            friction = 1
            [[liquid]]
            density = 1000
            viscosity = {}
            spacing = {}
            fill = {{ box = {}, sampling = "jittered", jitter = 0.1 }})",
                           force, box_text({}, {along, height, depth}), least_substeps, height, nu, d,
                           box_text({}, {along, height, depth}));
    }

    static double parabola(const Parcel& p) { return 4 * p.x.y / height * (1 - p.x.y / height); }

    /// Particles in the middle third of the slug.
    std::vector<Parcel> middle() const {
        const double center = mean_of(positions(simulation), 0);
        std::vector<Parcel> all = parcels(simulation);
        std::erase_if(all, [&](const Parcel& p) { return std::abs(p.x.x - center) > along / 6; });
        return all;
    }

    /// Speed in the middle between the plates, relative to the steady one.
    double core_speed() const {
        double sum = 0, count = 0;
        for (const Parcel& p : middle()) {
            if (std::abs(p.x.y / height - 0.5) > 0.1) continue;
            sum += p.v.x;
            count += 1;
        }
        return sum / count / steady;
    }
};

struct PlateResult {
    double nu;        ///< that explains the flow, relative to the one asked for
    double profile;   ///< root mean square distance from the parabola that fits best, relative to its middle
    double start_up;  ///< speed in the middle at a diffusion time of 0.1, relative to the steady one
};

PlateResult flow_between_plates(double nu, double reynolds, int least_substeps) {
    PlateFlow flow(nu, reynolds, least_substeps);
    PlateResult result{};
    const double diffusion = flow.height * flow.height / nu;
    run_for(flow.simulation, 0.1 * diffusion);
    result.start_up = flow.core_speed();
    run_for(flow.simulation, 0.5 * diffusion);
    const std::vector<Parcel> all = flow.middle();
    double product = 0, norm = 0, distance = 0;
    for (const Parcel& p : all) {
        product += p.v.x * flow.parabola(p);
        norm += flow.parabola(p) * flow.parabola(p);
    }
    const double fitted = product / norm;
    for (const Parcel& p : all)
        distance += std::pow(p.v.x / fitted - flow.parabola(p), 2) / static_cast<double>(all.size());
    // At a diffusion time of 0.6 the exact flow has 0.9972 of its steady speed.
    result.nu = 0.9972 * flow.steady / fitted;
    result.profile = std::sqrt(distance);
    fmt::print("nu {} from {} substeps: fitted nu {:.3f} profile {:.4f} start-up {:.3f} (0.615)\n", nu, least_substeps,
               result.nu, result.profile, result.start_up);
    return result;
}

TEST(Viscosity, makes_the_parabola_between_plates) {
    struct Case {
        double nu, reynolds;
        int substeps;  ///< per frame, about as many as gravity needs
    };
    // In a step momentum diffuses over about half a spacing, one, and one and a half.
    for (const Case c : {Case{3e-3, 4, 6}, Case{3e-2, 2, 12}, Case{3e-1, 0.5, 48}}) {
        const PlateResult flow = flow_between_plates(c.nu, c.reynolds, c.substeps);
        const PlateResult shorter = flow_between_plates(c.nu, c.reynolds, 2 * c.substeps);
        // What a good solver meets; the best have 5 %, 2 % and 2 %, which only the step keeps here. The liquid slips as
        // if each plate stood half a spacing farther off, which is 18 % of nu at twelve spacings. At this spacing and
        // below 1e-3 m2/s the disorder that shear makes is a viscosity of its own.
        EXPECT_NEAR(flow.nu, 1, 0.25);
        EXPECT_NEAR(flow.start_up, 0.615, 0.1 * 0.615);
        EXPECT_LT(flow.profile, 0.08);
        EXPECT_NEAR(shorter.nu, flow.nu, 0.1 * flow.nu);
    }
}

/// Share of the angular momentum that a turning drop has left after half a second.
double spin_left(const std::string& kind) {
    auto simulation = start(fmt::format(R"(
        gravity = [0, 0, 0]
        [solver]
        viscosity = "{}"
        substeps = [8, 64]
        [[liquid]]
        density = 1000
        viscosity = 0.01
        spacing = 0.01
        fill = {{ sphere = {{ center = [0, 0, 0], radius = 0.1 }} }})",
                                        kind));
    const auto spin = [&] {
        double sum = 0;
        for (const Parcel& p : parcels(simulation))
            sum += p.x.z * p.v.x - p.x.x * p.v.z;
        return sum;
    };
    edit(simulation, [](Parcel& p) { p.v = Vec3d{p.x.z, 0, -p.x.x} * 0.5; });
    const double before = spin();
    run_for(simulation, 0.5);
    fmt::print("{} keeps {:.4f} of the angular momentum\n", kind, spin() / before);
    return spin() / before;
}

TEST(Viscosity, central_form_keeps_a_drop_turning_and_xsph_does_not) {
    // Forces along the line between two particles have no moment; 1 % is left to the other parts of a step.
    EXPECT_NEAR(spin_left("central"), 1, 0.01);
    // Forces against every difference brake a ball that turns at a rate of 5 nu / R^2: exp(-2.5) = 0.08 is left.
    EXPECT_NEAR(spin_left("xsph"), 0.08, 0.08);
}

/// How much slower a ball sinks on the axis of a square duct with sticky walls than in endless liquid: Haberman and
/// Sayre 1958 for round tubes, with the ratio of radii scaled to the first-order factor of the square, 1.9033 (Happel
/// and Brenner 1965) against 2.1050.
double wall_factor(double radius_over_half_width) {
    const double l = radius_over_half_width * 1.9033 / 2.1050;
    return (1 - 0.75857 * std::pow(l, 5)) /
           (1 - 2.1050 * l + 2.0865 * std::pow(l, 3) - 1.7068 * std::pow(l, 5) + 0.72603 * std::pow(l, 6));
}

struct Ball {
    double height = 0, volume = 0;
};

Ball find_ball(const sim::Simulation& simulation) {
    Ball ball;
    for (const Parcel& p : parcels(simulation)) {
        if (p.liquid != 1) continue;
        ball.height += p.volume * p.x.y;
        ball.volume += p.volume;
    }
    ball.height /= ball.volume;
    return ball;
}

TEST(Viscosity, a_stiff_heavy_ball_sinks_as_stokes_says) {
    const double d = 0.01, half = 8 * d, depth = 24 * d, nu = 0.02, ratio = 6, g = 9.81;
    // Three hundred times the tank's viscosity makes a solid ball within 1 %. With 100 m2/s the viscous solve does not
    // get to its end in a step this long.
    auto simulation =
        start(fmt::format(R"(
        [domain]
        box = {}
        friction = 1
        [solver]
        substeps = [40, 400]
        [[liquid]]
        name = "tank"
        density = 1000
        viscosity = {}
        spacing = {}
        fill = {{ box = {} }}
        [[liquid]]
        name = "ball"
        density = {}
        viscosity = 1
        spacing = {}
        fill = {{ sphere = {{ center = [0, {}, 0], radius = {} }} }})",
                          box_text({-half, 0, -half}, {half, depth + 4 * d, half}), nu, d,
                          box_text({-half, 0, -half}, {half, depth, half}), 1000 * ratio, d, 0.65 * depth, 3.5 * d));
    run_for(simulation, 0.18);
    const Ball from = find_ball(simulation);
    run_for(simulation, 0.12);
    const double speed = (from.height - find_ball(simulation).height) / 0.12;
    const double radius = std::cbrt(from.volume * 3 / (4 * std::numbers::pi));
    const double expected = 2.0 / 9 * radius * radius * (ratio - 1) * g / nu / wall_factor(radius / half);
    fmt::print("speed {:.4f}, Stokes between walls {:.4f}; radius {:.2f} spacings\n", speed, expected, radius / d);
    // What a good solver meets; 13 % hold here, and less than 1 % with steps half as long. Pressure and viscosity act
    // one after the other: steps in which momentum diffuses farther than a spacing let the ball sink up to twice as
    // fast.
    EXPECT_NEAR(speed, expected, 0.25 * expected);
}

}  // namespace
}  // namespace spindrift
