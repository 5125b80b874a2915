// Who writes into a cache, what goes from it, and what a killed program leaves to the next.

#include <functional>
#include <limits>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/cache/dropped_frames.h"
#include "spindrift/cache/folder_lock.h"
#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/cache/simulation_hash.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/stages/export/export_bodies.h"
#include "spindrift/stages/export/export_collision.h"
#include "spindrift/stages/mesh/mesh_stage.h"
#include "spindrift/stages/pictures/render_stage.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

Scene small_scene(const std::string& more = "") {
    return parse_scene("version = 1\nframes = [1, 3]\n" + more + R"(
        [domain]
        box = [[0, 0, 0], [0.3, 0.3, 0.16]]
        [[collider]]
        name = "ball"
        sphere = { center = [0.2, 0, 0.08], radius = 0.04 }
        [[body]]
        name = "crate"
        box = [[0.2, 0.1, 0.06], [0.24, 0.14, 0.1]]
        density = 500
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.16]] })",
                       "dam.toml");
}

io::FrameEntry entry_of(int frame, const std::string& file) {
    return {.frame = frame, .file = file, .bytes = 0, .hash = {}, .time = 0, .state = {}};
}

class CacheWriters : public ::testing::Test {
  protected:
    void SetUp() override { sink_ = set_log_sink({}); }
    void TearDown() override { set_log_sink(sink_); }

    void simulate(const Scene& scene, std::optional<int> from = {}) {
        run_scene(scene, {.folder = cache_, .from = from}, progress_);
    }
    void overwrite(const Scene& scene) {
        run_scene(scene, {.folder = cache_, .from = {}, .overwrite = true}, progress_);
    }
    std::size_t count(const char* stage) const {
        const fs::directory_iterator files(cache_ / stage);
        return static_cast<std::size_t>(std::distance(begin(files), end(files)));
    }

    TemporaryFolder folder_;
    fs::path cache_ = folder_ / "cache";
    SilentProgress progress_;
    LogSink sink_;
};

TEST_F(CacheWriters, everybody_locks_before_reading_anything) {
    const Scene scene = small_scene();
    simulate(scene);
    write_file(cache_ / io::manifest_file, "damaged, as nobody may notice");
    const cache::FolderLock lock(cache_);
    const std::function<void()> writers[] = {
        [&] { simulate(scene); },
        [&] { overwrite(scene); },
        [&] { simulate(scene, 2); },
        [&] { export_collision(scene, {.folder = cache_ / "collision", .cache = cache_}, progress_); },
        [&] { export_bodies(scene, {.folder = cache_ / "bodies", .cache = cache_}, progress_); },
    };
    for (const auto& writer : writers)
        EXPECT_THROW(writer(), UsageError) << "number " << &writer - writers;
    EXPECT_EQ(count("particles"), 3u);
    EXPECT_EQ(io::read_statistics(cache_ / io::statistics_file).size(), 3u);
}

TEST_F(CacheWriters, what_is_made_of_frames_goes_beside_while_others_write) {
    const Scene scene = small_scene();
    simulate(scene);
    const std::string before = read_file(cache_ / io::manifest_file);
    const cache::FolderLock lock(cache_);
    EXPECT_EQ(mesh_cache(scene, {.folder = cache_}, progress_).made, 3);
    EXPECT_EQ(mesh_cache(scene, {.folder = cache_}, progress_).reused, 3);
    EXPECT_EQ(read_file(cache_ / io::manifest_file), before);
    EXPECT_FALSE(fs::exists(cache_ / "mesh"));
    EXPECT_TRUE(fs::exists(cache_ / cache::beside_folder / io::manifest_file));
    EXPECT_EQ(mesh_cache(scene, {.folder = cache_, .output = folder_ / "other"}, progress_).made, 3);
}

TEST_F(CacheWriters, a_folder_that_a_lock_made_goes_with_it_unless_something_is_in_it) {
    {
        const cache::FolderLock lock(cache_);
        EXPECT_THROW(cache::FolderLock{cache_}, UsageError);
    }
    EXPECT_FALSE(fs::exists(cache_));
    {
        const cache::FolderLock lock(cache_);
        write_file(cache_ / "notes.txt", "mine");
    }
    EXPECT_TRUE(fs::exists(cache_ / "notes.txt"));
}

