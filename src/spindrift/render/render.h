#pragma once
// Particles as lit spheres or liquids as clear bodies, among others and glass: what a simulation looks like, within
// seconds.
//
//   RenderScene scene{.positions = x, .radius = 0.005f, .values = speed, .legend = "speed  m/s", .ground = 0.0};
//   write_png("dam.0042.png", render(scene, automatic_camera(bounds(scene), 16.0 / 9), RenderParams{}).image);

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/pose.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/image/image.h"
#include "spindrift/render/camera.h"
#include "spindrift/render/color_map.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/params.h"

namespace spindrift::render {

using image::luminance;

/// A body of triangles, seen from both sides. What the pointers name must live while the picture is made.
struct MeshBody {
    const geometry::Mesh* mesh = nullptr;
    geometry::Pose pose{};  ///< of the mesh's origin, after the scale
    double scale = 1;
    Vec3f color{0.50f, 0.46f, 0.41f};  ///< linear RGB
    float opacity = 1;                 ///< less than 1 is glass, which throws no shadow
    const Image* wet = nullptr;        ///< over the mesh's UVs, from 0 where it is dry to 1 where it is wet and darker
};

/// Surfaces of liquids, drawn as clear bodies that refract, mirror and absorb, or matte if they are said to be or their
/// points have values or colours. What it names must live while the picture is made.
struct LiquidBody {
    const geometry::Mesh* mesh = nullptr;  ///< its attribute N gives the normals, if it has one
    geometry::Pose pose{};                 ///< of the mesh's origin
    /// The liquids behind and before each triangle; without them the first is inside and air outside.
    ConstChannel<geometry::Sides> sides{};
    /// Of each liquid, linear RGB: what is left of white light after `clarity` metres or, if matte, of what falls on
    /// it.
    std::vector<Vec3f> colors{clear_water};
    float clarity = 1;
    bool matte = false;                  ///< each triangle has the colour of the liquid behind it
    ConstChannel<float> values{};        ///< one per point for the colour map
    ConstChannel<Vec3f> point_colors{};  ///< one per point, linear RGB, in place of the values'

    bool is_clear() const { return !matte && values.empty() && point_colors.empty(); }
};

/// What is to be seen. The channels belong to the caller and must live while the picture is made.
struct RenderScene {
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
    /// Whether all values are whole numbers, so that the legend has a field for each if they are few.
    bool whole = false;
    /// Names of colours, listed in place of a colour bar.
    std::vector<Swatch> swatches{};
    /// Text in the upper left corner, for example "frame 42".
    std::string label{};
    /// Drawn as matte bodies.
    std::vector<Box3d> solids{};
    std::vector<MeshBody> meshes{};
    std::vector<LiquidBody> liquids{};
    /// Drawn as thin lines along its edges.
    std::optional<Box3d> domain{};
    /// Height of a floor that catches shadows; without it, or with RenderParams::ground off, there is only sky.
    std::optional<double> ground{};
    /// Side of the floor's tiles, from `tiles_at`; 0 for a plain floor. Refraction shows best over a pattern.
    double tiles = 0;
    Vec3d tiles_at{};

    float radius_of(std::size_t i) const { return radii.empty() ? radius : radii[i]; }
};

/// A box around nothing: its low corner is above the high one.
inline constexpr Box3d empty_box{{1, 1, 1}, {-1, -1, -1}};

/// Box around all that casts a shadow and around glass, or the domain if there is nothing. Meshes that dwarf the liquid
/// are left out: they are the landscape, not the subject.
Box3d bounds(const RenderScene& scene);

/// Box around a mesh where it stands.
Box3d bounds(const MeshBody& body);

/// A box of liquid and solids, grown by those meshes' boxes that do not dwarf it. Empty boxes change nothing.
Box3d enclose(const Box3d& subject, const std::vector<Box3d>& meshes);

/// The same picture for the same scene, bit for bit, for any number of threads.
Picture render(const RenderScene& scene, const Camera& camera, const RenderParams& params);

}  // namespace spindrift::render
