#pragma once
// A surface that liquid leaves: points spread evenly over its triangles, which move with them.
//
// Points are chosen by throwing darts in a fixed random order and keep 0.8 spacings apart where particles start, so
// there is about one for each spacing squared. They are fixed to triangles by weights of the corners. Between two
// files points of the mesh move on straight lines; where the triangles of two files differ the mesh stands still and
// jumps.
//
//   EmitterSkin skin(source, {.spacing = 0.01, .seed = 7, .fps = 24});
//   const EmitterSkin::Interval& now = skin.use(12.5);
//   EmitterSkin::Place place = skin.place(now.points[0], 12.5);

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/pose.h"
#include "spindrift/image/image.h"

namespace spindrift::emitters {

/// What a surface is made of; filled in where files and colliders are known.
struct SurfaceSource {
    std::function<const geometry::Mesh&(int frame)> mesh = {};  ///< of a frame, in the body's space
    std::function<geometry::Pose(double frame)> pose = {};
    double lift = 0;       ///< metres from the surface to where particles start
    bool inward = false;   ///< liquid leaves against the normals of the triangles
    bool deforms = false;  ///< there is a mesh per frame
    int first_frame = 1;
    image::Image map{};  ///< over the texture coordinates: black gives nothing, white all; none if it has no pixels
};

struct SurfacePoint {
    std::uint32_t triangle;
    Vec3f weights;    ///< of the corners
    geometry::Uv uv;  ///< 0 if the mesh has none
    float share;      ///< of the liquid that may leave here, by the map
};

/// Square metres.
double area(const geometry::Mesh& mesh);

class EmitterSkin {
  public:
    struct Setup {
        double spacing = 0;  ///< m
        std::uint64_t seed = 0;
        double fps = 24;
    };
    EmitterSkin(SurfaceSource source, const Setup& setup);

    /// The surface during one frame.
    struct Interval {
        int frame = std::numeric_limits<int>::min();
        geometry::Mesh mesh;        ///< at its beginning
        std::vector<Vec3f> motion;  ///< of the mesh's points during the frame, m; none if it stands still
        std::vector<SurfacePoint> points;
        double area = 0;       ///< m^2
        double open_area = 0;  ///< m^2 that liquid leaves, by the map
        double fastest = 0;    ///< m/s of its points, in the body's space
    };
    /// Brings the frame in which a moment lies; all else speaks of that until another one is used.
    const Interval& use(double frame);
    const Interval& now() const { return now_; }

    struct Place {
        Vec3d position;  ///< where particles start: off the surface by the lift
        Vec3d normal, velocity;
    };
    Place place(const SurfacePoint& point, double frame) const;

    /// Upper bound for the velocity of its points in the frame that is used.
    double speed(double frame) const;
    bool deforms() const { return source_.deforms; }
    /// The middle of the box around it, in the world.
    Vec3d center(double frame) const;

  private:
    void find_motion(Interval& interval, const geometry::Mesh& after) const;
    std::vector<SurfacePoint> scatter(const geometry::Mesh& mesh) const;
    void look_up(const geometry::Mesh& mesh, SurfacePoint& point) const;
    Place place_on(const geometry::Mesh& mesh, const SurfacePoint& point, double share = -1) const;
    Vec3d carried(Vec3d local, double frame) const;

    SurfaceSource source_;
    Setup setup_;
    Interval first_;  ///< mesh and points of the first file
    Interval now_;
    Box3d box_{};  ///< around the mesh, in the body's space
};

}  // namespace spindrift::emitters
