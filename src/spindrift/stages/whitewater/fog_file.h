#pragma once
// Mist as fog for other programs: mist/name.0042.vdb with the grids `density`, kg/m^3, and `vel`, m/s.

#include <filesystem>

#include "spindrift/cache/series.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/whitewater/particles.h"

namespace spindrift::stages {

cache::Series fog_series(const Scene& scene);

struct FogTime {
    Vec3d origin{};  ///< of the particles, m
    const io::FrameEntry& frame;
};
/// Each particle of mist is spread over the eight voxels around it.
WrittenFile write_fog(const std::filesystem::path& path, const Scene& scene, const whitewater::Particles& all,
                      const FogTime& time);

}  // namespace spindrift::stages
