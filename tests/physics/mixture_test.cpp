// Liquids whose components weigh unlike: what is heavy goes under what is light, and layers that mix stay layers.

#include <cmath>
#include <numbers>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr double g = 9.81;

/// Salt water beside fresh water, as deep as the tank, without friction at the walls.
struct Lock {
    static constexpr double depth = 0.2, length = 1.2, heavy = 1050;
    static constexpr double d = depth / 20, width = 4 * d;

    /// One liquid of two components, or two liquids.
    static std::string scene(bool mixed, const char* method) {
        const std::string tank = fmt::format("solver = \"{}\"\n", method) +
                                 fmt::format("[domain]\nbox = [[0, 0, 0], [{}, {}, {}]]\n", length, 1.5 * depth, width);
        const std::string left = fmt::format("box = [[0, 0, 0], [{}, {}, {}]]", length / 2, depth, width);
        const std::string right = fmt::format("box = [[{}, 0, 0], [{}, {}, {}]]", length / 2, length, depth, width);
        if (!mixed) {
            return tank + fmt::format(
                              "[[liquid]]\nname = \"fresh\"\ndensity = 1000\nspacing = {}\nfill = {{ {} }}\n"
                              "[[liquid]]\nname = \"salt\"\ndensity = {}\nspacing = {}\nfill = {{ {} }}\n",
                              d, right, heavy, d, left);
        }
        return tank + fmt::format(
                          "[[component]]\nname = \"salt\"\ndensity = {}\n[[component]]\nname = \"fresh\"\n"
                          "density = 1000\n[[liquid]]\nspacing = {}\nmix = {{ fresh = 1 }}\n"
                          "fill = [{{ {}, mix = {{ salt = 1 }} }}, {{ {} }}]\n",
                          heavy, d, left, right);
    }

    explicit Lock(bool is_mixed, const char* method = "pbf") : mixed(is_mixed), simulation(scene(is_mixed, method)) {}

    /// How far salt water has come along the floor: where a quarter of the lowest quarter is salt.
    double front() const {
        constexpr std::size_t bins = 100;
        std::vector<double> salt(bins), all(bins);
        const std::vector<Vec3d> x = positions(simulation);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (x[i].y > 0.25 * depth) continue;
            const auto bin = static_cast<std::size_t>(std::clamp(x[i].x / length * bins, 0.0, bins - 1.0));
            all[bin] += 1;
            salt[bin] += share(i);
        }
        for (std::size_t bin = bins; bin-- > 0;) {
            if (salt[bin] > 0.25 * all[bin]) return (static_cast<double>(bin) + 0.5) / bins * length;
        }
        return 0;
    }
    double share(std::size_t i) const {
        const ParticleStore& particles = simulation.particles();
        if (!mixed) return simulation.liquid_of(i) == 1 ? 1 : 0;
        return static_cast<double>(particles.find_channel("mix_salt")->as<float>()[particles.slot(i)]);
    }

    bool mixed;
    Started simulation;
};

/// Of the front, over sqrt(g' H), between one and two and a half depths from the gate: the slope of a line through it.
double front_speed(Lock& lock) {
    double n = 0, t = 0, x = 0, tt = 0, tx = 0;
    run_for(lock.simulation, 2.6, [&](double time) {
        const double way = lock.front() - Lock::length / 2;
        if (way < Lock::depth || way > 2.5 * Lock::depth) return;
        n += 1, t += time, x += way, tt += time * time, tx += time * way;
    });
    const double reduced = g * (Lock::heavy - 1000) / 1000;
    return (n * tx - t * x) / (n * tt - t * t) / std::sqrt(reduced * Lock::depth);
}

TEST(Mixture, salt_water_goes_under_fresh_water_as_fast_as_in_experiments) {
    Lock mixed(true), apart(false);
    const double speed = front_speed(mixed), as_liquids = front_speed(apart);
    fmt::print("M6: front at {:.3f} sqrt(g' H), as two liquids {:.3f}\n", speed, as_liquids);
    // Benjamin's theory without loss has 0.5, experiments 0.44 to 0.48; a slab of 20 layers loses some to smoothing.
    EXPECT_GT(speed, 0.38);
    EXPECT_LT(speed, 0.52);
    EXPECT_NEAR(speed, as_liquids, 0.03 * as_liquids) << "components that do not spread are two liquids";
}

TEST(Mixture, salt_water_goes_under_fresh_water_on_a_grid_too) {
    for (const char* method : {"flip", "apic"}) {
        Lock lock(true, method);
        const double speed = front_speed(lock);
        fmt::print("M6 {}: front at {:.3f} sqrt(g' H)\n", method, speed);
        EXPECT_GT(speed, 0.38) << method;
        EXPECT_LT(speed, 0.52) << method;
    }
}

TEST(Mixture, heavy_layers_under_light_ones_mix_by_diffusion_alone) {
    // M4: densities 1 : 3 in stable layers. What spreads is what Fick says, and all of it is there afterwards.
    constexpr double spacing = 0.01, height = 0.24, diffusivity = 2e-4;
    Started tank(fmt::format(R"(
        [domain]
        box = [[0, 0, 0], [0.1, 0.4, 0.1]]
        [[component]]
        name = "heavy"
        density = 3000
        diffusivity = {0}
        [[component]]
        name = "light"
        density = 1000
        diffusivity = {0}
        [[liquid]]
        spacing = {1}
        mix = {{ light = 1 }}
        fill = [{{ box = [[0, 0, 0], [0.1, 0.12, 0.1]], mix = {{ heavy = 1 }} }},
                {{ box = [[0, 0.12, 0], [0.1, 0.24, 0.1]] }}]
        )",
                             diffusivity, spacing));
    const auto mode = [&](bool total) {
        const ParticleStore& particles = tank.particles();
        const std::vector<Vec3d> x = positions(tank);
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto share = static_cast<double>(particles.find_channel("mix_heavy")->as<float>()[particles.slot(i)]);
            sum += share * (total ? 1 : std::cos(std::numbers::pi * x[i].y / height));
        }
        return sum;
    };
    run_for(tank, 0.5);
    const double before = mode(false), total = mode(true);
    run_for(tank, 2);
    const double rate = std::log(before / mode(false)) / 2;
    const double fitted = rate / std::pow(std::numbers::pi / height, 2) / diffusivity;
    fmt::print("M4 densities 1:3: D {:.4f} of what was asked\n", fitted);
    EXPECT_NEAR(fitted, 1, 0.08);
    EXPECT_EQ(mode(true), total) << "to the last bit";
    // Nothing stirs it: layers as heavy as they are wide stand as still as one liquid does.
    double fastest = 0;
    for (const Parcel& p : parcels(tank))
        fastest = std::max(fastest, length(p.v));
    EXPECT_LT(fastest, 0.1);
}

}  // namespace
}  // namespace spindrift
