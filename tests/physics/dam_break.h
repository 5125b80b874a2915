#pragma once
// The collapse of a column against experiment (Martin and Moyce 1952, tables 2 and 6), for any solver.
//
//   const Collapse c = collapse(0.05715, 40, "solver = \"flip\"");
//   EXPECT_LT(front_error(c), 0.10);

#include <cmath>

#include "support.h"

namespace spindrift {

inline constexpr double g = 9.81;

struct Sample {
    double time, value;
};

/// Front position Z = x / a at T = t sqrt(2 g / a), column of width a and height 2 a.
inline const std::vector<Sample> martin_moyce_front = {
    {0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89}, {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56},
    {2.32, 2.78}, {2.51, 3.00}, {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};

/// Column height H = h / (2 a) at tau = t sqrt(g / a).
inline const std::vector<Sample> martin_moyce_height = {{0.56, 0.94}, {0.77, 0.89}, {0.93, 0.83}, {1.08, 0.78},
                                                        {1.28, 0.72}, {1.46, 0.67}, {1.66, 0.61}, {1.84, 0.56},
                                                        {2.00, 0.50}, {2.21, 0.44}, {2.45, 0.39}};

inline double interpolate(const std::vector<Sample>& curve, double time) {
    for (std::size_t k = 1; k < curve.size(); ++k) {
        if (time > curve[k].time && k + 1 < curve.size()) continue;
        const double share = (time - curve[k - 1].time) / (curve[k].time - curve[k - 1].time);
        return curve[k - 1].value + share * (curve[k].value - curve[k - 1].value);
    }
    return curve.back().value;
}

struct Collapse {
    std::vector<Sample> front, height;  ///< dimensionless, in the units of the tables
};

/// The column in a slab eight spacings thick with frictionless walls, `resolution` spacings per width. `solver` is more
/// of the scene.
inline Collapse collapse(double a, int resolution, const std::string& solver = "", Vec3d shift = {}) {
    const double d = a / resolution;
    auto simulation = start(fmt::format(R"(
        frames = [1, 10]
        {9}
        [domain]
        box = [[{0}, {1}, {2}], [{3}, {4}, {5}]]
        open = ["top"]
        [[liquid]]
        spacing = {6}
        fill = {{ box = [[{0}, {1}, {2}], [{7}, {8}, {5}]] }})",
                                        shift.x, shift.y, shift.z, shift.x + 12 * a, shift.y + 4 * a, shift.z + 8 * d,
                                        d, shift.x + a, shift.y + 2 * a, solver));
    Collapse result;
    run_for(simulation, 3.5 / std::sqrt(2 * g / a), [&](double t) {
        const std::vector<Vec3d> x = positions(simulation);
        // The front is where the last few of the particles are, half a spacing behind the surface.
        const double few = 1 - 16.0 / static_cast<double>(x.size());
        result.front.push_back({t * std::sqrt(2 * g / a), (quantile(x, 0, few) - shift.x + d / 2) / a});
        double top = 0;
        for (const Vec3d& p : x) {
            if (p.x - shift.x < 2 * d) top = std::max(top, p.y - shift.y + d / 2);
        }
        result.height.push_back({t * std::sqrt(g / a), top / (2 * a)});
    });
    return result;
}

/// Mean relative distance of the front from the table over T = 1 to 3.3, at the best shift of time up to 0.2: the gate
/// of the experiment took time to open.
inline double front_error(const Collapse& c) {
    double best = 1;
    for (double shift = 0; shift <= 0.2; shift += 0.02) {
        double sum = 0;
        int count = 0;
        for (const Sample& s : martin_moyce_front) {
            if (s.time < 1) continue;
            sum += std::abs(interpolate(c.front, s.time - shift) - s.value) / s.value;
            ++count;
        }
        best = std::min(best, sum / count);
    }
    return best;
}

inline double front_slope(const Collapse& c) {
    return (interpolate(c.front, 3.2) - interpolate(c.front, 1.4)) / (3.2 - 1.4);
}

inline double height_error(const Collapse& c) {
    double sum = 0;
    for (const Sample& s : martin_moyce_height)
        sum += std::abs(interpolate(c.height, s.time) - s.value);
    return sum / static_cast<double>(martin_moyce_height.size());
}

/// Depth at the gate and the place of the contour of a tenth, of a reservoir ten depths long, against shallow-water
/// theory (Ritter 1892): 4/9 of the depth, and 1.051 c t.
struct Reservoir {
    double depth_at_gate, contour;
};

inline Reservoir empty_reservoir(const std::string& solver = "") {
    const double depth = 0.2, d = depth / 20, length = 2.0, c = std::sqrt(g * depth);
    auto simulation = start(fmt::format(R"(
        {}
        [domain]
        box = [[{}, 0, 0], [4, 1, {}]]
        open = ["top"]
        [[liquid]]
        spacing = {}
        fill = {{ box = [[{}, 0, 0], [0, {}, {}]] }})",
                                        solver, -length, 8 * d, d, -length, depth, 8 * d));
    const double time = 4.5 * std::sqrt(depth / g);
    run_for(simulation, time);
    // Depth from the volume above a strip of floor.
    const std::vector<Vec3d> x = positions(simulation);
    const auto depth_at = [&](double at, double width) {
        const auto inside = [&](const Vec3d& p) { return std::abs(p.x - at) < width / 2; };
        const auto count = static_cast<double>(std::count_if(x.begin(), x.end(), inside));
        return count * d * d * d / (width * 8 * d) / depth;
    };
    double contour = 0;
    while (depth_at(contour * c * time, 4 * d) > 0.1)
        contour += 0.01;
    fmt::print("depth {:.4f} contour {:.3f}\n", depth_at(0, 8 * d), contour);
    return {depth_at(0, 8 * d), contour};
}

}  // namespace spindrift
