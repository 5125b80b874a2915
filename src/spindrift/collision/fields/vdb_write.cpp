#include <openvdb/openvdb.h>

#include "spindrift/collision/fields/vdb_file.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/geometry/vdb_archive.h"

namespace spindrift::collision {

namespace fs = std::filesystem;

namespace {

openvdb::math::Transform::Ptr transform_of(const Field& field, const geometry::Pose& pose) {
    if (pose == geometry::Pose{}) return openvdb::math::Transform::createLinearTransform(field.cell);
    const Vec3d x = pose.x * field.cell, y = pose.y * field.cell, z = pose.z * field.cell, p = pose.position;
    return openvdb::math::Transform::createLinearTransform(
        openvdb::Mat4R(x.x, x.y, x.z, 0., y.x, y.y, y.z, 0., z.x, z.y, z.z, 0., p.x, p.y, p.z, 1.));
}

/// Calls visit(origin, table entry) for all blocks.
template <class Visit>
void visit_blocks(const Field& field, const Visit& visit) {
    std::size_t block = 0;
    for (int z = 0; z < field.bricks.z; ++z) {
        for (int y = 0; y < field.bricks.y; ++y) {
            for (int x = 0; x < field.bricks.x; ++x, ++block) {
                const Vec3i node = field.first + Vec3i{x, y, z} * brick_cells;
                visit(openvdb::Coord(node.x, node.y, node.z), field.table[block]);
            }
        }
    }
}

/// Calls visit(node of all bricks, place in an OpenVDB leaf) for a brick's own nodes.
template <class Visit>
void visit_leaf(std::int32_t brick, const Visit& visit) {
    for (int z = 0; z < brick_cells; ++z) {
        for (int y = 0; y < brick_cells; ++y) {
            for (int x = 0; x < brick_cells; ++x) {
                const int node = (z * brick_side + y) * brick_side + x;
                visit(static_cast<std::size_t>(brick) * brick_nodes + static_cast<std::size_t>(node),
                      static_cast<openvdb::Index>((x * brick_cells + y) * brick_cells + z));
            }
        }
    }
}

/// Distances that are known on both sides, in cells; a level set has one band. Shells have no inside beyond their
/// depth.
float level_set_band(const Field& field) {
    const auto is_far_inside = [&](float distance) { return distance < -field.depth; };
    const bool has_far_inside = std::find(field.table.begin(), field.table.end(), solid_block) != field.table.end() ||
                                std::any_of(field.distance.begin(), field.distance.end(), is_far_inside);
    return has_far_inside ? std::min(field.band, field.depth) : field.band;
}

openvdb::FloatGrid::Ptr make_level_set(const VdbCollider& collider) {
    const Field& field = *collider.field;
    const float scale = static_cast<float>(field.cell), background = level_set_band(field) * scale;
    auto grid = openvdb::FloatGrid::create(background);
    visit_blocks(field, [&](openvdb::Coord origin, std::int32_t entry) {
        if (entry == solid_block) grid->tree().addTile(1, origin, -background, false);
        if (entry < 0) return;
        auto leaf = std::make_unique<openvdb::FloatTree::LeafNodeType>(origin, background);
        visit_leaf(entry, [&](std::size_t node, openvdb::Index place) {
            const float value = field.distance[node] * scale;
            if (std::abs(value) < background) {
                leaf->setValueOn(place, value);
            } else {
                leaf->setValueOff(place, std::copysign(background, value));
            }
        });
        grid->tree().addLeaf(leaf.release());
    });
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    return grid;
}

openvdb::Vec3SGrid::Ptr make_velocities(const VdbCollider& collider) {
    const Field& field = *collider.field;
    auto grid = openvdb::Vec3SGrid::create();
    visit_blocks(field, [&](openvdb::Coord origin, std::int32_t entry) {
        if (entry < 0) return;
        auto leaf = std::make_unique<openvdb::Vec3STree::LeafNodeType>(origin);
        visit_leaf(entry, [&](std::size_t node, openvdb::Index place) {
            if (std::abs(field.distance[node]) > field.band) return;
            const Vec3f v = vec_cast<float>(collider.pose.turn(vec_cast<double>(collider.velocity[node])));
            leaf->setValueOn(place, {v.x, v.y, v.z});
        });
        grid->tree().addLeaf(leaf.release());
    });
    return grid;
}

}  // namespace

WrittenFile write_vdb_fields(const fs::path& path, std::span<const VdbCollider> colliders) {
    openvdb::initialize();
    openvdb::GridPtrVec grids;
    const auto add = [&](const openvdb::GridBase::Ptr& grid, const std::string& kind, const VdbCollider& collider) {
        grid->setName(colliders.size() == 1 ? kind : kind + "_" + collider.name);
        grid->setTransform(transform_of(*collider.field, collider.pose));
        grid->setCreator("spindrift");
        grid->setSaveFloatAsHalf(false);
        grids.push_back(grid);
    };
    for (const VdbCollider& collider : colliders) {
        add(make_level_set(collider), "collision", collider);
        if (collider.velocity) add(make_velocities(collider), "collisionvel", collider);
    }
    return write_file(path, geometry::archive_of(grids));
}

}  // namespace spindrift::collision
