#pragma once
// Finds which of its sorted particles other ranks can reach in a step, and gets those of others.
//
//   Ghosts ghosts(ranks, cuts, grid, x);
//   ghosts.surround(particles);                                   // [below][owned][above]
//   grid.add_ghosts(ghosts.leaves_below(), ghosts.leaves_above(), x);
//
// A ghost leaf is beside one that the rank could own, with those of its particles that are near enough; leaves without
// such particles come too, since others ask what their liquid does on average.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/ranks/cuts.h"
#include "spindrift/ranks/halo.h"

namespace spindrift::fluid {

class Ghosts {
  public:
    /// All ranks make theirs together, of particles that were just sorted.
    Ghosts(ranks::Ranks& ranks, const ranks::Cuts& cuts, const neighbors::LeafGrid& grid, ConstChannel<Float4> x);

    std::span<const Float4> below() const { return sides_[0].x; }
    std::span<const Float4> above() const { return sides_[1].x; }
    std::span<const neighbors::GhostLeaf> leaves_below() const { return sides_[0].leaves; }
    std::span<const neighbors::GhostLeaf> leaves_above() const { return sides_[1].leaves; }

    /// Puts the ghosts' positions around those of the store, with velocities of zero.
    void surround(ParticleStore& particles) const;
    /// Of items in the order [below][owned][above].
    ranks::Halo particle_halo() const { return halo(&Peer::particles, &Peer::particle_count, particle_total_); }
    ranks::Halo leaf_halo() const { return halo(&Peer::leaves, &Peer::leaf_count, leaf_total_); }

  private:
    struct Side {
        std::vector<neighbors::GhostLeaf> leaves{};
        std::vector<Float4> x{};
    };
    /// Another rank: what it wants of the sorted particles and leaves, and how many came from there.
    struct Peer {
        std::vector<std::uint32_t> particles{}, leaves{};
        std::size_t particle_count = 0, leaf_count = 0;
    };

    void find_wanted(const ranks::Cuts& cuts, const neighbors::LeafGrid& grid, ConstChannel<Float4> x);
    void take(const ranks::Message& message);
    ranks::Message message_to(int rank, const neighbors::LeafGrid& grid, ConstChannel<Float4> x) const;
    ranks::Halo halo(std::vector<std::uint32_t> Peer::*give, std::size_t Peer::*count, std::size_t owned) const;

    ranks::Ranks* ranks_;
    std::vector<Peer> peers_;  ///< by rank
    Side sides_[2];
    std::size_t particle_total_, leaf_total_;  ///< that this rank owns
};

}  // namespace spindrift::fluid
