#include "spindrift/surface/anisotropy.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/surface/spread.h"

namespace spindrift::surface {

namespace {

/// Radius of the covariance, in cells and in spacings.
constexpr float spread_radius = 2;
constexpr int spread_spacings = 4;

constexpr double largest_ratio = 4;  ///< k_r
constexpr double smoothing = 0.4;    ///< lambda
constexpr double shortest_axis = 0.1;
/// From lone to crowded, in particles within the radius. A full neighbourhood has about 250, a flat sheet of one
/// layer 45.
constexpr double few = 20, enough = 30;

/// Variance along an axis inside of a lattice, in squared spacings.
double lattice_variance() {
    double weights = 0, squares = 0;
    for (int z = -spread_spacings; z <= spread_spacings; ++z) {
        for (int y = -spread_spacings; y <= spread_spacings; ++y) {
            for (int x = -spread_spacings; x <= spread_spacings; ++x) {
                const double q = std::sqrt(x * x + y * y + z * z) / spread_spacings;
                const double w = std::max(1 - q * q * q, 0.0);
                weights += w;
                squares += w * x * x;
            }
        }
    }
    return squares / weights;
}

/// Lengths of the kernel's axes in radii; `stretch` is k_s.
std::array<double, 3> axes_of(const Eigen3& eigen, double count, double stretch) {
    const double crowd = std::clamp((count - few) / (enough - few), 0.0, 1.0);
    std::array<double, 3> axes{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double value = std::max(eigen.value[k], eigen.value[0] / largest_ratio);
        const double shaped = std::clamp(stretch * value, shortest_axis, static_cast<double>(longest_axis));
        axes[k] = lone_axis + crowd * (shaped - lone_axis);
    }
    return axes;
}

/// Q diag(1 / (radius axes)) Q^T.
std::array<float, 6> matrix_of(const Eigen3& eigen, const std::array<double, 3>& axes, double radius) {
    Symmetric3 sum{};
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d q = eigen.axis[k];
        const double s = 1 / (radius * axes[k]);
        const Symmetric3 products = {q.x * q.x, q.x * q.y, q.x * q.z, q.y * q.y, q.y * q.z, q.z * q.z};
        for (std::size_t c = 0; c < 6; ++c)
            sum[c] += s * products[c];
    }
    std::array<float, 6> out{};
    std::transform(sum.begin(), sum.end(), out.begin(), [](double a) { return static_cast<float>(a); });
    return out;
}

std::vector<std::uint32_t> marked(ConstChannel<std::uint8_t> near) {
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; i < near.size(); ++i) {
        if (near[i]) list.push_back(static_cast<std::uint32_t>(i));
    }
    return list;
}

}  // namespace

Anisotropy make_anisotropy(const neighbors::ParticleCells& cells, double radius_in_spacings,
                           ConstChannel<std::uint8_t> near) {
    SPINDRIFT_CHECK(radius_in_spacings > 0 && (near.empty() || near.size() == cells.size()));
    Anisotropy out;
    out.G.resize(cells.size());
    out.center.resize(cells.size());
    const auto radius = [&](int of_class) { return 0.5 * radius_in_spacings * double{cells.cell(of_class)}; };
    parallel_for(cells.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const auto g = static_cast<float>(1 / radius(cells.class_of(cells.liquid(i))));
            out.G[i] = {g, 0, 0, g, 0, g};
            out.center[i] = cells.x()[i].xyz();
        }
    });
    const std::vector<std::uint32_t> list = near.empty() ? particles_near_surface(cells) : marked(near);
    const double variance = lattice_variance();
    for_groups(cells, list, [&](const Group& group, Gatherer& gatherer) {
        const auto spread = spread_around(cells, group.points, group.of_class, spread_radius, gatherer);
        const double spacing = 0.5 * double{cells.cell(group.of_class)};
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(group.count); ++lane) {
            const std::uint32_t i = list[group.first + lane];
            const Eigen3 eigen = eigen_of(spread[lane].covariance);
            const auto axes = axes_of(eigen, spread[lane].count, 1 / (variance * spacing * spacing));
            out.G[i] = matrix_of(eigen, axes, radius(group.of_class));
            out.center[i] += vec_cast<float>(smoothing * spread[lane].mean);
        }
    });
    return out;
}

}  // namespace spindrift::surface
