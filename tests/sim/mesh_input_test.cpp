// What the mesh stage does with odd or damaged frames, and on a full disk.

#include <array>
#include <csignal>
#include <limits>

#include "mesh_caches.h"
#include <sys/resource.h>

namespace spindrift::sim {
namespace {

class MeshInputTest : public MeshStageTest {};

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

TEST_F(MeshInputTest, few_particles_or_none_are_fine) {
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

TEST_F(MeshInputTest, particles_that_are_not_finite_are_left_out_and_said) {
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

TEST_F(MeshInputTest, what_is_missing_or_damaged_is_an_error_that_keeps_other_frames) {
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

TEST_F(MeshInputTest, a_full_disk_is_told_and_keeps_earlier_frames) {
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

}  // namespace
}  // namespace spindrift::sim
