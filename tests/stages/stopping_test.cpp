// A run that is stopped within a step goes back to its last checkpoint or frame, and loses nothing else.

#include "spindrift/stages/run/stopping.h"

#include <string>

#include "body_caches.h"
#include "stopping_progress.h"
#include <gtest/gtest.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

class Stopping : public BodyCacheTest {
  protected:
    RunOptions options(const std::string& cache, double checkpoint_every) const {
        RunOptions options;
        options.folder = folder / cache;
        options.patience = 0;
        options.checkpoint_every = checkpoint_every;
        return options;
    }
    std::string stop(const RunOptions& options, long question) const {
        StopAt soon(question);
        try {
            run_scene(scene, options, soon);
        } catch (const InterruptedError& error) {
            return error.what();
        }
        return "";
    }

    Scene scene = tank_with(crate_body, 4);
};

TEST_F(Stopping, checkpoints_on_the_way_change_nothing_and_go_with_their_frame) {
    run("whole", scene);
    SilentProgress quiet;
    run_scene(scene, options("often", 0), quiet);
    expect_same("often", "whole", 4);
    EXPECT_FALSE(fs::exists(folder / "often/checkpoint"));
}

TEST_F(Stopping, within_a_step_goes_back_to_the_frame_or_the_last_checkpoint) {
    run("whole", scene);
    constexpr double never = 1e9;
    int within = 0, midway = 0;
    for (const long question : {300, 500, 700, 900, 1100, 1500, 1900}) {
        for (const double every : {0.0, never}) {
            const std::string cache = "parts" + std::to_string(question) + (every > 0 ? "a" : "b");
            const std::string words = stop(options(cache, every), question);
            if (words.empty()) continue;
            within += words.find("stopped within a step after frame") != std::string::npos;
            midway += words.find("back to the last checkpoint") != std::string::npos;
            EXPECT_NE(words.find("spindrift resume " + (folder / cache).string()), std::string::npos) << words;
            run(cache, scene);
            expect_same(cache, "whole", 4);
            EXPECT_FALSE(fs::exists(folder / (cache + "/checkpoint"))) << cache;
        }
    }
    EXPECT_GT(within, 3);
    EXPECT_GT(midway, 0);
}

TEST_F(Stopping, waits_for_a_step_as_long_as_its_patience) {
    SilentProgress asked;
    const Patience endless(asked, 1e9), none(asked, 0);
    EXPECT_FALSE(none.interrupted());
    asked.stop = true;
    EXPECT_TRUE(none.interrupted());
    EXPECT_FALSE(endless.interrupted());
    SilentProgress quiet;
    quiet.stop = true;
    RunOptions patient = options("patient", 1e9);
    patient.patience = 1e9;
    EXPECT_THROW(run_scene(scene, patient, quiet), InterruptedError);
}

}  // namespace
}  // namespace spindrift::stages
