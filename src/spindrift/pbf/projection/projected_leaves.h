#pragma once
// Which particles stand in which leaf of the projection's grid, and the way of their velocities there and back.
//
// Cells are as wide as the largest support radius, two spacings. Leaves of the coarsest class are those of the grid;
// particles of finer classes are sorted into leaves of their own, parts of which lie in several of the grid's. A leaf
// with few particles that has no full one beside it is spray: it has no pressure.
//
//   ProjectedLeaves particles;
//   particles.find(sorted, x, grid);                          // sets the leaves of the grid
//   particles.scatter(sorted, x, v, grid);                    // velocities of faces

#include <cstdint>
#include <functional>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/grid/field.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::pbf {

class ProjectedLeaves {
  public:
    /// Finds the particles of the grid's leaves, which are made for them.
    void find(const neighbors::LeafGrid& sorted, const Float4* x, mac::MacGrid& grid);
    /// Gives faces the mean of the values of the particles around them, layer 0, and none to others.
    void scatter(const Float4* x, const Float4* v, mac::MacGrid& grid);
    /// Sets grid.phi by how full cells are, of what walls leave of them: tent(leaf) is nullptr away from walls.
    void measure(const Float4* x, mac::MacGrid& grid, const std::function<const float*(std::size_t)>& tent);

    /// Leaves of the sort that take part.
    const std::vector<std::uint32_t>& parts() const { return parts_; }
    /// Calls f(leaf of the grid, first, last) for runs of particles of a leaf of the sort.
    template <class F>
    void for_each_run_of(std::size_t sorted_leaf, const F& f) const {
        for (std::uint32_t k = run_starts_[sorted_leaf]; k < run_starts_[sorted_leaf + 1]; ++k)
            f(runs_[k].leaf, runs_[k].first, runs_[k].last);
    }

  private:
    /// Particles that follow each other in the sort and stand in one leaf of the grid.
    struct Run {
        std::uint32_t leaf, first, last;
        float weight;  ///< of each particle: its volume relative to the coarsest
    };

    void find_parts(const neighbors::LeafGrid& sorted);
    void find_runs(const neighbors::LeafGrid& sorted, const Float4* x, mac::MacGrid& grid);
    void list_runs(std::size_t leaves);

    std::vector<std::uint32_t> parts_;
    std::vector<std::vector<Run>> part_runs_;
    std::vector<Run> runs_;                             ///< in the order of the particles
    std::vector<std::uint32_t> run_starts_;             ///< by leaf of the sort
    std::vector<std::uint32_t> of_leaf_, leaf_starts_;  ///< runs by leaf of the grid
    std::vector<std::int32_t> buffer_of_;               ///< by leaf of the grid, -1 if it has no particles
    std::vector<std::uint32_t> filled_;                 ///< leaves that have a buffer
    Buffer<float> buffers_{"projection"};
};

}  // namespace spindrift::pbf
