#pragma once
// Small scenes with bodies, run into caches.

#include <filesystem>
#include <string>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/log.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {

inline constexpr const char* crate_body =
    "[[body]]\nname = \"the crate\"\nbox = [[-0.06, -0.06, -0.06], [0.06, 0.06, 0.06]]\n"
    "position = [0.15, 0.17, 0.15]\nrotation_deg = [10, 20, 5]\ndensity = 400\n";
inline constexpr const char* cloth_body =
    "[[body]]\nname = \"cloth\"\nkind = \"cloth\"\nsheet = { size = [0.16, 0.16], cells = 6 }\n"
    "position = [0.15, 0.2, 0.15]\n";

/// A shallow tank of some 300 particles, and bodies that fall into it.
inline Scene tank_with(const std::string& bodies, int last = 3, const std::string& more = "") {
    return parse_scene("frames = [1, " + std::to_string(last) +
                           "]\n[domain]\nbox = [[0, 0, 0], [0.3, 0.4, 0.3]]\n"
                           "[[liquid]]\nspacing = 0.03\nfill = { box = [[0, 0, 0], [0.3, 0.09, 0.3]] }\n"
                           "[render]\nresolution = [64, 36]\nsamples = 1\n" +
                           bodies + more,
                       "tank.toml");
}

/// Runs scenes into folders of one test and keeps what is said.
class BodyCacheTest : public ::testing::Test {
  protected:
    void SetUp() override {
        sink = set_log_sink([this](LogLevel, const std::string& text) { said += text + "\n"; });
    }
    void TearDown() override { set_log_sink(sink); }

    std::filesystem::path run(const std::string& cache, const Scene& scene, std::optional<int> from = {}) {
        SilentProgress quiet;
        RunOptions options;
        options.folder = folder / cache;
        options.from = from;
        run_scene(scene, options, quiet);
        return options.folder;
    }
    std::filesystem::path file(const std::string& cache, const std::string& stage, int frame) const {
        return folder / (cache + "/" + stage + "/liquid.000" + std::to_string(frame) + ".npz");
    }
    void expect_same(const std::string& a, const std::string& b, int last) const {
        for (int frame = 1; frame <= last; ++frame) {
            for (const char* stage : {"particles", "bodies"})
                EXPECT_TRUE(read_file(file(a, stage, frame)) == read_file(file(b, stage, frame)))
                    << stage << " " << frame;
        }
    }

    TemporaryFolder folder;
    LogSink sink;
    std::string said;
};

}  // namespace spindrift::stages
