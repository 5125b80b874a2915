#pragma once
// Which nodes a closed mesh has inside, whatever its winding; found by OpenVDB's flood fill.
//
//   Inside inside(cells);                              // points in cells
//   bool wet = inside.at({3, 4, 5});

#include <cstdint>
#include <memory>

#include "spindrift/collision/fields/field_layout.h"

namespace spindrift::collision {

class Inside {
  public:
    explicit Inside(const CellMesh& mesh);
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    /// False if the mesh has holes, or is thinner than its cells everywhere.
    bool any() const { return any_; }
    bool at(Vec3i node) const;
    /// For the nodes of a block of brick_side on a side, 1 if inside.
    void mark(Vec3i low, std::uint8_t* inside) const;
    /// Whether a node of the cell around a point, or of the cells beside that, is inside or not, as asked.
    bool near(Vec3f p, bool inside) const;

  private:
    struct Tree;
    std::unique_ptr<Tree> tree_;
    bool any_ = false;
};

}  // namespace spindrift::collision
