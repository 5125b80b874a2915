#pragma once
// Moves particles of whitewater within a substep, and tells what kind they are by then.
//
//   const Mover mover(params, seed, interval, {.from = 0.25f, .to = 0.5f});
//   mover.move(particles, i, 0.25f);

#include <cstdint>

#include "spindrift/core/random.h"
#include "spindrift/forces/curl_noise.h"
#include "spindrift/whitewater/interval.h"
#include "spindrift/whitewater/motion.h"
#include "spindrift/whitewater/particles.h"

namespace spindrift::whitewater {

/// Longer than any shot.
inline constexpr float endless = 1e6f;

/// What radii of a kind are multiplied by for the eye.
float size_of(const WhitewaterParams& params, Kind kind);

class Mover {
  public:
    /// Shares of the interval.
    struct Substep {
        float from = 0, to = 1;
    };
    Mover(const WhitewaterParams& params, std::uint64_t seed, const Interval& interval, Substep substep);

    /// From a share of the interval, not before the substep begins, to its end.
    void move(Particles& all, std::size_t i, float from) const;
    /// A particle that has just been born gets its kind, size and life.
    void begin(Particles& all, std::size_t i, const Birth& birth) const;

  private:
    void move_spray(Particles& all, std::size_t i, float dt) const;
    void move_mist(Particles& all, std::size_t i, float share, float dt) const;
    void move_bubble(Particles& all, std::size_t i, float share, float dt) const;
    void move_foam(Particles& all, std::size_t i, float share, float dt) const;
    void meet_walls(Particles& all, std::size_t i, Vec3f from, collision::Start start) const;
    void put_on_surface(Vec3f& x, Vec3f v) const;
    Kind kind_at(const Particles& all, std::size_t i, const Flow::Sample& liquid) const;
    void change(Particles& all, std::size_t i, Kind kind) const;
    float life_of(Kind kind, std::int64_t id) const;
    float random(std::int64_t id, std::uint64_t draw) const {
        return uniform(hash_counter(seed_, static_cast<std::uint64_t>(id), draw));
    }
    float layer(float pscale) const { return std::max(0.25f * flow_.before.h(), pscale); }

    const WhitewaterParams& params_;
    std::uint64_t seed_;
    const Interval& interval_;
    FlowBetween flow_;
    Substep substep_;
    const collision::Walls* walls_ = nullptr;
    forces::ForceSet fields_;  ///< besides gravity
    Air air_;
    Vec3f up_{0, 1, 0};
    float weight_ = 1;  ///< gravity by that of the earth
    forces::CurlNoise eddies_;
};

}  // namespace spindrift::whitewater
