#include "spindrift/fluid/property_rule.h"

#include "spindrift/core/errors.h"

namespace spindrift::fluid {

PropertyRule::PropertyRule(std::vector<Liquid> liquids, std::string viscosity_channel)
    : liquids_(std::move(liquids)), viscosity_channel_(std::move(viscosity_channel)) {
    SPINDRIFT_CHECK(!liquids_.empty() && liquids_.size() <= most_liquids);
    for (const Liquid& liquid : liquids_)
        reference_density_ = std::max(reference_density_, liquid.density);
    for (const Liquid& liquid : liquids_) {
        densities_.push_back(static_cast<float>(liquid.density / reference_density_));
        densities_vary_ |= liquid.density != liquids_[0].density;
        viscosities_vary_ |= liquid.viscosity != liquids_[0].viscosity;
    }
}

const ChannelArray* PropertyRule::find_viscosities(const ParticleStore& particles) const {
    if (viscosity_channel_.empty()) return nullptr;
    const ChannelArray* const channel = particles.find_channel(viscosity_channel_);
    return channel && channel->type() == ChannelType{ScalarType::f32, 1} ? channel : nullptr;
}

}  // namespace spindrift::fluid
