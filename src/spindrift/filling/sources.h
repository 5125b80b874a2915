#pragma once
// Emitters and killers of a scene at work on its particles.
//
//   Sources sources(scene);
//   sources.emit(particles, {.time = t, .dt = dt}, walls, h, forces);   // after a substep that ended at t
//   sources.kill(particles, t, false);

#include <cstddef>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/emitters/emitter.h"
#include "spindrift/emitters/killer.h"
#include "spindrift/filling/carried_channels.h"
#include "spindrift/filling/mixes.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/scene/scene.h"

namespace spindrift::filling {

class Sources {
  public:
    explicit Sources(const Scene& scene);

    /// The end of a substep, in seconds since the first frame, and its length.
    struct Substep {
        double time, dt;
    };

    bool has_emitters() const { return !emitters_.empty(); }
    /// Whether particles need the channel `birth`.
    bool needs_births() const { return needs_births_; }
    /// Fastest that liquid comes in at a time: limits the next substep.
    double speed(double time) const;
    /// Where the emitters are at the first frame.
    std::vector<Vec3d> positions() const;

    /// Adds the particles that came in during a substep, each where it would be had it left at its moment. Walls are in
    /// support radii `h` from the store's origin.
    void emit(ParticleStore& particles, Substep step, const collision::Walls& walls, double h,
              const forces::ForceSet& forces);

    /// Lets those go that have come far enough from their nozzle by this time. Until then they move as they left it:
    /// what is in front cannot push them back where the next ones come.
    void release(ParticleStore& particles, double time);

    /// `whole_frame` where a frame ends.
    void kill(ParticleStore& particles, double time, bool whole_frame) const;

    /// All that changes in the emitters; part of the state.
    std::vector<emitters::EmitterState> states() const;
    /// False if they are not of this scene.
    bool set_states(const std::vector<emitters::EmitterState>& states);

    /// Particles, by ids, that are held until a time; in the order of their ids.
    struct HeldSheet {
        std::int64_t first, last;
        double until;
    };
    const std::vector<HeldSheet>& held() const { return held_; }
    void set_held(std::vector<HeldSheet> held, ParticleStore& particles);

  private:
    double frame_at(double time) const { return first_frame_ + time * fps_; }
    /// Gives newborns their places and velocities; what else they carry they have already, since forces look at it.
    void place(ParticleStore& particles, Range born, const std::vector<emitters::Birth>& births,
               const emitters::Emitter& emitter, double time, const collision::Walls& walls, double h,
               const forces::ForceSet& forces);
    /// Gives newborns what the emitter sent at the moment when they left it.
    void mix(ParticleStore& particles, Range born, const std::vector<emitters::Birth>& births, std::size_t emitter,
             double time) const;
    const HeldSheet* find_held(std::int64_t id) const;

    double first_frame_, fps_;
    bool needs_births_;
    std::vector<emitters::EmitterParams> params_;
    std::vector<emitters::Emitter> emitters_;
    std::vector<ChannelValues> values_;  ///< that particles of each emitter carry
    Mixes mixes_;
    std::vector<emitters::Killer> killers_;
    std::vector<HeldSheet> held_;
};

}  // namespace spindrift::filling
