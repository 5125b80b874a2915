#pragma once
// The constants of liquids that the loops need.
//
//   LiquidTables tables({{.spacing = 0.01, .density = 998}, {.spacing = 0.02, .density = 912}});
//   tables.scales()[1].h;                          // relative to the largest
//   tables.pairs()[...];                           // constants of pairs, by the classes of both

#include <vector>

#include "spindrift/fluid/liquid.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/pbf/kernels.h"
#include "spindrift/pbf/prototype.h"

namespace spindrift::pbf {

using fluid::Liquid;

/// Surface tension at attraction 0.5 and tensile 0.2, in units of density spacing^3 / tension_time^2; from the period
/// of oscillating drops, docs/decisions/0008.
inline constexpr double tension_of_unit_time = 0.6;

/// Longest step in units of tension_time: beyond it attraction overshoots within a step; docs/decisions/0008.
inline constexpr double largest_tension_step = 0.25;

class LiquidTables {
  public:
    explicit LiquidTables(std::vector<Liquid> liquids);

    const std::vector<Liquid>& liquids() const { return liquids_; }
    std::size_t size() const { return liquids_.size(); }
    bool single() const { return liquids_.size() == 1; }
    /// Metres in the unit of length: the largest support radius.
    double unit() const { return unit_; }
    const neighbors::Resolutions& resolutions() const { return resolutions_; }
    const std::vector<LiquidScale>& scales() const { return scales_; }
    /// most_resolutions for each class.
    const std::vector<PairScale>& pairs() const { return pairs_; }
    const std::vector<ShareTable>& shares() const { return shares_; }
    /// Whether particles of the two answer alike to pressure and viscosity.
    bool alike(std::size_t a, std::size_t b) const;

  private:
    std::vector<Liquid> liquids_;
    double unit_;
    neighbors::Resolutions resolutions_;
    std::vector<LiquidScale> scales_;
    std::vector<PairScale> pairs_;
    std::vector<ShareTable> shares_;
};

}  // namespace spindrift::pbf
