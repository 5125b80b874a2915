#pragma once
// Which particles may be near a surface, told by counts alone, and how to visit them eight at a time.
//
// A cell, two spacings wide, is inside of the liquid if it and its 26 neighbours hold five particles or more each:
// eight are in a full one. Everything else may be near a surface. Counts are of one class, so that cells where liquids
// of different spacings meet count as near.
//
//   std::vector<std::uint32_t> near = particles_near_surface(cells);
//   for_groups(cells, near, [&](const Group& group, Gatherer& gatherer) { ... up to eight close particles ... });

#include <cstdint>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/surface/moment_kernels.h"

namespace spindrift::surface {

/// Numbers of sorted particles, ascending.
std::vector<std::uint32_t> particles_near_surface(const neighbors::ParticleCells& cells);

/// Up to eight particles of one class in a box about a cell wide.
struct Group {
    std::size_t first = 0;  ///< its particles are entries first to first + count of the list
    int count = 0;
    int of_class = 0;
    Points8 points{};  ///< lanes behind the count repeat the last
};

/// The longest group that begins at this entry and ends before `last`.
Group group_at(const neighbors::ParticleCells& cells, const std::vector<std::uint32_t>& list, std::size_t first,
               std::size_t last);

/// Finds the particles around points; keeps its memory between calls.
class Gatherer {
  public:
    explicit Gatherer(const neighbors::ParticleCells& cells) : cells_(&cells), kernels_(moment_kernels()) {}

    /// All particles of a class within the radius of any of the points, and some around; not all
    /// of a heap in one place. Valid until the next call.
    IndexList around(const Points8& points, float radius, int of_class);
    const MomentKernels& kernels() const { return kernels_; }

  private:
    const neighbors::ParticleCells* cells_;
    MomentKernels kernels_;
    std::vector<std::uint32_t> near_;
};

/// Calls f(group, gatherer) for all groups of the list, in parallel. How it is cut depends on the list alone.
template <class F>
void for_groups(const neighbors::ParticleCells& cells, const std::vector<std::uint32_t>& list, const F& f) {
    parallel_for(list.size(), 1024, [&](Range range) {
        Gatherer gatherer(cells);
        for (std::size_t i = range.first; i < range.last;) {
            const Group group = group_at(cells, list, i, range.last);
            f(group, gatherer);
            i += static_cast<std::size_t>(group.count);
        }
    });
}

}  // namespace spindrift::surface
