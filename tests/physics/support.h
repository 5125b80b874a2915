#pragma once
// What the physics tests share: a scene from text, run to a time, and sums over its particles.

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
