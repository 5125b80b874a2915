#pragma once
// The bodies of a picture, ready for rays. Everything is relative to the eye.
//
//   Stage stage(scene, view, 0.0);
//   Hit hit = stage.trace(direction);
//   if (hit.body == Body::particle) ... scene.values[hit.index]

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include <embree3/rtcore.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/vec.h"
#include "spindrift/preview/render.h"

namespace spindrift::preview {

enum class Body { none, particle, solid, ground };

struct Hit {
    Body body = Body::none;
    std::uint32_t index = 0;  ///< of the particle
    float distance = 0;
    Vec3f normal;  ///< unit length, towards the ray
};

class Stage {
  public:
    /// `ground` is a height in the world; the plane is seen from above only. Particles beyond the slice are left out.
    Stage(const PreviewScene& scene, const View& view, std::optional<double> ground,
          const std::optional<SlicePlane>& slice = {});

    Hit trace(Vec3f direction) const;
    /// Whether a particle or a solid stands between a surface point and infinity.
    bool occluded(Vec3f point, Vec3f normal, Vec3f direction) const;

  private:
    struct ReleaseDevice {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
    };
    struct ReleaseScene {
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };

    void add_particles(const PreviewScene& scene, const View& view, const std::optional<SlicePlane>& slice);
    void add_solids(const PreviewScene& scene, const View& view);
    void build();

    Buffer<Float4> spheres_{"preview spheres"};
    std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseDevice> device_;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseScene> bodies_;
    float radius_;
    std::optional<float> ground_;
};

}  // namespace spindrift::preview
