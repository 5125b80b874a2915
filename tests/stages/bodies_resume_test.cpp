#include <fstream>
#include <string>

#include "body_caches.h"
#include "complaint.h"
#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/io/statistics.h"
#include "spindrift/stages/frame/frame_bodies.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

class BodiesResume : public BodyCacheTest {
  protected:
    /// Stops in the middle of a frame, and once more at a frame, and goes on.
    void run_in_parts(const std::string& cache, const std::string& bodies, bool has_checkpoint = true) {
        run(cache, tank_with(bodies, 2));
        sim::StopAfter soon(2);
        RunOptions options;
        options.folder = folder / cache;
        options.patience = endless_patience;
        EXPECT_THROW(run_scene(tank_with(bodies, 4), options, soon), InterruptedError);
        EXPECT_EQ(fs::exists(folder / (cache + "/checkpoint/liquid.0002.bodies.npz")), has_checkpoint);
        run(cache, tank_with(bodies, 4));
        EXPECT_FALSE(fs::exists(folder / (cache + "/checkpoint")));
    }
};

TEST_F(BodiesResume, a_crate_and_its_water_have_the_same_bits_after_two_interruptions_and_on_one_thread) {
    run("whole", tank_with(crate_body, 4));
    run_in_parts("parts", crate_body);
    expect_same("parts", "whole", 4);
    const ThreadLimit one(1);
    run("alone", tank_with(crate_body, 4));
    expect_same("alone", "whole", 4);
}

TEST_F(BodiesResume, so_has_cloth_which_goes_on_from_the_frame_before) {
    run("whole", tank_with(cloth_body, 4));
    run_in_parts("parts", cloth_body, false);
    expect_same("parts", "whole", 4);
}

TEST_F(BodiesResume, statistics_of_a_resumed_frame_are_those_of_a_whole_one) {
    run("whole", tank_with(crate_body, 4));
    run_in_parts("parts", crate_body);
    const auto whole = io::read_statistics(folder / "whole/statistics.jsonl");
    const auto parts = io::read_statistics(folder / "parts/statistics.jsonl");
    ASSERT_EQ(whole.size(), 4u);
    ASSERT_EQ(parts.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(parts[i].bodies, whole[i].bodies) << i;
        EXPECT_EQ(parts[i].ledger, whole[i].ledger) << i;
    }
    EXPECT_EQ(whole[3].bodies.at(0).name, "the crate");
    EXPECT_GT(length(whole[3].ledger.given), 0) << "the crate has reached the water";
}

TEST_F(BodiesResume, a_missing_or_damaged_file_costs_a_frame_and_no_more) {
    run("whole", tank_with(crate_body, 4));
    run("a", tank_with(crate_body, 3));
    fs::remove(file("a", "bodies", 3));
    fs::resize_file(file("a", "bodies", 2), fs::file_size(file("a", "bodies", 2)) / 2);
    run("a", tank_with(crate_body, 4));
    EXPECT_NE(said.find("bodies/liquid.0003.npz"), std::string::npos) << said;
    EXPECT_NE(said.find("bodies/liquid.0002.npz: frame is damaged"), std::string::npos) << said;
    expect_same("a", "whole", 4);
}

TEST_F(BodiesResume, from_drops_the_bodies_of_later_frames) {
    run("whole", tank_with(crate_body, 4));
    run("a", tank_with(crate_body, 4));
    Scene shorter = tank_with(crate_body, 3);
    run("a", shorter, 2);
    EXPECT_EQ(cache::load_manifest(folder / "a").series.at(cache::series::bodies).frames.size(), 3u);
    run("a", tank_with(crate_body, 4));
    expect_same("a", "whole", 4);
}

TEST_F(BodiesResume, a_cache_with_other_bodies_or_none_is_refused_in_words) {
    run("a", tank_with(crate_body, 2));
    run("none", tank_with("", 2));
    EXPECT_FALSE(fs::exists(folder / "none/bodies"));
    const auto goes_on = [&](const std::string& cache, const std::string& bodies) {
        return complaint([&] { run(cache, tank_with(bodies, 3), 2); });
    };
    EXPECT_NE(goes_on("a", cloth_body).find("the bodies in the cache (the crate) are not those of the scene"),
              std::string::npos);
    EXPECT_NE(goes_on("none", crate_body).find("frame 2 has no bodies, and the scene has 1"), std::string::npos);
}

}  // namespace
}  // namespace spindrift::stages
