#pragma once
// Settings of the kinds of whitewater: how they move and how they end.
//
//   whitewater::FoamParams foam{.half_life = 4};

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/whitewater/cause_params.h"

namespace spindrift::whitewater {

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
    double pile = 180;
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
        v("pile", self.pile,
          {.text =
               "Foam particles in such a cell above which those that are too many burst within a tenth of a second: "
               "three layers of them at a whitewater spacing of 0.25",
           .limits = above(0, 1e9)});
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

}  // namespace spindrift::whitewater
