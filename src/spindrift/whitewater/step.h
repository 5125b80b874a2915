#pragma once
// Whitewater from one frame to the next: what is there moves, what is born joins it, kinds change, the old go.
//
// Source: Ihmsen et al. 2012 for the kinds and what moves them; docs/decisions/0029 for what differs.
// Equations: motion.h; foam goes with the liquid (third order) and is put back on the surface,
// x <- x - phi grad phi / |grad phi|^2. With w = max(h / 4, pscale): spray where phi > w, bubbles where phi < -w, foam
// between; a border is crossed only half of w beyond it. Foam's life is drawn from its half-life and is longer in
// crowds. Who goes farther than a cell in a frame, or two with the liquid, takes 2, 4 or 8 substeps, whatever the
// others take. Differs: kinds by depth, not by counts of neighbours; lives and everything else at random from hashes of
// ids.
//
//   Whitewater whitewater(params, seed);
//   Counts counts = whitewater.advance({.flow = {before, after, 1 / 24.f}, .frame = 42, .births = births});

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/emission.h"
#include "spindrift/whitewater/interval.h"
#include "spindrift/whitewater/params.h"
#include "spindrift/whitewater/particles.h"

namespace spindrift::whitewater {

struct Counts {
    std::array<std::size_t, kind_count> kinds{};  ///< that there are
    std::array<std::size_t, cause_count> born{};  ///< since the frame before, by cause
    std::size_t gone = 0;
    int substeps = 0;
    std::size_t total() const;
};

class Whitewater {
  public:
    Whitewater(const WhitewaterParams& params, std::uint64_t seed) : params_(params), seed_(seed) {}

    Counts advance(const Interval& interval);

    Particles particles{};  ///< by kind, and within a kind by cells
    std::int64_t next_id = 0;

  private:
    /// Particles by how many substeps they need, as powers of two.
    static constexpr std::size_t level_count = 4;
    using Levels = std::array<std::vector<std::uint32_t>, level_count>;

    std::size_t join(const std::vector<Birth>& births);
    std::vector<Levels> choose_levels(const FlowBetween& flow) const;
    void move(const Interval& interval, std::size_t first_born, Counts& counts);
    void break_up(const Interval& interval, Counts& counts);
    /// Drops of a range that are too large, and the mist that they lose.
    void shrink(Range range, const Interval& interval, std::vector<Birth>& lost);
    void leave_walls(const Interval& interval);
    void age_foam(Range foam, const Interval& interval);
    void settle_foam(const Interval& interval, const Counts& counts);

    WhitewaterParams params_;
    std::uint64_t seed_;
};

}  // namespace spindrift::whitewater
