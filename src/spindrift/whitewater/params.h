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
#include "spindrift/whitewater/cause_params.h"
#include "spindrift/whitewater/kind_params.h"
#include "spindrift/whitewater/kinds.h"

namespace spindrift::whitewater {

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
