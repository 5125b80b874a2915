#include "spindrift/sim/wet_maps.h"

#include <fstream>
#include <string>

#include "playback.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/image/read_image.h"
#include "spindrift/scene/file_names.h"
#include "spindrift/stages/frame/frame_wet.h"
#include "spindrift/stages/pictures/render_stage.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

/// A small block of water falls onto a tilted sheet and runs off.
class WetMapFiles : public ::testing::Test {
  protected:
    void SetUp() override {
        sink = set_log_sink([this](LogLevel, const std::string& text) { said += text + "\n"; });
        write_sheet("sheet.obj", 0);
    }
    void TearDown() override { set_log_sink(sink); }

    void write_sheet(const std::string& name, double y) {
        std::ofstream(folder / name) << "v -0.4 " << y + 0.1 << " -0.2\nv 0.4 " << y - 0.1 << " -0.2\nv 0.4 " << y - 0.1
                                     << " 0.2\nv -0.4 " << y + 0.1
                                     << " 0.2\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 3/3 2/2\nf 1/1 4/4 3/3\n";
    }
    Scene scene(const std::string& mesh = "sheet.obj", int last = 6, const std::string& more = "") {
        Scene made = parse_scene("frames = [1, " + std::to_string(last) +
                                     "]\n[[liquid]]\nspacing = 0.03\n"
                                     "fill = { box = [[-0.3, 0.13, -0.1], [-0.1, 0.21, 0.1]] }\n"
                                     "[render]\nresolution = [64, 36]\nsamples = 1\n"
                                     "[[collider]]\nname = \"the sheet\"\nmode = \"shell\"\nmesh = \"" +
                                     mesh + "\"\nwet_map = { resolution = 64, wetting = 0.05, drying = 1 }\n" + more,
                                 "test.toml");
        made.file = folder / "test.toml";
        return made;
    }
    void run(const std::string& cache, const Scene& from, std::optional<int> first = {}) {
        SilentProgress quiet;
        run_scene(from, {.folder = folder / cache, .from = first}, quiet);
    }
    fs::path exr(const std::string& cache, int frame) {
        return folder / (cache + "/wet/the_sheet.000" + std::to_string(frame) + ".exr");
    }
    std::string bytes(const std::string& cache, int frame) { return read_file(exr(cache, frame)); }

    TemporaryFolder folder;
    LogSink sink;
    std::string said;
};

TEST_F(WetMapFiles, are_saved_with_each_frame_as_numbers_and_as_pictures) {
    run("a", scene());
    const image::Image numbers = image::read_data_image(exr("a", 6));
    const image::Image picture = image::read_data_image(exr("a", 6).replace_extension(".png"));
    ASSERT_EQ(numbers.width, 64);
    float most = 0;
    for (std::size_t i = 0; i < numbers.pixels.size(); ++i) {
        // Eight bits hold a number to half of 1/255.
        EXPECT_NEAR(numbers.pixels[i].x, picture.pixels[i].x, 0.51 / 255);
        most = std::max(most, numbers.pixels[i].x);
    }
    EXPECT_EQ(most, 1);
    EXPECT_EQ(image::read_data_image(exr("a", 1)).pixels, image::Image(64, 64).pixels) << "dry at first";
    const io::Manifest manifest = cache::load_manifest(folder / "a");
    for (const char* stage : {"wet/the_sheet", "wet_png/the_sheet"})
        EXPECT_EQ(manifest.series.at(stage).frames.size(), 6u);
}

TEST_F(WetMapFiles, are_the_same_after_a_resume_and_for_any_number_of_threads) {
    run("whole", scene());
    run("parts", scene("sheet.obj", 3));
    sim::StopAfter soon(5);
    EXPECT_THROW(run_scene(scene(), {.folder = folder / "parts", .from = {}, .patience = endless_patience}, soon),
                 InterruptedError);
    EXPECT_FALSE(fs::is_empty(folder / "parts/checkpoint")) << "stopped between two frames";
    run("parts", scene());
    const ThreadLimit one(1);
    run("alone", scene());
    for (int frame = 1; frame <= 6; ++frame) {
        EXPECT_EQ(bytes("parts", frame), bytes("whole", frame)) << frame;
        EXPECT_EQ(bytes("alone", frame), bytes("whole", frame)) << frame;
    }
}

