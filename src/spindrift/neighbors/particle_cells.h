#pragma once
// The particles of a frame sorted into cells two spacings wide, by the engine's own sort: for stages that look at
// neighbours of any reach.
//
//   ParticleCells cells;
//   cells.sort({.x = positions, .spacing = {0.01}});
//   cells.for_runs({p, p}, reach, 0, [&](std::size_t first, std::size_t last) {
//       for (std::size_t i = first; i < last; ++i) ... cells.x()[i] ...
//   });

#include <cstdint>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::neighbors {

/// Particles of one or several liquids. The channels belong to the caller.
struct ParticleView {
    ConstChannel<Vec3f> x{};               ///< metres from the origin; those not finite are left out
    Vec3d origin{};                        ///< m
    ConstChannel<std::uint16_t> liquid{};  ///< which liquid each is of; empty: all are of the first
    std::vector<double> spacing{};         ///< of each liquid, m
};

class ParticleCells {
  public:
    ParticleCells() = default;
    explicit ParticleCells(const ParticleView& particles) { sort(particles); }

    /// What is sorted stays in the same memory from one call to the next.
    void sort(const ParticleView& particles);

    std::size_t size() const { return size_; }
    std::size_t skipped() const { return skipped_; }  ///< particles left out, not finite or absurdly far away
    Vec3d origin() const { return origin_; }          ///< of the coordinates, m
    double unit() const { return unit_; }             ///< of the coordinates, m: two spacings of the coarsest liquid

    /// Sorted positions in units from the origin; the fourth float's bits are the liquid.
    const Float4* x() const { return x_.data(); }
    /// Number of the particle among the caller's.
    std::uint32_t source(std::size_t i) const { return source_[i]; }
    std::uint16_t liquid(std::size_t i) const;

    /// Liquids of one spacing are a class; the coarsest comes first.
    int classes() const { return static_cast<int>(grid_.resolutions().h.size()); }
    int class_of(std::size_t liquid) const { return grid_.resolutions().of_liquid[liquid]; }
    double spacing(int of_class) const { return 0.5 * unit_ * cell(of_class); }
    /// Width of a class's cells, in units.
    float cell(int of_class) const { return grid_.resolutions().h[static_cast<std::size_t>(of_class)]; }

    const LeafGrid& grid() const { return grid_; }
    /// The class's leaf at these coordinates, -1 if there is none.
    std::int32_t find_leaf(Vec3i coord, int of_class) const;

    /// Calls f(first, last) for runs of sorted particles that hold all of a class within `reach` of a box, in units,
    /// and some more. Always in the same order.
    template <class F>
    void for_runs(const Box3f& box, float reach, int of_class, const F& f) const;

  private:
    static std::uint64_t key_of(Vec3i coord, int of_class);

    void index_leaves();

    Vec3d origin_{};
    double unit_ = 1;
    std::size_t size_ = 0, skipped_ = 0;
    LeafGrid grid_;
    Buffer<Float4> x_{"particle cells"};
    Buffer<std::uint32_t> source_{"particle cells"};
    std::vector<std::int32_t> table_;  ///< open addressing: leaf, -1 where free
};

/// The largest whole number that is not above it.
inline std::int32_t floor_to_int(float a) {
    const auto truncated = static_cast<std::int32_t>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

template <class F>
void ParticleCells::for_runs(const Box3f& box, float reach, int of_class, const F& f) const {
    const GridView view = grid_.view();
    const float steps = 4 / cell(of_class);
    // In quarters of a cell; a margin of one step covers the sort's rounding.
    const float r = reach * steps + 1, from = box.lo.x * steps, to = box.hi.x * steps;
    Vec3i lo, hi;
    for (int a = 0; a < 3; ++a) {
        lo[a] = floor_to_int(box.lo[a] * steps - r);
        hi[a] = floor_to_int(box.hi[a] * steps + r);
    }
    // Distance of a row of cells, four quarters wide, to the box along one axis.
    const auto apart = [&](int row, int axis) {
        const float low = static_cast<float>(4 * row);
        return std::max({0.f, low - box.hi[axis] * steps, box.lo[axis] * steps - (low + 4)});
    };
    Vec3i at;
    for (at.z = lo.z >> 5; at.z <= hi.z >> 5; ++at.z) {
        for (at.y = lo.y >> 5; at.y <= hi.y >> 5; ++at.y) {
            for (at.x = lo.x >> 5; at.x <= hi.x >> 5; ++at.x) {
                const std::int32_t found = find_leaf(at, of_class);
                if (found < 0) continue;
                const Leaf& leaf = view.leaves[found];
                if (leaf.table < 0) {
                    f(std::size_t{leaf.first}, std::size_t{leaf.first} + leaf.count);
                    continue;
                }
                const std::uint32_t* table = view.table(leaf);
                const int y0 = std::max(lo.y >> 2, at.y * 8), y1 = std::min(hi.y >> 2, at.y * 8 + 7);
                const int z0 = std::max(lo.z >> 2, at.z * 8), z1 = std::min(hi.z >> 2, at.z * 8 + 7);
                for (int z = z0; z <= z1; ++z) {
                    const float dz = apart(z, 2);
                    for (int y = y0; y <= y1; ++y) {
                        const float dy = apart(y, 1), rest = r * r - dz * dz - dy * dy;
                        if (rest <= 0) continue;
                        const float half = std::sqrt(rest);
                        const int x0 = std::max(floor_to_int(from - half) - at.x * 32, 0);
                        const int x1 = std::min(floor_to_int(to + half) - at.x * 32, 31);
                        if (x0 > x1) continue;
                        const int row = ((z & 7) * leaf_width + (y & 7)) * row_steps;
                        const std::size_t first = table[row + x0], last = table[row + x1 + 1];
                        if (first < last) f(first, last);
                    }
                }
            }
        }
    }
}

}  // namespace spindrift::neighbors
