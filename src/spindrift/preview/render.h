#pragma once
// Particles as lit spheres: what a simulation looks like, within seconds.
//
//   PreviewScene scene{.positions = x, .radius = 0.005f, .values = speed, .legend = "speed  m/s", .ground = 0.0};
//   write_png("dam.0042.png", render(scene, automatic_camera(bounds(scene), 16.0 / 9), RenderParams{}));

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/image/image.h"
#include "spindrift/preview/camera.h"
#include "spindrift/preview/color_map.h"
#include "spindrift/preview/params.h"

namespace spindrift::preview {

using image::Image;
using image::luminance;

/// What is to be seen. The channels belong to the caller and must live while the picture is made.
struct PreviewScene {
    /// Particles whose position is not finite are left out.
    ConstChannel<Vec3f> positions{};
    /// Of all particles, or of the largest if `radii` has one for each. Radii that are not above zero hide a particle.
    float radius = 0.01f;
    ConstChannel<float> radii{};
    /// One value per particle for the colour map; empty for plain water and no colour bar.
    ConstChannel<float> values{};
    /// One colour per particle, linear RGB, in place of the values'.
    ConstChannel<Vec3f> colors{};
    /// Values at the two ends of the colour map unless RenderParams::range says otherwise; without both,
    /// automatic_range.
    std::optional<std::array<double, 2>> range{};
    /// Title of the colour bar, with unit.
    std::string legend{};
    /// Names of colours, listed in place of a colour bar.
    std::vector<Swatch> swatches{};
    /// Text in the upper left corner, for example "frame 42".
    std::string label{};
    /// Drawn as matte bodies.
    std::vector<Box3d> solids{};
    /// Drawn as thin lines along its edges.
    std::optional<Box3d> domain{};
    /// Height of a floor that catches shadows; without it, or with RenderParams::ground off, there is only sky.
    std::optional<double> ground{};

    float radius_of(std::size_t i) const { return radii.empty() ? radius : radii[i]; }
};

/// Box around all that casts a shadow, or the domain if nothing does.
Box3d bounds(const PreviewScene& scene);

/// The same picture for the same scene, bit for bit, for any number of threads.
Image render(const PreviewScene& scene, const Camera& camera, const RenderParams& params);

}  // namespace spindrift::preview
