#pragma once
// What liquids and channels make of a particle: how dense, how thick and how heavy it is.
//
//   PropertyRule rule(liquids, "thickness");
//   const PropertyRule::Reader read(rule, particles);          // holds until channels are added
//   read.mass(i);

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "spindrift/fluid/liquid.h"
#include "spindrift/fluid/liquid_of.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::fluid {

/// m2/s: thicker than anything that flows in a film's time, and still a number that solvers can work with.
inline constexpr float thickest = 1e4f;

class PropertyRule {
  public:
    /// Particles of stores that have a channel of that name (f32, m2/s) take their viscosity from it.
    explicit PropertyRule(std::vector<Liquid> liquids, std::string viscosity_channel = {});

    const std::vector<Liquid>& liquids() const { return liquids_; }
    /// kg/m3, of the densest liquid.
    double reference_density() const { return reference_density_; }
    bool densities_vary() const { return densities_vary_; }
    /// Whether particles have viscosities of their own.
    bool has_viscosities(const ParticleStore& particles) const { return find_viscosities(particles) != nullptr; }
    bool viscosities_vary(const ParticleStore& particles) const {
        return viscosities_vary_ || has_viscosities(particles);
    }

    class Reader {
      public:
        Reader(const PropertyRule& rule, const ParticleStore& particles)
            : rule_(&rule),
              particles_(&particles),
              liquid_of_(particles),
              viscosity_(rule.find_viscosities(particles)) {}

        std::size_t liquid(std::size_t i) const { return liquid_of_(i); }
        /// kg/m3.
        double density(std::size_t i) const { return rule_->liquids_[liquid(i)].density; }
        /// Relative to the densest liquid, for who knows the particle's own.
        float density(std::size_t, std::size_t liquid) const { return rule_->densities_[liquid]; }
        /// m2/s.
        float viscosity(std::size_t i) const { return viscosity(i, liquid(i)); }
        float viscosity(std::size_t i, std::size_t liquid) const {
            if (!viscosity_) return static_cast<float>(rule_->liquids_[liquid].viscosity);
            const float own = viscosity_->as<float>()[particles_->slot(i)];
            return own > 0 ? std::min(own, thickest) : 0.f;
        }
        /// kg.
        double mass(std::size_t i) const { return density(i) * rule_->liquids_[liquid(i)].particle_volume(); }

      private:
        const PropertyRule* rule_;
        const ParticleStore* particles_;
        LiquidOf liquid_of_;
        const ChannelArray* viscosity_;  ///< nullptr if liquids say it
    };

  private:
    const ChannelArray* find_viscosities(const ParticleStore& particles) const;

    std::vector<Liquid> liquids_;
    std::string viscosity_channel_;
    std::vector<float> densities_;  ///< by liquid, relative to the densest
    double reference_density_ = 0;
    bool densities_vary_ = false, viscosities_vary_ = false;
};

}  // namespace spindrift::fluid
