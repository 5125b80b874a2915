#pragma once
// Where liquid is at the start, where it comes in later and where it goes: fills, emitters, killers.
//
//   emitters::FillParams fill;
//   fill.box = Box3d{{0, 0, 0}, {0.6, 1, 1}};
//   emitters::EmitterParams tap;
//   tap.disc = emitters::DiscShape{0.02};
//   tap.speed = 2.5;

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/shapes.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"

namespace spindrift::emitters {

enum class Sampling { lattice, jittered };

constexpr std::array<std::string_view, 2> enum_words(Sampling) {
    return {"lattice", "jittered"};
}

using geometry::CylinderShape;
using geometry::SphereShape;

/// Fills what walls hold, from a point up to a height.
struct FloodParams {
    Vec3d from{};
    double level = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("from", self.from,
          {.text = "A point in the container, from which the liquid spreads",
           .unit = "m",
           .limits = coordinate_limits,
           .required = true});
        v("level", self.level,
          {.text = "Height (y) up to which it is filled", .unit = "m", .limits = coordinate_limits, .required = true});
    }

    void check(const Checker& checker) const;
};

/// One of the shapes is given, or a level alone, which fills the domain up to it.
struct FillParams {
    std::optional<Box3d> box{};
    std::optional<SphereShape> sphere{};
    std::optional<CylinderShape> cylinder{};
    std::string mesh{};
    Vec3d position{}, rotation_deg{};  ///< of the mesh
    double scale = 1;
    std::optional<FloodParams> flood{};
    std::string level{};  ///< an expression of x and z, see emitters/level.h
    Sampling sampling = Sampling::lattice;
    double jitter = 0.25;
    Vec3d velocity{};
    AnimatedTable mix{};

    /// Whether bounds(), contains() and volume() know the shape; meshes have to be read for that, and floods need
    /// walls.
    bool is_analytic() const { return box || sphere || cylinder; }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("box", self.box,
          {.text = "Box to fill, by its low and high corners", .unit = "m", .limits = coordinate_limits});
        v("sphere", self.sphere, {.text = "Sphere to fill"});
        v("cylinder", self.cylinder, {.text = "Cylinder to fill"});
        describe_mesh(self, v);
        v("sampling", self.sampling,
          {.text = "How particles are placed: on a cubic lattice, or on one whose points are moved at random"});
        v("jitter", self.jitter,
          {.text = "How far jittered sampling moves a point along each axis, as a share of the spacing",
           .limits = between(0, 0.5)});
        v("velocity", self.velocity, {.text = "Velocity at the start", .unit = "m/s", .limits = between(-1e4, 1e4)});
        v("mix", self.mix, {.text = "Shares of components in it; the liquid's if not given", .limits = between(0, 1)});
    }

    void check(const Checker& checker) const;

  private:
    template <class Self, class Visitor>
    static void describe_mesh(Self& self, Visitor& v) {
        v("mesh", self.mesh,
          {.text = "File of a closed mesh to fill (.obj .ply .stl .gltf .glb), relative to the scene; of a sequence "
                   "(name.####.ply) the file of the first frame"});
        v("position", self.position,
          {.text = "Where the mesh's origin is put", .unit = "m", .limits = coordinate_limits});
        v("rotation_deg", self.rotation_deg,
          {.text = "Turn of the mesh about its origin: about x, then y, then z",
           .unit = "deg",
           .limits = between(-1e6, 1e6)});
        v("scale", self.scale, {.text = "Size of the mesh, before turning and moving", .limits = above(0, 1e6)});
        v("flood", self.flood, {.text = "Fills what colliders and the domain hold, as they stand at the first frame"});
        v("level", self.level,
          {.text = "Height up to which the shape is filled, by x and z in m: \"0.4 + 0.03 * cos(2.6 * x)\"; without a "
                   "shape the domain is filled up to it"});
    }
};

struct DiscShape {
    double radius = 0;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("radius", self.radius, {.text = "Radius", .unit = "m", .limits = length_limits, .required = true});
    }
};

