#pragma once
// The scene: everything a run needs to know, read from a TOML file. Keys of the file are the names of the members.
//
//   Scene scene = load_scene("dam.toml", {"solver.iterations=8", "liquid.water.spacing=0.02"});
//   double nu = scene.liquid[0].properties().viscosity;
//   std::filesystem::path folder = cache_folder(scene);

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/bodies/params.h"
#include "spindrift/collision/params.h"
#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"
#include "spindrift/flip/params.h"
#include "spindrift/forces/params.h"
#include "spindrift/geometry/camera.h"
#include "spindrift/lod/params.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"
#include "spindrift/render/looks/params.h"
#include "spindrift/scene/channel_params.h"
#include "spindrift/scene/component_params.h"
#include "spindrift/scene/material.h"
#include "spindrift/scene/solver_choice.h"
#include "spindrift/surface/params.h"
#include "spindrift/whitewater/params.h"

namespace spindrift {

/// The version of the scene format that this program writes, and the newest it reads.
inline constexpr int scene_version = 1;

struct LiquidParams {
    std::string name = "liquid";
    Material material = Material::water;
    std::optional<double> density{}, viscosity{}, surface_tension{};  ///< in place of the material's
    double tension = 0;
    std::optional<double> attraction{}, tensile{};  ///< in place of what tension makes of them
    std::optional<Vec3d> color{};
    std::optional<double> ior{}, clarity{}, cloudiness{};
    double spacing = 0;
    NumberTable channels{};
    AnimatedTable mix{};
    std::vector<emitters::FillParams> fill{};

    /// The material's properties with those given here in their place.
    MaterialProperties properties() const;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name,
          {.text = "Name for messages and --set", .affects = Affects::simulation | Affects::surface});
        v("material", self.material, {.text = "Preset of density, viscosity and surface tension in real units"});
        v("density", self.density,
          {.text = "Density, if other than the material's", .unit = "kg/m^3", .limits = between(1, 1e5)});
        v("viscosity", self.viscosity,
          {.text = "Kinematic viscosity, if other than the material's", .unit = "m^2/s", .limits = between(0, 1e4)});
        v("surface_tension", self.surface_tension,
          {.text = "Surface tension against air in real units; acts if it is given, in place of 'tension'",
           .unit = "N/m",
           .limits = between(0, 1e4)});
        v("tension", self.tension,
          {.text = "Surface tension relative to the spacing: 0 splashes freely, 1 makes beads and strings of a few "
                   "particles",
           .limits = between(0, 1),
           .reference = "kappa of section 4.2, Alduan et al. 2017"});
        v("attraction", self.attraction,
          {.text = "Largest attraction, as a share of the rest density, if other than half of 'tension'",
           .limits = between(0, 0.5),
           .reference = "f of section 4.2, Alduan et al. 2017"});
        v("tensile", self.tensile,
          {.text = "Stiffness that keeps attracted particles apart, if other than a fifth of 'tension'",
           .limits = between(0, 0.5),
           .reference = "g of section 4.2, Alduan et al. 2017"});
        v("color", self.color,
          {.text = "Linear red, green and blue in pictures and of the channel Cd; each liquid has its own if not given",
           .limits = between(0, 1),
           .affects = Affects::simulation | Affects::look});
        v("ior", self.ior,
          {.text = "Index of refraction in pictures, if other than the material's",
           .limits = between(1, 10),
           .affects = Affects::look});
        v("clarity", self.clarity,
          {.text = "Depth of liquid that makes white light that of its colour; half of the shot's size if not given",
           .unit = "m",
           .limits = length_limits,
           .affects = Affects::look});
        v("cloudiness", self.cloudiness,
          {.text =
               "Share of light that is scattered just below the surface, if other than the material's: 0 is clear, 1 "
               "is paint or milk",
           .limits = between(0, 1),
           .affects = Affects::look});
        v("spacing", self.spacing,
          {.text = "Distance between particles at rest; half of it costs about 16 times the time",
           .unit = "m",
           .limits = between(1e-6, 1e3),
           .required = true,
           .when_missing = "add spacing = 0.02, the distance between particles in metres",
           .affects = Affects::simulation | Affects::surface});
        v("channels", self.channels,
          {.text = "Values of this liquid's particles in channels that [[channel]] declares",
           .limits = channel_limits});
        v("mix", self.mix,
          {.text = "Shares of components in it; a name that is left out takes the rest", .limits = share_limits});
        v("fill", self.fill, {.text = "Shapes filled with liquid at the start"});
    }

    void check(const Checker& checker) const;
};

/// What solvers on a grid know on it.
enum class OutputGrid { velocity, surface, pressure };

constexpr std::array<std::string_view, 3> enum_words(OutputGrid) {
    return {"vel", "surface", "pressure"};
}

struct OutputParams {
    std::string path{};
    std::string name = "liquid";
    std::vector<BuiltInChannel> channels{};
    std::vector<OutputGrid> grids{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("path", self.path,
          {.text = "Folder of the cache, relative to the scene file; <scene>_cache beside the scene if empty",
           .affects = Affects::output});
        v("name", self.name, {.text = "First part of the names of files", .affects = Affects::output});
        v("channels", self.channels,
          {.text = "Channels of frames besides P, v, id, density and pscale; Cd is there anyway if there are several "
                   "liquids or components, or a liquid or emitter has a colour"});
        v("grids", self.grids,
          {.text = "Grids that each frame gets an OpenVDB file of, grids/name.0042.vdb, if the solver has a grid: "
                   "velocity in m/s, distance from the surface in m, pressure in Pa"});
    }

