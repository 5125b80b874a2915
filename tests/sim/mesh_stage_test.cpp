#include "spindrift/sim/mesh_stage.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "playback.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/geometry/read_mesh.h"
#include "spindrift/io/npz.h"
#include "spindrift/sim/run.h"

namespace spindrift::sim {
namespace {

namespace fs = std::filesystem;

/// 512 particles of one liquid that fall into a corner, or 250 of two that lie on each other.
Scene scene_of(const std::string& mesh, bool two = false) {
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

std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files[entry.path().filename().string()] = read_file(entry.path());
    return files;
}

std::map<std::string, std::string> meshes_in(const fs::path& cache) {
    auto files = files_in(cache / mesh_stage);
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

/// No file of this program may grow beyond this while it lives.
class SmallFiles {
  public:
    explicit SmallFiles(std::uintmax_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, signal_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

  private:
    void (*signal_)(int);
    rlimit before_{};
};

MeshReport make(const Scene& scene, const fs::path& cache, std::optional<int> first = {},
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
        io::Manifest manifest = io::load_manifest(cache);
        io::FrameEntry entry = *io::find_frame(manifest, particle_stage, frame);
        entry.hash = io::content_hash(entries);
        entry.bytes = fs::file_size(particles(cache, frame));
        io::set_frame(manifest.stages[particle_stage], entry);
        io::save_manifest(cache, manifest);
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

TEST_F(MeshStageTest, every_frame_gets_a_closed_mesh_with_the_volume_of_its_particles) {
    const fs::path a = cache("a");
    const MeshReport report = make(scene_of("formats = [\"ply\", \"obj\", \"glb\"]"), a);
    EXPECT_EQ(report.made, 4);
    EXPECT_EQ(report.last_file, a / "mesh/liquid.0004.ply");
    ASSERT_EQ(report.records.size(), 4u);
    for (const MeshRecord& record : report.records) {
        EXPECT_TRUE(record.sound()) << to_json(record);
        EXPECT_EQ(record.particles, 512u);
        // Eight layers at a voxel of a spacing: half a voxel of error at a surface is 3 % of the width.
        EXPECT_NEAR(record.volume_ratio(), 1, 0.1) << record.frame;
        const std::string name = "mesh/liquid.000" + std::to_string(record.frame);
        EXPECT_TRUE(fs::exists(a / (name + ".obj")) && fs::exists(a / (name + ".glb")));
        const geometry::MeshQuality read = geometry::measure(geometry::read_mesh(a / (name + ".ply")).mesh, false);
        EXPECT_TRUE(read.watertight() && read.manifold());
        EXPECT_EQ(read.triangles, record.triangles);
    }
    const std::string ply = read_file(a / "mesh/liquid.0001.ply");
    EXPECT_NE(ply.find("property float vx"), std::string::npos);
    EXPECT_NE(ply.find("property float nx"), std::string::npos);
    EXPECT_EQ(mesh_records(io::load_manifest(a)), report.records);
}

TEST_F(MeshStageTest, the_quality_of_each_frame_is_a_line_of_json) {
    const fs::path a = cache("a");
    const MeshReport report = make(scene_of("crossings = true"), a, 2, 3);
    std::ifstream file(a / "mesh" / quality_file);
    std::vector<MeshRecord> lines;
    for (std::string line; std::getline(file, line);) {
        ASSERT_TRUE(parse_mesh_record(line).has_value()) << line;
        EXPECT_NE(line.find("\"volume_ratio\":"), std::string::npos);
        lines.push_back(*parse_mesh_record(line));
    }
    EXPECT_EQ(lines, report.records);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].frame, 2);
    EXPECT_GE(lines[0].crossings, 0) << "they were counted";
    EXPECT_FALSE(parse_mesh_record("{\"frame\":1}").has_value());
    EXPECT_FALSE(parse_mesh_record("not json").has_value());
}

TEST_F(MeshStageTest, what_is_up_to_date_is_left_alone_and_what_is_stale_is_said) {
    const fs::path a = cache("a");
    const Scene scene = scene_of("");
    EXPECT_EQ(make(scene, a, 1, 2).made, 2);
    const MeshReport more = make(scene, a);
    EXPECT_EQ((std::array{more.made, more.reused, more.stale}), (std::array{2, 2, 0}));
    EXPECT_EQ(more.records.size(), 4u);
    const auto before = meshes_in(a);
    const MeshReport again = make(scene, a);
    EXPECT_EQ((std::array{again.made, again.reused}), (std::array{0, 4}));
    EXPECT_EQ(again.records, more.records);

    Listener listener;
    const MeshReport finer = make(scene_of("smoothing = 0"), a);
    EXPECT_EQ((std::array{finer.made, finer.stale}), (std::array{4, 4}));
    EXPECT_NE(listener.said.find("4 of 4 meshes are stale"), std::string::npos) << listener.said;
    EXPECT_NE(meshes_in(a), before);
    fs::remove(a / "mesh/liquid.0003.ply");
    keep_first(a, 2, 400);
    EXPECT_EQ(make(scene_of("smoothing = 0"), a).made, 2) << "one is gone, another has other particles";
}

TEST_F(MeshStageTest, colliders_matter_only_to_meshes_that_are_cut_at_them) {
    const fs::path a = cache("a");
    Scene scene = scene_of("");
    EXPECT_EQ(make(scene, a, 1, 1).made, 1);
    scene.collider[0].color = Vec3d{1, 0, 0};
    EXPECT_EQ(make(scene, a, 1, 1).made, 0) << "a colour does not";
    scene.collider[0].sphere->radius = 0.03;
    EXPECT_EQ(make(scene, a, 1, 1).made, 1);
    scene.mesh.clip = false;
    EXPECT_EQ(make(scene, a, 1, 1).made, 1);
    scene.collider[0].sphere->radius = 0.02;
    EXPECT_EQ(make(scene, a, 1, 1).made, 0);
}

TEST_F(MeshStageTest, meshes_have_the_same_bytes_for_any_threads_and_after_an_interruption) {
    const fs::path a = cache("a"), b = cache("b"), c = cache("c");
    for (const char* settings : {"", "upsample = 1\nchannels = [\"density\"]"}) {
        const Scene scene = scene_of(settings);
        {
            const ThreadLimit one(1);
            make(scene, a);
        }
        {
            const ThreadLimit four(4);
            make(scene, b);
        }
        EXPECT_EQ(meshes_in(a), meshes_in(b)) << settings;
        StopAfter stop(2);
        EXPECT_THROW(mesh_cache(scene, {.folder = c}, stop), InterruptedError);
        const MeshReport rest = make(scene, c);
        EXPECT_EQ(rest.reused, 2);
        EXPECT_EQ(meshes_in(c), meshes_in(a)) << settings;
    }
}

TEST_F(MeshStageTest, flags_go_on_from_the_frame_before_whichever_frames_are_asked_for) {
    const fs::path a = cache("a"), b = cache("b");
    const Scene scene = scene_of("channels = [\"surface_flag\"]\n");
    make(scene, a);
    EXPECT_EQ(make(scene, b, 3, 3).made, 1);
    EXPECT_FALSE(fs::exists(b / "mesh/liquid.0002.ply"));
    EXPECT_EQ(make(scene, b, 4, 4).made, 1);
    const auto flags = files_in(a / flag_stage);
    EXPECT_EQ(flags.size(), 4u);
    EXPECT_EQ(files_in(b / flag_stage), flags);
    EXPECT_EQ(read_file(b / "mesh/liquid.0004.ply"), read_file(a / "mesh/liquid.0004.ply"));

    const ChannelSet frame = io::read_npz(a / flag_stage / "liquid.0002.npz");
    const ChannelSet original = io::read_npz(particles(a, 2));
    ASSERT_EQ(frame.size(), 512u);
    std::size_t at_surface = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        EXPECT_EQ(frame.find("id")->value(i), original.find("id")->value(i));
        at_surface += frame.find("surface_flag")->value(i) > 0;
    }
    // The outermost layer of 8 x 8 x 8 is 296; six are deep enough inside to be sure.
    EXPECT_GT(at_surface, 200u);
    EXPECT_LT(at_surface, 400u);
    fs::remove(a / flag_stage / "liquid.0002.npz");
    EXPECT_EQ(make(scene, a).made, 1) << "the flags are the same as before, so later frames stay";
    EXPECT_EQ(files_in(a / flag_stage), flags);
}

TEST_F(MeshStageTest, two_liquids_give_the_interface_and_closed_meshes_whose_volumes_add_up) {
    const fs::path a = cache("a", true);
    const MeshReport report = make(scene_of("formats = [\"ply\", \"obj\"]", true), a);
    ASSERT_EQ(report.records.size(), 2u);
    EXPECT_TRUE(report.records[1].sound()) << to_json(report.records[1]);
    double volume = 0;
    for (const char* name : {"mesh/liquid.water.0002.ply", "mesh/liquid.olive_oil.0002.ply"}) {
        const geometry::MeshQuality quality = geometry::measure(geometry::read_mesh(a / name).mesh, false);
        EXPECT_TRUE(quality.watertight() && quality.manifold()) << name;
        EXPECT_GT(quality.volume, 0.0005) << "half of the liquid at least";
        volume += quality.volume;
    }
    EXPECT_NEAR(volume, report.records[1].volume, 1e-6 * volume) << "rounding of points to floats";
    const std::string ply = read_file(a / "mesh/liquid.0002.ply");
    EXPECT_NE(ply.find("property uchar back\nproperty uchar front"), std::string::npos);
    const io::Manifest manifest = io::load_manifest(a);
    EXPECT_EQ(io::find_frame(manifest, "mesh", 2)->file, "mesh/liquid.0002.ply");
    EXPECT_NE(io::find_frame(manifest, "mesh/liquid.olive_oil.obj", 2), nullptr);

    const MeshReport apart = make(scene_of("liquids = \"apart\"", true), a, 1, 1);
    EXPECT_EQ(apart.last_file.filename(), "liquid.water.0001.ply");
    const MeshReport together = make(scene_of("liquids = \"together\"", true), a, 1, 1);
    EXPECT_EQ(together.records[0].volume, apart.records[0].volume) << "closed meshes are measured anyway";
}

TEST_F(MeshStageTest, level_sets_are_files_of_their_own) {
    const fs::path a = cache("a", true);
    const MeshReport report = make(scene_of("formats = [\"vdb\"]", true), a, 1, 1);
    EXPECT_EQ(report.last_file, a / "surface/liquid.0001.vdb");
    EXPECT_EQ(report.records.size(), 1u);
    EXPECT_EQ(make(scene_of("formats = [\"vdb\"]", true), a, 1, 1).reused, 1);
    EXPECT_EQ(mesh_records(io::load_manifest(a)), report.records);
    EXPECT_TRUE(meshes_in(a).empty());
}

TEST_F(MeshStageTest, few_particles_or_none_are_fine) {
    const fs::path a = cache("a"), b = cache("b", true);
    keep_first(a, 1, 0);
    keep_first(a, 2, 1);
    keep_first(a, 3, 2);
    const MeshReport report = make(scene_of("formats = [\"ply\", \"obj\", \"glb\", \"vdb\"]"), a);
    ASSERT_EQ(report.records.size(), 4u);
    EXPECT_EQ(report.records[0].triangles, 0u);
    EXPECT_EQ(report.records[0].volume_ratio(), 1);
    for (const MeshRecord& record : report.records)
        EXPECT_TRUE(record.sound()) << to_json(record);
    EXPECT_NE(read_file(a / "mesh/liquid.0001.ply").find("element face 0"), std::string::npos);
    keep_first(b, 1, 0);
    EXPECT_EQ(make(scene_of("formats = [\"ply\", \"vdb\"]", true), b).made, 2);
    EXPECT_TRUE(fs::exists(b / "mesh/liquid.water.0001.ply"));
}

TEST_F(MeshStageTest, particles_that_are_not_finite_are_left_out_and_said) {
    const fs::path a = cache("a");
    ChannelSet frame = io::read_npz(particles(a, 2));
    frame.find("P")->as<Vec3f>()[7].y = std::numeric_limits<float>::quiet_NaN();
    frame.find("P")->as<Vec3f>()[8].x = std::numeric_limits<float>::infinity();
    replace(a, 2, frame);
    Listener listener;
    const MeshReport report = make(scene_of(""), a, 1, 2);
    EXPECT_EQ(report.records[1].skipped, 2u);
    EXPECT_TRUE(report.records[1].sound());
    EXPECT_NE(listener.said.find("frame 2: 2 particles are not finite"), std::string::npos) << listener.said;
}

TEST_F(MeshStageTest, what_is_missing_or_damaged_is_an_error_that_keeps_other_frames) {
    const fs::path a = cache("a");
    make(scene_of(""), a, 1, 1);
    const auto before = meshes_in(a);
    fs::remove(particles(a, 2));
    try {
        make(scene_of(""), a, 1, 2);
        FAIL() << "the frame is not there";
    } catch (const IoError& error) {
        EXPECT_EQ(error.kind(), IoError::Kind::missing);
        EXPECT_NE(std::string(error.what()).find("liquid.0002.npz"), std::string::npos) << error.what();
    }
    EXPECT_EQ(meshes_in(a), before);
    ChannelSet other;
    other.add("P", {ScalarType::f32, 2}, 5);
    replace(a, 3, other);
    EXPECT_THROW(make(scene_of(""), a, 3, 3), IoError);
    EXPECT_THROW(make(scene_of("", true), a, 4, 4), IoError) << "there is no channel phase";
    EXPECT_THROW(make(scene_of(""), a, 9, 9), UsageError);
    EXPECT_THROW(make(scene_of(""), folder / "absent"), IoError);
    Scene wish = scene_of("");
    wish.mesh.channels = {"joy"};
    EXPECT_THROW(make(wish, a, 4, 4), UsageError);
}

TEST_F(MeshStageTest, a_full_disk_is_told_and_keeps_earlier_frames) {
    const fs::path a = cache("a");
    const Scene scene = scene_of("formats = [\"obj\"]");
    make(scene, a, 1, 2);
    const auto before = meshes_in(a);
    {
        // Larger files are refused as a full disk refuses them; the manifest is smaller.
        const SmallFiles limit(fs::file_size(a / "mesh/liquid.0001.obj") / 2);
        try {
            make(scene, a);
            ADD_FAILURE() << "there was room";
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), IoError::Kind::disk_full) << error.what();
        }
    }
    EXPECT_EQ(meshes_in(a), before);
    const MeshReport rest = make(scene, a);
    EXPECT_EQ((std::array{rest.made, rest.reused}), (std::array{2, 2}));
}

TEST(MeshRecordTest, the_summary_says_which_frame_is_not_sound_and_why) {
    MeshRecord good{.frame = 1, .volume = 0.998, .particle_volume = 1};
    MeshRecord better{.frame = 2, .volume = 1.004, .particle_volume = 1};
    EXPECT_EQ(describe(std::vector{good, better}),
              "2 frames: all watertight and manifold; volume 0.998 to 1.004 of the particles'");
    better.watertight = false;
    better.crossings = 3;
    EXPECT_EQ(describe(std::vector{good, better}),
              "2 frames: 1 not sound; frame 2 has open edges, has 3 pairs of triangles that cut each other; volume "
              "0.998 to 1.004 of the particles'");
    EXPECT_EQ(describe(std::vector{MeshRecord{.frame = 1}}), "1 frame: watertight and manifold; empty");
}

}  // namespace
}  // namespace spindrift::sim
