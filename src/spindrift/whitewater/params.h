#pragma once
// Settings of whitewater: where it is born, what kinds there are and how they move. Limits are in SI units, so that
// they fit any resolution and frame rate.
//
//   whitewater::WhitewaterParams splash{.kinds = {Kind::spray}, .causes = {Potential::isolation}};
//   splash.spray.life = 0.05;

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/whitewater/kinds.h"

namespace spindrift::whitewater {

inline constexpr Limits rate_limits = between(0, 1e6), speed_limits = between(0, 1e4);

inline constexpr std::string_view mask_text =
    "Name of a channel of numbers: each particle of the liquid gives the share that its own says; none at 0 and below, "
    "all at 1 and above";

/// Droplets where liquid is torn into particles that have few others around them.
struct IsolationParams {
    Animated<double> rate = 11.0;
    double density = 0.7, density_slope = 2;
    double speed = 0.7, speed_slope = 2;
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, where it is surely isolated",
           .unit = "1/s",
           .limits = rate_limits});
        v("density", self.density,
          {.text = "Share of the rest density below which a particle is isolated: 0.81 is a surface at rest, 0.62 a "
                   "sheet of one layer, 0.36 a string, 0.19 a particle alone",
           .limits = between(0, 1)});
        v("density_slope", self.density_slope,
          {.text = "How fast isolation grows as the density falls", .limits = between(0, 1e3)});
        v("speed", self.speed, {.text = "Speed below which nothing is born", .unit = "m/s", .limits = speed_limits});
        v("speed_slope", self.speed_slope,
          {.text = "How fast isolation grows with the speed", .unit = "s/m", .limits = between(0, 1e3)});
        v("mask", self.mask, {.text = mask_text});
    }
};

/// Foam and bubbles where parts of the liquid run into each other.
struct TrappedAirParams {
    Animated<double> rate = 10.0;
    std::array<double, 2> speed{0.7, 2.5};
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, where most air is trapped",
           .unit = "1/s",
           .limits = rate_limits});
        v("speed", self.speed,
          {.text = "Relative speeds of particles that run into each other between which trapping begins and is full",
           .unit = "m/s",
           .limits = speed_limits,
           .reference = "Eq. 2, Ihmsen et al. 2012"});
        v("mask", self.mask, {.text = mask_text});
    }
    void check(const Checker& checker) const;
};

/// Where the surface is sharply bent outwards and runs ahead of the liquid around it.
struct CrestParams {
    Animated<double> rate = 10.0;
    std::optional<double> length{};
    std::optional<std::array<double, 2>> curvature{};
    double speed = 0.3;
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, on the sharpest crests",
           .unit = "1/s",
           .limits = rate_limits});
        v("length", self.length,
          {.text = "Length over which the surface is smoothed before its curvature is taken; 0.2 m if not given, or 4 "
                   "spacings if that is more",
           .unit = "m",
           .limits = length_limits});
        v("curvature", self.curvature,
          {.text = "Curvatures between which crests begin and are full; 1/4 and 1 by the length if not given",
           .unit = "1/m",
           .limits = between(0, 1e6)});
        v("speed", self.speed,
          {.text = "How much faster than the liquid around a crest has to be", .unit = "m/s", .limits = speed_limits});
        v("mask", self.mask, {.text = mask_text});
    }
    void check(const Checker& checker) const;
};

/// Where the liquid turns fast.
struct VorticityParams {
    Animated<double> rate = 10.0;
    std::array<double, 2> speed{2, 6};
    std::string mask{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Share of a particle's volume that becomes whitewater in a second, in the fastest eddies",
           .unit = "1/s",
           .limits = rate_limits});
        v("speed", self.speed,
          {.text = "Curl of the velocity, times two spacings, between which it begins and is full",
           .unit = "m/s",
           .limits = speed_limits});
        v("mask", self.mask, {.text = mask_text});
    }
    void check(const Checker& checker) const;
};

/// How fast drops fall.
enum class Terminal { measured, linear };

constexpr std::array<std::string_view, 2> enum_words(Terminal) {
    return {"measured", "linear"};
}

struct SprayParams {
    std::array<double, 2> diameter_mm{0.2, 5};
    double mean_mm = 1.2;
    Terminal terminal = Terminal::measured;
    Animated<Vec3d> wind{};
    double scatter = 0.1;
    bool breakup = true;
    double bounce = 0.2, friction = 0;
    std::optional<double> life{};
    double size = 1;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("diameter_mm", self.diameter_mm,
          {.text = "Smallest and largest drop; smaller ones are mist", .unit = "mm", .limits = between(0.01, 100)});
        v("mean_mm", self.mean_mm,
          {.text = "Scale of the sizes, which thin out as exp(-diameter / scale)",
           .unit = "mm",
           .limits = between(0.01, 100)});
        v("terminal", self.terminal,
          {.text = "Speed that falling drops end with: measured ones of rain, or 2 to 9 m/s in proportion to diameters "
                   "of 0.5 to 4.5 mm",
           .reference = "Gunn and Kinzer 1949"});
        v("wind", self.wind, {.text = "Velocity of the air", .unit = "m/s", .limits = between(-1e3, 1e3)});
        v("scatter", self.scatter,
          {.text = "Speed sideways at birth, as a share of the liquid's speed", .limits = between(0, 10)});
        v("breakup", self.breakup,
          {.text = "Drops that are too large for their speed through the air break up, and lose mist"});
        v("bounce", self.bounce,
          {.text = "Share of the speed that drops keep when they bounce off walls", .limits = between(0, 1)});
        v("friction", self.friction, {.text = "Friction of drops on walls", .limits = between(0, 10)});
        v("life", self.life,
          {.text = "Time after which a drop goes; until it falls back if not given",
           .unit = "s",
           .limits = between(0, 1e6)});
        v("size", self.size,
          {.text = "What radii in files are multiplied by, for the eye: drops stay as heavy as they are",
           .limits = above(0, 1e6)});
    }
    void check(const Checker& checker) const;
};

