#pragma once
// Parts of the liquid that no excess holds: walls all around, so that their pressure is free up to a constant.
//
// Groups of leaves are looked at first, which costs nothing; cells are flooded only where a group has no excess
// anywhere, or everywhere if the caller asks (a pocket can hide in a leaf that also has open water).
//
//   ClosedParts parts;
//   parts.find(leaves, stencil, cycle.active(), cycle.bits(), ClosedParts::Search::groups);
//   parts.balance(rhs);                                     // each part's mean is zero now

#include <cstdint>
#include <vector>

#include "spindrift/grid/stencil.h"

namespace spindrift::grid {

class ClosedParts {
  public:
    enum class Search { groups, everywhere };

    ClosedParts() = default;

    void find(const LeafSet& leaves, const Stencil& stencil, const std::vector<std::int32_t>& active,
              const std::vector<std::uint8_t>& bits, Search search);
    bool empty() const { return parts_.empty(); }
    std::size_t size() const { return parts_.size(); }
    /// Takes the mean of each part out of it.
    void balance(Field<float>& values) const { take_means(values); }
    void balance(Field<double>& values) const { take_means(values); }
    /// One in the cells of a part; nothing else is written.
    void mark(std::size_t part, Field<float>& values, float value) const;
    /// Forgets a part that something else holds.
    void drop(std::size_t part) { parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(part)); }

  private:
    struct Cell {
        std::int32_t leaf;
        std::int32_t cell;
    };
    using Part = std::vector<Cell>;

    template <class T>
    void take_means(Field<T>& values) const;
    /// Cells that hang together with the given one; says whether they have no excess.
    bool flood(const LeafSet& leaves, const Stencil& stencil, Cell from, Part& part);

    std::vector<Part> parts_;
    Field<std::uint8_t> seen_{"pressure"};
};

}  // namespace spindrift::grid
