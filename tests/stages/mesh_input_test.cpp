// What the mesh stage does with odd or damaged frames, and on a full disk.

#include <array>
#include <csignal>
#include <limits>

#include "mesh_caches.h"
#include <sys/resource.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/geometry/read_mesh.h"

namespace spindrift::stages {
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

TEST_F(MeshInputTest, liquid_far_away_is_made_from_its_own_origin) {
    const fs::path a = cache("a");
    Scene scene = scene_of("");
    scene.mesh.clip = false;
    const MeshRecord near = make(scene, a, 2, 2).records.at(0);
    const Vec3d far{1000, 0, -500};
    ChannelSet frame = io::read_npz(particles(a, 2));
    ChannelArray& position = *frame.find("P");
    const ChannelArray local = std::move(position);
    position = ChannelArray("P", {ScalarType::f64, 3});
    position.resize(local.size());
    for (std::size_t i = 0; i < local.size(); ++i)
        position.as<Vec3d>()[i] = far + vec_cast<double>(local.as<Vec3f>()[i]);
    replace(a, 2, frame);
    io::Manifest manifest = cache::load_manifest(a);
    io::FrameEntry entry = *io::find_frame(manifest, cache::series::particles, 2);
    const std::string at_zero = R"("origin":[0.0,0.0,0.0])";
    ASSERT_NE(entry.state.find(at_zero), std::string::npos) << entry.state;
    entry.state.replace(entry.state.find(at_zero), at_zero.size(), R"("origin":[1000.0,0.0,-500.0])");
    io::set_frame(manifest.series[cache::series::particles], entry);
    cache::save_manifest(a, manifest);
    const MeshRecord moved = make(scene, a, 2, 2).records.at(0);
    EXPECT_TRUE(moved.sound()) << to_json(moved);
    // Points in floats are 6e-5 m apart there, against edges of 0.02 m.
    EXPECT_NEAR(moved.volume, near.volume, 5e-3 * near.volume);
    const Box3d box = geometry::bounds(geometry::read_mesh(a / "mesh/liquid.0002.ply").mesh);
    EXPECT_NEAR(box.lo.x, far.x, 0.05);
    EXPECT_NEAR(box.lo.z, far.z, 0.05);
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
}  // namespace spindrift::stages
