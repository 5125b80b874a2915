#include "spindrift/pbf/liquids.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"

namespace spindrift::pbf {

namespace {

/// Support radii of the classes in units of the largest, largest first; equal spacings share a class.
std::vector<float> class_radii(const std::vector<Liquid>& liquids, double unit) {
    std::vector<float> radii;
    for (const Liquid& liquid : liquids) {
        const auto h = static_cast<float>(liquid.support_radius() / unit);
        if (std::find(radii.begin(), radii.end(), h) == radii.end()) radii.push_back(h);
    }
    std::sort(radii.begin(), radii.end(), std::greater<>());
    return radii;
}

/// Constants of class a's pairs with class b; see PairScale.
PairScale pair_scale(double h_a, double h_b) {
    const double h = std::max(h_a, h_b);
    const double share = std::pow(h_b / h, 3);  // V_b / V_h
    const double volume_h = std::pow(h, 3);
    PairScale scale;
    scale.h = static_cast<float>(h);
    scale.h2 = scale.h * scale.h;
    scale.density = static_cast<float>(prototype().density_scale * share / std::pow(h, 6));
    scale.correction = static_cast<float>(share / std::pow(h, 3));
    scale.stiffness = static_cast<float>(share / (volume_h * h * h) / std::pow(h, 4));
    return scale;
}

/// Share of the poly6 support beyond a plane at distance s, in support radii.
double half_space_share(double s) {
    s = std::clamp(s, -1.0, 1.0);
    const double s2 = s * s;
    return 0.5 - 315.0 / 256 * s * (1 + s2 * (-4.0 / 3 + s2 * (6.0 / 5 + s2 * (-4.0 / 7 + s2 / 9))));
}

/// Shares under a kernel of radius h_own where they are seen under the larger h.
ShareTable share_table(double h_own, double h) {
    ShareTable table{};
    for (int k = 0; k <= share_steps; ++k) {
        // The distance at which a plane has this share; the share falls with the distance.
        double near = -1, far = 1;
        for (int step = 0; step < 50; ++step) {
            const double middle = 0.5 * (near + far);
            (half_space_share(middle) * share_steps > k ? near : far) = middle;
        }
        table.value[k] = static_cast<float>(half_space_share(near * h / h_own));
    }
    return table;
}

}  // namespace

LiquidTables::LiquidTables(std::vector<Liquid> liquids) : liquids_(std::move(liquids)) {
    unit_ = fluid::largest_support(liquids_);
    resolutions_.h = class_radii(liquids_, unit_);
    SPINDRIFT_CHECK(resolutions_.h.size() <= neighbors::most_resolutions);

    const Prototype& p = prototype();
    const double multiplier = p.relaxation * p.gradient_scale / p.gradient_sum;
    for (const Liquid& liquid : liquids_) {
        const auto h = static_cast<float>(liquid.support_radius() / unit_);
        const auto at = std::find(resolutions_.h.begin(), resolutions_.h.end(), h);
        LiquidScale scale;
        scale.resolution = static_cast<std::uint32_t>(at - resolutions_.h.begin());
        scale.h = h;
        const double radius = h;
        scale.multiplier = static_cast<float>(multiplier * radius * radius);
        scale.stiffness =
            static_cast<float>(p.gradient_scale * p.gradient_scale / p.gradient_sum * std::pow(radius, 5));
        scales_.push_back(scale);
        resolutions_.of_liquid.push_back(static_cast<std::uint8_t>(scale.resolution));
    }
    pairs_.resize(neighbors::most_resolutions * neighbors::most_resolutions);
    shares_.resize(pairs_.size());
    for (std::size_t a = 0; a < resolutions_.h.size(); ++a) {
        for (std::size_t b = 0; b < resolutions_.h.size(); ++b) {
            const auto h_a = static_cast<double>(resolutions_.h[a]), h_b = static_cast<double>(resolutions_.h[b]);
            pairs_[a * neighbors::most_resolutions + b] = pair_scale(h_a, h_b);
            shares_[a * neighbors::most_resolutions + b] = share_table(h_a, std::max(h_a, h_b));
        }
    }
}

bool LiquidTables::alike(std::size_t a, std::size_t b) const {
    const Liquid &l = liquids_[a], &m = liquids_[b];
    return l.density == m.density && l.viscosity == m.viscosity && l.attraction == m.attraction &&
           l.tensile == m.tensile && l.tension_time == m.tension_time && l.spacing == m.spacing;
}

}  // namespace spindrift::pbf
