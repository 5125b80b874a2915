#pragma once
// What rigid bodies meet besides each other: the domain's closed sides and the colliders, as Bullet has them.
//
//   Obstacles obstacles({.colliders = scene.collider, .domain = scene.domain, .folder = folder});
//   obstacles.place(12, 0.004, 24);
//   for (const Obstacle& each : obstacles.all()) ...

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spindrift/bodies/rigid/rigid_shapes.h"
#include "spindrift/collision/fields/mesh_source.h"
#include "spindrift/collision/params.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

/// At the start of a step.
struct Obstacle {
    std::string name{};  ///< for messages
    btCollisionShape* shape = nullptr;
    std::optional<collision::PlaneShape> plane{};  ///< with a normal of unit length
    geometry::Pose pose{};                         ///< of the Bullet shape
    fluid::Twist velocity{};                       ///< about the pose's position
};

class Obstacles {
  public:
    struct Setup {
        std::span<const collision::ColliderParams> colliders{};
        std::optional<collision::DomainParams> domain{};
        std::filesystem::path folder{};
    };
    /// Reads the meshes. Throws IoError.
    explicit Obstacles(const Setup& setup);
    ~Obstacles();
    Obstacles(Obstacles&&) noexcept;
    Obstacles& operator=(Obstacles&&) noexcept;

    void place(double frame, double dt, double fps);
    std::span<const Obstacle> all() const { return all_; }

    /// A collider's triangles in its own space, as placed last; nullptr if it is a simple solid.
    const geometry::Mesh* mesh(std::size_t obstacle) const;
    collision::Mode mode(std::size_t obstacle) const;

  private:
    struct Solid;  ///< what an obstacle is made of

    std::vector<Solid> solids_;
    std::vector<Obstacle> all_;
};

/// How to get from one pose to another in some seconds, about the position.
fluid::Twist velocity_between(const geometry::Pose& from, const geometry::Pose& to, double seconds);

}  // namespace spindrift::bodies
