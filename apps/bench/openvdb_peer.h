#pragma once
// The same work by OpenVDB's own tools, to compare with.
//
//   PeerResult peer = openvdb_surface(x, {.radius = 0.009, .reach = 0.02, .voxel = 0.005});

#include <cstddef>
#include <span>

#include "spindrift/core/vec.h"

namespace spindrift::cli {

struct PeerSettings {
    double radius = 0;  ///< R of Zhu and Bridson, m
    double reach = 0;   ///< how far a particle counts, m
    double voxel = 0;   ///< m
};

struct PeerResult {
    double seconds = 0;  ///< to rasterize and to mesh; sorting the points into a grid is not counted
    std::size_t points = 0, faces = 0;
};

#ifdef SPINDRIFT_OPENVDB_PEER
inline constexpr bool has_openvdb_peer = true;
/// points::rasterizeSmoothSpheres() and tools::volumeToMesh(), on the threads of the calling loop.
PeerResult openvdb_surface(std::span<const Vec3f> x, const PeerSettings& settings);
#else
inline constexpr bool has_openvdb_peer = false;
inline PeerResult openvdb_surface(std::span<const Vec3f>, const PeerSettings&) {
    return {};
}
#endif

}  // namespace spindrift::cli
