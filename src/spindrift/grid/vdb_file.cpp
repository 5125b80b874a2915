#include "spindrift/grid/vdb_file.h"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <sstream>

#include <fmt/format.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/geometry/vdb_archive.h"
#include "spindrift/neighbors/leaf_key.h"

namespace spindrift::grid {

namespace fs = std::filesystem;

namespace {

using openvdb::FloatGrid;
using openvdb::Vec3SGrid;

constexpr const char* unit_note = "unit";

/// A place in our leaves and in OpenVDB's, whose rows run along z.
template <class Visit>
void visit_cells(const Visit& visit) {
    for (int n = 0; n < leaf_cells; ++n) {
        const int x = n & 7, y = n >> 3 & 7, z = n >> 6;
        visit(n, static_cast<openvdb::Index>((x * leaf_width + y) * leaf_width + z));
    }
}

Vec3i leaf_coord(const openvdb::Coord& origin) {
    return {origin.x() >> 3, origin.y() >> 3, origin.z() >> 3};
}

bool is_active(const LeafMask& mask, int cell) {
    return mask[static_cast<std::size_t>(cell >> 6)] >> (cell & 63) & 1;
}

void get_value(const Volume& volume, std::size_t leaf, int cell, float& value) {
    value = volume.values[0].leaf(leaf)[cell];
}
void get_value(const Volume& volume, std::size_t leaf, int cell, openvdb::Vec3s& value) {
    for (std::size_t c = 0; c < 3; ++c)
        value[static_cast<int>(c)] = volume.values[c].leaf(leaf)[cell];
}
void set_value(Volume& volume, std::size_t leaf, int cell, float value) {
    volume.values[0].leaf(leaf)[cell] = value;
}
void set_value(Volume& volume, std::size_t leaf, int cell, const openvdb::Vec3s& value) {
    for (std::size_t c = 0; c < 3; ++c)
        volume.values[c].leaf(leaf)[cell] = value[static_cast<int>(c)];
}

/// A leaf without active cells whose values are all the same becomes a tile, or nothing.
template <class Grid>
void add_leaf(Grid& grid, const Volume& volume, std::size_t l) {
    const Vec3i first = volume.leaves.coord(l) * leaf_width;
    const openvdb::Coord origin(first.x, first.y, first.z);
    auto leaf = std::make_unique<typename Grid::TreeType::LeafNodeType>(origin, grid.background());
    visit_cells([&](int cell, openvdb::Index place) {
        typename Grid::ValueType value;
        get_value(volume, l, cell, value);
        leaf->setValueOnly(place, value);
        leaf->setActiveState(place, is_active(volume.active[l], cell));
    });
    typename Grid::ValueType constant = grid.background();
    bool all_active = false;
    if (!leaf->isEmpty() || !leaf->isConstant(constant, all_active)) {
        grid.tree().addLeaf(leaf.release());
    } else if (constant != grid.background()) {
        grid.tree().addTile(1, origin, constant, false);
    }
}

template <class Grid>
openvdb::GridBase::Ptr make_grid(const Volume& volume) {
    auto grid = Grid::create(typename Grid::ValueType(volume.background));
    for (std::size_t l = 1; l < volume.leaves.size(); ++l)
        add_leaf(*grid, volume, l);
    return grid;
}

openvdb::GridBase::Ptr make_grid_of(const Volume& volume) {
    if (volume.kind != Volume::Kind::faces) {
        const auto grid = make_grid<FloatGrid>(volume);
        if (volume.kind == Volume::Kind::level_set) grid->setGridClass(openvdb::GRID_LEVEL_SET);
        return grid;
    }
    const auto grid = make_grid<Vec3SGrid>(volume);
    grid->setGridClass(openvdb::GRID_STAGGERED);
    grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    return grid;
}

void add_notes(openvdb::GridBase& grid, const Volume& volume, const VdbNotes& notes) {
    grid.setName(volume.name);
    grid.setCreator("spindrift");
    grid.setSaveFloatAsHalf(false);
    grid.insertMeta(unit_note, openvdb::StringMetadata(volume.unit));
    grid.insertMeta("frame", openvdb::Int32Metadata(notes.frame));
    grid.insertMeta("time", openvdb::DoubleMetadata(notes.time));
    grid.insertMeta("fps", openvdb::DoubleMetadata(notes.fps));
    grid.insertMeta("solver", openvdb::StringMetadata(notes.solver));
    grid.insertMeta("up_axis", openvdb::StringMetadata("y"));
}

/// Voxels of OpenVDB stand at whole indices, our cells' middles half a cell further.
openvdb::math::Transform::Ptr transform_of(const Volume& volume) {
    auto transform = openvdb::math::Transform::createLinearTransform(volume.cell);
    const double half = 0.5 * volume.cell;
    transform->postTranslate({volume.origin.x + half, volume.origin.y + half, volume.origin.z + half});
    return transform;
}

[[noreturn]] void refuse(const fs::path& path, const std::string& text) {
    throw IoError(IoError::Kind::corrupt, path, text);
}

/// Most leaves that are read; a few numbers in a file may ask for any number of them.
constexpr std::size_t most_leaves = std::size_t{1} << 22;

/// Blocks of one value become leaves.
template <class Tree>
void cut_tiles(const fs::path& path, Tree& tree) {
    std::vector<openvdb::CoordBBox> tiles;
    std::size_t leaves = tree.leafCount();
    auto value = tree.cbeginValueAll();
    value.setMaxDepth(Tree::ValueAllCIter::LEAF_DEPTH - 1);
    for (; value; ++value) {
        if (!value.isValueOn() && *value == tree.background()) continue;
        tiles.push_back(value.getBoundingBox());
        const auto width = static_cast<std::size_t>(tiles.back().dim().x() / leaf_width);
        leaves += width * width * width;
        if (leaves > most_leaves) refuse(path, "has blocks of one value that are too large to be read cell by cell");
    }
    for (const openvdb::CoordBBox& tile : tiles) {
        const int n = tile.dim().x() / leaf_width;
        for (int k = 0; k < n * n * n; ++k)
            tree.touchLeaf(tile.min() + (openvdb::Coord(k % n, k / n % n, k / n / n) << 3));
    }
}

template <class Tree>
std::vector<Vec3i> leaf_coords(const fs::path& path, const Tree& tree) {
    std::vector<Vec3i> coords;
    for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) {
        coords.push_back(leaf_coord(leaf->origin()));
        for (const int c : {coords.back().x, coords.back().y, coords.back().z}) {
            // One leaf more has neighbours on both sides.
            if (std::abs(c) >= neighbors::leaf_key_offset - 1) refuse(path, "has cells too far from its origin");
        }
    }
    return coords;
}

template <class Grid>
void take_values(const fs::path& path, Grid& grid, Volume& volume) {
    cut_tiles(path, grid.tree());
    volume.leaves.assign(leaf_coords(path, grid.tree()));
    volume.active.assign(volume.leaves.size(), {});
    for (int c = 0; c < openvdb::VecTraits<typename Grid::ValueType>::Size; ++c) {
        volume.values.emplace_back(volume.name);
        volume.values.back().resize(volume.leaves.size(), volume.background);
    }
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        const auto own = static_cast<std::size_t>(volume.leaves.find(leaf_coord(leaf->origin())));
        visit_cells([&](int cell, openvdb::Index place) {
            set_value(volume, own, cell, leaf->getValue(place));
            const std::uint64_t bit = leaf->isValueOn(place);
            volume.active[own][static_cast<std::size_t>(cell >> 6)] |= bit << (cell & 63);
        });
    }
}

