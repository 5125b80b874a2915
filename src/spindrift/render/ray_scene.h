#pragma once
// The bodies of a picture, ready for rays. Everything is relative to the eye.
//
//   RayScene rays(scene, view, {.ground = 0.0});
//   Hit hit = rays.trace({{}, direction});
//   if (hit.body == Body::particle) ... scene.values[hit.index]

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <embree3/rtcore.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/camera.h"
#include "spindrift/render/corner_normals.h"
#include "spindrift/render/foam.h"
#include "spindrift/render/fog.h"
#include "spindrift/render/lattice_body.h"
#include "spindrift/render/render_scene.h"

namespace spindrift::render {

enum class Body : std::uint8_t { none, particle, cloud, solid, mesh, liquid, ground };

/// A number of the scene's media; air is none of them.
inline constexpr int air_medium = -1;

struct Medium {
    Vec3f absorption{};  ///< 1/m
    Vec3f glow{};        ///< share of the light taken away that the medium sends on
    float ior = 1;
    const Dye* dye = nullptr;  ///< in place of the absorption
    Vec3f dye_from{};          ///< the eye, as the dye's grid has it
    float cloudiness = 0;      ///< share of the light that goes in which comes back in its colour
    Vec3f color{};
};

struct Hit {
    Body body = Body::none;
    bool behind = false;      ///< whether the ray comes from behind the triangle, as its corners turn
    bool clear = false;       ///< light goes through: glass, or a liquid that is not matte
    bool thin = false;        ///< glass that does not bend it
    std::uint32_t index = 0;  ///< of the particle, or of the mesh's or liquid's triangle or leaf
    float distance = 0;
    Vec3f normal{};                           ///< unit length, towards the ray; of a mesh smoothed over its faces
    Vec3f face{};                             ///< the same of the face itself
    std::uint32_t mesh = 0;                   ///< which of the scene's meshes, liquids or clouds
    float u = 0, v = 0;                       ///< where on the triangle: weights of its second and third corner
    int near = air_medium, far = air_medium;  ///< media on both sides of what is clear, of its own kind
    geometry::Sides sides{0, surface::air};   ///< of a liquid's surface: the liquids behind and before it
};

/// From a place, with a unit direction, at a moment of the shutter from 0 to 1.
struct Ray {
    Vec3f origin{}, direction{};
    float time = 0;
};

/// What a ray has met, as the ray tracer tells it: nothing, at a finite distance, is the ground.
struct Met {
    RTCHit hit;
    float distance;

    Met() : distance(std::numeric_limits<float>::infinity()) { hit.geomID = RTC_INVALID_GEOMETRY_ID; }
    Met(const RTCHit& hit_, float distance_) : hit(hit_), distance(distance_) {}
};

struct RaySceneParams {
    std::optional<double> ground{};  ///< height in the world; the plane is seen from above only
    std::optional<SlicePlane> slice{};
    bool quick = false;  ///< to build, slower to trace
};

/// Bodies that a ray is to meet, as bits.
inline constexpr unsigned matte_bodies = 1, clear_bodies = 2, all_bodies = matte_bodies | clear_bodies;

class RayScene {
  public:
    RayScene(const RenderScene& scene, const geometry::View& view, const RaySceneParams& params);

    /// What a ray meets first.
    Hit trace(const Ray& ray) const;
    /// The same for rays that go about the same way; hit_of() tells more of each.
    void trace(std::span<const Ray> rays, std::span<Met> met) const;
    Hit hit_of(const Met& met, const Ray& ray) const;
    /// What liquid lies on where a ray leaves it for air: there is no air between them to bend light.
    Hit touching(const Hit& hit, const Ray& ray) const;
    /// Whether anything stands between a surface point and infinity.
    bool is_hidden(Vec3f point, Vec3f face, const Ray& ray) const;
    /// A ray that leaves a point of a surface on the side the face's normal shows.
    Ray leave(Vec3f point, Vec3f face, Vec3f direction, float time) const;

    /// What a ray meets of a bubble: the share of light that it takes, and how far the other side is.
    struct Bubble {
        float share = 1, through = 0;
    };
    Bubble bubble_at(const Hit& hit, const Ray& ray) const;

    /// Foam on a clear liquid's surface where a ray meets it.
    Foam::Look foam_at(const Hit& hit, Vec3f point, float time) const;

    /// The fog before what a ray meets, or before the sky.
    Fog::Veil fog_before(const Ray& ray, float distance, float jitter) const;
    bool has_fog() const { return scene_.fog != nullptr; }

    const Medium& medium(int number) const { return media_[static_cast<std::size_t>(number)]; }
    /// Box around all that is clear, if there is any.
    const std::optional<Box3f>& clear_bounds() const { return clear_bounds_; }
    /// The ray tracer's own, to measure what it can do at best.
    RTCScene scene_of_rays() const { return scene_of_rays_.get(); }

  private:
    struct ReleaseDevice {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
    };
    struct ReleaseScene {
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };

    /// What the ray tracer's number of a geometry stands for.
    struct Geometry {
        Body body = Body::none;
        std::uint32_t index = 0;
        bool clear = false, thin = false, inside_out = false;
        int first_medium = air_medium;
    };
    /// Normals at points if the mesh has them, else at corners.
    struct Triangles {
        const geometry::Mesh* mesh = nullptr;
        const float* point_normals = nullptr;
        ConstChannel<geometry::Sides> sides{};
        geometry::Pose pose{};
        std::vector<CornerNormals> normals{};
        bool turned = true;

        Vec3f normal(const Hit& hit) const;
    };

    void add_spheres(const Cloud& cloud, const RenderScene& scene, const geometry::View& view,
                     const Geometry& geometry);
    void add_solids(const RenderScene& scene, const geometry::View& view);
    void add_mesh(const RenderScene& scene, const geometry::View& view, std::uint32_t index);
    void add_liquid(const RenderScene& scene, const geometry::View& view, std::uint32_t index);
    void add_lattice(const LiquidBody& liquid, const geometry::View& view, std::uint32_t index);
    /// What a liquid is to rays, with its media.
    Geometry liquid_geometry(const LiquidBody& liquid, const geometry::View& view, std::uint32_t index);
    void attach(RTCGeometry geometry, const Geometry& what);
    void add_clear(const Box3f& box);
    void build();
    float to_ground(const Ray& ray) const;
    Hit make_hit(const RTCHit& met, float distance, const Ray& ray) const;
    void bend_normal(Hit& hit, Vec3f mean, float likely) const;
    void look_at_liquid(Hit& hit, const RTCHit& met, const Ray& ray) const;
    void set_media(Hit& hit, const Geometry& what) const;
    float lift_at(Vec3f point) const;

    const RenderScene& scene_;
    RaySceneParams params_;
    std::vector<Buffer<Float4>> spheres_;
    std::vector<Geometry> geometries_;
    std::vector<Triangles> meshes_, liquids_;
    std::vector<std::unique_ptr<LatticeBody>> lattices_;  ///< of the liquids that have no mesh
    std::vector<Medium> media_;
    std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseDevice> device_;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseScene> scene_of_rays_;
    bool has_matte_ = false;
    std::optional<Box3f> clear_bounds_{};
    float radius_;
    std::optional<float> ground_;
    Vec3f eye_{};  ///< in the scene
};

}  // namespace spindrift::render
