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
#include <vector>

#include <embree3/rtcore.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/vec.h"
#include "spindrift/preview/corner_normals.h"
#include "spindrift/preview/render.h"

namespace spindrift::preview {

enum class Body { none, particle, solid, mesh, ground };

struct Hit {
    Body body = Body::none;
    std::uint32_t index = 0;  ///< of the particle, or of the mesh's triangle
    float distance = 0;
    Vec3f normal;  ///< unit length, towards the ray; of a mesh smoothed over its faces
    Vec3f face;    ///< the same of the face itself
    std::uint32_t mesh =
        0;  ///< which of the scene's, and where on the triangle: weights of its second and third corner
    float u = 0, v = 0;
};

class Stage {
  public:
    /// `ground` is a height in the world; the plane is seen from above only. Particles beyond the slice are left out.
    Stage(const PreviewScene& scene, const View& view, std::optional<double> ground,
          const std::optional<SlicePlane>& slice = {});

    /// What a ray from the eye meets first, glass left out.
    Hit trace(Vec3f direction) const;
    /// The first glass between two distances along a ray from the eye; Body::none if there is none.
    Hit trace_glass(Vec3f direction, float near, float far) const;
    /// Whether anything but glass stands between a surface point and infinity.
    bool occluded(Vec3f point, Vec3f face, Vec3f direction) const;

  private:
    struct ReleaseDevice {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
    };
    struct ReleaseScene {
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };

    void add_particles(const PreviewScene& scene, const View& view, const std::optional<SlicePlane>& slice);
    void add_solids(const PreviewScene& scene, const View& view);
    void add_meshes(const PreviewScene& scene, const View& view);
    void build();
    Hit make_hit(const RTCRayHit& ray, Vec3f direction) const;

    struct DrawnMesh {
        geometry::Pose pose;
        std::vector<CornerNormals> normals;
    };

    Buffer<Float4> spheres_{"preview spheres"};
    std::vector<DrawnMesh> meshes_;
    std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseDevice> device_;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseScene> bodies_, glass_;
    bool has_glass_ = false;
    float radius_;
    std::optional<float> ground_;
};

}  // namespace spindrift::preview