void take_place(const fs::path& path, const openvdb::GridBase& grid, Volume& volume) {
    const openvdb::math::Transform& transform = grid.transform();
    const auto world = [&](int axis) {
        openvdb::Vec3d index(0, 0, 0);
        if (axis >= 0) index[axis] = 1;
        return transform.indexToWorld(index);
    };
    const openvdb::Vec3d zero = world(-1);
    volume.cell = grid.voxelSize()[0];
    for (int axis = 0; axis < 3; ++axis) {
        openvdb::Vec3d step = world(axis) - zero;
        step[axis] -= volume.cell;
        // Differences of large coordinates are rounded.
        const double rounding = 1e-6 * volume.cell + 1e-14 * zero.length();
        if (!(volume.cell > 0) || !std::isfinite(volume.cell) || !(step.length() <= rounding))
            refuse(path, fmt::format("its grid '{}' is turned, distorted or has voxels without size", grid.getName()));
    }
    const double half = 0.5 * volume.cell;
    volume.origin = {zero.x() - half, zero.y() - half, zero.z() - half};
}

/// Nothing if the grid is of another type.
void read_grid(const fs::path& path, const openvdb::GridBase::Ptr& grid, std::vector<Volume>& out) {
    const auto floats = openvdb::gridPtrCast<FloatGrid>(grid);
    const auto vectors = openvdb::gridPtrCast<Vec3SGrid>(grid);
    if (!floats && !(vectors && grid->getGridClass() == openvdb::GRID_STAGGERED)) return;
    Volume volume;
    volume.name = grid->getName();
    if (const auto unit = grid->getMetadata<openvdb::StringMetadata>(unit_note)) volume.unit = unit->value();
    take_place(path, *grid, volume);
    if (floats) {
        const bool distance = grid->getGridClass() == openvdb::GRID_LEVEL_SET;
        volume.kind = distance ? Volume::Kind::level_set : Volume::Kind::scalar;
        volume.background = floats->background();
        take_values(path, *floats, volume);
    } else {
        volume.kind = Volume::Kind::faces;
        volume.background = vectors->background()[0];
        take_values(path, *vectors, volume);
    }
    out.push_back(std::move(volume));
}

}  // namespace

