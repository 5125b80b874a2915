#pragma once
// Things that liquid moves and that push back: rigid bodies, cloth and soft solids.
//
//   bodies::BodyParams crate;
//   crate.box = Box3d{{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}};
//   crate.position = Vec3d{0.5, 0.6, 0.5};
//   crate.density = 400;

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/collision/params.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/shapes.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::bodies {

enum class Kind { rigid, cloth, soft };

constexpr std::array<std::string_view, 3> enum_words(Kind) {
    return {"rigid", "cloth", "soft"};
}

/// What moves a body: nothing, its keys, or forces.
enum class Motion { dynamic, keyed, fixed };

constexpr std::array<std::string_view, 3> enum_words(Motion) {
    return {"dynamic", "keyed", "fixed"};
}

/// Who feels whom.
enum class Coupling { both, to_body, to_liquid, none };

constexpr std::array<std::string_view, 4> enum_words(Coupling) {
    return {"both", "to_body", "to_liquid", "none"};
}

/// What other bodies meet of a mesh: its convex hull, or several convex parts that follow its dents.
enum class ContactShape { hull, parts };

constexpr std::array<std::string_view, 2> enum_words(ContactShape) {
    return {"hull", "parts"};
}

/// A cylinder with round ends, between the centres of those.
struct CapsuleShape {
    Vec3d base{}, top{};
    double radius = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("base", self.base,
          {.text = "Centre of one round end", .unit = "m", .limits = coordinate_limits, .required = true});
        v("top", self.top,
          {.text = "Centre of the other round end", .unit = "m", .limits = coordinate_limits, .required = true});
        v("radius", self.radius, {.text = "Radius", .unit = "m", .limits = length_limits, .required = true});
    }

    void check(const Checker& checker) const {
        if (length(top - base) == 0)
            checker.problem("top", "the ends of the capsule are the same point; use a sphere, or move 'top' or 'base'");
    }
};

/// A flat rectangle of cloth in the plane of x and z, around the origin.
struct SheetShape {
    std::array<double, 2> size{};
    int cells = 24;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("size", self.size, {.text = "Lengths along x and z", .unit = "m", .limits = length_limits, .required = true});
        v("cells", self.cells,
          {.text = "Squares along the longer side, two triangles each", .limits = between(1, 1000)});
    }
};

/// An axis that is fixed in the world and that the body turns about.
struct HingeParams {
    Vec3d point{}, axis{0, 0, 1};
    double friction = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("point", self.point,
          {.text = "A point of the axis in the world", .unit = "m", .limits = coordinate_limits, .required = true});
        v("axis", self.axis, {.text = "Direction of the axis, of any length", .limits = coordinate_limits});
        v("friction", self.friction,
          {.text = "Torque that slows the turning", .unit = "N m", .limits = between(0, 1e9)});
    }

    void check(const Checker& checker) const { checker.direction("axis", axis); }
};

/// How cloth gives way.
struct ClothParams {
    double stretch = 2000;
    double bend = 1e-4;
    double weight = 0.3;
    double damping = 0.5;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("stretch", self.stretch,
          {.text = "Force per width that stretches the cloth to twice its length; silk 1000, canvas 20000",
           .unit = "N/m",
           .limits = above(0, 1e9)});
        v("bend", self.bend,
          {.text = "Torque per width that bends the cloth to a curvature of 1/m; silk 1e-6, canvas 1e-3, a thin sheet "
                   "of steel 1",
           .unit = "N m",
           .limits = between(0, 1e6)});
        v("weight", self.weight, {.text = "Mass per area", .unit = "kg/m^2", .limits = above(0, 1e6)});
        v("damping", self.damping,
          {.text = "Share of the motion of its points against each other that is lost in a second",
           .unit = "1/s",
           .limits = between(0, 1e4)});
    }
};

/// How a soft solid gives way.
struct SoftParams {
    double young = 2e4;
    double poisson = 0.45;
    double damping = 0.5;
    std::optional<double> cell{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("young", self.young,
          {.text = "Young's modulus: jelly 5e3, soft rubber 1e6", .unit = "Pa", .limits = between(1, 1e9)});
        v("poisson", self.poisson,
          {.text = "Poisson's ratio: 0.5 keeps the volume however it is pressed", .limits = between(0, 0.499)});
        v("damping", self.damping,
          {.text = "Share of the motion of its points against each other that is lost in a second",
           .unit = "1/s",
           .limits = between(0, 1e4)});
        v("cell", self.cell,
          {.text = "Size of the tetrahedra that fill it; an eighth of its longest side if not given",
           .unit = "m",
           .limits = length_limits});
    }
};

