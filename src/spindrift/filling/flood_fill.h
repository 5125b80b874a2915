#pragma once
// What walls hold when liquid is let in at a point up to a height: the places of a lattice that it reaches. The lattice
// is cut for the walls that are seen from the point along the axes, so that a box is filled without gaps.
//
//   FloodFill pool({.from = {0, 0.1, 0}, .level = 0.5},
//                  {.walls = &walls, .around = box, .spacing = 0.01});
//   for (const FloodFill::Site& site : pool.sites()) ...

#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/emitters/params.h"

namespace spindrift::filling {

class FloodFill {
  public:
    struct Setup {
        const collision::Walls* walls = nullptr;  ///< in units of `h` from `origin`; needed only while it is made
        Vec3d origin{};
        double h = 1;
        Box3d around{};      ///< box around the domain and all colliders
        double spacing = 0;  ///< of the liquid, m
        double gap = 0;      ///< to walls, m
        double most = 1e9;   ///< particles
    };
    struct Site {
        Vec3d position;
        std::uint64_t number;  ///< the same for the same place of the lattice
    };

    /// Throws UsageError with a sentence about the flood if there is no room at its start or nothing holds it.
    FloodFill(const emitters::FloodParams& flood, const Setup& setup);

    /// In the order of the lattice: x runs first, then y, then z.
    const std::vector<Site>& sites() const { return sites_; }
    /// Box around the liquid.
    const Box3d& bounds() const { return bounds_; }
    /// Whether the place of the lattice that is nearest to the point is filled.
    bool contains(Vec3d p) const;

  private:
    using Index = Vec3<long>;
    struct Search;

    Vec3d site(Index at) const { return lattice_.site(at.x, at.y, at.z); }
    static Box3d seen_from(const emitters::FloodParams& flood, const Search& search);
    Index find_start(const emitters::FloodParams& flood, const Search& search) const;
    void run(const Search& search);
    bool is_marked(Index at) const;
    void mark(Index at);
    void list_sites(std::vector<Index> reached);

    emitters::Lattice lattice_;
    std::unordered_map<std::uint64_t, std::bitset<512>> marks_;  ///< by blocks of 8 x 8 x 8 places
    std::vector<Site> sites_;
    Box3d bounds_{};
};

}  // namespace spindrift::filling
