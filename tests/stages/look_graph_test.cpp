// Looks made of modules, on small caches.

#include "spindrift/stages/pictures/look_graph.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "complaint.h"
#include "stopping_progress.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>
#include <unistd.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/scene_copy.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/image/png_file.h"
#include "spindrift/render/annotate/contact_sheet.h"
#include "spindrift/stages/pictures/panels.h"
#include "spindrift/stages/pictures/render_stage.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

constexpr int width = 96, height = 54;

/// 125 particles, with a look of the modules given.
std::string text_of(const std::string& look, const std::string& size = "[0.3, 0.2, 0.1]") {
    return R"(
        frames = [1, 3]
        [domain]
        box = [[0, 0, 0], )" +
           size + R"(]
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }
        [render]
        resolution = [96, 54]
        samples = 1
        quality = "draft"
        )" +
           look;
}

/// `kind` with further lines of TOML.
std::string module(const std::string& name, const std::string& kind, const std::string& more = "") {
    return "[[render.module]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\n" + more + "\n";
}

std::string encode(const std::string& name, const std::string& input, const std::string& formats = "\"png\"") {
    return module(name, "encode", "inputs = [\"" + input + "\"]\nformats = [" + formats + "]");
}

class LookGraphTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        home = fs::temp_directory_path() / ("spindrift_looks_" + std::to_string(getpid()));
        SilentProgress silent;
        simulate("dam", text_of(""), silent);
        simulate("wide", text_of("", "[0.6, 0.2, 0.1]"), silent);
    }
    static void TearDownTestSuite() { fs::remove_all(home); }
    static void simulate(const std::string& name, const std::string& text, SilentProgress& silent) {
        RunOptions options;
        options.folder = home / (name + "_cache");
        run_scene(parse_scene(text, (home / (name + ".toml")).string()), options, silent);
    }

    void SetUp() override {
        for (const char* name : {"dam_cache", "wide_cache"})
            fs::copy(home / name, folder / name, fs::copy_options::recursive);
    }
    Scene scene(const std::string& look) const { return parse_scene(text_of(look), (folder / "dam.toml").string()); }
    fs::path cache() const { return folder / "dam_cache"; }
    fs::path file(const std::string& name) const { return cache() / "preview" / name; }

    RenderReport draw(const Scene& wanted, RenderOptions options = {}) {
        options.folder = cache();
        options.movie = false;
        return render_cache(wanted, options, quiet);
    }
    image::Image drawn(const std::string& look, const std::string& name) {
        draw(scene(look), {.first = 2, .last = 2});
        return image::read_png(file(name));
    }

    static inline fs::path home;
    TemporaryFolder folder;
    SilentProgress quiet;
};

/// Share of pixels that differ to the eye.
double difference(const image::Image& a, const image::Image& b) {
    if (a.width != b.width || a.height != b.height) return 1;
    double count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        count += length(a.pixels[i] - b.pixels[i]) > 0.02f;
    return count / static_cast<double>(a.pixels.size());
}

TEST_F(LookGraphTest, an_encode_writes_what_a_view_without_modules_shows) {
    draw(scene(""), {.first = 2, .last = 2});
    const image::Image plain = image::read_png(file("liquid.0002.png"));
    EXPECT_EQ(drawn(module("view", "beauty") + encode("look", "view"), "look.0002.png").pixels, plain.pixels);
}

TEST_F(LookGraphTest, a_view_may_have_a_look_of_its_own) {
    const std::string look = module("view", "beauty") + encode("a", "view") +
                             module("small", "beauty", "resolution = [48, 27]\nlabel = false") + encode("b", "small") +
                             module("id", "false_color", "channel = \"id\"") + encode("c", "id");
    const image::Image a = drawn(look, "a.0002.png");
    EXPECT_EQ(image::read_png(file("b.0002.png")).width, 48);
    EXPECT_GT(difference(a, image::read_png(file("c.0002.png"))), 0.02);
}

TEST_F(LookGraphTest, pictures_stand_side_by_side_and_are_scaled_and_written_on) {
    const std::string look =
        module("view", "beauty") + module("small", "scale", "inputs = [\"view\"]\nwidth = 48") +
        module("row", "side_by_side", "inputs = [\"view\", \"small\"]\nlabels = [\"as seen\", \"small\"]") +
        module("words", "text", "inputs = [\"row\"]\ntext = \"{scene} {frame} {particles}\"") + encode("a", "row") +
        encode("b", "words");
    const image::Image row = drawn(look, "a.0002.png");
    EXPECT_EQ(row.width, 2 * width + 3 * render::sheet_gap);
    EXPECT_EQ(row.height, height + 2 * render::sheet_gap + render::sheet_strip(height));
    EXPECT_GT(difference(row, image::read_png(file("b.0002.png"))), 0.001);
}