std::string vdb_content(std::span<const Volume> volumes, const VdbNotes& notes) {
    openvdb::initialize();
    openvdb::GridPtrVec grids;
    for (const Volume& volume : volumes) {
        SPINDRIFT_CHECK(volume.values.size() == (volume.kind == Volume::Kind::faces ? 3 : 1));
        grids.push_back(make_grid_of(volume));
        grids.back()->setTransform(transform_of(volume));
        add_notes(*grids.back(), volume, notes);
    }
    return geometry::archive_of(grids);
}

std::vector<Volume> read_vdb_volumes(const fs::path& path) {
    // Missing files and folders in the system's words.
    std::string content = read_file(path);
    if (geometry::is_damaged(content)) refuse(path, "is not an OpenVDB file, or it is damaged or cut off");
    std::istringstream bytes(std::move(content), std::ios::binary);
    openvdb::initialize();
    try {
        // Otherwise numbers of things that are read beyond the end of a damaged file are believed.
        bytes.exceptions(std::ios::failbit | std::ios::badbit);
        openvdb::io::Stream stream(bytes, false);
        std::vector<Volume> volumes;
        for (const openvdb::GridBase::Ptr& grid : *stream.getGrids())
            read_grid(path, grid, volumes);
        return volumes;
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        refuse(path, "is damaged, or too large for this machine's memory");
    } catch (const std::exception&) {
        refuse(path, "is not an OpenVDB file, or it is damaged or cut off");
    }
}

Volume read_vdb_volume(const fs::path& path, const std::string& name) {
    std::string names;
    for (Volume& volume : read_vdb_volumes(path)) {
        if (volume.name == name) return std::move(volume);
        names += (names.empty() ? "" : ", ") + volume.name;
    }
    refuse(path, names.empty() ? fmt::format("has no grid '{}', nor any other of floats or staggered vectors", name)
                               : fmt::format("has no grid '{}'; it has: {}", name, names));
}

}  // namespace spindrift::grid
