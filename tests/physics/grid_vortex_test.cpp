// Vortices in a closed box (Taylor and Green 1937): what each method keeps of their energy.

#include <cmath>
#include <numbers>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

struct Energy {
    double end, most;  ///< relative to that at the start
};

/// Four vortices that just fit a full box of `cells` cells in square, without gravity, for the time that the fastest
/// liquid needs for its width. Nothing but errors slows them.
Energy turn(const std::string& method, int cells, double cfl) {
    const double width = 1, d = width / (2 * cells), speed = 1, k = 2 * std::numbers::pi / width;
    auto simulation = start(fmt::format(R"(
        solver = "{0}"
        gravity = [0, 0, 0]
        [domain]
        box = {1}
        [[liquid]]
        density = 1000
        spacing = {2}
        viscosity = 0
        fill = {{ box = {1} }})",
                                        method, box_text({}, {width, width, 4 * d}), d));
    edit(simulation, [&](Parcel& p) {
        p.v = {speed * std::sin(k * p.x.x) * std::cos(k * p.x.y), -speed * std::cos(k * p.x.x) * std::sin(k * p.x.y),
               0};
    });
    // The first substep is not chosen by the edited speed.
    const double dt = cfl * 2 * d / speed, start_energy = simulation.statistics().kinetic_energy;
    Energy energy{.end = 1, .most = 0};
    for (double time = 0; time < width / speed - dt / 2; time += dt) {
        simulation.advance(dt);
        energy.end = simulation.statistics().kinetic_energy / start_energy;
        energy.most = std::max(energy.most, energy.end);
    }
    fmt::print("{} {} cells, cfl {}: energy {:.4f} most {:.4f}\n", method, cells, cfl, energy.end, energy.most);
    return energy;
}

TEST(GridVortex, energy_of_vortices_is_kept_as_each_method_can) {
    const Energy flip = turn("flip", 64, 0.5), apic = turn("apic", 64, 0.5);
    // Good solvers have 0.90 with FLIP and 0.85 with APIC; measured are 0.84 with the latter. Moving first and taking the divergence out after loses
    // (k U dt)^2 / 2 of the energy in each step, which is 14 % here; FLIP loses its 3 % share of PIC besides.
    EXPECT_GT(flip.end, 0.80);
    EXPECT_GT(apic.end, 0.83);
    // The control: coarser, where the other two keep more than 0.7.
    const Energy pic = turn("pic", 32, 0.5), coarse_flip = turn("flip", 32, 0.5), coarse_apic = turn("apic", 32, 0.5);
    EXPECT_LT(pic.end, 0.3);
    EXPECT_GT(coarse_flip.end, 0.68);
    EXPECT_GT(coarse_apic.end, 0.70);
    for (const Energy& each : {flip, apic, pic, coarse_flip, coarse_apic})
        EXPECT_LT(each.most, 1.005);
}

}  // namespace
}  // namespace spindrift
