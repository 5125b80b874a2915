#pragma once
// The particles of a step in the order of their leaves, those of them that are held, and sums over all of them.
//
// Several ranks each own a range of leaves. Between sort() and drop_ghosts() a store has ghosts of particles that
// others own around its own, [below][owned][above]; loops over pairs read them, and whoever changes what they read
// refreshes it. One rank alone owns everything, and refreshing does nothing.
//
//   SortedParticles sorted(neighbors::Resolutions{.h = {0.02f}});
//   sorted.sort(particles, spare, report);
//   sorted.find_held(particles);
//   sorted.refresh(particles.velocity().data());
//   const auto [mass] = sorted.sums<1>([&](std::size_t, Range own) { return std::array{mass_of(own)}; });
//   sorted.drop_ghosts(particles);

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "spindrift/core/buffer.h"
#include "spindrift/core/exact_sum.h"
#include "spindrift/fluid/held_particles.h"
#include "spindrift/fluid/solver.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/ranks/cuts.h"
#include "spindrift/ranks/halo.h"

namespace spindrift::fluid {

/// Two arrays as large as those of a store, which the sort swaps them with; between two sorts a solver may use them.
struct SpareArrays {
    std::array<Buffer<Float4>, 2> of{Buffer<Float4>("solver scratch"), Buffer<Float4>("solver scratch")};

    void resize(const ParticleStore& particles, std::size_t count);
};

class SortedParticles {
  public:
    explicit SortedParticles(neighbors::Resolutions resolutions) : grid_(std::move(resolutions)) {}

    void give_back_memory() { grid_ = neighbors::LeafGrid(grid_.resolutions()); }
    /// Works with others from now on, each with the leaves that the cuts say.
    void share(ranks::Ranks& ranks, ranks::Cuts cuts);
    ranks::Ranks& ranks() const { return *ranks_; }

    /// Brings a store's positions and velocities into the order of the leaves, with ghosts around them. Particles out
    /// of range or without a number for a place are dropped, and the report says how many.
    void sort(ParticleStore& particles, SpareArrays& spare, StepReport& report);
    /// Who is held keeps place and velocity as they are now, so a solver calls this once both are what it works with.
    void find_held(const ParticleStore& particles) { held_.find(particles, owned()); }
    /// Leaves the particles that this rank owns, from index 0 on.
    void drop_ghosts(ParticleStore& particles) const;

    /// Particles with ghosts, those of this rank among them, and of all ranks.
    std::size_t size() const { return size_; }
    Range owned() const { return grid_.owned(); }
    std::uint64_t global_size() const { return global_size_; }
    const HeldParticles& held() const { return held_; }
    neighbors::LeafGrid& grid() { return grid_; }
    const neighbors::LeafGrid& grid() const { return grid_; }
    std::span<const neighbors::Leaf> leaves() const { return grid_.leaves(); }
    Range owned_leaves() const { return grid_.owned_leaves(); }

    /// Gives ghosts the values of their owners: of each particle, of one member of them, or of each leaf.
    template <class T>
    void refresh(T* values) const {
        halo_.refresh(values);
    }
    template <class T, class Member>
    void refresh(T* values, Member T::*member) const {
        halo_.refresh(values, member);
    }
    template <class T>
    void refresh_leaves(T* values) const {
        leaf_halo_.refresh(values);
    }

    /// Sums of the numbers that body(leaf, its particles) gives for the leaves of all ranks: in the body's order within
    /// a leaf, exact over leaves.
    template <std::size_t count, class Body>
    std::array<double, count> sums(const Body& body) const {
        constexpr std::size_t leaves_per_task = 8;
        const std::size_t first = owned_leaves().first;
        return ranks::exact_sums<count>(*ranks_, owned_leaves().size(), leaves_per_task, [&](std::size_t k) {
            return body(first + k, leaves()[first + k].particles());
        });
    }

  private:
    void find_ghosts(ParticleStore& particles, SpareArrays& spare);

    ranks::Ranks* ranks_ = &ranks::alone();
    ranks::Cuts cuts_;
    neighbors::LeafGrid grid_;
    ranks::Halo halo_, leaf_halo_;
    HeldParticles held_;
    std::size_t size_ = 0;
    std::uint64_t global_size_ = 0;
    std::int64_t first_newborn_ = -1;  ///< id; particles from it on came since the last sort, none if it is negative
};

}  // namespace spindrift::fluid
