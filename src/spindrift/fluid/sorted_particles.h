#pragma once
// The particles of a step in the order of their leaves, those of them that are held, and sums over all of them.
//
//   SortedParticles sorted(neighbors::Resolutions{.h = {0.02f}});
//   sorted.sort(particles, spare, report);
//   sorted.find_held(particles);
//   const auto [mass] = sorted.sums<1>([&](std::size_t, Range own) { return std::array{mass_of(own)}; });

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

namespace spindrift::fluid {

/// Two arrays as large as those of a store, which the sort swaps them with; between two sorts a solver may use them.
struct SpareArrays {
    std::array<Buffer<Float4>, 2> of{Buffer<Float4>("solver scratch"), Buffer<Float4>("solver scratch")};
};

class SortedParticles {
  public:
    explicit SortedParticles(neighbors::Resolutions resolutions) : grid_(std::move(resolutions)) {}

    /// Brings a store's positions and velocities into the order of the leaves. Particles out of range or without a
    /// number for a place are dropped, and the report says how many.
    void sort(ParticleStore& particles, SpareArrays& spare, StepReport& report);
    void find_held(const ParticleStore& particles) { held_.find(particles); }

    std::size_t size() const { return size_; }
    const HeldParticles& held() const { return held_; }
    neighbors::LeafGrid& grid() { return grid_; }
    const neighbors::LeafGrid& grid() const { return grid_; }
    std::span<const neighbors::Leaf> leaves() const { return grid_.leaves(); }

    /// Sums of the numbers that body(leaf, its particles) gives: in the body's order within a leaf, exact over leaves.
    template <std::size_t count, class Body>
    std::array<double, count> sums(const Body& body) const {
        constexpr std::size_t leaves_per_task = 8;
        return exact_sums<count>(leaves().size(), leaves_per_task,
                                 [&](std::size_t leaf) { return body(leaf, leaves()[leaf].particles()); });
    }

  private:
    neighbors::LeafGrid grid_;
    HeldParticles held_;
    std::size_t size_ = 0;
};

}  // namespace spindrift::fluid
