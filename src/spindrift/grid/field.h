#pragma once
// One value for every cell of a set of leaves.
//
// Faces are fields too: value (x, y, z) of a face field along an axis is that of the lower face of cell (x, y, z).
// There is room for a row before the first leaf and behind the last, so that a row may be loaded one cell off its
// place.
//
//   Field<float> pressure("pressure");
//   pressure.resize(leaves.size(), 0.f);                   // memory is kept, leaf 0 is set
//   float* p = pressure.leaf(l);                           // 512 values

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "spindrift/core/buffer.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::grid {

template <class T>
class Field {
  public:
    explicit Field(const std::string& name = "grid") : values_(name) {}

    /// Room for so many leaves; `border` fills leaf 0, all other values are whatever is there.
    void resize(std::size_t leaves, T border) {
        leaves_ = leaves;
        const std::size_t size = leaves * leaf_cells + 2 * leaf_width;
        values_.renew(size);
        std::fill(values_.data(), values_.data() + leaf_width + leaf_cells, border);
        std::fill(values_.data() + values_.size() - leaf_width, values_.data() + values_.size(), border);
    }
    void fill(T value) { std::fill(values_.data(), values_.data() + values_.size(), value); }

    std::size_t leaves() const { return leaves_; }
    T* leaf(std::size_t l) { return values_.data() + leaf_width + l * leaf_cells; }
    const T* leaf(std::size_t l) const { return values_.data() + leaf_width + l * leaf_cells; }
    T* leaf(std::int32_t l) { return leaf(static_cast<std::size_t>(l)); }
    const T* leaf(std::int32_t l) const { return leaf(static_cast<std::size_t>(l)); }
    /// Value of a cell of a leaf or of those around it: coordinates from -8 to 15.
    T near(const LeafSet& set, std::size_t l, Vec3i cell) const {
        const std::int32_t other = set.neighbors(l)[neighbor_index(cell.x >> 3, cell.y >> 3, cell.z >> 3)];
        return leaf(other)[cell_index(cell.x & 7, cell.y & 7, cell.z & 7)];
    }
    void swap(Field& other) noexcept {
        values_.swap(other.values_);
        std::swap(leaves_, other.leaves_);
    }

  private:
    Buffer<T> values_;
    std::size_t leaves_ = 0;
};

/// Gives ghosts the values of their owners.
template <class T>
void refresh(const LeafSet& leaves, Field<T>& field) {
    if (leaves.ranks().is_alone()) return;
    leaves.halo().refresh(reinterpret_cast<std::array<T, leaf_cells>*>(field.leaf(std::size_t{0})));
}

/// Three of a kind, one for each axis.
template <class T>
struct AxisFields {
    Field<T> x, y, z;

    explicit AxisFields(const std::string& name = "grid") : x(name), y(name), z(name) {}
    Field<T>& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    const Field<T>& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    void resize(std::size_t leaves, T border) {
        x.resize(leaves, border);
        y.resize(leaves, border);
        z.resize(leaves, border);
    }
};

template <class T>
void refresh(const LeafSet& leaves, AxisFields<T>& fields) {
    for (int axis = 0; axis < 3; ++axis)
        refresh(leaves, fields[axis]);
}

}  // namespace spindrift::grid
