#pragma once
// Says when a simulation is wrong: liquid that is pressed together, liquid and bodies that are faster than anything can
// have made them, bodies that are gone.
//
//   Verdict verdict = Health(scene, bound).judge({.particles = &particles, .density = density, .bodies = &bodies});

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/bodies/bodies.h"
#include "spindrift/health/energy_bound.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/scene/scene.h"

namespace spindrift::health {

/// Mean density error of a liquid that is told of.
inline constexpr double compressed = 0.1;
/// Fewer particles have no mean worth telling.
inline constexpr std::size_t fewest_for_a_mean = 100;
/// Speed of a particle or of a point of a body, by the speed that the energy allows, that is told of. Crowns and jets
/// up a wall have two to four, so twice as much is no jet any more.
inline constexpr double far_beyond = 8;
/// The same for what cannot be a jet nor get well again; and for the root of the mean square of all particles.
inline constexpr double hopeless_speed = 50, hopeless_mean = 3;

/// What is wrong with a frame.
struct Verdict {
    std::vector<std::string> events{};
    std::string hopeless{};  ///< what is beyond repair if it stays so; empty if nothing is
    bool finite = true;      ///< false if positions or velocities are not numbers: beyond repair at once
};

class Health {
  public:
    /// Both must outlive it.
    Health(const Scene& scene, const EnergyBound& bound) : scene_(scene), bound_(bound) {}

    struct Look {
        const ParticleStore* particles = nullptr;
        std::span<const float> density{};  ///< relative, in the order of the particles
        const bodies::Bodies* bodies = nullptr;
        int frame = 0;     ///< that is looked at
        int substeps = 0;  ///< of that frame, for advice
    };
    Verdict judge(const Look& look) const;

  private:
    struct Tally;
    Tally count(const Look& look) const;
    void judge_density(const Look& look, const Tally& tally, Verdict& verdict) const;
    void judge_speed(const Look& look, const Tally& tally, Verdict& verdict) const;
    void judge_body(const Look& look, std::size_t body, Verdict& verdict) const;
    bool is_outside(Vec3d center) const;

    const Scene& scene_;
    const EnergyBound& bound_;
};

/// What to type for shorter steps, with their number now.
std::string advice_for_accuracy(const Scene& scene, int substeps);

/// Tells events that are the same but for numbers and places from others.
std::string_view kind_of(std::string_view event);

}  // namespace spindrift::health
