#pragma once
// How fast liquid and bodies can be at most, by the energy there is.
//
// Liquid that came in with v0 and can have fallen through a height H has at most sqrt(v0^2 + 2 g H). H is counted from
// the highest that came in to the floor of the domain, or without a floor as far as things fall in the time. Walls,
// winds and surface tension count as speeds that liquid came in with, force fields give speed as time goes on, walls
// lift liquid as fast as they move. A light liquid that a heavy one drives takes its energy: the root of the ratio of
// their densities. All this holds on average; jets gather the energy of many particles in few.
//
//   EnergyBound bound(scene, liquids);
//   bound.take_in(particles, {0, particles.size()});             // at the start, and what emitters add later
//   bound.feel({.dt = dt, .forces = &forces, .walls = &walls, .bodies = &bodies, .frame = 12.5});   // after a substep
//   double most = bound.speed_of_liquid(0);

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/bodies/bodies.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/parallel.h"
#include "spindrift/fluid/property_rule.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/scene/scene.h"

namespace spindrift::health {

class EnergyBound {
  public:
    EnergyBound(const Scene& scene, const fluid::PropertyRule& rule);

    /// Liquid as it comes in: its speed and its height are there to be used.
    void take_in(const ParticleStore& particles, Range born);

    /// What acted in a substep.
    struct Substep {
        double dt = 0;
        const forces::ForceSet* forces = nullptr;
        const collision::Walls* walls = nullptr;  ///< without bodies
        const bodies::Bodies* bodies = nullptr;
        double frame = 0;  ///< of the scene, fractions count
    };
    void feel(const Substep& substep);

    /// m/s, on average over all that there is of it.
    double speed_of_liquid(std::size_t liquid) const;
    double speed_of_bodies() const;

    /// Numbers that a restart needs.
    std::vector<double> state() const;
    /// Older frames have none: what they do not tell counts from now on.
    void set_state(std::span<const double> state, const ParticleStore& particles);

  private:
    static constexpr double nowhere = std::numeric_limits<double>::max();

    std::vector<double> lightest_;  ///< kg/m3 that particles of each liquid may have
    std::vector<bodies::BodyParams> bodies_;
    Vec3d up_{};
    bool gravity_changes_ = false;
    double gravity_ = 0;   ///< m/s2; 0 if it changes, and then it counts as a force
    double heaviest_ = 0;  ///< kg/m3
    std::optional<double> floor_{};

    /// Heights are along `up_`.
    double speed_ = 0;   ///< m/s, of the fastest that came in or pushed
    double gained_ = 0;  ///< m/s, that forces other than gravity gave at most
    double lifted_ = 0;  ///< m, that walls lifted liquid at most
    double top_ = -nowhere, bottom_ = nowhere;
    double time_ = 0;
};

/// Whether a domain has no wall at its low or high side along an axis.
bool is_open(const collision::DomainParams& domain, int axis, bool low);

}  // namespace spindrift::health
