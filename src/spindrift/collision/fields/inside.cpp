#include "spindrift/collision/fields/inside.h"

#include <atomic>

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {

using Accessor = openvdb::FloatGrid::ConstUnsafeAccessor;

struct Inside::Tree {
    openvdb::FloatGrid::Ptr grid;

    Accessor read() const { return grid->getConstUnsafeAccessor(); }
};

namespace {

/// What OpenVDB asks whether to stop, from any of its threads. Its base is the one that the library has its loops for.
struct Interrupter final : openvdb::util::NullInterrupter {
    const Interruptible* work = Interruptible::current();
    std::atomic<bool> told{false};

    bool wasInterrupted(int = -1) override {
        if (work && work->is_requested()) told = true;
        return told;
    }
};

openvdb::FloatGrid::Ptr rasterize(const CellMesh& mesh) {
    using Triangles = openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I>;
    static_assert(sizeof(Vec3f) == sizeof(openvdb::Vec3s) && sizeof(geometry::Triangle) == sizeof(openvdb::Vec3I));
    const Triangles triangles(reinterpret_cast<const openvdb::Vec3s*>(mesh.points.data()), mesh.points.size(),
                              reinterpret_cast<const openvdb::Vec3I*>(mesh.triangles->data()), mesh.triangles->size());
    // Only the signs are taken, so the narrowest band will do: distances are measured elsewhere.
    constexpr float band = 1.5f;
    constexpr int flags = openvdb::tools::DISABLE_RENORMALIZATION | openvdb::tools::DISABLE_NARROW_BAND_TRIMMING;
    Interrupter interrupter;
    openvdb::FloatGrid::Ptr grid;
    run_limited([&] {
        grid =
            openvdb::tools::meshToVolume<openvdb::FloatGrid>(static_cast<openvdb::util::NullInterrupter&>(interrupter),
                                                             triangles, openvdb::math::Transform(), band, band, flags);
    });
    if (interrupter.told) interrupter.work->stop();
    return grid;
}

bool has_inside(const openvdb::FloatGrid& grid) {
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        const float* values = leaf->buffer().data();
        if (std::any_of(values, values + openvdb::FloatTree::LeafNodeType::SIZE, [](float v) { return v < 0; }))
            return true;
    }
    return false;
}

}  // namespace

Inside::Inside(const CellMesh& mesh) : tree_(std::make_unique<Tree>()) {
    tree_->grid = rasterize(mesh);
    any_ = has_inside(*tree_->grid);
}

Inside::~Inside() = default;

bool Inside::at(Vec3i node) const {
    return tree_->read().getValue({node.x, node.y, node.z}) < 0;
}

void Inside::mark(Vec3i low, std::uint8_t* inside) const {
    const Accessor accessor = tree_->read();
    for (int z = 0; z < brick_side; ++z) {
        for (int y = 0; y < brick_side; ++y) {
            for (int x = 0; x < brick_side; ++x)
                *inside++ = accessor.getValue({low.x + x, low.y + y, low.z + z}) < 0;
        }
    }
}

bool Inside::near(Vec3f p, bool inside) const {
    const Accessor accessor = tree_->read();
    const Vec3i cell{static_cast<std::int32_t>(std::floor(p.x)), static_cast<std::int32_t>(std::floor(p.y)),
                     static_cast<std::int32_t>(std::floor(p.z))};
    // The cell's own corners first: nearly always they answer.
    for (int i = 0; i < 8; ++i) {
        const openvdb::Coord node(cell.x + (i & 1), cell.y + (i >> 1 & 1), cell.z + (i >> 2));
        if ((accessor.getValue(node) < 0) == inside) return true;
    }
    for (int i = 0; i < 64; ++i) {
        const openvdb::Coord node(cell.x - 1 + (i & 3), cell.y - 1 + (i >> 2 & 3), cell.z - 1 + (i >> 4));
        if ((accessor.getValue(node) < 0) == inside) return true;
    }
    return false;
}

}  // namespace spindrift::collision
