#pragma once
// What liquid collides with: the walls of the domain and solid shapes.
//
//   collision::DomainParams domain{.box = {{0, 0, 0}, {2, 1.5, 1}}, .open = {collision::Side::top}};

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/shapes.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::collision {

/// Sides of a box: -x, +x, -y, +y, -z, +z.
enum class Side { left, right, bottom, top, back, front };

constexpr std::array<std::string_view, 6> enum_words(Side) {
    return {"left", "right", "bottom", "top", "back", "front"};
}

/// Describes `friction` and `bounce` of anything with a surface; where that is does not depend on them.
template <class Self, class Visitor>
void describe_surface(Self& self, Visitor& v) {
    v("friction", self.friction,
      {.text = "Friction of the surface: 0 lets the liquid slip, 1 makes it stick",
       .limits = between(0, 1),
       .affects = Affects::simulation});
    v("bounce", self.bounce,
      {.text = "Share of the speed into the surface that is given back",
       .limits = between(0, 1),
       .affects = Affects::simulation});
}

/// Describes how pictures show a solid.
template <class Self, class Visitor>
void describe_look(Self& self, Visitor& v) {
    v("visible", self.visible, {.text = "Whether pictures show it", .affects = Affects::look});
    v("color", self.color,
      {.text = "Linear red, green and blue in pictures; grey if not given",
       .limits = between(0, 1),
       .affects = Affects::look});
    v("opacity", self.opacity,
      {.text = "1 is matte, less is glass that pictures see through",
       .limits = between(0, 1),
       .affects = Affects::look});
    v("ior", self.ior, {.text = "Index of refraction of glass", .limits = between(1, 4), .affects = Affects::look});
}

struct DomainParams {
    Box3d box{};
    std::vector<Side> open{};
    double friction = 0;
    double bounce = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("box", self.box,
          {.text = "Low and high corner of the box that holds the liquid",
           .unit = "m",
           .limits = coordinate_limits,
           .required = true,
           .when_missing = "add box = [[0, 0, 0], [2, 1, 1]], the low and the high corner in metres"});
        v("open", self.open,
          {.text =
               "Sides without a wall, where liquid may leave: left and right are -x and +x, bottom and top -y and +y, "
               "back and front -z and +z"});
        describe_surface(self, v);
    }

    void check(const Checker& checker) const { checker.box("box", box); }
};

/// Solid below the plane, free on the side the normal points to.
struct PlaneShape {
    Vec3d point{};
    Vec3d normal{0, 1, 0};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("point", self.point,
          {.text = "A point of the plane", .unit = "m", .limits = coordinate_limits, .required = true});
        v("normal", self.normal,
          {.text = "Direction out of the solid, of any length", .limits = coordinate_limits, .required = true});
    }

    void check(const Checker& checker) const { checker.direction("normal", normal); }
};

/// What of a mesh is solid: what it encloses, all around it, or a skin along its faces.
enum class Mode { solid_inside, solid_outside, shell };

constexpr std::array<std::string_view, 3> enum_words(Mode) {
    return {"solid_inside", "solid_outside", "shell"};
}

/// Where liquid has touched a collider, painted over its UVs.
struct WetMapParams {
    int resolution = 512;
    double wetting = 0.1;
    double drying = 10;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("resolution", self.resolution, {.text = "Width and height", .unit = "pixels", .limits = between(8, 8192)});
        v("wetting", self.wetting,
          {.text = "Time under liquid until a place is wet through", .unit = "s", .limits = between(0, 1e6)});
        v("drying", self.drying,
          {.text = "Time without liquid until a wet place is dry; 0 keeps it wet",
           .unit = "s",
           .limits = between(0, 1e9)});
    }
};

/// Exactly one of the shapes is given.
struct ColliderParams {
    std::string name{};
    std::optional<Box3d> box{};
    std::optional<PlaneShape> plane{};
    std::optional<geometry::SphereShape> sphere{};
    std::optional<geometry::CylinderShape> cylinder{};
    std::string mesh{}, vdb{};
    Mode mode = Mode::solid_inside;
    std::optional<double> cell{}, thickness{};
    double offset = 0;
    double band = 0;
    Animated<Vec3d> position{}, rotation_deg{};
    Animated<double> scale{1.0};
    std::optional<int> start{};
    std::optional<std::array<double, 2>> active{};  ///< frames
    double friction = 0;
    double bounce = 0;
    double stickiness = 0;
    std::string friction_map{}, bounce_map{}, stickiness_map{};
    std::optional<WetMapParams> wet_map{};
    bool visible = true;
    std::optional<Vec3d> color{};
    double opacity = 1;
    double ior = 1.5;

