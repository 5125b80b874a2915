#pragma once
// What rigid bodies are made with, and a step of theirs.

#include <filesystem>
#include <optional>
#include <span>

#include "spindrift/bodies/params.h"
#include "spindrift/collision/params.h"

namespace spindrift::bodies {

struct RigidSetup {
    std::span<const BodyParams> params{};  ///< of all bodies; those that deform are left out, their numbers stay
    std::span<const collision::ColliderParams> colliders{};
    std::optional<collision::DomainParams> domain{};
    std::filesystem::path folder{};
    double fps = 24;
    double first_frame = 1;
};

/// A step in frames of the scene.
struct RigidStep {
    double frame = 0, dt = 0;
    Vec3d gravity{};
};

}  // namespace spindrift::bodies
