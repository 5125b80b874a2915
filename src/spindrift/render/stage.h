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
#include "spindrift/render/corner_normals.h"
#include "spindrift/render/render.h"

namespace spindrift::render {

enum class Body { none, particle, solid, mesh, liquid, ground };

struct Hit {
    Body body = Body::none;
    std::uint32_t index = 0;  ///< of the particle, or of the mesh's or liquid's triangle
    float distance = 0;
    Vec3f normal;            ///< unit length, towards the ray; of a mesh smoothed over its faces
    Vec3f face;              ///< the same of the face itself
    std::uint32_t mesh = 0;  ///< which of the scene's meshes or liquids
    float u = 0, v = 0;      ///< where on the triangle: weights of its second and third corner
    bool behind = false;     ///< whether the ray comes from behind the triangle, as its corners turn
};

/// From a place, with a unit direction.
struct Ray {
    Vec3f origin, direction;
};

class Stage {
  public:
    /// `ground` is a height in the world; the plane is seen from above only. Particles beyond the slice are left out.
    Stage(const RenderScene& scene, const View& view, std::optional<double> ground,
          const std::optional<SlicePlane>& slice = {});

    /// What a ray meets first, glass left out.
    Hit trace(const Ray& ray) const;
    /// The same without clear liquids and not farther than `far`.
    Hit trace_bodies(const Ray& ray, float far) const;
    /// The first glass between two distances along a ray from the eye; Body::none if there is none.
    Hit trace_glass(Vec3f direction, float near, float far) const;
    /// Share of light that comes from infinity to a surface point: none past bodies, a part through clear liquids, all
    /// through glass.
    float light_from(Vec3f point, Vec3f face, Vec3f direction) const;
    /// A ray that leaves a point of a surface on the side the face's normal shows.
    Ray leave(Vec3f point, Vec3f face, Vec3f direction) const;
    /// Closer than this, liquid touches what is beside it.
    float contact() const { return 2.5f * radius_; }

  private:
    struct ReleaseDevice {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
    };
    struct ReleaseScene {
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };

    static constexpr unsigned particle_geometry = 0, solid_geometry = 1, first_mesh = 2;  ///< meshes, then liquids

    void add_particles(const RenderScene& scene, const View& view, const std::optional<SlicePlane>& slice);
    void add_solids(const RenderScene& scene, const View& view);
    void add_meshes(const RenderScene& scene, const View& view);
    void add_liquids(const RenderScene& scene, const View& view, const std::optional<SlicePlane>& slice);
    void build();
    RTCRayHit intersect(RTCScene scene, const Ray& ray, float near, float far) const;
    Hit make_hit(const RTCRayHit& ray, Vec3f direction) const;
    Hit smoothed(Hit hit, const Vec3f& mean) const;
    float through_liquid(const Ray& ray) const;
    float lift_at(Vec3f point) const;

    struct DrawnMesh {
        geometry::Pose pose;
        std::vector<CornerNormals> normals;
    };
    /// Normals at points if the mesh has them, else at corners.
    struct DrawnLiquid {
        const geometry::Mesh* mesh = nullptr;
        const float* point_normals = nullptr;
        ConstChannel<geometry::Sides> sides{};
        DrawnMesh body{};

        Vec3f normal(const Hit& hit) const;
        bool is_between_liquids(const Hit& hit) const;
    };

    Buffer<Float4> spheres_{"preview spheres"};
    std::vector<DrawnMesh> meshes_;
    std::vector<DrawnLiquid> liquids_;
    std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseDevice> device_;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseScene> bodies_, glass_, clear_;
    bool has_glass_ = false, has_clear_ = false;
    float radius_;
    std::optional<float> ground_;
};

}  // namespace spindrift::render
