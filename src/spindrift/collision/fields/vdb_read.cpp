#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include "spindrift/collision/fields/vdb_file.h"
#include "spindrift/core/apart.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {

namespace fs = std::filesystem;

namespace {

/// Within the process of its own: it says what is wrong, and the caller in which file.
[[noreturn]] void refuse(const std::string& text) {
    throw std::runtime_error(text);
}

/// Before OpenVDB sees it: what is missing or no file at all, in the system's words.
void check_file(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw read_error(path, ENOENT);
    if (fs::is_directory(status)) throw read_error(path, EISDIR);
}

/// 'density' (float), 'v' (vec3s)
std::string list_grids(const openvdb::GridPtrVec& grids) {
    std::string list;
    for (const auto& grid : grids)
        list += fmt::format("{}'{}' ({})", list.empty() ? "" : ", ", grid->getName(), grid->valueType());
    return list;
}

/// How much a grid looks like the one that is meant; the greatest wins.
int rank(const openvdb::GridBase& grid) {
    const std::string name = grid.getName();
    return 4 * (grid.getGridClass() != openvdb::GRID_FOG_VOLUME) + 2 * (name == "collision") + (name == "surface");
}

openvdb::FloatGrid::Ptr choose(const openvdb::GridPtrVec& grids) {
    openvdb::FloatGrid::Ptr chosen;
    for (const auto& grid : grids) {
        const auto floats = openvdb::gridPtrCast<openvdb::FloatGrid>(grid);
        if (floats && (!chosen || rank(*floats) > rank(*chosen))) chosen = floats;
    }
    if (grids.empty()) refuse("has no grids; a level set of floats is needed");
    if (!chosen) refuse(fmt::format("has no grid of floats, only {}; a level set is needed", list_grids(grids)));
    return chosen;
}

/// Files of unknown class are taken if their values are those of a level set.
void check_level_set(const openvdb::FloatGrid& grid) {
    bool inside = false, outside = false;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        for (auto value = leaf->cbeginValueOn(); value; ++value) {
            inside |= *value < 0;
            outside |= *value > 0;
        }
    }
    if (grid.getGridClass() == openvdb::GRID_FOG_VOLUME || !inside) {
        refuse(
            fmt::format("its grid '{}' is a fog volume or has no inside; convert it to a level set (negative "
                        "inside) in the program it comes from",
                        grid.getName()));
    }
    if (!outside) refuse(fmt::format("its grid '{}' has no outside; a level set is needed", grid.getName()));
}

/// Large blocks of one value have no surface in them, but meshing would go over all their sides.
void deactivate_tiles(openvdb::FloatGrid& grid) {
    auto value = grid.tree().beginValueOn();
    value.setMaxDepth(openvdb::FloatTree::ValueOnIter::LEAF_DEPTH - 1);
    for (; value; ++value)
        value.setValueOff();
}

openvdb::FloatGrid::Ptr read_level_set(const fs::path& path) {
    openvdb::GridPtrVecPtr grids;
    try {
        // A stream, which can be told to throw: otherwise numbers of things that are read beyond the end of a damaged
        // file are believed.
        std::ifstream bytes(path, std::ios::binary);
        bytes.exceptions(std::ios::failbit | std::ios::badbit);
        openvdb::io::Stream stream(bytes, false);
        grids = stream.getGrids();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::ios_base::failure&) {
        refuse("is not an OpenVDB file, or it is damaged or cut off");
    } catch (const std::exception& error) {
        refuse(fmt::format("is not an OpenVDB file, or it is damaged ({})", error.what()));
    }
    const openvdb::FloatGrid::Ptr grid = choose(*grids);
    check_level_set(*grid);
    deactivate_tiles(*grid);
    return grid;
}

/// Whether the outermost voxels are in the solid.
bool is_cavity(const openvdb::FloatGrid& grid) {
    int least = std::numeric_limits<int>::max();
    bool inside = false;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        if (leaf->origin().x() >= least) continue;
        for (auto value = leaf->cbeginValueOn(); value; ++value) {
            if (value.getCoord().x() >= least) continue;
            least = value.getCoord().x();
            inside = *value < 0;
        }
    }
    return inside;
}

