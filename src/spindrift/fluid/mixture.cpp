#include "spindrift/fluid/mixture.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"

namespace spindrift::fluid {

namespace {

constexpr double quanta = 1 / static_cast<double>(share_quantum);

}  // namespace

double Mixture::largest_diffusivity() const {
    double largest = 0;
    for (const Component& component : components)
        largest = std::max(largest, component.diffusivity);
    return largest;
}

bool Mixture::weighs_unlike() const {
    for (std::size_t n = 0; n < pure.size(); ++n) {
        if (pure[n].density != pure[n - n % components.size()].density) return true;
    }
    return false;
}

bool Mixture::settles() const {
    return components.size() > 1 &&
           std::ranges::any_of(components, [](const Component& each) { return each.grains.has_value(); });
}

bool Mixture::spreads() const {
    return components.size() > 1 && (largest_diffusivity() > 0 || eddies > 0);
}

bool Mixture::diffusivities_differ() const {
    return std::ranges::any_of(components,
                               [&](const Component& each) { return each.diffusivity != components[0].diffusivity; });
}

Shares whole_shares(std::span<const double> parts) {
    SPINDRIFT_CHECK(!parts.empty() && parts.size() <= most_components);
    std::array<double, most_components> whole{};
    double left = quanta;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        whole[k] = std::round(std::clamp(parts[k], 0.0, 1.0) * quanta);
        left -= whole[k];
    }
    // Too much is taken from the largest, and from the next if that is not enough.
    while (left != 0) {
        double& largest = *std::max_element(whole.begin(), whole.end());
        const double change = std::max(left, -largest);
        largest += change;
        left -= change;
    }
    Shares shares{};
    for (std::size_t k = 0; k < parts.size(); ++k)
        shares[k] = static_cast<float>(whole[k] / quanta);
    return shares;
}

bool are_whole(std::span<const float> shares) {
    double sum = 0;
    for (const float share : shares) {
        const double whole = static_cast<double>(share) * quanta;
        if (!(share >= 0 && share <= 1) || whole != std::trunc(whole)) return false;
        sum += whole;
    }
    return sum == quanta;
}

}  // namespace spindrift::fluid
