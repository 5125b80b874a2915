#pragma once
// Levels of detail: how many iterations each particle gets, by where the cameras look.
//
// Source: Koester and Krueger 2016, section 4.1.
// Differs: distances chosen for a frame leave out the nearest and the farthest hundredth, so that a single drop does
// not change the levels of all; what dtvs does not see at all, beside or behind the camera, has the lowest level.
//
//   std::vector<std::uint8_t> levels(n);
//   chooser.choose(params, {.cameras = cameras, .aspect = 16.0 / 9}, {x, origin, 0.01}, {3, 6}, levels);

#include <cstdint>
#include <functional>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/camera.h"
#include "spindrift/lod/depth_image.h"
#include "spindrift/lod/params.h"
#include "spindrift/render/looks/params.h"

namespace spindrift::lod {

/// Who looks, and how wide pictures are for their height.
struct Onlookers {
    std::vector<geometry::Camera> cameras;
    double aspect = 16.0 / 9;
};

/// What is looked at.
struct Crowd {
    ConstChannel<Float4> position;  ///< relative to the origin
    Vec3d origin{};
    double spacing = 0;                               ///< of all particles
    std::function<double(std::size_t)> spacing_of{};  ///< of one, if they differ

    double spacing_at(std::size_t i) const { return spacing_of ? spacing_of(i) : spacing; }
};

/// Fewest and most iterations.
struct LevelRange {
    int fewest = 1, most = 1;
};

/// Distances between which detail falls from all to none.
struct Falloff {
    float near = 0, far = 0;

    /// 1 up to near, 0 from far on.
    float detail(float distance) const;
};

/// The distances that a scene gives, or what suits these.
Falloff choose_falloff(const LodParams& params, ConstChannel<float> distances, double spacing);

/// Keeps its memory from frame to frame.
class LevelChooser {
  public:
    /// Writes a level for each particle. The model is not none, and there is a camera.
    void choose(const LodParams& params, const Onlookers& onlookers, const Crowd& crowd, LevelRange range,
                Channel<std::uint8_t> levels);

    /// Of each particle: distance to the camera, or behind the surface it sees (DepthImage::unseen if it does not).
    /// Hold until the next call.
    ConstChannel<float> distances(Model model, const geometry::Camera& camera, double aspect, const Crowd& crowd);

  private:
    void measure_to_camera(const geometry::Camera& camera, const Crowd& crowd);
    void measure_behind_surface(const geometry::Camera& camera, double aspect, const Crowd& crowd);
    template <class Draw>
    const DepthImage& draw(const DepthImage& start, std::size_t n, const Draw& draw);

    Buffer<float> distances_{"levels"}, detail_{"levels"};
    Buffer<DepthImage::Spot> spots_{"levels"};
    std::vector<DepthImage> images_;  ///< of each thread
};

}  // namespace spindrift::lod
