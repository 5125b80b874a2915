#pragma once
// Takes particles away that are too old, too fast, too slow, alone, too many or in the wrong place.
//
//   Killer drain(scene.killer[0], {}, 0.02);
//   std::size_t killed = drain.apply(particles, {.frame = 30, .time = 29.0 / 24});

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "spindrift/emitters/params.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::emitters {

/// The moment at which particles are looked at.
struct Inspection {
    double frame = 0;
    double time = 0;           ///< seconds since the first frame, as the channel `birth` counts them
    bool whole_frame = false;  ///< a frame ends here: isolated particles are looked for
    std::function<std::size_t(std::size_t)> liquid_of = {};  ///< index of a particle's liquid; one liquid if empty
};

class Killer {
  public:
    /// `liquid` is the index of the only liquid to take from; `radius` how far others count against isolation.
    Killer(const KillerParams& params, std::optional<std::size_t> liquid, double radius);

    /// Marks particles as killed and says how many. Age needs the channel `birth`; without it particles count from the
    /// first frame.
    std::size_t apply(ParticleStore& particles, const Inspection& now) const;

  private:
    bool is_mine(std::size_t i, const Inspection& now) const;
    bool dies(const ParticleStore& particles, const ChannelArray* birth, std::size_t i, const Inspection& now) const;
    bool is_misplaced(Vec3d p) const;
    std::size_t kill_by_conditions(ParticleStore& particles, const Inspection& now) const;
    std::size_t kill_oldest(ParticleStore& particles, const Inspection& now) const;

    KillerParams params_;
    std::optional<std::size_t> liquid_;
    double radius_;
    std::optional<FillParams> inside_, outside_;
};

}  // namespace spindrift::emitters