TEST_F(WetMapFiles, that_are_missing_or_damaged_cost_a_frame_and_no_more) {
    run("whole", scene());
    run("a", scene("sheet.obj", 4));
    fs::remove(exr("a", 4));
    fs::resize_file(exr("a", 3), fs::file_size(exr("a", 3)) / 2);
    run("a", scene());
    EXPECT_NE(said.find("going back to the frame before"), std::string::npos);
    run("b", scene());
    run("b", scene(), 2);
    for (int frame = 1; frame <= 6; ++frame) {
        EXPECT_EQ(bytes("a", frame), bytes("whole", frame)) << frame;
        EXPECT_EQ(bytes("b", frame), bytes("whole", frame)) << frame;
    }
}

TEST_F(WetMapFiles, begin_dry_where_a_cache_had_none) {
    Scene plain = scene();
    plain.collider[0].wet_map.reset();
    run("a", plain);
    EXPECT_FALSE(fs::exists(folder / "a/wet"));
    run("a", scene(), 3);
    EXPECT_FALSE(fs::exists(exr("a", 3)));
    EXPECT_TRUE(fs::exists(exr("a", 4)));
    Scene finer = scene();
    finer.collider[0].wet_map->resolution = 32;
    EXPECT_THROW(run("a", finer, 5), UsageError);
}

TEST_F(WetMapFiles, follow_a_sheet_that_deforms) {
    for (int i = 1; i <= 6; ++i)
        write_sheet("lift.000" + std::to_string(i) + ".obj", 0.004 * i);
    run("a", scene("lift.####.obj"));
    float sum = 0;
    for (const Vec3f& pixel : image::read_data_image(exr("a", 6)).pixels)
        sum += pixel.x;
    EXPECT_GT(sum, 100);
    run("b", scene("lift.####.obj", 3));
    run("b", scene("lift.####.obj"));
    EXPECT_EQ(bytes("a", 6), bytes("b", 6));
}

TEST_F(WetMapFiles, need_texture_coordinates) {
    std::ofstream(folder / "bare.obj") << "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n";
    try {
        run("a", scene("bare.obj"));
        FAIL();
    } catch (const IoError& error) {
        EXPECT_NE(std::string(error.what()).find("has no texture coordinates, so a wet map"), std::string::npos)
            << error.what();
    }
}

TEST_F(WetMapFiles, are_seen_in_pictures_and_make_them_stale) {
    run("a", scene());
    SilentProgress quiet;
    const RenderOptions options{.folder = folder / "a", .first = 6, .sheet_frames = 0, .movie = false};
    EXPECT_EQ(render_cache(scene(), options, quiet).rendered, 1);
    const std::string wet = read_file(folder / "a/preview/liquid.0006.png");
    EXPECT_EQ(render_cache(scene(), options, quiet).reused, 1);
    Scene quick = scene();
    quick.collider[0].wet_map->drying = 0.02;
    run("a", quick, 2);
    EXPECT_EQ(render_cache(scene(), options, quiet).stale, 1) << "the particles are the same";
    EXPECT_NE(read_file(folder / "a/preview/liquid.0006.png"), wet);
}

TEST(WetMaps, names_of_files_are_safe_and_different) {
    const Scene scene = parse_scene(
        "[[liquid]]\nspacing = 0.05\nfill = { box = [[0, 5, 0], [0.2, 5.2, 0.2]] }\n"
        "[[collider]]\nname = \"../a b\"\nbox = [[0, 0, 0], [1, 1, 1]]\n"
        "[[collider]]\nname = \"___a_b\"\nbox = [[0, 0, 0], [1, 1, 1]]\n"
        "[[collider]]\nbox = [[0, 0, 0], [1, 1, 1]]\n",
        "test.toml");
    EXPECT_EQ(collider_file_names(scene), (std::vector<std::string>{"___a_b", "___a_b_1", "collider_2"}));
}

}  // namespace
}  // namespace spindrift::stages
