#include "spindrift/surface/spread.h"

#include <algorithm>

namespace spindrift::surface {

namespace {

/// Adds a class's sums; the covariance is about the point for now, and nothing is divided by the weights yet.
void add_class(const Moments8& sums, std::size_t lane, double volume, double& weight, Spread& out) {
    const Sums8& first = sums.first;
    weight += volume * static_cast<double>(first.w[lane]);
    out.count += volume * static_cast<double>(sums.count[lane]);
    out.mean += Vec3d{first.x[lane], first.y[lane], first.z[lane]} * volume;
    for (std::size_t k = 0; k < 6; ++k)
        out.covariance[k] += volume * static_cast<double>(sums.second[k][lane]);
}

void finish(double weight, Spread& out) {
    if (!(weight > 0)) {
        out = {};
        return;
    }
    out.mean = out.mean / weight;
    const Vec3d m = out.mean;
    const Symmetric3 products = {m.x * m.x, m.x * m.y, m.x * m.z, m.y * m.y, m.y * m.z, m.z * m.z};
    for (std::size_t k = 0; k < 6; ++k)
        out.covariance[k] = out.covariance[k] / weight - products[k];
}

}  // namespace

std::array<Spread, 8> spread_around(const neighbors::ParticleCells& cells, const Points8& points, int of_class,
                                    float radius, Gatherer& gatherer) {
    std::array<Spread, 8> out{};
    std::array<double, 8> weight{};
    const float own = cells.cell(of_class), r = radius * own;
    for (int other = 0; other < cells.classes(); ++other) {
        const IndexList near = gatherer.around(points, r, other);
        if (near.empty()) continue;
        Moments8 sums{};
        gatherer.kernels().add_moments(cells.x(), near, points, r, sums);
        const double ratio = static_cast<double>(cells.cell(other)) / static_cast<double>(own);
        for (std::size_t lane = 0; lane < 8; ++lane)
            add_class(sums, lane, ratio * ratio * ratio, weight[lane], out[lane]);
    }
    for (std::size_t lane = 0; lane < 8; ++lane)
        finish(weight[lane], out[lane]);
    return out;
}

}  // namespace spindrift::surface