geometry::Mesh mesh_of(const openvdb::FloatGrid& grid) {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec4I> quads;
    run_limited([&] { openvdb::tools::volumeToMesh(grid, points, quads, 0.0); });
    geometry::Mesh mesh;
    mesh.points.reserve(points.size());
    for (const openvdb::Vec3s& p : points) {
        mesh.points.push_back({p.x(), p.y(), p.z()});
        if (!is_finite(mesh.points.back())) refuse("has values that are not numbers");
    }
    mesh.triangles.reserve(quads.size() * 2);
    for (const openvdb::Vec4I& q : quads) {
        mesh.triangles.push_back({q[0], q[1], q[2]});
        mesh.triangles.push_back({q[0], q[2], q[3]});
    }
    if (quads.empty()) refuse(fmt::format("its grid '{}' has no surface", grid.getName()));
    return mesh;
}

VdbSurface surface_of(const fs::path& path) {
    const openvdb::FloatGrid::Ptr grid = read_level_set(path);
    const openvdb::Vec3d size = grid->voxelSize();
    const double voxel = std::cbrt(std::abs(size.x() * size.y() * size.z()));
    if (!(voxel > 0) || !std::isfinite(voxel)) refuse("has a grid whose voxels have no size");
    return {mesh_of(*grid), voxel, is_cavity(*grid)};
}

/// How a surface comes from one process to another; its points and triangles follow.
struct SurfaceHeader {
    double voxel;
    std::uint64_t is_cavity, points, triangles;
};

std::string to_bytes(const VdbSurface& surface) {
    const SurfaceHeader header{surface.voxel, surface.is_cavity, surface.mesh.points.size(),
                               surface.mesh.triangles.size()};
    const std::size_t points = header.points * sizeof(Vec3f), triangles = header.triangles * sizeof(geometry::Triangle);
    std::string bytes(sizeof header + points + triangles, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, surface.mesh.points.data(), points);
    std::memcpy(bytes.data() + sizeof header + points, surface.mesh.triangles.data(), triangles);
    return bytes;
}

/// False if it is not what a process that is well says.
bool from_bytes(const std::string& bytes, VdbSurface& surface) {
    SurfaceHeader header;
    if (bytes.size() < sizeof header) return false;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t rest = bytes.size() - sizeof header;
    if (header.points > rest || header.triangles > rest || !(header.voxel > 0) || !std::isfinite(header.voxel))
        return false;
    const std::size_t points = header.points * sizeof(Vec3f), triangles = header.triangles * sizeof(geometry::Triangle);
    if (points + triangles != rest || rest == 0) return false;
    surface.voxel = header.voxel;
    surface.is_cavity = header.is_cavity != 0;
    surface.mesh.points.resize(header.points);
    surface.mesh.triangles.resize(header.triangles);
    std::memcpy(surface.mesh.points.data(), bytes.data() + sizeof header, points);
    std::memcpy(surface.mesh.triangles.data(), bytes.data() + sizeof header + points, triangles);
    const auto is_within = [&](const geometry::Triangle& t) { return std::max({t[0], t[1], t[2]}) < header.points; };
    return std::ranges::all_of(surface.mesh.points, [](Vec3f p) { return is_finite(p); }) &&
           std::ranges::all_of(surface.mesh.triangles, is_within);
}

/// What is wrong with a file that could not be read.
std::string complaint(const Apart& read) {
    switch (read.end) {
        case Apart::End::failed:
            return read.text;
        case Apart::End::memory:
            return "is damaged, or too large for this machine's memory";
        case Apart::End::time:
            return "takes too long to read: it is damaged, or far too large";
        default:
            return "is damaged: OpenVDB failed on it";
    }
}

}  // namespace

VdbSurface read_vdb_surface(const fs::path& path) {
    check_file(path);
    openvdb::initialize();
    // OpenVDB believes what files say: some damaged ones take gigabytes, others write where they must not.
    const Apart read = run_apart(
        [&] {
            const ThreadLimit alone(1);
            return to_bytes(surface_of(path));
        },
        limits_for(path));
    VdbSurface surface{};
    if (read.end != Apart::End::done) throw IoError(IoError::Kind::corrupt, path, complaint(read));
    if (!from_bytes(read.text, surface)) throw IoError(IoError::Kind::corrupt, path, complaint({}));
    return surface;
}

Field read_vdb_field(const fs::path& path, FieldSettings settings) {
    const VdbSurface surface = read_vdb_surface(path);
    if (settings.cell == 0) settings.cell = std::max(surface.voxel, settings.least_cell);
    if (surface.is_cavity && settings.mode != Mode::shell)
        settings.mode = settings.mode == Mode::solid_inside ? Mode::solid_outside : Mode::solid_inside;
    return make_field(surface.mesh, settings);
}

}  // namespace spindrift::collision