struct BubbleParams {
    std::array<double, 2> diameter_mm{0.5, 6};
    double mean_mm = 1.5;
    double rise = 1;
    std::optional<double> half_life{};
    double size = 1;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("diameter_mm", self.diameter_mm,
          {.text = "Smallest and largest bubble", .unit = "mm", .limits = between(0.01, 100)});
        v("mean_mm", self.mean_mm,
          {.text = "Scale of the sizes, which thin out as exp(-diameter / scale)",
           .unit = "mm",
           .limits = between(0.01, 100)});
        v("rise", self.rise,
          {.text = "Speed at which bubbles rise, times that of real ones of their size", .limits = between(0, 100)});
        v("half_life", self.half_life,
          {.text = "Time after which half of them have gone; until they reach the surface if not given",
           .unit = "s",
           .limits = above(0, 1e6)});
        v("size", self.size,
          {.text = "What radii in files are multiplied by, for the eye: bubbles rise as they are",
           .limits = above(0, 1e6)});
    }
    void check(const Checker& checker) const;
};

struct FoamParams {
    double half_life = 2;
    double keep = 0.75;
    std::array<double, 2> crowd{20, 45};
    double spread = 1;
    std::optional<double> cells{};
    double opening = 2;
    double size = 1;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("half_life", self.half_life,
          {.text = "Time after which half of the foam has gone, where it is thin",
           .unit = "s",
           .limits = above(0, 1e6)});
        v("keep", self.keep,
          {.text = "How much longer dense foam lives: at 0.75 four times as long", .limits = between(0, 0.99)});
        v("crowd", self.crowd,
          {.text = "Foam particles in a cell two spacings of the liquid wide between which foam becomes dense",
           .limits = between(0, 1e6)});
        v("spread", self.spread,
          {.text =
               "How far foam particles push each other apart along the surface: 0 not at all, 1 until they lie side "
               "by side",
           .limits = between(0, 1)});
        v("cells", self.cells,
          {.text = "Width of holes that open in the foam and make lace of it; none if not given",
           .unit = "m",
           .limits = length_limits});
        v("opening", self.opening,
          {.text = "How fast these holes open: share of the way to their full width in a second",
           .unit = "1/s",
           .limits = between(0, 1e3)});
        v("size", self.size, {.text = "What radii in files are multiplied by, for the eye", .limits = above(0, 1e6)});
    }
    void check(const Checker& checker) const;
};

struct MistParams {
    double half_life = 1.5;
    double reach = 1;
    double turbulence = 0.4, eddy = 0.25;
    double size = 1;
    bool volume = false;
    std::optional<double> voxel{};
    double water = 0.01;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("half_life", self.half_life,
          {.text = "Time after which half of the mist has gone", .unit = "s", .limits = above(0, 1e6)});
        v("reach", self.reach,
          {.text = "Distance from the liquid within which the air moves with it",
           .unit = "m",
           .limits = length_limits});
        v("turbulence", self.turbulence,
          {.text = "Largest speed of eddies in the air", .unit = "m/s", .limits = speed_limits});
        v("eddy", self.eddy, {.text = "Size of these eddies", .unit = "m", .limits = length_limits});
        v("size", self.size, {.text = "What radii in files are multiplied by, for the eye", .limits = above(0, 1e6)});
        v("volume", self.volume, {.text = "Also write mist as fog, mist/name.0042.vdb: density in kg/m^3, and vel"});
        v("voxel", self.voxel,
          {.text = "Width of the fog's voxels; two spacings of the liquid if not given",
           .unit = "m",
           .limits = length_limits});
        v("water", self.water,
          {.text = "Water that a particle of mist stands for, as a share of the volume of a whitewater particle",
           .limits = between(0, 1)});
    }
};

/// Whitewater that comes from a place and not from what the liquid does. Exactly one of the shapes is given.
struct SourceParams : emitters::RegionParams {
    std::string name{};
    std::string mesh{}, collider{};
    Animated<Vec3d> position{}, rotation_deg{};
    double scale = 1;
    Animated<double> rate = 0.0;
    Animated<Vec3d> velocity{};
    double speed = 0;
    std::optional<Kind> kind{};
    std::optional<std::array<double, 2>> diameter_mm{};
    std::optional<std::array<double, 2>> active{};

