#pragma once
// Modules that looks are made of, as a scene file has them: each takes pictures from others by their names.
//
//   ModuleParams beauty{.name = "beauty", .kind = "beauty"};
//   ModuleParams files{.inputs = {"beauty"}, .formats = {EncodeFormat::mp4}, .name = "dailies", .kind = "encode"};

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/render/annotate/note_panels.h"
#include "spindrift/render/looks/look_words.h"

namespace spindrift::render {

/// What else is known of a picture's pixels.
enum class LayerName { depth, normal, albedo, id, alpha };

constexpr std::array<std::string_view, 5> enum_words(LayerName) {
    return {"depth", "normal", "albedo", "id", "alpha"};
}

/// How two pictures become one.
enum class CompositeMode { over, mix, multiply, difference, wipe };

constexpr std::array<std::string_view, 5> enum_words(CompositeMode) {
    return {"over", "mix", "multiply", "difference", "wipe"};
}

enum class EncodeFormat { png, exr, mp4, sheet };

constexpr std::array<std::string_view, 4> enum_words(EncodeFormat) {
    return {"png", "exr", "mp4", "sheet"};
}

struct ModuleParams {
    std::vector<std::string> inputs{}, labels{};
    std::vector<EncodeFormat> formats{};
    std::string name{}, kind{};
    std::string cache{}, camera{}, color{}, channel{}, text{};
    std::optional<Show> show{};
    std::optional<Quality> quality{};
    std::optional<int> samples{};
    std::optional<std::array<int, 2>> resolution{};
    std::optional<std::array<double, 2>> range{};
    std::optional<SlicePlane> slice{};
    std::optional<bool> label{};
    LayerName layer = LayerName::depth;
    Corner corner = Corner::upper_left;
    CompositeMode mode = CompositeMode::mix;
    std::optional<double> amount{};
    std::optional<int> columns{};
    int width = 480;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name,
          {.text = "Name, by which other modules take its picture; that of an encode is the first part of its files",
           .required = true,
           .when_missing = "add name = \"beauty\", or any other that other modules refer to"});
        v("kind", self.kind,
          {.text = "What the module does: beauty, false_color, layer, text, composite, side_by_side, scale, encode, or "
                   "the name of a [[render.graph]]",
           .required = true,
           .when_missing = "add kind = \"beauty\", or another: false_color, layer, text, composite, side_by_side, "
                           "scale, encode"});
        v("inputs", self.inputs, {.text = "Names of the modules whose pictures it takes"});
        describe_view(self, v);
        describe_picture(self, v);
    }

    void check(const Checker& checker) const;

  private:
    template <class Self, class Visitor>
    static void describe_view(Self& self, Visitor& v) {
        v("cache", self.cache,
          {.text = "beauty, false_color: another cache to show, as its folder or its scene, relative to the scene "
                   "file; it is seen by the cameras of this scene"});
        v("camera", self.camera, {.text = "beauty, false_color: camera by name, if other than the first"});
        v("show", self.show, {.text = "beauty, false_color: what is drawn of the liquid, if other than render.show"});
        v("quality", self.quality, {.text = "beauty, false_color: quality, if other than render.quality"});
        v("samples", self.samples,
          {.text = "beauty, false_color: paths of light per pixel, if other than the quality's",
           .limits = between(1, 65536)});
        v("resolution", self.resolution,
          {.text = "beauty, false_color: width and height, if other than render.resolution",
           .unit = "pixels",
           .limits = between(1, 16384)});
        v("label", self.label,
          {.text =
               "beauty, false_color: whether number and time of the frame are written, if other than render.label"});
        v("color", self.color, {.text = "beauty: what colours the liquid, if other than render.color"});
        v("channel", self.channel,
          {.text = "false_color: channel that colours the liquid, such as speed, density or one of your own"});
        v("slice", self.slice, {.text = "false_color: plane that cuts liquid away, if other than render.slice"});
        v("range", self.range,
          {.text = "false_color: values at the two ends of the colour map, taken from the particles if not given; "
                   "layer: depths in metres that are white and black, taken from each picture if not given"});
    }
    template <class Self, class Visitor>
    static void describe_picture(Self& self, Visitor& v) {
        v("layer", self.layer, {.text = "layer: which one becomes a picture"});
        v("text", self.text,
          {.text =
               "text: what is written, with {scene}, {frame}, {time} (s) and {particles} (their number) filled in"});
        v("corner", self.corner, {.text = "text: where it is written"});
        v("mode", self.mode,
          {.text = "composite: how the two pictures become one: over lays the first over the second where it shows "
                   "anything but sky, wipe has the first on the left and the second on the right"});
        v("amount", self.amount,
          {.text = "composite: share of the second picture in mix (0.5 if not given), of the width that the first has "
                   "in wipe (0.5), and of the change in over, multiply and difference (1)",
           .limits = between(0, 1)});
        v("columns", self.columns,
          {.text = "side_by_side: pictures in a row; all if not given", .limits = between(1, 100)});
        v("labels", self.labels, {.text = "side_by_side: words below the pictures, one for each"});
        v("width", self.width,
          {.text = "scale: width of the picture; its shape stays", .unit = "pixels", .limits = between(1, 16384)});
        v("formats", self.formats,
          {.text =
               "encode: files to write: png (a picture per frame), exr (linear light with layers), mp4 (a movie) and "
               "sheet (some frames on one picture), which are made of the png; as render.formats, with movie and "
               "sheet, if not given"});
    }
};

/// Modules under one name, which is a kind like the built-in ones.
struct GraphParams {
    std::vector<std::string> inputs{};
    std::vector<ModuleParams> module{};
    std::string name{}, output{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name,
          {.text = "Name, by which modules use it as their kind",
           .required = true,
           .when_missing = "add name = \"labelled\", or any other to use as a kind"});
        v("inputs", self.inputs, {.text = "Names for the pictures it is given, for its modules to refer to"});
        v("output", self.output,
          {.text = "Name of that of its modules whose picture it gives",
           .required = true,
           .when_missing = "add the name of the module whose picture it gives"});
        v("module", self.module,
          {.text = "Its modules",
           .required = true,
           .when_missing = "add module = [{ name = \"text\", kind = \"text\", inputs = [\"picture\"], text = "
                           "\"frame {frame}\" }]"});
    }
};

/// Complains about everything that is between modules: names, kinds, inputs, rings, pictures that do not fit.
void check_graph(std::span<const ModuleParams> modules, std::span<const GraphParams> graphs, const Checker& checker);

}  // namespace spindrift::render