TEST_F(LookGraphTest, a_composite_is_made_of_both) {
    const std::string views = module("a", "beauty", "label = false") +
                              module("b", "false_color", "channel = \"id\"\nlabel = false") + encode("a_", "a") +
                              encode("b_", "b");
    const std::string both = "inputs = [\"a\", \"b\"]\nmode = ";
    const image::Image wiped =
        drawn(views + module("c", "composite", both + "\"wipe\"\namount = 0.25") + encode("c_", "c"), "c_.0002.png");
    const image::Image a = image::read_png(file("a_.0002.png")), b = image::read_png(file("b_.0002.png"));
    for (int y = 0; y < height; ++y) {
        EXPECT_EQ(wiped.at(23, y), a.at(23, y));
        EXPECT_EQ(wiped.at(24, y), b.at(24, y));
    }
    const auto composed = [&](const std::string& mode) {
        return drawn(views + module("c", "composite", both + mode) + encode("c_", "c"), "c_.0002.png");
    };
    EXPECT_EQ(composed("\"mix\"\namount = 1").pixels, b.pixels);
    EXPECT_EQ(composed("\"mix\"\namount = 0").pixels, a.pixels);
    EXPECT_EQ(difference(composed("\"over\""), b) > 0, true) << "the first covers what is not sky";
    const std::string same = "inputs = [\"a\", \"a\"]\nmode = \"difference\"";
    const image::Image nothing = drawn(views + module("c", "composite", same) + encode("c_", "c"), "c_.0002.png");
    EXPECT_EQ(difference(nothing, image::Image(width, height)), 0);
}

TEST_F(LookGraphTest, composites_of_different_sizes_are_refused_with_advice) {
    const std::string look = module("a", "beauty") + module("b", "beauty", "resolution = [48, 27]") +
                             module("c", "composite", "inputs = [\"a\", \"b\"]") + encode("d", "c");
    EXPECT_NE(complaint([&] { draw(scene(look)); }).find("96 x 54 and 48 x 27"), std::string::npos);
}

TEST_F(LookGraphTest, a_layer_is_a_picture) {
    const std::string look = module("view", "beauty") +
                             module("depth", "layer", "inputs = [\"view\"]\nlayer = \"depth\"") + encode("a", "depth");
    const image::Image depth = drawn(look, "a.0002.png");
    EXPECT_EQ(depth.width, width);
    const auto is_grey = [](Vec3f c) { return c.x == c.y && c.y == c.z; };
    EXPECT_TRUE(std::all_of(depth.pixels.begin(), depth.pixels.end(), is_grey));
    EXPECT_GT(difference(depth, image::Image(width, height)), 0.02) << "something is in front of the sky";
}

TEST_F(LookGraphTest, exr_files_hold_linear_light) {
    draw(scene(module("view", "beauty") + encode("a", "view", "\"exr\"")), {.first = 2, .last = 2});
    EXPECT_EQ(image::read_exr(file("a.0002.exr")).width, width);
    EXPECT_FALSE(fs::exists(file("a.0002.png")));
    Scene usual = scene("");
    usual.render.formats = {render::PictureFormat::exr, render::PictureFormat::png};
    draw(usual);
    EXPECT_TRUE(fs::exists(file("liquid.0003.exr")) && fs::exists(file("liquid.sheet.png")));
}

TEST_F(LookGraphTest, only_what_changed_is_made_anew) {
    const std::string two = module("view", "beauty") + encode("a", "view") +
                            module("id", "false_color", "channel = \"id\"") + encode("b", "id");
    EXPECT_EQ(draw(scene(two)).rendered, 6);
    EXPECT_EQ(draw(scene(two)).reused, 6);
    const std::string changed = module("view", "beauty") + encode("a", "view") +
                                module("id", "false_color", "channel = \"id\"\nrange = [0, 10]") + encode("b", "id");
    const RenderReport anew = draw(scene(changed));
    EXPECT_EQ(anew.reused, 3);
    EXPECT_EQ(anew.stale, 3);
    fs::remove(file("a.0002.png"));
    EXPECT_EQ(draw(scene(changed)).rendered, 1);
    EXPECT_EQ(draw(scene(two), {.only = "b"}).rendered, 3);
}

TEST_F(LookGraphTest, one_encode_may_be_run_alone) {
    const std::string look = module("view", "beauty") + encode("first", "view") + encode("second", "view");
    EXPECT_EQ(draw(scene(look), {.only = "second"}).rendered, 3);
    EXPECT_FALSE(fs::exists(file("first.0001.png")));
    const std::string said = complaint([&] { draw(scene(look), {.only = "secnd"}); });
    EXPECT_NE(said.find("did you mean 'second'?; there are: first, second"), std::string::npos) << said;
}

