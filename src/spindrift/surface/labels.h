#pragma once
// Which liquid each point of a lattice is in: the one with the largest sum there, and how far it is ahead of the
// second.
//
//   Labels labels(band);
//   labels.start(leaf, best);
//   labels.rank(leaf, block, liquid, sums, best);             // for each liquid, in any order

#include <cstdint>
#include <vector>

#include "spindrift/surface/band.h"

namespace spindrift::surface {

class Labels {
  public:
    explicit Labels(Band& band) : band_(band), lattice_(band.lattice) {}

    /// How far one liquid is ahead deep inside, where there is no other.
    void set_bulk_lead(float lead) { bulk_lead_ = lead; }
    /// The blocks of a leaf whose labels are asked for.
    std::uint32_t blocks(std::size_t leaf) const { return band_.blocks[leaf] | band_.label_blocks[leaf]; }
    /// Leads of a leaf's points where nothing is evaluated.
    void fill(std::size_t leaf);
    /// Nobody has a sum yet; `best` gets room for the largest at each point.
    void start(std::size_t leaf, std::vector<float>& best);
    /// One liquid alone.
    void set(std::size_t leaf, std::uint8_t liquid);
    /// Lets a liquid with the sums w take part at the points of a block.
    void rank(std::size_t leaf, int block, std::uint8_t liquid, const float* w, std::vector<float>& largest);
    /// Makes signs and labels agree: what is outside is air, and what has no liquid is outside.
    void part_from_air(std::size_t leaf);

  private:
    Band& band_;
    Lattice& lattice_;
    float bulk_lead_ = 0;
};

}  // namespace spindrift::surface
