#pragma once
// Moves particles of whitewater within a substep, and tells what kind they are by then.
//
//   const Mover mover(params, seed, interval, {.from = 0.25f, .to = 0.5f});
//   FlowReader liquid(interval.flow);
//   mover.move(particles, i, 0.25f, liquid);

#include <array>
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
    void move(Particles& all, std::size_t i, float from, FlowReader& liquid) const;
    /// A particle that has just been born gets its kind, size and life.
    void begin(Particles& all, std::size_t i, const Birth& birth, FlowReader& liquid) const;

  private:
    /// Where a particle is within the substep.
    struct Step {
        float share;  ///< of the interval, at which it begins
        float dt;     ///< s to the substep's end
    };
    void move_spray(Particles& all, std::size_t i, float dt) const;
    void move_mist(Particles& all, std::size_t i, Step step, FlowReader& liquid) const;
    void move_bubble(Particles& all, std::size_t i, Step step, FlowReader& liquid) const;
    Flow::Sample move_foam(Particles& all, std::size_t i, Step step, FlowReader& liquid) const;
    Flow::Sample put_on_surface(Vec3f& x, Vec3f v, FlowReader& liquid) const;
    bool meet_walls(Particles& all, std::size_t i, Vec3f from, collision::Start start) const;
    bool is_lost(Vec3f x) const;
    Kind kind_at(const Particles& all, std::size_t i, const Flow::Sample& liquid) const;
    void change(Particles& all, std::size_t i, Kind kind) const;
    float life_of(Kind kind, std::int64_t id) const;
    float own_diameter(Kind kind, std::int64_t id) const;
    float random(std::int64_t id, std::uint64_t draw) const {
        return uniform(hash_counter(seed_, static_cast<std::uint64_t>(id), draw));
    }
    float layer(float pscale) const { return std::max(0.25f * h_, pscale); }
    float size(Kind kind) const { return sizes_[static_cast<std::size_t>(kind)]; }

    const WhitewaterParams& params_;
    std::uint64_t seed_;
    const Interval& interval_;
    float h_, span_;
    Substep substep_;
    std::array<float, kind_count> sizes_{};
    const collision::Walls* walls_ = nullptr;
    forces::ForceSet fields_;  ///< besides gravity
    Air air_;
    Vec3f up_{0, 1, 0};
    float weight_ = 1;  ///< gravity by that of the earth
    forces::CurlNoise eddies_;
};

}  // namespace spindrift::whitewater
