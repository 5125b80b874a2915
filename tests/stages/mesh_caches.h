#pragma once
// Small caches to make meshes of, simulated once for all tests of a program; each test works on copies.
//
//   TEST_F(MeshStageTest, a_sentence) {
//       const fs::path a = cache("a");
//       EXPECT_EQ(make(scene_of("voxel = 2"), a).made, 4);
//   }

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "temporary_folder.h"
#include <gtest/gtest.h>
#include <unistd.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/log.h"
#include "spindrift/io/npz.h"
#include "spindrift/stages/mesh/mesh_stage.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {

namespace fs = std::filesystem;

/// 512 particles of one liquid that fall into a corner, or 250 of two that lie on each other.
inline Scene scene_of(const std::string& mesh, bool two = false) {
    const std::string one = R"(
        frames = [1, 4]
        [domain]
        box = [[0, 0, 0], [0.3, 0.3, 0.16]]
        [[collider]]
        name = "ball"
        sphere = { center = [0.2, 0, 0.08], radius = 0.04 }
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.16, 0.16, 0.16]] }
        )";
    const std::string both = R"(
        frames = [1, 2]
        [domain]
        box = [[0, 0, 0], [0.1, 0.3, 0.1]]
        [[liquid]]
        name = "water"
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }
        [[liquid]]
        name = "olive oil"
        density = 800
        spacing = 0.02
        fill = { box = [[0, 0.1, 0], [0.1, 0.2, 0.1]] }
        )";
    return parse_scene((two ? both : one) + "\n[mesh]\nvoxel = 1\n" + mesh, "drop.toml");
}

inline std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files[entry.path().filename().string()] = read_file(entry.path());
    return files;
}

inline std::map<std::string, std::string> meshes_in(const fs::path& cache) {
    auto files = files_in(cache / cache::series::mesh);
    files.erase(quality_file);  // it tells seconds
    return files;
}

/// Words of the log while it lives.
class Listener {
  public:
    Listener() : before_(set_log_sink([this](LogLevel, const std::string& text) { said += text + "\n"; })) {}
    ~Listener() { set_log_sink(before_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    std::string said;

  private:
    LogSink before_;
};

inline MeshReport make(const Scene& scene, const fs::path& cache, std::optional<int> first = {},
                       std::optional<int> last = {}) {
    SilentProgress quiet;
    return mesh_cache(scene, {.folder = cache, .first = first, .last = last}, quiet);
}

/// Caches are simulated once; each test works on copies.
class MeshStageTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        home = fs::temp_directory_path() / ("spindrift_mesh_stage_" + std::to_string(getpid()));
        SilentProgress quiet;
        for (const bool two : {false, true}) {
            RunOptions options;
            options.folder = home / (two ? "two" : "one");
            run_scene(scene_of("", two), options, quiet);
        }
    }
    static void TearDownTestSuite() { fs::remove_all(home); }

    fs::path cache(const std::string& name, bool two = false) const {
        fs::copy(home / (two ? "two" : "one"), folder / name, fs::copy_options::recursive);
        return folder / name;
    }
    static fs::path particles(const fs::path& cache, int frame) {
        return cache / "particles" / ("liquid.000" + std::to_string(frame) + ".npz");
    }
    /// Another frame in place of one, with its entry in the manifest.
    static void replace(const fs::path& cache, int frame, const ChannelSet& channels) {
        const auto entries = io::write_npz(particles(cache, frame), channels);
        io::Manifest manifest = cache::load_manifest(cache);
        io::FrameEntry entry = *io::find_frame(manifest, cache::series::particles, frame);
        entry.hash = io::content_hash(entries);
        entry.bytes = fs::file_size(particles(cache, frame));
        io::set_frame(manifest.series[cache::series::particles], entry);
        cache::save_manifest(cache, manifest);
    }
    static void keep_first(const fs::path& cache, int frame, std::size_t count) {
        const ChannelSet all = io::read_npz(particles(cache, frame));
        ChannelSet few;
        few.channels.reserve(all.channels.size());
        for (const ChannelArray& channel : all.channels) {
            ChannelArray& copy = few.add(channel.name(), channel.type(), count);
            std::copy(channel.data(), channel.data() + copy.size_bytes(), copy.data());
        }
        replace(cache, frame, few);
    }

    static inline fs::path home;
    TemporaryFolder folder;
};

}  // namespace spindrift::stages
