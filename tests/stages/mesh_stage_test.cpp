#include "spindrift/stages/mesh/mesh_stage.h"

#include <array>
#include <fstream>
#include <vector>

#include "mesh_caches.h"
#include "playback.h"
#include "stopping_progress.h"

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/cache/simulation_hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/geometry/read_mesh.h"

namespace spindrift::stages {
namespace {

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
    EXPECT_EQ(mesh_records(cache::load_manifest(a)), report.records);
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
        StopWhenDone stop(2);
        EXPECT_THROW(mesh_cache(scene, {.folder = c}, stop), InterruptedError);
        // Another worker may be done with the third by the time that it is asked.
        const MeshReport rest = make(scene, c);
        EXPECT_TRUE(rest.reused == 2 || rest.reused == 3) << rest.reused;
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
    const auto flags = files_in(a / cache::series::surface_flags);
    EXPECT_EQ(flags.size(), 4u);
    EXPECT_EQ(files_in(b / cache::series::surface_flags), flags);
    EXPECT_EQ(read_file(b / "mesh/liquid.0004.ply"), read_file(a / "mesh/liquid.0004.ply"));

    const ChannelSet frame = io::read_npz(a / cache::series::surface_flags / "liquid.0002.npz");
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
    fs::remove(a / cache::series::surface_flags / "liquid.0002.npz");
    EXPECT_EQ(make(scene, a).made, 1) << "the flags are the same as before, so later frames stay";
    EXPECT_EQ(files_in(a / cache::series::surface_flags), flags);
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
    const io::Manifest manifest = cache::load_manifest(a);
    EXPECT_EQ(io::find_frame(manifest, "mesh", 2)->file, "mesh/liquid.0002.ply");
    EXPECT_NE(io::find_frame(manifest, "mesh/liquid.olive_oil.obj", 2), nullptr);

    Listener listener;
    const MeshReport apart = make(scene_of("liquids = \"apart\"", true), a, 1, 1);
    EXPECT_EQ(apart.last_file.filename(), "liquid.water.0001.ply");
    const MeshReport together = make(scene_of("liquids = \"together\"", true), a, 1, 1);
    EXPECT_EQ(listener.said, "") << "other files are wanted, but none is stale";
    EXPECT_EQ(together.records[0].volume, apart.records[0].volume) << "closed meshes are measured anyway";
}

TEST_F(MeshStageTest, level_sets_are_files_of_their_own) {
    const fs::path a = cache("a", true);
    const MeshReport report = make(scene_of("formats = [\"vdb\"]", true), a, 1, 1);
    EXPECT_EQ(report.last_file, a / "surface/liquid.0001.vdb");
    EXPECT_EQ(report.records.size(), 1u);
    EXPECT_EQ(make(scene_of("formats = [\"vdb\"]", true), a, 1, 1).reused, 1);
    EXPECT_EQ(mesh_records(cache::load_manifest(a)), report.records);
    EXPECT_TRUE(meshes_in(a).empty());
    EXPECT_EQ(make(scene_of("formats = [\"vdb\", \"ply\"]", true), a, 1, 1).made, 1);
    EXPECT_EQ(make(scene_of("formats = [\"ply\"]", true), a, 1, 1).made, 0);
    const MeshReport again = make(scene_of("formats = [\"vdb\"]", true), a, 1, 1);
    EXPECT_EQ(again.made, 0);
    EXPECT_EQ(again.records, mesh_records(cache::load_manifest(a)));
}

TEST_F(MeshStageTest, meshes_do_not_make_particles_stale) {
    EXPECT_EQ(cache::simulation_hash(scene_of("smoothing = 9\nchannels = [\"density\"]")),
              cache::simulation_hash(scene_of("")));
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
}  // namespace spindrift::stages