struct RectangleShape {
    std::array<double, 2> size{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("size", self.size,
          {.text = "Width, which is horizontal, and height; of a nozzle that points straight up or down the width lies "
                   "along x",
           .unit = "m",
           .limits = length_limits,
           .required = true});
    }
};

/// A source of liquid: a nozzle (disc, rectangle) that a jet leaves, a volume (box, sphere, cylinder) kept full, or a
/// surface (mesh, collider) that liquid leaves all over. Exactly one of the shapes is given.
struct EmitterParams {
    std::string name{}, liquid{};
    std::optional<DiscShape> disc{};
    std::optional<RectangleShape> rectangle{};
    std::optional<Box3d> box{};
    std::optional<SphereShape> sphere{};
    std::optional<CylinderShape> cylinder{};
    std::string mesh{}, collider{};
    double scale = 1;
    std::optional<int> start{};
    std::string emission_map{};
    Animated<Vec3d> position{};
    Animated<Vec3d> direction{0, -1, 0};
    Animated<Vec3d> rotation_deg{};
    std::optional<Animated<double>> speed{}, rate{};
    Animated<Vec3d> velocity{};
    std::optional<std::array<double, 2>> active{};
    double inherit = 1;
    double jitter = 0;
    double spread_deg = 0;
    std::optional<std::int64_t> limit{};
    std::optional<Vec3d> color{};
    NumberTable channels{};
    AnimatedTable mix{};

    bool is_nozzle() const { return disc || rectangle; }
    bool is_surface() const { return !mesh.empty() || !collider.empty(); }
    bool is_active(double frame) const { return !active || (frame >= (*active)[0] && frame <= (*active)[1]); }
    /// The volume as a fill.
    FillParams shape() const;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        describe_shape(self, v);
        describe_surface(self, v);
        describe_place(self, v);
        describe_flow(self, v);
    }

    void check(const Checker& checker) const;

  private:
    template <class Self, class Visitor>
    static void describe_shape(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name for messages and --set"});
        v("liquid", self.liquid, {.text = "Name of the liquid; may be left out if the scene has one"});
        v("disc", self.disc, {.text = "Round nozzle that a jet leaves"});
        v("rectangle", self.rectangle, {.text = "Rectangular nozzle that a sheet leaves"});
        v("box", self.box,
          {.text = "Box kept full, by its low and high corners from 'position'",
           .unit = "m",
           .limits = coordinate_limits});
        v("sphere", self.sphere, {.text = "Sphere kept full, its centre counted from 'position'"});
        v("cylinder", self.cylinder, {.text = "Cylinder kept full, its ends counted from 'position'"});
    }
    template <class Self, class Visitor>
    static void describe_surface(Self& self, Visitor& v) {
        v("mesh", self.mesh,
          {.text = "File of a mesh that liquid leaves along its normals (.obj .ply .stl .gltf .glb), relative to the "
                   "scene; '####' in its name stands for the frame, for a mesh that deforms"});
        v("collider", self.collider,
          {.text = "Name of a collider that liquid leaves out of the solid, all over its surface as it moves"});
        v("scale", self.scale, {.text = "Size of the mesh, before turning and moving", .limits = above(0, 1e6)});
        v("start", self.start,
          {.text =
               "Frame of the scene that shows the first file of a sequence; files are numbered as the frames if not "
               "given",
           .limits = between(-1e6, 1e6)});
        v("emission_map", self.emission_map,
          {.text = "Image (.png .exr) over the UVs of the surface: nothing leaves where it is black, all where it is "
                   "white, a part of it in between"});
    }
    template <class Self, class Visitor>
    static void describe_place(Self& self, Visitor& v) {
        v("position", self.position,
          {.text = "Centre of a nozzle, or the point that a volume or a mesh is placed from",
           .unit = "m",
           .limits = coordinate_limits});
        v("direction", self.direction,
          {.text = "Direction that liquid leaves a nozzle in, of any length", .limits = coordinate_limits});
        v("rotation_deg", self.rotation_deg,
          {.text = "Turn of the emitter about 'position': about x, then y, then z",
           .unit = "deg",
           .limits = between(-1e6, 1e6)});
    }
    template <class Self, class Visitor>
    static void describe_flow(Self& self, Visitor& v) {
        v("speed", self.speed,
          {.text = "Speed at which liquid leaves a nozzle or a surface", .unit = "m/s", .limits = between(0, 1e4)});
        v("rate", self.rate,
          {.text = "Flow of a nozzle or a surface, in place of 'speed'; the most that a volume gives",
           .unit = "m^3/s",
           .limits = between(0, 1e9)});
        v("velocity", self.velocity,
          {.text = "Velocity of what a volume gives", .unit = "m/s", .limits = between(-1e4, 1e4)});
        v("active", self.active,
          {.text = "First and last frame of the time in which liquid comes; always if not given",
           .limits = between(-1e6, 1e6)});
        v("inherit", self.inherit,
          {.text = "Share of the motion of the emitter, or of its surface, that its particles get",
           .limits = between(0, 1)});
        v("jitter", self.jitter,
          {.text = "How far a particle is moved at random along each axis, as a share of the spacing",
           .limits = between(0, 0.5)});
        v("spread_deg", self.spread_deg,
          {.text = "Half angle of the cone in which velocities are turned at random",
           .unit = "deg",
           .limits = between(0, 90)});
        v("limit", self.limit, {.text = "Most particles that this emitter ever makes", .limits = between(1, 1e12)});
        v("color", self.color,
          {.text = "Linear red, green and blue of its particles' channel Cd; the liquid's if not given",
           .limits = between(0, 1)});
        v("channels", self.channels,
          {.text = "Values of its particles in channels that [[channel]] declares; the liquid's if not given",
           .limits = channel_limits});
        v("mix", self.mix,
          {.text = "Shares of components in what comes, each a number or keys over frames; the liquid's if not given",
           .limits = between(0, 1)});
    }
};

