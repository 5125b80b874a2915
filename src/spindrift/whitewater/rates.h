#pragma once
// How much of its volume a particle of liquid turns into whitewater in a second, by what is going on around it.
//
// Equations: potentials.h. Potentials are what a frame has; rates follow from them, also from those between two frames.
//
//   RateLaw law(params, frame, coarsest_spacing);
//   std::array<float, potential_count> rates = law(giver);

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spindrift/whitewater/kinds.h"
#include "spindrift/whitewater/params.h"

namespace spindrift::whitewater {

/// A particle that gives, or is near giving.
struct Giver {
    std::array<float, potential_count> value{};  ///< potentials
    std::array<float, potential_count> share{};  ///< by the masks
    float energy = 0;                            ///< J/kg

    /// Between two moments of the same particle.
    static Giver between(const Giver& a, const Giver& b, float share_of_b);
};

class RateLaw {
  public:
    RateLaw() = default;
    RateLaw(const WhitewaterParams& params, double frame, double coarsest_spacing);

    /// 1/s, by cause.
    std::array<float, potential_count> operator()(const Giver& giver) const;
    /// Whether it gives, or a potential is at least half of where it begins to.
    bool is_near(const Giver& giver) const;
    float rate(Potential cause) const { return rate_[static_cast<std::size_t>(cause)]; }
    /// Whether liquid this fast can give anything.
    bool is_fast(float speed_squared) const;

  private:
    std::array<float, 2> energy_{0, 1};
    float least_speed_ = 0;
    std::array<std::array<float, 2>, potential_count> range_{};
    std::array<float, potential_count> rate_{};
};

/// What the particles of a frame give. Most give nothing and have no row.
struct Rates {
    std::vector<std::uint32_t> row{};  ///< of each particle, 0 if it is not near giving
    std::vector<Giver> givers{{}};     ///< by row; the first is nobody's
    RateLaw law{};
    std::size_t giving = 0;  ///< particles that give anything

    /// Share of a particle's volume in a second.
    float of(std::uint32_t particle) const;
};

/// Relative speeds between which air begins to be trapped and as much is as can be, m/s.
std::array<double, 2> trapping_speed(const WhitewaterParams& params, double coarsest_spacing);

/// The length that crests are looked for at, m.
double crest_length(const WhitewaterParams& params, double coarsest_spacing);

}  // namespace spindrift::whitewater
