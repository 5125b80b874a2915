#pragma once
// A frame of liquid as whitewater takes it: sorted, with its surface, its velocity and what it gives.
//
//   FrameSurroundings around(scene, cache);
//   const std::unique_ptr<LiquidFrame> frame = make_liquid_frame(scene, cache, entry, around);

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/environment.h"
#include "spindrift/stages/frame/body_walls.h"
#include "spindrift/stages/frame/frame_particles.h"
#include "spindrift/whitewater/flow.h"
#include "spindrift/whitewater/potentials.h"

namespace spindrift::stages {

/// Walls and forces of a scene at frames and between them.
class FrameSurroundings {
  public:
    FrameSurroundings(const Scene& scene, const cache::Cache& cache);

    collision::Walls at(int frame, Vec3d origin);
    /// From one share of the time between a frame and the next to another. It stays until the next call.
    const collision::Walls& between(int frame, std::array<double, 2> shares, Vec3d origin);
    forces::ForceSet forces(double frame, Vec3d origin) const;
    double support() const { return environment_.support(); }

  private:
    const Scene& scene_;
    sim::Environment environment_;
    BodyWalls bodies_;
    collision::Walls placed_{};
};

/// It names its own memory: neither copied nor moved.
struct LiquidFrame {
    int number = 0;
    double time = 0;
    FrameParticles particles{};
    std::vector<Vec3f> v{};  ///< 0 where the frame's are not finite
    neighbors::ParticleCells cells{};
    collision::Walls walls{};
    whitewater::Flow flow{};
    whitewater::Rates rates{};
    std::array<whitewater::PotentialRange, whitewater::potential_count> ranges{};
    whitewater::Liquid liquid{};
    Box3f box{};  ///< around the particles, m from the origin

    LiquidFrame() = default;
    LiquidFrame(const LiquidFrame&) = delete;
    LiquidFrame& operator=(const LiquidFrame&) = delete;
};

struct LiquidFrameOptions {
    std::optional<Vec3d> origin{};  ///< that positions count from, if other than the frame's own
    bool tells_ranges = false;      ///< of the potentials
};

/// Throws IoError if the frame cannot be read,
/// UsageError for masks that are no channel.
std::unique_ptr<LiquidFrame> make_liquid_frame(const Scene& scene, const cache::Cache& cache,
                                               const io::FrameEntry& entry, FrameSurroundings& around,
                                               const LiquidFrameOptions& options = {});

}  // namespace spindrift::stages
