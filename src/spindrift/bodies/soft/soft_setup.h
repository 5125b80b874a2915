#pragma once
// What a soft body is made with, and a step of its.

#include <filesystem>

#include "spindrift/core/vec.h"

namespace spindrift::bodies {

struct SoftSetup {
    std::filesystem::path folder{};
    double spacing = 0;  ///< of the finest liquid, m
    double support = 0;  ///< largest support radius, m
    double fps = 24;
    double first_frame = 1;
    int iterations = 0;  ///< short steps in one, with a pass of the constraints each; 0 chooses
};

/// `frame` is where the step begins.
struct SoftStep {
    double frame = 0, dt = 0;
    Vec3d gravity{};
};

}  // namespace spindrift::bodies
