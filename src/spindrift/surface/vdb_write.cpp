#include "spindrift/surface/vdb_write.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/vdb_archive.h"
#include "spindrift/surface/mesh_channels.h"

namespace spindrift::surface {

namespace {

/// Voxels on each side of the surface.
constexpr float band = 3;

openvdb::FloatGrid::Ptr make_level_set(const geometry::Mesh& mesh, const openvdb::math::Transform::Ptr& transform) {
    const auto width = static_cast<float>(band * transform->voxelSize().x());
    if (mesh.triangles.empty()) {
        auto empty = openvdb::FloatGrid::create(width);
        empty->setTransform(transform);
        return empty;
    }
    // Meshes are in the grid's points there.
    std::vector<openvdb::Vec3s> points(mesh.points.size());
    std::vector<openvdb::Vec3I> triangles(mesh.triangles.size());
    const double per_voxel = 1 / transform->voxelSize().x();
    parallel_for(points.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const Vec3d p = vec_cast<double>(mesh.points[i]) * per_voxel;
            points[i] = openvdb::Vec3s(openvdb::Vec3d(p.x, p.y, p.z));
        }
    });
    for (std::size_t t = 0; t < triangles.size(); ++t)
        triangles[t] = openvdb::Vec3I(mesh.triangles[t][0], mesh.triangles[t][1], mesh.triangles[t][2]);
    const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> adapter(points, triangles);
    openvdb::FloatGrid::Ptr grid;
    run_limited([&] { grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(adapter, *transform, band, band); });
    return grid;
}

/// The particles' velocities at the voxels of a level set's band.
openvdb::Vec3SGrid::Ptr make_velocities(const openvdb::FloatGrid& surface, const neighbors::ParticleCells& cells,
                                        const ChannelArray& v) {
    geometry::Mesh places;
    std::vector<openvdb::Coord> coords;
    for (auto value = surface.cbeginValueOn(); value; ++value) {
        const openvdb::Vec3d p = surface.transform().indexToWorld(value.getCoord());
        coords.push_back(value.getCoord());
        places.points.push_back(vec_cast<float>(Vec3d{p.x(), p.y(), p.z()}));
    }
    const ChannelArray* const channels[] = {&v};
    carry_channels(cells, channels, places, {});
    auto grid = openvdb::Vec3SGrid::create();
    grid->setTransform(surface.transform().copy());
    grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    auto out = grid->getAccessor();
    const std::vector<float>& values = places.attributes.front().values;
    for (std::size_t i = 0; i < coords.size(); ++i)
        out.setValue(coords[i], {values[3 * i], values[3 * i + 1], values[3 * i + 2]});
    return grid;
}

void add_meta(openvdb::GridBase& grid, const std::string& name, const VdbMeta& meta) {
    grid.setName(name);
    grid.setCreator("spindrift");
    grid.setSaveFloatAsHalf(false);
    grid.insertMeta("frame", openvdb::Int32Metadata(meta.frame));
    grid.insertMeta("time", openvdb::DoubleMetadata(meta.time));
    grid.insertMeta("fps", openvdb::DoubleMetadata(meta.fps));
    grid.insertMeta("up_axis", openvdb::StringMetadata("y"));
}

}  // namespace

WrittenFile write_vdb_surfaces(const std::filesystem::path& path, std::span<const VdbSurface> surfaces, double voxel,
                               const neighbors::ParticleCells& cells, const ChannelArray* v, const VdbMeta& meta) {
    openvdb::initialize();
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel);
    openvdb::GridPtrVec grids;
    for (const VdbSurface& surface : surfaces) {
        const openvdb::FloatGrid::Ptr grid = make_level_set(*surface.mesh, transform);
        grid->setGridClass(openvdb::GRID_LEVEL_SET);
        add_meta(*grid, surface.name, meta);
        grids.push_back(grid);
        if (!v || grids.size() > 1) continue;
        const openvdb::Vec3SGrid::Ptr velocities = make_velocities(*grid, cells, *v);
        add_meta(*velocities, "vel", meta);
        grids.push_back(velocities);
    }
    return write_file(path, geometry::archive_of(grids));
}

}  // namespace spindrift::surface
