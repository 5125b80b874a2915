#pragma once
// Pictures by path tracing: particles as lit spheres, clear liquids and glass that mirror, bend and absorb light, matte
// bodies, a floor, sky and sun, and the light that the sun sends through liquid.
//
//   RenderScene scene{.positions = x, .radius = 0.005f, .ground = 0.0};
//   Picture picture = render(scene, geometry::automatic_camera(bounds(scene), 16.0 / 9), RenderParams{});
//   write_png("dam.0042.png", picture.image);

#include <cstdint>
#include <functional>

#include "spindrift/geometry/camera.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/looks/params.h"
#include "spindrift/render/render_scene.h"

namespace spindrift::render {

using image::luminance;

/// What a picture took.
struct RenderStatistics {
    std::uint64_t rays = 0;          ///< that were traced to see and to light
    std::uint64_t primary_rays = 0;  ///< of these, from the camera
    double build_seconds = 0;        ///< to make the bodies ready for rays
    double photon_seconds = 0;
    double trace_seconds = 0;
    double finish_seconds = 0;   ///< smoothing, developing
    bool eye_in_liquid = false;  ///< whether the camera is in a clear liquid
};

struct RenderHooks {
    /// Gets the picture each time that it has become twice as good; the last one is the one that is returned.
    std::function<void(const Picture&)> progress{};
    RenderStatistics* statistics = nullptr;
    /// Hears how much of the rays is traced, from 0 to 1, after each tile and from any thread.
    std::function<void(double share)> share{};
};

/// The same picture for the same scene, bit for bit, for any number of threads.
Picture render(const RenderScene& scene, const geometry::Camera& camera, const RenderParams& params,
               const RenderHooks& hooks = {});

}  // namespace spindrift::render
