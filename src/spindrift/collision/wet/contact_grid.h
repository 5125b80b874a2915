#pragma once
// Particles that touch a surface, sorted into cells, for all places of the surface that ask who is near.
//
//   ContactGrid grid(contacts);
//   grid.find({lo, hi}, near);       // those that reach into the box, at least
//   bool wet = ContactGrid::touches(near, place);

#include <span>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::collision {

/// A ball around a particle.
struct Contact {
    Vec3f at;
    float squared;  ///< radius
};

class ContactGrid {
  public:
    explicit ContactGrid(std::span<const Contact> contacts);

    bool empty() const { return cells_.empty(); }
    /// Replaces what is in `found`.
    void find(const Box3f& box, std::vector<Contact>& found) const;
    static bool touches(std::span<const Contact> contacts, Vec3f place);

  private:
    struct Entry {
        Vec3i cell;
        Contact contact;
    };
    Vec3i cell_of(Vec3f p) const;

    std::vector<Entry> cells_;  ///< by z, then y, then x
    Box3f bounds_{};            ///< of all the balls
    float radius_ = 0;          ///< of the largest
};

}  // namespace spindrift::collision
