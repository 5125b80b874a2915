// Liquids of different density: Rayleigh and Taylor's instability, layers that turn over and layers that rest.

#include <cmath>
#include <map>
#include <numbers>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr double g = 9.81;

/// The instability in a slab with frictionless walls: width H, height 4 H, heavy liquid (3:1) in the upper half. Both
/// have the viscosity of the table below.
struct RayleighTaylor {
    static constexpr double width = 0.25, nu = 0.00153;
    static constexpr double k = 2 * std::numbers::pi / width;
    double d, depth;
    Started simulation;

    explicit RayleighTaylor(int resolution) : d(width / resolution), depth(6 * d), simulation(scene(d)) {}

    static std::string scene(double d) {
        const double top = 4 * width, middle = 2 * width, deep = 6 * d;
        return fmt::format(R"(
            [domain]
            box = {}
            [solver]
            smoothing = 0
            [[liquid]]
            name = "light"
            density = 1000
            viscosity = {}
            spacing = {}
            fill = {{ box = {} }}
            [[liquid]]
            name = "heavy"
            density = 3000
            viscosity = {}
            spacing = {}
            fill = {{ box = {} }})",
                           box_text({}, {width, top, deep}), nu, d, box_text({}, {width, middle, deep}), nu, d,
                           box_text({0, middle, 0}, {width, top, deep}));
    }

    /// Of the mode cos(k x) of the interface: liquid below a wave holds more where the wave is high.
    double amplitude() const {
        double sum = 0;
        for (const Parcel& p : parcels(simulation))
            sum += (p.liquid == 0 ? 1 : -1) * std::cos(k * p.x.x) * p.volume;
        return sum / (width * depth);
    }
};

TEST(RayleighTaylor, a_small_wave_grows_at_the_linear_rate) {
    constexpr double H = RayleighTaylor::width, k = RayleighTaylor::k, nu = RayleighTaylor::nu;
    const double rate = std::sqrt(0.5 * g * k + nu * nu * k * k * k * k) - nu * k * k;
    EXPECT_NEAR(rate, 10.18, 0.01);
    RayleighTaylor tank(32);
    // The growing mode itself: a displacement of a spacing, and the velocity that goes with it. Waves lower than that
    // start more slowly, since particles of the two liquids have to pass each other first: 6.6 1/s from H / 100.
    edit(tank.simulation, [&](Parcel& p) {
        const double y = p.x.y - 2 * H, decay = 0.03 * H * std::exp(-k * std::abs(y));
        const Vec3d mode{std::copysign(decay, y) * std::sin(k * p.x.x), decay * std::cos(k * p.x.x), 0};
        p.x += mode;
        p.v = mode * rate;
    });
    struct Sample {
        double t, log;
    };
    std::vector<Sample> samples;
    run_for(tank.simulation, 0.12, [&](double t) {
        const double a = tank.amplitude() / H;
        if (a < 0.08) samples.push_back({t, std::log(a)});
    });
    ASSERT_GT(samples.size(), 10u);
    double t_mean = 0, log_mean = 0, covariance = 0, variance = 0;
    for (const Sample& s : samples) {
        t_mean += s.t / static_cast<double>(samples.size());
        log_mean += s.log / static_cast<double>(samples.size());
    }
    for (const Sample& s : samples) {
        covariance += (s.t - t_mean) * (s.log - log_mean);
        variance += (s.t - t_mean) * (s.t - t_mean);
    }
    const double measured = covariance / variance;
    fmt::print("growth rate {:.3f} 1/s, theory {:.3f}, {} samples\n", measured, rate, samples.size());
    // What a good solver meets; the best have 10 %, which 64 spacings in the width just make.
    EXPECT_NEAR(measured, rate, 0.25 * rate);
}

struct Tips {
    double time, bubble, spike;
};

/// He et al. 1999: tips of bubble and spike from the middle in units of H, at t sqrt(g / H).
const std::vector<Tips> he_1999 = {{0.494, 0.129, -0.144}, {0.934, 0.196, -0.220}, {1.394, 0.270, -0.341},
                                   {1.974, 0.392, -0.545}, {2.659, 0.515, -0.815}, {3.021, 0.580, -0.939},
                                   {3.488, 0.666, -1.106}, {3.894, 0.740, -1.265}};