/// Exactly one of the shapes is given.
struct RegionParams {
    std::optional<Box3d> box{};
    std::optional<SphereShape> sphere{};
    std::optional<CylinderShape> cylinder{};

    FillParams shape() const;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("box", self.box, {.text = "Box, by its low and high corners", .unit = "m", .limits = coordinate_limits});
        v("sphere", self.sphere, {.text = "Sphere"});
        v("cylinder", self.cylinder, {.text = "Cylinder"});
    }

    void check(const Checker& checker) const;
};

/// Takes particles away: those that meet every condition given, and the oldest beyond `most`.
struct KillerParams {
    std::string name{}, liquid{};
    std::optional<Animated<double>> age{}, speed{}, slower{};
    std::optional<std::int64_t> isolated{}, most{};
    std::optional<RegionParams> inside{}, outside{};
    std::optional<std::array<double, 2>> active{};

    /// Whether there is any condition besides `most`.
    bool has_conditions() const { return age || speed || slower || isolated || inside || outside; }
    bool is_active(double frame) const { return !active || (frame >= (*active)[0] && frame <= (*active)[1]); }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name for messages and --set"});
        v("liquid", self.liquid, {.text = "Name of the liquid to take from; any if not given"});
        v("age", self.age, {.text = "Takes what is older", .unit = "s", .limits = between(0, 1e9)});
        v("speed", self.speed, {.text = "Takes what is faster", .unit = "m/s", .limits = between(0, 1e9)});
        v("slower", self.slower, {.text = "Takes what is slower", .unit = "m/s", .limits = between(0, 1e9)});
        v("isolated", self.isolated,
          {.text = "Takes particles with at most this many others within two spacings; looked at once per frame",
           .limits = between(0, 1000)});
        v("most", self.most,
          {.text = "Number of particles to keep: the oldest beyond it go, whatever the other conditions say",
           .limits = between(0, 1e12)});
        v("inside", self.inside, {.text = "Takes what is inside this shape"});
        v("outside", self.outside, {.text = "Takes what is outside this shape"});
        v("active", self.active,
          {.text = "First and last frame of the time in which it works; always if not given",
           .limits = between(-1e6, 1e6)});
    }

    void check(const Checker& checker) const;
};

}  // namespace spindrift::emitters
