#include "spindrift/stages/pictures/panels.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "spindrift/core/errors.h"
#include "spindrift/render/annotate/contact_sheet.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

Scene two_liquids() {
    return parse_scene(R"(
        frames = [1, 3]
        [domain]
        box = [[0, 0, 0], [0.4, 0.2, 0.1]]
        [[liquid]]
        name = "water"
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }
        [[liquid]]
        name = "oil"
        spacing = 0.02
        fill = { box = [[0.3, 0, 0], [0.4, 0.1, 0.1]] }
        [render]
        resolution = [160, 90]
        samples = 1)",
                       "two.toml");
}

/// A cache in a folder of its own, removed at the end.
class PanelsTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder = fs::temp_directory_path() / ("spindrift_panels_" + std::to_string(getpid()));
        SilentProgress quiet;
        RunOptions options;
        options.folder = folder / "a_cache";
        run_scene(two_liquids(), options, quiet);
    }
    static void TearDownTestSuite() { fs::remove_all(folder); }

    static PanelSource source(std::vector<int> frames = {}) { return {two_liquids(), folder / "a_cache", frames}; }
    static image::Image draw(const std::vector<PanelSource>& sources, const PanelOptions& options) {
        SilentProgress quiet;
        return draw_panels(sources, options, quiet);
    }

    static inline fs::path folder;
};

TEST_F(PanelsTest, pictures_keep_the_scenes_shape_in_columns_with_labels) {
    const image::Image sheet = draw({source(), source(), source()}, {.width = 64, .columns = 2});
    EXPECT_EQ(sheet.width, 2 * 64 + 3 * render::sheet_gap);
    EXPECT_EQ(sheet.height, 2 * (36 + render::sheet_strip(36)) + 3 * render::sheet_gap);
    const image::Image row = draw({source({1, 2, 3})}, {.width = 64, .columns = 3});
    EXPECT_EQ(row.width, 3 * 64 + 4 * render::sheet_gap);
    EXPECT_EQ(row.height, 36 + 2 * render::sheet_gap) << "frames tell their number themselves";
}

TEST_F(PanelsTest, scenes_without_a_camera_share_one) {
    PanelSource wide = source();
    wide.scene.domain->box.hi = {0.8, 0.4, 0.2};
    const image::Image alone = draw({source()}, {.width = 64, .columns = 2});
    const image::Image beside = draw({source(), wide}, {.width = 64, .columns = 2});
    int changed = 0;
    for (int y = render::sheet_gap; y < render::sheet_gap + 36; ++y) {
        for (int x = render::sheet_gap; x < render::sheet_gap + 64; ++x)
            changed += length(alone.at(x, y) - beside.at(x, y)) > 0.05f;
    }
    EXPECT_GT(changed, 100) << "the first picture steps back to show the larger box of the second";
}

TEST_F(PanelsTest, what_is_not_there_is_said) {
    EXPECT_THROW(draw({source({9})}, {.width = 64}), UsageError);
    EXPECT_THROW(draw({source()}, {.width = 64, .labels = {"one", "two"}}), UsageError);
    EXPECT_THROW(draw({source()}, {.width = 64, .camera = "front"}), UsageError);
    EXPECT_THROW(draw({{two_liquids(), folder / "absent", {}}}, {.width = 64}), IoError);
    SilentProgress stopped;
    stopped.stop = true;
    const std::vector<PanelSource> sources{source()};
    EXPECT_THROW(draw_panels(sources, {.width = 64}, stopped), InterruptedError);
}

}  // namespace
}  // namespace spindrift::stages