TEST_F(CacheWriters, dropped_frames_take_the_files_of_all_their_stages_along) {
    const Scene scene = small_scene("solver = \"flip\"\noutput.grids = [\"pressure\"]\nflip.narrow_band = 3\n");
    simulate(scene);
    export_bodies(scene, {.folder = cache_ / "bodies", .cache = cache_}, progress_);
    write_file(cache_ / "bodies/notes.txt", "mine");
    Scene shorter = scene;
    shorter.frames[1] = 2;
    simulate(shorter, 1);
    for (const char* stage : {"particles", "core", "grids"})
        EXPECT_EQ(count(stage), 2u) << stage;
    // The frames, a mesh of the first, which stays, and what is none of the program's.
    EXPECT_EQ(count("bodies"), 4u);
    EXPECT_TRUE(fs::exists(cache_ / "bodies/notes.txt"));
}

TEST_F(CacheWriters, all_that_a_run_writes_is_dropped_from_a_frame_on_and_nothing_else) {
    io::Manifest manifest;
    const char* const simulated[] = {"particles", "bodies",   "bodies/crate.ply", "core",
                                     "grids",     "wet/ball", "wet_png/ball"};
    const char* const made[] = {"mesh", "surface", "preview", "collision/ball"};
    for (const auto& stages : {std::span<const char* const>(simulated), std::span<const char* const>(made)}) {
        for (const std::string stage : stages) {
            for (const int frame : {1, 2, 3})
                io::set_frame(manifest.series[stage], entry_of(frame, stage + std::to_string(frame)));
        }
    }
    cache::drop_simulated(manifest, 2, cache::Fate::remove);
    for (const std::string stage : simulated) {
        EXPECT_EQ(manifest.series[stage].frames.size(), 1u) << stage;
        EXPECT_EQ(manifest.series["dropped/" + stage].frames.size(), 2u) << stage;
    }
    for (const std::string stage : made)
        EXPECT_EQ(manifest.series[stage].frames.size(), 3u) << stage;
}

TEST_F(CacheWriters, what_a_killed_program_was_to_remove_goes_with_the_next_run) {
    const Scene scene = small_scene();
    simulate(scene);
    io::Manifest manifest = cache::load_manifest(cache_);
    for (const char* name : {"liquid.0008.npz", "stranger.npz"})
        write_file(cache_ / "particles" / name, "left");
    io::set_frame(manifest.series["dropped/particles"], entry_of(8, "particles/liquid.0008.npz"));
    // Named again since: it is a frame of the cache.
    io::set_frame(manifest.series["dropped/particles"], entry_of(2, "particles/liquid.0002.npz"));
    cache::save_manifest(cache_, manifest);
    simulate(scene);
    EXPECT_FALSE(fs::exists(cache_ / "particles/liquid.0008.npz"));
    EXPECT_TRUE(fs::exists(cache_ / "particles/liquid.0002.npz"));
    EXPECT_TRUE(fs::exists(cache_ / "particles/stranger.npz"));
    EXPECT_FALSE(cache::load_manifest(cache_).series.contains("dropped/particles"));
}

TEST_F(CacheWriters, frames_that_cannot_be_read_stay_until_they_are_simulated_again_or_the_user_drops_them) {
    const Scene scene = small_scene();
    simulate(scene);
    write_file(cache_ / "particles/liquid.0003.npz", "damaged");
    io::Manifest manifest = cache::load_manifest(cache_);
    cache::drop_simulated(manifest, 3, cache::Fate::keep_unreadable);
    cache::save_manifest(cache_, manifest);
    cache::remove_dropped(cache_, manifest);
    EXPECT_TRUE(fs::exists(cache_ / "particles/liquid.0003.npz"));
    Scene shorter = scene;
    shorter.frames[1] = 2;
    simulate(shorter, 2);
    EXPECT_FALSE(fs::exists(cache_ / "particles/liquid.0003.npz"));
    simulate(scene);
    EXPECT_EQ(count("particles"), 3u);
    EXPECT_FALSE(cache::load_manifest(cache_).series.contains("unreadable/particles"));
}

TEST_F(CacheWriters, a_scene_that_cannot_begin_leaves_the_frames_of_the_one_before) {
    simulate(small_scene());
    Scene empty = small_scene("gravity = [0, -5, 0]\n");
    empty.liquid[0].fill[0].box = Box3d{{0, 0, 0}, {0.001, 0.001, 0.001}};
    EXPECT_THROW(overwrite(empty), SceneError);
    EXPECT_EQ(count("particles"), 3u);
    EXPECT_EQ(cache::load_manifest(cache_).series["particles"].frames.size(), 3u);
    EXPECT_EQ(cache::load_manifest(cache_).scene_hash, cache::simulation_hash(small_scene()));
}

}  // namespace
}  // namespace spindrift::stages