    bool is_surface() const { return !mesh.empty() || !collider.empty(); }
    bool is_active(double frame) const { return !active || (frame >= (*active)[0] && frame <= (*active)[1]); }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        describe_shape(self, v);
        describe_flow(self, v);
    }
    void check(const Checker& checker) const;

  private:
    template <class Self, class Visitor>
    static void describe_shape(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name for messages and --set"});
        RegionParams::describe(self, v);
        v("mesh", self.mesh,
          {.text =
               "File of a mesh on whose surface it is born (.obj .ply .stl .gltf .glb), relative to the scene; '####' "
               "in its name stands for the frame"});
        v("collider", self.collider, {.text = "Name of a collider on whose surface it is born, as that moves"});
        v("position", self.position,
          {.text = "The point that coordinates of a shape or a mesh count from",
           .unit = "m",
           .limits = coordinate_limits});
        v("rotation_deg", self.rotation_deg,
          {.text = "Turn about 'position': about x, then y, then z", .unit = "deg", .limits = between(-1e6, 1e6)});
        v("scale", self.scale, {.text = "Size of the mesh, before turning and moving", .limits = above(0, 1e6)});
    }
    template <class Self, class Visitor>
    static void describe_flow(Self& self, Visitor& v) {
        v("rate", self.rate,
          {.text = "Particles that are born in a second, of the whole source",
           .unit = "1/s",
           .limits = between(0, 1e9)});
        v("velocity", self.velocity, {.text = "Velocity at birth", .unit = "m/s", .limits = between(-1e4, 1e4)});
        v("speed", self.speed,
          {.text = "Speed at birth away from the surface of a mesh or collider",
           .unit = "m/s",
           .limits = speed_limits});
        v("kind", self.kind, {.text = "Kind at birth; by the depth in the liquid if not given"});
        v("diameter_mm", self.diameter_mm,
          {.text = "Smallest and largest, if other than its kind's", .unit = "mm", .limits = between(0.01, 100)});
        v("active", self.active,
          {.text = "First and last frame of the time in which it gives; always if not given",
           .limits = between(-1e6, 1e6)});
    }
};

struct WhitewaterParams {
    double spacing = 0.25;
    Animated<double> amount = 1.0;
    std::vector<Kind> kinds{Kind::spray, Kind::foam, Kind::bubbles};
    std::vector<Potential> causes{Potential::isolation, Potential::trapped_air, Potential::crest};
    IsolationParams isolation{};
    TrappedAirParams trapped_air{};
    CrestParams crest{};
    VorticityParams vorticity{};
    std::array<double, 2> energy{0.1, 2};
    double margin = 0;
    std::optional<emitters::RegionParams> inside{};
    SprayParams spray{};
    FoamParams foam{};
    BubbleParams bubbles{};
    MistParams mist{};
    std::int64_t most = 20'000'000;
    std::vector<SourceParams> source{};

    bool has(Kind kind) const;
    bool has(Potential cause) const;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        describe_birth(self, v);
        v("spray", self.spray, {.text = "Drops in the air"});
        v("foam", self.foam, {.text = "Bubbles on the surface"});
        v("bubbles", self.bubbles, {.text = "Bubbles in the liquid"});
        v("mist", self.mist, {.text = "Drops so fine that the air carries them"});
        v("most", self.most,
          {.text = "Number of particles at which the stage stops and says so", .limits = between(1, 1e12)});
        v("source", self.source, {.text = "Places that give whitewater whatever the liquid does"});
    }
    void check(const Checker& checker) const;

  private:
    template <class Self, class Visitor>
    static void describe_birth(Self& self, Visitor& v) {
        v("spacing", self.spacing,
          {.text = "Edge of the volume that a whitewater particle stands for: half of it makes eight times as many",
           .unit = "spacings",
           .limits = between(0.01, 10)});
        v("amount", self.amount, {.text = "Multiplies how much is born", .limits = between(0, 1e6)});
        v("kinds", self.kinds, {.text = "Kinds there are; what would become another one goes"});
        v("causes", self.causes,
          {.text = "What about the liquid makes whitewater; isolation alone is a splash mode without foam"});
        v("isolation", self.isolation, {.text = "Where liquid is torn into single particles"});
        v("trapped_air", self.trapped_air, {.text = "Where parts of the liquid run into each other"});
        v("crest", self.crest, {.text = "Where the surface is sharply bent and runs ahead"});
        v("vorticity", self.vorticity, {.text = "Where the liquid turns fast"});
        v("energy", self.energy,
          {.text = "Kinetic energies of the liquid between which trapped air, crests and vorticity begin to give and "
                   "give all",
           .unit = "J/kg",
           .limits = between(0, 1e8)});
        v("margin", self.margin,
          {.text = "Distance from open sides of the domain within which nothing is born",
           .unit = "m",
           .limits = between(0, 1e6)});
        v("inside", self.inside, {.text = "Nothing is born outside of this shape"});
    }
};

}  // namespace spindrift::whitewater
