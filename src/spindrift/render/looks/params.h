#pragma once
// What pictures look like.
//
//   render::RenderParams look{.show = render::Show::mesh, .resolution = {1920, 1080}};

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/render/looks/graph_params.h"
#include "spindrift/render/looks/look_words.h"
#include "spindrift/whitewater/kinds.h"

namespace spindrift::render {

/// What the floor looks like.
enum class FloorPattern { automatic, plain, checker, image };

constexpr std::array<std::string_view, 4> enum_words(FloorPattern) {
    return {"auto", "plain", "checker", "image"};
}

struct FloorParams {
    FloorPattern pattern = FloorPattern::automatic;
    double size = 0;
    std::string image{};
    std::optional<Vec3d> color{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("pattern", self.pattern,
          {.text =
               "What is on the floor; auto is the image if one is named, tiles where clear liquid bends the view of "
               "them, and else nothing"});
        v("size", self.size,
          {.text = "Side of a tile, or width of the image, which is repeated; 0 chooses a round number",
           .unit = "m",
           .limits = between(0, 1e6)});
        v("image", self.image, {.text = "PNG or EXR picture, relative to the scene file"});
        v("color", self.color,
          {.text = "Linear red, green and blue, that tiles are shades of", .limits = between(0, 1)});
    }

    void check(const Checker& checker) const {
        if (pattern == FloorPattern::image && image.empty())
            checker.problem("image", "the floor's pattern is an image: name the file");
    }
};

/// Light from everywhere.
enum class Sky { studio, day, overcast, black };

constexpr std::array<std::string_view, 4> enum_words(Sky) {
    return {"studio", "day", "overcast", "black"};
}

struct SunParams {
    double elevation_deg = 52;
    double azimuth_deg = 310;
    double strength = 1;
    double size_deg = 2.5;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("elevation_deg", self.elevation_deg,
          {.text = "Height of the sun over the horizon", .unit = "degrees", .limits = between(1, 90)});
        v("azimuth_deg", self.azimuth_deg,
          {.text = "Direction of the sun around the vertical: 0 is +z, 90 is +x",
           .unit = "degrees",
           .limits = between(-360, 360)});
        v("strength", self.strength,
          {.text = "Light of the sun; 1 suits the sky, 0 is none", .limits = between(0, 100)});
        v("size_deg", self.size_deg,
          {.text = "Diameter of the sun's disc: larger makes softer shadows; the real one has 0.53",
           .unit = "degrees",
           .limits = between(0.1, 30)});
    }
};

enum class PictureFormat { png, exr };

constexpr std::array<std::string_view, 2> enum_words(PictureFormat) {
    return {"png", "exr"};
}

struct RenderParams {
    std::vector<PictureFormat> formats{PictureFormat::png};
    std::vector<whitewater::Kind> whitewater{whitewater::Kind::spray, whitewater::Kind::foam, whitewater::Kind::bubbles,
                                             whitewater::Kind::mist};
    Show show = Show::automatic;
    std::array<int, 2> resolution = {960, 540};
    Quality quality = Quality::preview;
    std::optional<int> samples{};
    std::optional<bool> denoise{};
    std::string color = "auto";
    std::optional<std::array<double, 2>> range{};
    std::string dye{};
    std::optional<SlicePlane> slice{};
    bool ground = true;
    FloorParams floor{};
    Sky sky = Sky::studio;
    SunParams sun{};
    double exposure = 0;
    double shutter = 0;
    bool label = true;
    bool scale_bar = false;
    std::vector<ModuleParams> module{};
    std::vector<GraphParams> graph{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("show", self.show,
          {.text = "What is drawn of the liquid; auto is the mesh where there is one of the particles as they are now, "
                   "and nothing is sliced, else the particles; implicit is the surface that [mesh] describes, traced "
                   "without making a mesh: not smoothed, and without motion blur"});
        v("resolution", self.resolution,
          {.text = "Width and height of the picture", .unit = "pixels", .limits = between(1, 16384)});
        v("quality", self.quality,
          {.text = "How much time a picture is worth: draft takes about a second, preview suits dailies, final is for "
                   "showing"});
        v("samples", self.samples,
          {.text = "Paths of light per pixel, if other than the quality's", .limits = between(1, 65536)});
        v("denoise", self.denoise,
          {.text = "Whether grain is smoothed where nothing is to be seen in it, if other than the quality's"});
        v("color", self.color,
          {.text = "What colours the particles: liquid (each liquid has its own colour), speed, density_error, Cd (the "
                   "colours this channel holds) or any other channel; auto is liquid if there are several, else speed; "
                   "meshes are clear with auto, and else matte in the colours of the liquids or of a channel that they "
                   "carry"});
        v("range", self.range,
          {.text = "Values at the two ends of the colour map; taken from the particles if not given"});
        v("dye", self.dye,
          {.text =
               "Channel that colours clear liquid from within: of three numbers it is a colour, as Cd is; of one, how "
               "much of the liquid's colour there is, from 0 to 1; none is no such colour. Mixtures have that of their "
               "components if it is empty"});
        v("slice", self.slice, {.text = "Plane that cuts liquid away, to look inside"});
        v("ground", self.ground, {.text = "Whether a ground plane is drawn"});
        v("floor", self.floor, {.text = "What is on the ground plane"});
        v("sky", self.sky,
          {.text = "Light from everywhere: a soft studio, a clear day that follows the sun, overcast, or black"});
        v("sun", self.sun, {.text = "The sun"});
        v("exposure", self.exposure,
          {.text = "Brightness of pictures; 1 more is twice as bright", .unit = "stops", .limits = between(-20, 20)});
        v("shutter", self.shutter,
          {.text = "Share of a frame's time during which the shutter is open, centred on it: 0.5 is usual for motion "
                   "blur, 0 is none",
           .limits = between(0, 1)});
        v("whitewater", self.whitewater,
          {.text = "Kinds of whitewater that are drawn, as far as the cache has them; [] for none"});
        v("label", self.label, {.text = "Whether number and time of the frame are written on pictures"});
        v("scale_bar", self.scale_bar, {.text = "Whether a bar tells lengths, as they are where the camera looks at"});
        v("formats", self.formats,
          {.text = "Files of a picture: png as it is to be seen; exr with linear light and the layers depth, normal, "
                   "albedo and id"});
        v("module", self.module,
          {.text = "What pictures are made of, from views of the cache to files; one view of each frame if there is "
                   "none"});
        v("graph", self.graph, {.text = "Groups of modules that are used like one, under a name of their own"});
    }

    void check(const Checker& checker) const {
        if (color.empty())
            checker.problem("color", "expected \"auto\", \"liquid\", \"speed\" or the name of a channel");
        if (range && !((*range)[0] < (*range)[1])) checker.problem("range", "the low end must be below the high end");
        if (formats.empty()) checker.problem("formats", "expected at least one of \"png\" and \"exr\"");
        check_graph(module, graph, checker);
    }
};

}  // namespace spindrift::render
