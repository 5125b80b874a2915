#pragma once
// What the particles of a step are made of: density, viscosity and mass, one number for all or one for each in sorted
// order. A rule fills them once in a step from liquids and channels, so that nobody else asks which liquid a particle
// is of to know how heavy or how thick it is.
//
//   Properties properties(PropertyRule(liquids, "thickness"));
//   properties.fill(particles, sorted.owned(), sorted.size(), LiquidOf(particles));
//   properties.refresh(sorted);
//   float share = properties.density()[i];                     // of the densest liquid
//   double kilograms = properties.mass_in_kg(i);

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"
#include "spindrift/fluid/per_particle.h"
#include "spindrift/fluid/property_rule.h"

namespace spindrift::fluid {

class SortedParticles;

class Properties {
  public:
    explicit Properties(PropertyRule rule);

    const PropertyRule& rule() const { return rule_; }

    /// Those of the sorted particles `own` among `count`, of which liquid_of(i) says the liquid.
    template <class LiquidOfParticle>
    void fill(const ParticleStore& particles, Range own, std::size_t count, const LiquidOfParticle& liquid_of) {
        begin(particles, count);
        if (!liquids() && !viscosity().each && !density().each) return;
        parallel_for(own.size(), [&, read = PropertyRule::Reader(rule_, particles)](Range range) {
            for (const std::size_t k : range) {
                const std::size_t i = own.first + k, liquid = liquid_of(i);
                if (liquids()) liquid_[i] = static_cast<std::uint8_t>(liquid);
                if (density().each) {
                    density_[i] = read.density(i, liquid);
                    lightness_[i] = 1 / density_[i];
                }
                if (viscosity().each) viscosity_[i] = read.viscosity(i, liquid);
            }
        });
        find_bounds(own);
    }
    /// Gives ghosts what their owners have.
    void refresh(const SortedParticles& sorted);

    /// Index of a particle's liquid, and those of all; nullptr if there is one.
    std::size_t liquid(std::size_t i) const { return liquids() ? liquid_[i] : 0; }
    const std::uint8_t* liquids() const { return liquid_.size() == 0 ? nullptr : liquid_.data(); }
    const Liquid& liquid_of(std::size_t i) const { return rule_.liquids()[liquid(i)]; }
    /// Relative to the densest kind of liquid, and one over that.
    PerParticle density() const { return {1, density_.size() == 0 ? nullptr : density_.data()}; }
    PerParticle lightness() const { return {1, density_.size() == 0 ? nullptr : lightness_.data()}; }
    /// m2/s.
    PerParticle viscosity() const { return {one_viscosity_, viscosity_.size() == 0 ? nullptr : viscosity_.data()}; }
    /// m2/s, of all particles.
    double least_viscosity() const { return least_viscosity_; }
    double largest_viscosity() const { return largest_viscosity_; }
    /// m2/s, of particles of one liquid; of all if each has its own.
    double largest_viscosity_of(const Liquid& liquid) const {
        return by_channel_ ? largest_viscosity_ : liquid.viscosity;
    }
    /// Relative to a particle of the densest liquid with the widest spacing.
    Masses masses() const { return {density(), volumes_.data(), liquids()}; }
    float mass(std::size_t i) const { return masses()[i]; }
    double mass_in_kg(std::size_t i) const { return static_cast<double>(mass(i)) * reference_mass(); }
    /// kg.
    double reference_mass() const { return reference_mass_; }

  private:
    void begin(const ParticleStore& particles, std::size_t count);
    void find_bounds(Range own);

    PropertyRule rule_;
    std::vector<float> volumes_;  ///< of particles, by liquid, relative to the largest
    double reference_mass_ = 0;
    float one_viscosity_ = 0;
    double least_viscosity_ = 0, largest_viscosity_ = 0;
    bool by_channel_ = false;  ///< viscosities are those of a channel, or of what particles are mixed of
    Buffer<std::uint8_t> liquid_{"liquids"};
    Buffer<float> density_{"liquids"}, lightness_{"liquids"}, viscosity_{"liquids"};
};

}  // namespace spindrift::fluid
