#include "bench/openvdb_peer.h"

#include <vector>

#include "bench/bench.h"
#include <openvdb/openvdb.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointRasterizeSDF.h>
#include <openvdb/tools/VolumeToMesh.h>

namespace spindrift::cli {

PeerResult openvdb_surface(std::span<const Vec3f> x, const PeerSettings& settings) {
    openvdb::initialize();
    std::vector<openvdb::Vec3s> positions;
    positions.reserve(x.size());
    for (const Vec3f p : x)
        positions.emplace_back(p.x, p.y, p.z);
    const openvdb::points::PointAttributeVector<openvdb::Vec3s> wrapped(positions);
    // Eight points in a voxel of the point grid, as its documentation advises.
    const double spacing = 2 * settings.voxel;
    const auto coarse = openvdb::math::Transform::createLinearTransform(2 * spacing);
    const auto index = openvdb::tools::createPointIndexGrid<openvdb::tools::PointIndexGrid>(wrapped, *coarse);
    const auto points =
        openvdb::points::createPointDataGrid<openvdb::points::NullCodec, openvdb::points::PointDataGrid>(
            *index, wrapped, *coarse);

    PeerResult result;
    const auto transform = openvdb::math::Transform::createLinearTransform(settings.voxel);
    std::vector<openvdb::Vec3s> vertices;
    std::vector<openvdb::Vec4I> quads;
    result.seconds = wall_seconds([&] {
        const openvdb::FloatGrid::Ptr grid =
            openvdb::points::rasterizeSmoothSpheres(*points, settings.radius, settings.reach, 3.0, transform);
        openvdb::tools::volumeToMesh(*grid, vertices, quads, 0.0);
    });
    result.points = vertices.size();
    result.faces = quads.size();
    return result;
}

}  // namespace spindrift::cli