TEST(RayleighTaylor, bubble_and_spike_follow_he_et_al) {
    constexpr double H = RayleighTaylor::width, k = RayleighTaylor::k;
    RayleighTaylor tank(32);
    edit(tank.simulation, [&](Parcel& p) { p.liquid = p.x.y > 2 * H + 0.1 * H * std::cos(k * p.x.x) ? 1 : 0; });
    double time = 0, early = 0, late_bubble = 0, late_spike = 0;
    for (const Tips& expected : he_1999) {
        const double next = expected.time * std::sqrt(H / g);
        run_for(tank.simulation, next - time);
        time = next;
        std::vector<Vec3d> light, heavy;
        for (const Parcel& p : parcels(tank.simulation))
            (p.liquid == 0 ? light : heavy).push_back(p.x);
        // A tip is where the last dozen particles are: two rows across the slab.
        const double few = 12.0 / static_cast<double>(light.size());
        const double bubble = (quantile(light, 1, 1 - few) + tank.d / 2) / H - 2;
        const double spike = (quantile(heavy, 1, few) - tank.d / 2) / H - 2;
        fmt::print("t* {:.3f} bubble {:.3f} ({:.3f}) spike {:.3f} ({:.3f})\n", expected.time, bubble, expected.bubble,
                   spike, expected.spike);
        const double bubble_off = std::abs(bubble - expected.bubble), spike_off = std::abs(spike - expected.spike);
        if (expected.time < 3.1) early = std::max({early, bubble_off, spike_off});
        late_bubble = std::max(late_bubble, bubble_off);
        late_spike = std::max(late_spike, spike_off);
    }
    fmt::print("off by {:.3f} H until t* = 3, in the end bubble {:.3f} spike {:.3f}\n", early, late_bubble, late_spike);
    // A good solver is within 0.15 to t* = 4, the best within 0.05. The spike is as the best, with margin here; the
    // bubble is good until t* = 3, then rises a quarter too fast.
    EXPECT_LT(early, 0.15);
    EXPECT_LT(late_spike, 0.10);
    EXPECT_LT(late_bubble, 0.25);
}

struct Inversion {
    double heavy_below;       ///< share of the heavy liquid below the middle
    double potential_excess;  ///< over the least, relative to the start
    double light_volume, heavy_volume;
};

/// A closed box with three times as heavy liquid on top: two units of length wide and four high, of 6 coarse or 13 fine
/// spacings each.
Inversion invert(bool fine_light, double seconds) {
    const double unit = 0.12, coarse = unit / 6, fine = unit / 13, top = 2 * unit;
    auto simulation =
        start(fmt::format(R"(
        [domain]
        box = {}
        [[liquid]]
        name = "light"
        density = 1000
        spacing = {}
        fill = {{ box = {}, sampling = "jittered", jitter = 0.1 }}
        [[liquid]]
        name = "heavy"
        density = 3000
        spacing = {}
        fill = {{ box = {}, sampling = "jittered", jitter = 0.1 }})",
                          box_text({}, {2 * unit, top, unit}), fine_light ? fine : coarse,
                          box_text({}, {2 * unit, unit, unit}), coarse, box_text({0, unit, 0}, {2 * unit, top, unit})));
    const std::size_t count = simulation.particle_count();
    run_for(simulation, seconds);
    EXPECT_EQ(simulation.particle_count(), count);
    Inversion result{};
    double volume[2] = {0, 0}, height = 0, below = 0;
    for (const Parcel& p : parcels(simulation)) {
        volume[p.liquid] += p.volume;
        height += p.volume * p.x.y * (p.liquid == 1 ? 3 : 1);
        if (p.liquid == 1 && p.x.y < unit) below += p.volume;
    }
    // Layers of one unit: heights of their centres times density.
    const double per = volume[0], least = per * (3 * unit / 2 + unit * 3 / 2),
                 most = per * (unit / 2 + 3 * unit * 3 / 2);
    result.heavy_below = below / volume[1];
    result.potential_excess = (height - least) / (most - least);
    result.light_volume = volume[0] / (2 * unit * unit * unit);
    result.heavy_volume = volume[1] / (2 * unit * unit * unit);
    fmt::print("heavy below {:.4f} potential excess {:.4f} volumes {:.4f} {:.4f} speed {:.4f}\n", result.heavy_below,
               result.potential_excess, result.light_volume, result.heavy_volume, simulation.statistics().max_speed);
    return result;
}

TEST(Inversion, heavy_liquid_ends_below_and_all_of_it) {
    const Inversion end = invert(false, 4);
    // What the best solvers meet. Layers that pack more closely than a lattice make the excess negative.
    EXPECT_GT(end.heavy_below, 0.99);
    EXPECT_LT(std::abs(end.potential_excess), 0.01);
    EXPECT_NEAR(end.light_volume, 1, 0.005);
    EXPECT_NEAR(end.heavy_volume, 1, 0.005);
}

