#pragma once
// What the physics tests share: a scene from text, run to a time, and sums over its particles.
//
//   auto simulation = start("[[liquid]]\nspacing = 0.1\nfill = { box = [[0, 0, 0], [1, 1, 1]] }");
//   edit(simulation, [](Parcel& p) { p.v.y = p.x.x; });
//   run_for(simulation, 0.5);
//   for (const Parcel& p : parcels(simulation)) sum += p.mass * p.x.y;

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "spindrift/sim/simulation.h"

namespace spindrift {

struct Started : sim::Simulation {
    explicit Started(const std::string& toml) : Simulation(parse_scene(toml, "test.toml")) { fill(); }
};

inline Started start(const std::string& toml) {
    return Started(toml);
}

/// Runs with automatic substeps; `observe` is called after every substep.
inline void run_for(
    sim::Simulation& simulation, double seconds, const std::function<void(double time)>& observe = [](double) {}) {
    double time = 0;
    while (time < seconds * (1 - 1e-9)) {
        const double dt = std::min(simulation.choose_dt(), seconds - time);
        simulation.advance(dt);
        time += dt;
        observe(time);
    }
}

inline std::vector<Vec3d> positions(const sim::Simulation& simulation) {
    std::vector<Vec3d> x;
    for (const Float4& p : simulation.particles().position()) {
        x.push_back(vec_cast<double>(p.xyz()) + simulation.particles().origin);
    }
    return x;
}

/// A particle with what is known of it through its liquid.
struct Parcel {
    Vec3d x, v;
    std::size_t liquid = 0;
    double spacing = 0, volume = 0, mass = 0;
};

inline std::vector<Parcel> parcels(const sim::Simulation& simulation) {
    std::vector<Parcel> all;
    const std::vector<Vec3d> x = positions(simulation);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t l = simulation.liquid_of(i);
        const fluid::Liquid& liquid = simulation.liquids()[l];
        all.push_back({.x = x[i],
                       .v = vec_cast<double>(simulation.particles().velocity()[i].xyz()),
                       .liquid = l,
                       .spacing = liquid.spacing,
                       .volume = liquid.particle_volume(),
                       .mass = liquid.particle_mass()});
    }
    return all;
}

/// Changes position, velocity and liquid of every particle by a snapshot. The scene must lie near the world's origin.
/// The length of the next substep does not know the new velocities: give solver.substeps a least number.
inline void edit(sim::Simulation& simulation, const std::function<void(Parcel&)>& change) {
    sim::Snapshot snapshot = simulation.snapshot();
    const std::vector<Parcel> before = parcels(simulation);
    ChannelArray* phase = snapshot.channels.find(fluid::phase_channel);
    for (std::size_t i = 0; i < before.size(); ++i) {
        Parcel after = before[i];
        change(after);
        snapshot.channels.find("P")->as<Vec3f>()[i] = vec_cast<float>(after.x);
        snapshot.channels.find("v")->as<Vec3f>()[i] = vec_cast<float>(after.v);
        if (phase) phase->as<std::uint16_t>()[i] = static_cast<std::uint16_t>(after.liquid);
    }
    simulation.restore(snapshot, "edited");
}

/// A box as scenes write it.
inline std::string box_text(Vec3d lo, Vec3d hi) {
    return fmt::format("[[{}, {}, {}], [{}, {}, {}]]", lo.x, lo.y, lo.z, hi.x, hi.y, hi.z);
}

inline double mean_of(const std::vector<Vec3d>& x, int axis) {
    double sum = 0;
    for (const Vec3d& p : x)
        sum += p[axis];
    return sum / static_cast<double>(x.size());
}

/// Value below which this share of the coordinates lies.
inline double quantile(const std::vector<Vec3d>& x, int axis, double share) {
    std::vector<double> values;
    for (const Vec3d& p : x)
        values.push_back(p[axis]);
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

}  // namespace spindrift
