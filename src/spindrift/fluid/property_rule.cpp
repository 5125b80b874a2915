#include "spindrift/fluid/property_rule.h"

#include "spindrift/core/errors.h"

namespace spindrift::fluid {

namespace {

constexpr ChannelType number{ScalarType::f32, 1};

/// m2/s: what logarithms take for a liquid without viscosity.
constexpr double thinnest = 1e-9;

/// Whether kinds of one liquid differ.
template <class Of>
bool blend(const std::vector<Liquid>& kinds, std::size_t per_liquid, const Of& of) {
    for (std::size_t n = 0; n < kinds.size(); ++n) {
        if (of(kinds[n]) != of(kinds[n - n % per_liquid])) return true;
    }
    return false;
}

}  // namespace

PropertyRule::PropertyRule(std::vector<Liquid> liquids, std::string viscosity_channel, Mixture mixture)
    : liquids_(std::move(liquids)), viscosity_channel_(std::move(viscosity_channel)), mixture_(std::move(mixture)) {
    SPINDRIFT_CHECK(!liquids_.empty() && liquids_.size() <= most_liquids);
    SPINDRIFT_CHECK(mixture_.pure.empty() || mixture_.pure.size() == liquids_.size() * mixture_.components.size());
    for (const Liquid& kind : kinds())
        reference_density_ = std::max(reference_density_, kind.density);
    const std::size_t each = kinds_per_liquid();
    densities_blend_ = blend(kinds(), each, [](const Liquid& kind) { return kind.density; });
    thickens_ = mixture_.settles() && mixture_.suspension && !mixture_.pure.empty();
    viscosities_blend_ = thickens_ || blend(kinds(), each, [](const Liquid& kind) { return kind.viscosity; });
    tensions_blend_ = blend(kinds(), each, [](const Liquid& kind) {
        return std::array{kind.attraction, kind.tensile, kind.tension_time, kind.surface_tension};
    });
    const bool logarithms = viscosities_blend_ && mixture_.viscosity == ViscosityMean::log;
    for (const Liquid& kind : kinds()) {
        densities_.push_back(static_cast<float>(kind.density / reference_density_));
        densities_vary_ |= kind.density != kinds()[0].density;
        viscosities_vary_ |= kind.viscosity != kinds()[0].viscosity;
        viscosities_.push_back(
            static_cast<float>(logarithms ? std::log(std::max(kind.viscosity, thinnest)) : kind.viscosity));
    }
}

const ChannelArray* PropertyRule::find_viscosities(const ParticleStore& particles) const {
    if (viscosity_channel_.empty()) return nullptr;
    const ChannelArray* const channel = particles.find_channel(viscosity_channel_);
    return channel && channel->type() == number ? channel : nullptr;
}

PropertyRule::Reader::Reader(const PropertyRule& rule, const ParticleStore& particles)
    : rule_(&rule), particles_(&particles), liquid_of_(particles), viscosity_(rule.find_viscosities(particles)) {
    for (std::size_t k = 0; k < rule.mixture_.components.size(); ++k) {
        const ChannelArray* const channel = particles.find_channel(rule.mixture_.components[k].channel);
        if (channel && channel->type() == number) shares_[k] = channel->as<float>().data();
    }
}

/// That of what carries grains, which make it thicker. What is of one component alone has exactly its viscosity.
float PropertyRule::Reader::blended_viscosity(std::size_t i, std::size_t liquid) const {
    const std::vector<Component>& components = rule_->mixture_.components;
    const std::size_t first = liquid * components.size();
    const Liquid* alone = nullptr;
    float sum = 0, carrying = 0, carrying_sum = 0, all = 0, filled = 0;
    for (std::size_t k = 0; k < components.size(); ++k) {
        const float own = share(i, k), part = own > 0 ? own * rule_->viscosities_[first + k] : 0.f;
        sum += part;
        if (components[k].grains && rule_->thickens_) {
            all += own;
            filled += own / static_cast<float>(components[k].grains->most);
        } else {
            carrying += own;
            carrying_sum += part;
        }
        if (own == 1) alone = &rule_->kinds()[first + k];
    }
    const float mean = carrying > 0 ? carrying_sum / carrying : sum;
    float blended = rule_->mixture_.viscosity == ViscosityMean::log ? std::exp(mean) : mean;
    if (alone) blended = static_cast<float>(alone->viscosity);
    return std::min(blended * suspension_factor(all, filled), thickest);
}

}  // namespace spindrift::fluid