/// Exactly one of the shapes is given.
struct BodyParams {
    std::string name{};
    Kind kind = Kind::rigid;
    std::optional<Box3d> box{};
    std::optional<geometry::SphereShape> sphere{};
    std::optional<geometry::CylinderShape> cylinder{};
    std::optional<CapsuleShape> capsule{};
    std::optional<SheetShape> sheet{};
    std::string mesh{};
    ContactShape contact = ContactShape::hull;
    double scale = 1;
    Animated<Vec3d> position{}, rotation_deg{};
    Motion motion = Motion::dynamic;
    std::optional<int> release{};
    std::optional<double> density{}, mass{};
    Vec3d velocity{}, spin_deg{};
    std::optional<HingeParams> hinge{};
    Coupling coupling = Coupling::both;
    ClothParams cloth{};
    SoftParams soft{};
    std::vector<Box3d> pin{};
    std::optional<double> cell{}, thickness{};
    double friction = 0;
    double bounce = 0;
    double grip = 0.5;
    double restitution = 0;
    bool visible = true;
    std::optional<Vec3d> color{};
    double opacity = 1;
    double ior = 1.5;

    bool deforms() const { return kind != Kind::rigid; }
    /// Whether forces move it at a frame.
    bool is_free(double frame) const {
        return motion == Motion::dynamic || (motion == Motion::keyed && release && frame >= *release);
    }
    bool feels_liquid() const { return coupling == Coupling::both || coupling == Coupling::to_body; }
    bool pushes_liquid() const { return coupling == Coupling::both || coupling == Coupling::to_liquid; }
    /// Its shape as colliders have it, in its own space, scaled.
    collision::ColliderParams shape() const;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        describe_shape(self, v);
        describe_motion(self, v);
        describe_contact(self, v);
        collision::describe_look(self, v);
    }

    void check(const Checker& checker) const;

  private:
    template <class Self, class Visitor>
    static void describe_shape(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name for messages, files and --set"});
        v("kind", self.kind, {.text = "What it is made of: a rigid body, a sheet of cloth, or a soft solid"});
        v("box", self.box, {.text = "Box, by its low and high corners", .unit = "m", .limits = coordinate_limits});
        v("sphere", self.sphere, {.text = "Sphere"});
        v("cylinder", self.cylinder, {.text = "Cylinder"});
        v("capsule", self.capsule, {.text = "Cylinder with round ends"});
        v("sheet", self.sheet, {.text = "Rectangle of cloth"});
        v("mesh", self.mesh,
          {.text = "File of a mesh (.obj .ply .stl .gltf .glb), relative to the scene; cloth is made of its triangles, "
                   "solids of what it encloses"});
        v("contact", self.contact,
          {.text = "What other bodies meet of a rigid mesh: its convex hull, or convex parts that follow its dents; "
                   "liquid always meets the mesh itself"});
        v("scale", self.scale, {.text = "Size, before turning and moving", .limits = above(0, 1e6)});
        v("position", self.position,
          {.text = "Where the shape's origin is put", .unit = "m", .limits = coordinate_limits});
        v("rotation_deg", self.rotation_deg,
          {.text = "Turn about the shape's origin: about x, then y, then z",
           .unit = "deg",
           .limits = between(-1e6, 1e6)});
    }
    template <class Self, class Visitor>
    static void describe_motion(Self& self, Visitor& v) {
        v("motion", self.motion,
          {.text =
               "What moves it: forces (dynamic), the keys of its position and rotation (keyed), or nothing (fixed)"});
        v("release", self.release,
          {.text = "Frame at which a keyed body is let go: from then on forces move it", .limits = between(-1e6, 1e6)});
        v("density", self.density,
          {.text = "Mean density; 500 if neither it nor the mass is given", .unit = "kg/m^3", .limits = above(0, 1e6)});
        v("mass", self.mass, {.text = "Mass, in place of the density", .unit = "kg", .limits = above(0, 1e12)});
        v("velocity", self.velocity, {.text = "Velocity at the start", .unit = "m/s", .limits = between(-1e4, 1e4)});
        v("spin_deg", self.spin_deg,
          {.text = "Turning at the start, about the axes of the world", .unit = "deg/s", .limits = between(-1e6, 1e6)});
        v("hinge", self.hinge, {.text = "Axis that a rigid body turns about"});
        v("coupling", self.coupling,
          {.text = "Who feels whom: both, only the body feels the liquid (to_body), only the liquid feels the body "
                   "(to_liquid), or none"});
        v("cloth", self.cloth, {.text = "How cloth gives way"});
        v("soft", self.soft, {.text = "How a soft solid gives way"});
        v("pin", self.pin,
          {.text = "Boxes in the world: points of cloth and soft solids that are in one at the start stay where they "
                   "are, or move along with the keys",
           .unit = "m",
           .limits = coordinate_limits});
    }
    template <class Self, class Visitor>
    static void describe_contact(Self& self, Visitor& v) {
        v("cell", self.cell,
          {.text = "Size of a cell of the distance field that liquid meets; if not given the finest spacing of the "
                   "liquids, or a sixth of the body's smallest side if that is less, but no less than a 64th of its "
                   "largest",
           .unit = "m",
           .limits = length_limits});
        v("thickness", self.thickness,
          {.text = "Thickness of cloth as liquid meets it; at least 1.8 cells, which it has if not given",
           .unit = "m",
           .limits = length_limits});
        collision::describe_surface(self, v);
        v("grip", self.grip,
          {.text = "Friction coefficient against other bodies and colliders", .limits = between(0, 10)});
        v("restitution", self.restitution,
          {.text = "Share of the speed that is given back when it hits other bodies and colliders",
           .limits = between(0, 1)});
    }
};

}  // namespace spindrift::bodies
