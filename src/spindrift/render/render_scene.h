#pragma once
// What stands before the camera. Channels, meshes and images belong to the caller and must live while the picture is
// made.
//
//   RenderScene scene{.positions = x, .radius = 0.005f, .values = speed, .legend = "speed  m/s", .ground = 0.0};
//   scene.liquids.push_back({.mesh = &water});
//   Box3d all = bounds(scene);

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/camera.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/pose.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/image/color_map.h"
#include "spindrift/image/image.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/looks/params.h"

namespace spindrift::surface {
struct Lattice;
}

namespace spindrift::render {

class Dye;
class Foam;
class Fog;

/// A body of triangles, seen from both sides.
struct MeshBody {
    const geometry::Mesh* mesh = nullptr;
    geometry::Pose pose{};  ///< of the mesh's origin, after the scale
    double scale = 1;
    Vec3f color{0.50f, 0.46f, 0.41f};  ///< linear RGB
    float opacity = 1;                 ///< less than 1 is glass, the nearer to 1 the more it has its colour
    const Image* wet = nullptr;        ///< over the mesh's UVs, from 0 where it is dry to 1 where it is wet and darker
    float ior = 1.5f;                  ///< of glass
    bool thin = false;                 ///< glass that does not bend light; as is all glass whose mesh has holes
    std::optional<geometry::Pose> pose_end{};  ///< when the shutter closes, if it has moved since it opened
    std::uint32_t id = body_id::other;
};

/// How light fares in a liquid.
struct LiquidLook {
    Vec3f color =
        image::clear_water;  ///< what is left of white light after `clarity`; of what falls on it, if it is matte
    float clarity = 1;       ///< m
    float ior = 1.333f;
    float cloudiness = 0;  ///< share of the light that goes in which comes back in the liquid's colour
    float glow = 0.42f;    ///< share of the light taken away that is scattered on: deep liquid is not black
};

/// Surfaces of liquids: clear bodies, or matte if they are said to be or their points have values or colours.
struct LiquidBody {
    const geometry::Mesh* mesh = nullptr;       ///< its attribute N gives the normals and v the motion, if it has them
    const surface::Lattice* lattice = nullptr;  ///< samples of a function in place of a mesh, and its labels
    geometry::Pose pose{};                      ///< of the mesh's or the lattice's origin; lattices are not turned
    /// The liquids behind and before each triangle; without them the first is inside and air outside.
    ConstChannel<geometry::Sides> sides{};
    std::vector<LiquidLook> looks{LiquidLook{}};  ///< one for each liquid
    bool matte = false;                           ///< surfaces have the colour of the liquid behind them
    ConstChannel<float> values{};                 ///< one per point for the colour map
    ConstChannel<Vec3f> point_colors{};           ///< one per point, linear RGB, in place of the values'

    const Dye* dye = nullptr;    ///< colour within, in place of the looks'
    const Foam* foam = nullptr;  ///< on its surface, in the scene's coordinates

    bool is_clear() const { return !matte && values.empty() && point_colors.empty(); }
};

/// Particles of one colour, such as foam, beside those that the scene has anyway.
struct Cloud {
    ConstChannel<Vec3f> positions{};
    float radius = 0.01f;
    ConstChannel<float> radii{};  ///< in place of the radius
    ConstChannel<Vec3f> velocities{};
    Vec3f color{0.85f, 0.87f, 0.88f};  ///< linear RGB
    bool hollow = false;               ///< bubbles: their rims mirror light, and one looks through their middles
};

/// The pattern on the ground.
struct Floor {
    Vec3f color{0.30f, 0.30f, 0.295f};  ///< linear RGB
    double tiles = 0;                   ///< side of tiles, m; 0 for none
    const Image* image = nullptr;       ///< in place of tiles, `tiles` wide, repeated
    Vec3d corner{};                     ///< of a tile
};

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
    /// Of the particles, m/s, for motion blur.
    ConstChannel<Vec3f> velocities{};
    /// Values at the two ends of the colour map unless RenderParams::range says otherwise; without both,
    /// automatic_range.
    std::optional<std::array<double, 2>> range{};
    /// Title of the colour bar, with unit.
    std::string legend{};
    /// Whether all values are whole numbers, so that the legend has a field for each if they are few.
    bool whole = false;
    /// Names of colours, listed in place of a colour bar.
    std::vector<image::Swatch> swatches{};
    /// Text in the upper left corner, for example "frame 42".
    std::string label{};
    /// Drawn as matte bodies.
    std::vector<Box3d> solids{};
    std::vector<MeshBody> meshes{};
    std::vector<LiquidBody> liquids{};
    std::vector<Cloud> clouds{};
    /// In the air, in the scene's coordinates.
    const Fog* fog = nullptr;
    /// Drawn as thin lines along its edges.
    std::optional<Box3d> domain{};
    /// Height of a floor that catches shadows; without it, or with RenderParams::ground off, there is only sky.
    std::optional<double> ground{};
    Floor floor{};
    /// Time that the shutter is open, centred on the moment of all positions, s.
    double shutter = 0;
    /// The camera when the shutter opens and closes, if it moves.
    std::optional<std::array<geometry::Camera, 2>> camera_move{};
    /// Light from everywhere in place of the sky and the sun of RenderParams.
    std::optional<Vec3f> uniform_light{};

    float radius_of(std::size_t i) const { return radii.empty() ? radius : radii[i]; }
};

/// A box around nothing: its low corner is above the high one.
inline constexpr Box3d empty_box{{1, 1, 1}, {-1, -1, -1}};

/// Box around all that casts a shadow and around glass, or the domain if there is nothing. Meshes that dwarf the liquid
/// are left out: they are the landscape, not the subject.
Box3d bounds(const RenderScene& scene);

/// Box around a mesh where it stands.
Box3d bounds(const MeshBody& body);

/// Box around a liquid's surface where it is; of a lattice up to a voxel larger.
Box3d bounds(const LiquidBody& body);

/// A box of liquid and solids, grown by those meshes' boxes that do not dwarf it. Empty boxes change nothing.
Box3d enclose(const Box3d& subject, const std::vector<Box3d>& meshes);

}  // namespace spindrift::render