    bool moves() const { return position.moves() || rotation_deg.moves(); }
    /// Whether it stands where its shape says.
    bool is_placed() const {
        return moves() || position.at(0) != Vec3d{} || rotation_deg.at(0) != Vec3d{} || scale.moves() ||
               scale.at(0) != 1;
    }
    /// Whether it is there at a frame.
    bool is_active(double frame) const { return !active || (frame >= (*active)[0] && frame <= (*active)[1]); }
    /// Whether it is one of the walls that need no field.
    bool is_analytic() const;
    /// Whether `mesh` names a file per frame.
    bool is_sequence() const;
    /// Whether its shape in its own space changes.
    bool deforms() const { return is_sequence() || scale.moves(); }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        describe_shape(self, v);
        describe_place(self, v);
        describe_contact(self, v);
    }

    void check(const Checker& checker) const;

  private:
    template <class Self, class Visitor>
    static void describe_shape(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name for messages, files and --set"});
        v("box", self.box,
          {.text = "Solid box, by its low and high corners", .unit = "m", .limits = coordinate_limits});
        v("plane", self.plane, {.text = "Solid half-space below a plane"});
        v("sphere", self.sphere, {.text = "Solid sphere"});
        v("cylinder", self.cylinder, {.text = "Solid cylinder"});
        v("mesh", self.mesh,
          {.text = "File of a mesh (.obj .ply .stl .gltf .glb), relative to the scene; '####' in its name stands for "
                   "the frame, for a mesh that deforms"});
        v("vdb", self.vdb,
          {.text = "File of an OpenVDB level set, relative to the scene; its first float grid is taken"});
        v("mode", self.mode,
          {.text =
               "What is solid: the inside of the shape, everything outside of it (a container), or a skin along its "
               "faces (for open meshes)"});
        v("cell", self.cell,
          {.text = "Size of a cell of the distance field; the finest spacing of the liquids if not given",
           .unit = "m",
           .limits = length_limits});
        v("thickness", self.thickness,
          {.text = "Thickness of a shell; at least 1.8 cells, which it has if not given",
           .unit = "m",
           .limits = length_limits});
        v("offset", self.offset,
          {.text = "Moves the surface outwards, out of the solid", .unit = "m", .limits = between(-1e3, 1e3)});
        v("band", self.band,
          {.text = "How much farther than needed distances are known around the surface",
           .unit = "m",
           .limits = between(0, 1e3)});
    }
    template <class Self, class Visitor>
    static void describe_place(Self& self, Visitor& v) {
        v("position", self.position,
          {.text = "Where the shape's origin is put", .unit = "m", .limits = coordinate_limits});
        v("rotation_deg", self.rotation_deg,
          {.text = "Turn about the shape's origin: about x, then y, then z",
           .unit = "deg",
           .limits = between(-1e6, 1e6)});
        v("scale", self.scale, {.text = "Size, before turning and moving", .limits = above(0, 1e6)});
        v("active", self.active,
          {.text = "First and last frame of the time in which the collider is there; always if not given",
           .limits = between(-1e6, 1e6)});
        v("start", self.start,
          {.text =
               "Frame of the scene that shows the first file of a sequence; files are numbered as the frames if not "
               "given",
           .limits = between(-1e6, 1e6)});
        describe_look(self, v);
    }
    template <class Self, class Visitor>
    static void describe_contact(Self& self, Visitor& v) {
        describe_surface(self, v);
        v("stickiness", self.stickiness,
          {.text = "How strongly liquid that touches is kept from leaving the surface: 0 lets go, 1 never does",
           .limits = between(0, 1),
           .affects = Affects::simulation});
        v("friction_map", self.friction_map,
          {.text = "Image (.png .exr) over the mesh's UVs that 'friction' is multiplied with: black 0, white 1",
           .affects = Affects::simulation});
        v("bounce_map", self.bounce_map, {.text = "The same for 'bounce'", .affects = Affects::simulation});
        v("stickiness_map", self.stickiness_map, {.text = "The same for 'stickiness'", .affects = Affects::simulation});
        v("wet_map", self.wet_map,
          {.text = "Keeps a texture of where liquid has touched the mesh, saved with each frame",
           .affects = Affects::simulation});
    }
};

}  // namespace spindrift::collision