TEST(Inversion, ten_times_the_particles_in_one_liquid_give_the_same_end) {
    const Inversion equal = invert(false, 4), fine = invert(true, 4);
    // The answer must not move by more than 2 %.
    EXPECT_NEAR(fine.heavy_below, equal.heavy_below, 0.02);
    EXPECT_NEAR(fine.potential_excess, equal.potential_excess, 0.02);
}

struct Layers {
    double kinetic;  ///< relative to m g H
    double mean_error, max_error;
    double gap;  ///< between the phases, in spacings
};

/// Distance between the phases: from the lowest particle of the upper one in each column a spacing wide to the nearest
/// of the lower one, on average.
double gap_between(const std::vector<Parcel>& all, double d) {
    std::map<std::pair<long, long>, Vec3d> lowest;
    for (const Parcel& p : all) {
        if (p.liquid == 0) continue;
        const auto [at, is_new] = lowest.try_emplace({std::lround(p.x.x / d - 0.5), std::lround(p.x.z / d - 0.5)}, p.x);
        if (!is_new && p.x.y < at->second.y) at->second = p.x;
    }
    double sum = 0;
    for (const auto& [column, x] : lowest) {
        double nearest = 1e30;
        for (const Parcel& p : all) {
            if (p.liquid == 0) nearest = std::min(nearest, length(p.x - x));
        }
        sum += nearest;
    }
    return sum / static_cast<double>(lowest.size());
}

/// Light liquid on heavy liquid, so many layers each.
Layers rest_of_layers(double ratio, int layers) {
    const double d = 0.02, width = 12 * d, depth = layers * d, light = 1000 / std::sqrt(ratio),
                 heavy = 1000 * std::sqrt(ratio);
    auto simulation = start(fmt::format(R"(
        [domain]
        box = {}
        [[liquid]]
        name = "heavy"
        density = {}
        spacing = {}
        fill = {{ box = {} }}
        [[liquid]]
        name = "light"
        density = {}
        spacing = {}
        fill = {{ box = {} }})",
                                        box_text({}, {width, 2 * depth + 6 * d, width}), heavy, d,
                                        box_text({}, {width, width, width}), light, d,
                                        box_text({0, depth, 0}, {width, 2 * depth, width})));
    run_for(simulation, 2);
    const io::FrameStatistics s = simulation.statistics();
    const double mass = (heavy + light) * width * depth * width;
    const Layers result{.kinetic = s.kinetic_energy / (mass * g * 2 * depth),
                        .mean_error = s.mean_density_error,
                        .max_error = s.max_density_error,
                        .gap = gap_between(parcels(simulation), d) / d};
    fmt::print("{} layers, ratio {}: kinetic {:.2e} error {:.5f} max {:.4f} gap {:.3f}\n", layers, ratio,
               result.kinetic, result.mean_error, result.max_error, result.gap);
    return result;
}

TEST(StratifiedTank, rests_from_2_to_1_up_to_1000_to_1) {
    for (const double ratio : {2, 10, 100, 1000}) {
        const Layers layers = rest_of_layers(ratio, 12);
        // Of a good solver, except for the mean error, which is that of the best; kinetic energy would have to be 1e-7.
        EXPECT_LT(layers.kinetic, 1e-5);
        EXPECT_LT(layers.mean_error, 0.001);
        EXPECT_LT(layers.max_error, 0.03);
        // Up to 10:1 less than 1.2 is the aim; beyond, a little more holds.
        EXPECT_LT(layers.gap, ratio > 10 ? 1.3 : 1.2);
    }
}

TEST(StratifiedTank, rests_with_a_gap_where_the_interface_lies_between_coarse_nodes) {
    for (const double ratio : {2, 100}) {
        const Layers layers = rest_of_layers(ratio, 10);
        EXPECT_LT(layers.kinetic, 5e-5);
        EXPECT_LT(layers.mean_error, 0.005);
        EXPECT_LT(layers.max_error, 0.03);
        // The aim is 1.2 as above, and it holds for ten layers too if the scene is moved up by two spacings: what
        // counts is the distance of the interface from the nodes of the coarse projection, which are four spacings
        // apart. Elsewhere a gap of up to two spacings opens; without the projection it is 1.05 at 2:1 and 1.4 at
        // 100:1.
        EXPECT_LT(layers.gap, 2.5);
    }
}

}  // namespace
}  // namespace spindrift