TEST_F(LookGraphTest, sub_graphs_run_like_the_modules_in_them) {
    const std::string labelled = R"(
        [[render.graph]]
        name = "labelled"
        inputs = ["picture"]
        output = "words"
        module = [{ name = "words", kind = "text", inputs = ["picture"], text = "frame {frame}" }]
        )";
    const std::string plain = module("view", "beauty", "label = false");
    const image::Image direct =
        drawn(plain + module("words", "text", "inputs = [\"view\"]\ntext = \"frame {frame}\"") + encode("a", "words"),
              "a.0002.png");
    const image::Image within = drawn(
        plain + module("words", "labelled", "inputs = [\"view\"]") + encode("a", "words") + labelled, "a.0002.png");
    EXPECT_EQ(within.pixels, direct.pixels);
}

TEST_F(LookGraphTest, caches_side_by_side_share_camera_and_frames) {
    const std::string look = module("dam", "beauty") + encode("a", "dam");
    const image::Image alone = drawn(look, "a.0002.png");
    const std::string both = look + module("wide", "beauty", "cache = \"wide_cache\"") +
                             module("row", "side_by_side", "inputs = [\"dam\", \"wide\"]") + encode("b", "row");
    EXPECT_GT(difference(drawn(both, "a.0002.png"), alone), 0.1) << "the camera steps back to show the wider one";

    io::Manifest manifest = cache::load_manifest(folder / "wide_cache");
    std::erase_if(manifest.series[cache::series::particles].frames, [](const auto& entry) { return entry.frame >= 3; });
    cache::save_manifest(folder / "wide_cache", manifest);
    EXPECT_EQ(draw(scene(both), {.only = "b"}).rendered + draw(scene(both), {.only = "b"}).reused, 2 + 2 - 1);
    EXPECT_NE(complaint([&] { draw(scene(both), {.first = 3}); }).find("in common"), std::string::npos);
}

TEST_F(LookGraphTest, another_caches_particles_make_pictures_stale) {
    const std::string both = module("dam", "beauty") + module("wide", "beauty", "cache = \"wide_cache\"") +
                             module("row", "side_by_side", "inputs = [\"dam\", \"wide\"]") + encode("b", "row");
    draw(scene(both));
    io::Manifest manifest = cache::load_manifest(folder / "wide_cache");
    manifest.series[cache::series::particles].frames[1].hash = "other";
    cache::save_manifest(folder / "wide_cache", manifest);
    EXPECT_EQ(draw(scene(both)).stale, 1);
}

TEST_F(LookGraphTest, a_cache_that_is_not_there_is_said) {
    const std::string look = module("view", "beauty", "cache = \"absent\"") + encode("a", "view");
    EXPECT_NE(complaint([&] { draw(scene(look)); }).find("no such cache"), std::string::npos);
}

TEST_F(LookGraphTest, a_turntable_goes_around_and_stops_before_it_begins_again) {
    const RenderReport report = draw(scene(""), {.turntable = 4});
    EXPECT_EQ(report.rendered, 4);
    std::vector<image::Image> sides;
    for (int i = 1; i <= 4; ++i)
        sides.push_back(image::read_png(file("turntable/liquid.000" + std::to_string(i) + ".png")));
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_GT(difference(sides[i], sides[(i + 1) % 4]), 0.02);
    EXPECT_EQ(report.sheets, (std::vector{file("turntable/liquid.sheet.png")}));
    EXPECT_EQ(draw(scene(""), {.turntable = 4}).reused, 4);
    draw(scene(""), {.first = 3});
    EXPECT_EQ(image::read_png(file("liquid.0003.png")).pixels, sides[0].pixels) << "it starts where the camera stands";
}

TEST_F(LookGraphTest, an_interrupted_look_goes_on_where_it_stopped) {
    StopWhenDone stopping(2);
    const Scene look = scene(module("view", "beauty") + encode("a", "view"));
    EXPECT_THROW(render_cache(look, {.folder = cache()}, stopping), InterruptedError);
    EXPECT_EQ(draw(look).reused, 2);
}

TEST_F(LookGraphTest, copies_of_a_scene_elsewhere_find_the_same_caches) {
    const Scene wanted = scene(module("view", "beauty", "cache = \"wide_cache\"") + encode("a", "view"));
    const Scene moved = with_look(cache::load_cached_scene(cache()), wanted);
    EXPECT_EQ(fs::weakly_canonical(cache() / moved.render.module[0].cache),
              fs::weakly_canonical(folder / "wide_cache"));
    EXPECT_EQ(render_cache(moved, {.folder = cache(), .movie = false}, quiet).rendered, 3);
}

}  // namespace
}  // namespace spindrift::stages
