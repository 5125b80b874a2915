#pragma once
// How fast the first rays of a picture are, beside what the ray tracer does at best with the same bodies.
//
//   RayFigures rays = measure_rays(stage, view, 3, 2);      // best of three, on two threads
//   double share = rays.ours / rays.ceiling();

#include <algorithm>

#include "spindrift/geometry/camera.h"
#include "spindrift/render/ray_scene.h"

namespace spindrift::cli {

/// Rays per second.
struct RayFigures {
    int threads = 1;
    double ours = 0;     ///< made, traced, and what they meet told
    double packets = 0;  ///< rtcIntersect8 on rays made before
    double single = 0;   ///< rtcIntersect1 on rays made before

    double ceiling() const { return std::max(packets, single); }
    double share() const { return ours / ceiling(); }
};

RayFigures measure_rays(const render::RayScene& stage, const geometry::View& view, int repeats, int threads);

}  // namespace spindrift::cli
