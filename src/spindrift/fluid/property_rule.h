#pragma once
// What liquids, what they are mixed of and channels make of a particle: how dense, how thick and how heavy it is.
//
//   PropertyRule rule(liquids, "thickness", mixture);
//   const PropertyRule::Reader read(rule, particles);          // holds until channels are added
//   read.mass(i);

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "spindrift/fluid/liquid.h"
#include "spindrift/fluid/liquid_of.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::fluid {

/// m2/s: thicker than anything that flows in a film's time, and still a number that solvers can work with.
inline constexpr float thickest = 1e4f;

class PropertyRule {
  public:
    /// Particles of stores that have a channel of that name (f32, m2/s) take their viscosity from it.
    explicit PropertyRule(std::vector<Liquid> liquids, std::string viscosity_channel = {}, Mixture mixture = {});

    const std::vector<Liquid>& liquids() const { return liquids_; }
    /// What particles may be: each liquid of each component alone, liquid by liquid; the liquids if they are not mixed.
    const std::vector<Liquid>& kinds() const { return mixture_.pure.empty() ? liquids_ : mixture_.pure; }
    /// How many kinds there are of each liquid.
    std::size_t kinds_per_liquid() const { return kinds().size() / liquids_.size(); }
    /// kg/m3, of the densest kind.
    double reference_density() const { return reference_density_; }
    bool densities_vary() const { return densities_vary_; }
    /// Whether what a particle is mixed of makes it lighter or heavier than others of its liquid.
    bool densities_blend() const { return densities_blend_; }
    /// The same of surface tension.
    bool tensions_blend() const { return tensions_blend_; }
    /// Whether particles have viscosities of their own.
    bool has_viscosities(const ParticleStore& particles) const {
        return viscosities_blend_ || find_viscosities(particles) != nullptr;
    }
    bool viscosities_vary(const ParticleStore& particles) const {
        return viscosities_vary_ || has_viscosities(particles);
    }

    class Reader {
      public:
        Reader(const PropertyRule& rule, const ParticleStore& particles);

        std::size_t liquid(std::size_t i) const { return liquid_of_(i); }
        /// Share of a component.
        float share(std::size_t i, std::size_t k) const { return shares_[k] ? shares_[k][particles_->slot(i)] : 0.f; }
        /// kg/m3.
        double density(std::size_t i) const {
            if (!rule_->densities_blend_) return rule_->liquids_[liquid(i)].density;
            return rule_->reference_density_ * static_cast<double>(density(i, liquid(i)));
        }
        /// Relative to the densest kind, for who knows the particle's liquid.
        float density(std::size_t i, std::size_t liquid) const {
            return rule_->densities_blend_ ? mean(rule_->densities_, i, liquid)
                                           : rule_->densities_[liquid * rule_->kinds_per_liquid()];
        }
        /// m2/s.
        float viscosity(std::size_t i) const { return viscosity(i, liquid(i)); }
        float viscosity(std::size_t i, std::size_t liquid) const {
            if (viscosity_) {
                const float own = viscosity_->as<float>()[particles_->slot(i)];
                return own > 0 ? std::min(own, thickest) : 0.f;
            }
            return rule_->viscosities_blend_ ? blended_viscosity(i, liquid)
                                             : static_cast<float>(rule_->liquids_[liquid].viscosity);
        }
        /// kg.
        double mass(std::size_t i) const { return density(i) * rule_->liquids_[liquid(i)].particle_volume(); }
        /// Of numbers by kind, the mean of those that the particle is mixed of.
        float mean(const std::vector<float>& of_kinds, std::size_t i, std::size_t liquid) const {
            const std::size_t count = of_kinds.size() / rule_->liquids_.size();
            const float* const own = of_kinds.data() + liquid * count;
            if (count == 1) return own[0];
            const std::size_t slot = particles_->slot(i);
            float sum = 0;
            for (std::size_t k = 0; k < count; ++k)
                sum += shares_[k] ? shares_[k][slot] * own[k] : 0.f;
            return sum;
        }

      private:
        float blended_viscosity(std::size_t i, std::size_t liquid) const;

        const PropertyRule* rule_;
        const ParticleStore* particles_;
        LiquidOf liquid_of_;
        const ChannelArray* viscosity_;  ///< nullptr if liquids say it
        std::array<const float*, most_components> shares_{};
    };

  private:
    const ChannelArray* find_viscosities(const ParticleStore& particles) const;

    std::vector<Liquid> liquids_;
    std::string viscosity_channel_;
    Mixture mixture_;
    std::vector<float> densities_;    ///< by kind, relative to the densest
    std::vector<float> viscosities_;  ///< by kind, m2/s or its logarithm
    double reference_density_ = 0;
    bool densities_vary_ = false, viscosities_vary_ = false;
    bool densities_blend_ = false, viscosities_blend_ = false, tensions_blend_ = false;
    bool thickens_ = false;  ///< grains make what carries them thicker
};

}  // namespace spindrift::fluid
