#pragma once
// The colliders of a scene that need distance fields: their meshes and fields, as they stand at any time.
//
// Rigid ones keep their field in their own space and move by pose. Meshes that deform get a field per frame, made of
// the mesh halfway between two files; within the frame each node looks back along the surface's motion.
//
//   Colliders colliders({.params = scene.collider, .folder = scene_folder, .spacing = 0.01, .support = 0.02, .fps =
//   24}); Walls walls = make_walls(scene.domain, scene.collider, origin, h); colliders.place({.from = 12, .to = 12.25},
//   {origin, h, dt}, walls);

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "spindrift/collision/params.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/mesh_report.h"

namespace spindrift::collision {

/// What was found in a collider and what it takes.
struct ColliderReport {
    std::string name;
    geometry::MeshReport mesh{};  ///< of the first file
    Mode mode = Mode::solid_inside;
    std::string note;             ///< why it is not what was asked for; empty if it is
    std::size_t bytes = 0;        ///< of the field
    std::size_t dense_bytes = 0;  ///< that the whole box would take
    double seconds = 0;           ///< that making the field took
};

class Colliders {
  public:
    struct Setup {
        std::span<const ColliderParams> params{};
        std::filesystem::path folder{};  ///< that files are relative to
        std::filesystem::path cache{};   ///< folder for fields of meshes that do not deform; none if empty
        double spacing = 0;              ///< of the finest liquid, m
        double support = 0;              ///< largest support radius, m
        double fps = 24;
        bool boxes = false;  ///< also boxes that need no field get one
    };

    /// Reads the files and makes the fields. Throws IoError for files that cannot be used.
    explicit Colliders(const Setup& setup);
    ~Colliders();
    Colliders(Colliders&&) noexcept;
    Colliders& operator=(Colliders&&) noexcept;

    bool empty() const { return bodies_.empty(); }
    /// Whether walls must be placed anew for each step.
    bool moves() const;

    /// Makes the fields that steps from this frame to the next will ask for: the long part of placing them. What
    /// place() gave before is not valid any more. If it is interrupted, the next call makes them.
    void make_ready(int frame);

    /// A step in frames of the scene; fractions count.
    struct Step {
        double from, to;
    };
    /// Adds the fields to the walls. They refer to this object until it is asked for another step.
    void place(const Step& step, const StepUnits& units, Walls& walls);

    std::vector<ColliderReport> reports();

    /// One that has a mesh, as it stands at a time, with all that is needed to find the nearest point of its surface.
    struct Surface {
        std::size_t collider;  ///< index among the scene's
        const Field* field;
        const geometry::Mesh* mesh;
        geometry::Pose pose;
        bool deforms = false;
        int version = 0;  ///< another one may have other triangles
    };
    /// Of the colliders of `params` that keep their triangles (wet maps), at the end of the step placed last, which is
    /// `frame`. They refer to this object until it is asked again.
    std::vector<Surface> surfaces(double frame);

    /// A field at the start of a frame, in the collider's own space.
    struct FieldAt {
        std::size_t collider;  ///< index among the scene's
        const Field* field;
        const std::vector<Vec3f>* motion;  ///< of a mesh that deforms: m/s at the field's nodes
        bool moves;                        ///< whether another frame has another field or pose
    };
    /// They refer to this object until it is asked again.
    std::vector<FieldAt> fields(int frame);

  private:
    struct Body;
    std::vector<Body> bodies_;  ///< complete in the .cpp only
};

/// Where a collider's own space is at a frame.
geometry::Pose pose_of(const ColliderParams& params, double frame);

}  // namespace spindrift::collision