    void check(const Checker& checker) const;
};

struct Scene {
    int version = scene_version;
    std::array<int, 2> frames = {1, 120};
    double fps = 24;
    Animated<Vec3d> gravity{0, -9.81, 0};
    std::int64_t seed = 0;
    std::optional<collision::DomainParams> domain{};
    std::vector<ChannelParams> channel{};
    std::vector<ComponentParams> component{};
    MixtureParams mixture{};
    std::vector<LiquidParams> liquid{};
    std::vector<collision::ColliderParams> collider{};
    std::vector<bodies::BodyParams> body{};
    std::vector<forces::ForceParams> force{};
    std::vector<emitters::EmitterParams> emitter{};
    std::vector<emitters::KillerParams> killer{};
    SolverChoice solver{};
    flip::FlipParams flip{};
    lod::LodParams lod{};
    OutputParams output{};
    surface::MeshParams mesh{};
    std::optional<whitewater::WhitewaterParams> whitewater{};
    std::vector<geometry::CameraParams> camera{};
    render::RenderParams render{};
    std::filesystem::path file{};  ///< where the scene was read from; not a parameter

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("version", self.version, {.text = "Version of the scene format", .limits = between(1, scene_version)});
        v("frames", self.frames, {.text = "First and last frame", .limits = between(0, 999999)});
        v("fps", self.fps,
          {.text = "Frames per second",
           .unit = "1/s",
           .limits = above(0, 1e5),
           .affects = Affects::simulation | Affects::surface});
        v("gravity", self.gravity, {.text = "Acceleration by gravity", .unit = "m/s^2", .limits = between(-1e4, 1e4)});
        v("seed", self.seed, {.text = "Start of the random numbers", .limits = at_least(0)});
        v("domain", self.domain,
          {.text = "Box that holds the liquid; without it space is unbounded",
           .affects = Affects::simulation | Affects::surface});
        v("channel", self.channel, {.text = "Quantities that particles carry for you, such as a temperature"});
        v("component", self.component, {.text = "What liquids are mixed of, such as milk and coffee"});
        v("mixture", self.mixture, {.text = "How components behave together"});
        v("liquid", self.liquid,
          {.text = "The liquids and where they are at the start",
           .required = true,
           .when_missing = "add [[liquid]] with spacing and fill"});
        v("collider", self.collider, {.text = "Solid shapes", .affects = Affects::simulation | Affects::surface});
        v("body", self.body,
          {.text = "Things that liquid moves and that push back", .affects = Affects::simulation | Affects::surface});
        v("force", self.force, {.text = "Forces besides gravity"});
        v("emitter", self.emitter, {.text = "Sources of liquid"});
        v("killer", self.killer, {.text = "Rules that take particles away, after each substep"});
        v("solver", self.solver,
          {.text = "The method, its accuracy and cost; a word alone is the method: solver = \"flip\"",
           .shorthand = "method"});
        v("flip", self.flip, {.text = "Settings of solver = \"flip\", \"apic\" and \"pic\""});
        v("lod", self.lod, {.text = "Levels of detail: iterations where cameras look"});
        v("output", self.output, {.text = "Where results go"});
        v("mesh", self.mesh, {.text = "How surfaces are made of the particles", .affects = Affects::surface});
        v("whitewater", self.whitewater,
          {.text = "Spray, foam, bubbles and mist, made of the particles after each run; none without this table",
           .affects = Affects::whitewater});
        v("camera", self.camera,
          {.text = "Views for pictures; one that sees everything is chosen if there is none",
           .affects = Affects::look});
        v("render", self.render, {.text = "Look of pictures", .affects = Affects::look});
    }

    void check(const Checker& checker) const;
    /// Name of the channel with the viscosities of particles; empty if liquids have theirs.
    const std::string& viscosity_channel() const {
        return solver.info().grid ? flip.viscosity_channel : solver.viscosity_channel;
    }
};

/// Reads a scene file and applies overrides `path=value` to it. Throws SceneError with every problem found if the scene
/// is not valid, and an Error of exit code 4 if files cannot be read, of 6 if the scene needs more memory than there
/// is.
Scene load_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

/// The same from text; `file_name` is for messages and for the place of the cache.
Scene parse_scene(std::string_view toml, const std::string& file_name, const std::vector<std::string>& overrides = {});

/// Checks a scene that a program made or changed as if it came from a file.
void validate_scene(const Scene& scene);

/// TOML of everything that differs from the defaults; parse_scene() gives the same scene back.
std::string write_scene(const Scene& scene);

/// JSON of every value, with those of the material and the cache folder filled in, in the order of the description.
std::string scene_json(const Scene& scene);

/// JSON Schema (draft 2020-12) of scene files.
std::string scene_schema();

/// Markdown tables of every parameter.
std::string parameter_reference();

/// Folder of the cache: output.path, relative to the folder of the scene file.
std::filesystem::path cache_folder(const Scene& scene);

}  // namespace spindrift
