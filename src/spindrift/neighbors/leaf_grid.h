#pragma once
// Sorts particles into leaves of 8 x 8 x 8 cells and remembers where each row of cells begins.
//
// Source: Alduan et al. 2017, section 6 (Z-index on a sparse grid, 21 signed bits per axis).
// Differs: the Z-order runs over leaves only; inside a leaf particles follow rows (z, y, then x in quarters of a cell),
// because neighbours of a row segment are then a few long runs. One counting sort per step moves the hot arrays; it is
// stable and cut into chunks by index, so the order does not depend on the number of threads.
// Particles of several support radii are sorted into one grid each, the coarsest first, whose cells are as wide as
// their own h; leaves know which of the others' leaves their particles may reach. Symbols: cell = one support radius h
// of the class; coordinates are in units of the largest h.
// Where several ranks share a liquid, a rank sorts what it owns and puts ghosts of its neighbours' leaves around that,
// in the order of keys: leaves and particles are [below][owned][above].
//
//   LeafGrid grid;
//   SortResult sorted = grid.sort(n, x, v, x_sorted, v_sorted);
//   for (const Leaf& leaf : grid.leaves()) { ... particles leaf.first to leaf.first + leaf.count ... }

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/vec.h"

namespace spindrift::neighbors {

inline constexpr int leaf_width = 8;              ///< cells along a leaf's edge
inline constexpr int row_steps = 4 * leaf_width;  ///< quarters of a cell along a row
inline constexpr int bins_per_leaf = leaf_width * leaf_width * row_steps;
/// Leaves with fewer particles have no row table: their particles are candidates as a whole. Spray costs no tables.
inline constexpr std::uint32_t dense_leaf = 64;
/// Coordinates must stay within this many cells of the origin: 21 bits with sign.
inline constexpr float coordinate_limit = 1 << 20;

/// Farthest that particles may move between the sort and the search for neighbours.
inline constexpr float largest_move = 0.25f;

struct Leaf {
    Vec3i coord;          ///< in leaves of its class
    std::uint32_t first;  ///< first particle
    std::uint32_t count;
    std::int32_t table;        ///< index of its row table, -1 if it has none
    float moved = 0;           ///< how far its particles may be, on each axis, from where they were sorted; in cells
    std::uint32_t resolution;  ///< its class

    Range particles() const { return {first, std::size_t{first} + count}; }
};

inline constexpr int most_resolutions = 8;
/// Largest ratio of the support radii of two classes: beyond it too few coarse particles see a fine one.
inline constexpr double largest_ratio = 4.0001;

/// The support radii there are.
struct Resolutions {
    std::vector<float> h = {1};             ///< of each class in the unit of coordinates; the first is the largest
    std::vector<std::uint8_t> of_liquid{};  ///< class by the liquid whose index is in x.w (its bits); empty: one class
};

/// What loops need to find the particles near a place.
struct GridView {
    const Leaf* leaves;
    const std::int32_t* neighbors;  ///< 27 leaf indices for each leaf (x fastest, own leaf at 13), -1 where none
    const std::uint32_t* tables;    ///< bins_per_leaf + 1 particle indices for each table
    const float* h;                 ///< cell width of each class
    const std::uint32_t*
        cross_starts;  ///< nullptr with one class; else where each leaf's entries in cross_leaves begin
    const std::uint32_t* cross_leaves;  ///< leaves of other classes that its particles may reach

    const std::uint32_t* table(const Leaf& leaf) const {
        return tables + static_cast<std::size_t>(leaf.table) * (bins_per_leaf + 1);
    }
};

/// A leaf of another rank beside those of this one, or the part of it that they can reach.
struct GhostLeaf {
    std::uint64_t key;
    std::uint64_t count;  ///< particles
};

struct SortResult {
    std::size_t kept = 0;        ///< particles in the sorted arrays
    std::size_t escaped = 0;     ///< dropped: beyond coordinate_limit
    std::size_t not_finite = 0;  ///< dropped: NaN or infinite position
};

class LeafGrid {
  public:
    LeafGrid() = default;
    explicit LeafGrid(Resolutions resolutions) : resolutions_(std::move(resolutions)) {}

    const Resolutions& resolutions() const { return resolutions_; }

    /// Sorts the first n of x and v into x_sorted and v_sorted. Particles whose velocity is marked dead
    /// (ParticleStore::kill) and those out of range are dropped.
    SortResult sort(std::size_t n, const Float4* x, const Float4* v, Float4* x_sorted, Float4* v_sorted);

    /// Of a place in units of the largest h; one class only.
    std::uint64_t key_at(Vec3f x) const;
    /// Puts leaves of other ranks below and above the sorted ones. `x` has all particles in their places,
    /// [below][owned][above]. One class only.
    void add_ghosts(std::span<const GhostLeaf> below, std::span<const GhostLeaf> above, const Float4* x);

    /// The leaves that were sorted, and their particles; all there are unless there are ghosts.
    Range owned_leaves() const { return owned_leaves_; }
    Range owned() const { return owned_; }
    std::span<const std::uint64_t> keys() const { return keys_; }

    std::span<const Leaf> leaves() const { return {leaves_.data(), leaves_.size()}; }
    /// For whoever moves particles after the sort, by no more than largest_move, to set Leaf::moved.
    std::span<Leaf> leaves() { return {leaves_.data(), leaves_.size()}; }
    GridView view() const {
        const bool many = resolutions_.h.size() > 1;
        return {leaves_.data(),
                neighbors_.data(),
                tables_.data(),
                resolutions_.h.data(),
                many ? cross_starts_.data() : nullptr,
                cross_leaves_.data()};
    }

  private:
    struct ChunkLeaf {
        std::uint64_t key;
        std::uint32_t chunk, local;
        std::uint32_t count;
    };
    struct Chunk {
        std::vector<ChunkLeaf> leaves;
        std::vector<std::uint32_t> starts;
        std::vector<std::uint32_t> table;  ///< open addressing: local leaf + 1, 0 where free
        SortResult result;
    };

    template <bool many>
    void count_chunk(std::size_t chunk_index, std::size_t n, const Float4* x, const Float4* v);
    static std::uint32_t find_or_add(Chunk& chunk, std::uint32_t chunk_index, std::uint64_t key);
    std::size_t place_leaves();
    void bin_chunk(std::size_t chunk_index, std::size_t n);
    void sort_leaf(const Leaf& leaf, const Float4* x, const Float4* v, Float4* x_sorted, Float4* v_sorted);
    void fill_table(const Leaf& leaf, const Float4* x);
    void link_neighbors();
    template <class Find>
    void link_classes(const Find& find);

    Resolutions resolutions_;
    std::vector<std::uint32_t> cross_starts_, cross_leaves_;
    std::vector<Chunk> chunks_;
    std::vector<ChunkLeaf> merged_;
    std::vector<std::uint64_t> keys_;
    Range owned_leaves_{0, 0}, owned_{0, 0};
    Buffer<std::uint32_t> bin_of_{"sort scratch"};  ///< per particle: local leaf and bin in it, or dropped
    Buffer<std::uint32_t> binned_{"sort scratch"};  ///< particle indices by leaf
    Buffer<Leaf> leaves_{"leaves"};
    Buffer<std::int32_t> neighbors_{"leaves"};
    Buffer<std::uint32_t> tables_{"row tables"};
};

}  // namespace spindrift::neighbors
