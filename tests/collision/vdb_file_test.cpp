#include "spindrift/collision/fields/vdb_file.h"

#include <cstdio>

#include "meshes.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/atomic_file.h"

namespace spindrift::collision {
namespace {

FieldSettings ball_settings(Mode mode = Mode::solid_inside) {
    FieldSettings settings;
    settings.cell = 0.08;
    settings.mode = mode;
    settings.band = 0.3;
    settings.depth = 0.3;
    settings.primitives = true;
    settings.name = "ball";
    return settings;
}

void expect_refused(IoError::Kind kind, std::string_view part, const std::filesystem::path& path) {
    try {
        read_vdb_field(path, ball_settings());
        ADD_FAILURE() << "read " << path;
    } catch (const IoError& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos) << error.what();
    }
}

/// What a command prints, empty if it fails.
std::string output_of(const std::string& command) {
    std::string text;
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    char part[4096];
    while (pipe && std::fgets(part, sizeof part, pipe))
        text += part;
    return pipe && pclose(pipe) == 0 ? text : "";
}

TEST(VdbFile, ReadsBackTheSurfaceItWroteAlsoTurnedAndMoved) {
    const TemporaryFolder folder;
    const Field field = make_field(bumpy_sphere(30), ball_settings());
    const geometry::Pose pose = geometry::make_pose({3, -1, 0.52}, {20, 40, -70});
    for (const geometry::Pose& at : {geometry::Pose{}, pose}) {
        write_vdb_fields(folder / "ball.vdb", {{{"ball", &field, at, nullptr}}});
        const Field back = read_vdb_field(folder / "ball.vdb", ball_settings());
        EXPECT_EQ(back.note, "");
        double sum = 0;
        for (std::uint64_t i = 0; i < 500; ++i) {
            const Vec3d local =
                normalize(vec_cast<double>(random_vector(1, i))) * (0.85 + 0.0005 * static_cast<double>(i));
            const double difference = sample_at(back, at.to_world(local)).distance - sample_at(field, local).distance;
            // Meshing cuts corners of the trilinear surface, and what is sampled twice is smoothed in furrows.
            EXPECT_LT(std::abs(difference), 0.3);
            sum += std::abs(difference);
        }
        EXPECT_LT(sum / 500, 0.05);
        EXPECT_LT(sample_at(back, at.to_world({0, 0, 0})).distance, 0);
    }
}

TEST(VdbFile, ReadsWithTheCellsOfTheFileOrOthers) {
    const TemporaryFolder folder;
    const Field field = make_field(bumpy_sphere(30), ball_settings());
    write_vdb_fields(folder / "ball.vdb", {{{"ball", &field, {}, nullptr}}});
    FieldSettings settings = ball_settings();
    settings.cell = 0;
    EXPECT_NEAR(read_vdb_field(folder / "ball.vdb", settings).cell, 0.08, 1e-9);
    settings.cell = 0.1;
    settings.mode = Mode::solid_outside;
    const Field container = read_vdb_field(folder / "ball.vdb", settings);
    EXPECT_EQ(container.cell, 0.1);
    EXPECT_GT(sample_at(container, {0, 0, 0}).distance, 0);
    EXPECT_LT(sample_at(container, {0, 1.4, 0}).distance, 0);
}

TEST(VdbFile, WritesContainersWithWallsAndShellsWithASkin) {
    const TemporaryFolder folder;
    const Field container = make_field(box_mesh({-1, -1, -1}, {1, 1, 1}), ball_settings(Mode::solid_outside));
    const Field shell = make_field(open_bowl(30), ball_settings(Mode::shell));
    write_vdb_fields(folder / "container.vdb", {{{"tank", &container, {}, nullptr}}});
    write_vdb_fields(folder / "shell.vdb", {{{"bowl", &shell, {}, nullptr}}});
    const Field tank = read_vdb_field(folder / "container.vdb", ball_settings());
    EXPECT_GT(sample_at(tank, {0, 0, 0}).distance, 0);
    EXPECT_LT(sample_at(tank, {1.15, 0.2, 0}).distance, -1);
    const Field bowl = read_vdb_field(folder / "shell.vdb", ball_settings());
    EXPECT_GT(sample_at(bowl, {0, -0.7, 0}).distance, 0);
    EXPECT_LT(sample_at(bowl, {0, -1, 0}).distance, 0);
}

TEST(VdbFile, IsWhatOpenVdbsOwnToolReads) {
    if (output_of("vdb_print -version").empty()) GTEST_SKIP() << "vdb_print is not installed";
    const TemporaryFolder folder;
    const Field field = make_field(bumpy_sphere(20), ball_settings());
    const std::vector<Vec3f> velocity(field.distance.size(), Vec3f{1, 2, 3});
    const VdbCollider one{"ball", &field, geometry::make_pose({1, 0, 0}, {0, 90, 0}), velocity.data()};
    write_vdb_fields(folder / "one.vdb", {{one}});
    const std::string text = output_of("vdb_print -l " + (folder / "one.vdb").string());
    for (const char* part : {"collision", "collisionvel", "level set", "float", "vec3s"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    VdbCollider other = one;
    other.name = "cup";
    write_vdb_fields(folder / "two.vdb", {{one, other}});
    const std::string both = output_of("vdb_print " + (folder / "two.vdb").string());
    for (const char* part : {"collision_ball", "collision_cup", "collisionvel_ball", "collisionvel_cup"})
        EXPECT_NE(both.find(part), std::string::npos) << part << " is not in\n" << both;
}

TEST(VdbFile, RefusesWhatIsNoLevelSet) {
    const TemporaryFolder folder;
    expect_refused(IoError::Kind::missing, "none.vdb", folder / "none.vdb");
    write_file(folder / "text.vdb", "This is not a file of voxels.");
    expect_refused(IoError::Kind::corrupt, "is not an OpenVDB file", folder / "text.vdb");
    write_file(folder / "empty.vdb", "");
    expect_refused(IoError::Kind::corrupt, "is not an OpenVDB file", folder / "empty.vdb");
    // Everything free: a level set without an inside, as fog is.
    Field fog = make_field(open_bowl(20), ball_settings(Mode::shell));
    for (float& distance : fog.distance)
        distance = std::abs(distance) + 0.1f;
    write_vdb_fields(folder / "fog.vdb", {{{"fog", &fog, {}, nullptr}}});
    expect_refused(IoError::Kind::corrupt, "is a fog volume or has no inside", folder / "fog.vdb");
    write_vdb_fields(folder / "nothing.vdb", {});
    expect_refused(IoError::Kind::corrupt, "has no grids", folder / "nothing.vdb");
    EXPECT_THROW(read_vdb_field(folder.path(), ball_settings()), IoError);
}

TEST(VdbFile, SurvivesDamagedFiles) {
    const TemporaryFolder folder;
    const Field field = make_field(bumpy_sphere(20), ball_settings());
    write_vdb_fields(folder / "good.vdb", {{{"ball", &field, {}, nullptr}}});
    const std::string good = read_file(folder / "good.vdb");
    for (std::uint64_t i = 0; i < 20; ++i) {
        write_file(folder / "cut.vdb", std::string_view(good).substr(0, good.size() * i / 20));
        EXPECT_THROW(read_vdb_field(folder / "cut.vdb", ball_settings()), Error) << "cut at " << i << " / 20";
    }
}

TEST(VdbFile, SurvivesFilesWithBytesPutInOrChanged) {
    const TemporaryFolder folder;
    const Field field = make_field(bumpy_sphere(20), ball_settings());
    write_vdb_fields(folder / "good.vdb", {{{"ball", &field, {}, nullptr}}});
    const std::string good = read_file(folder / "good.vdb");
    for (std::uint64_t i = 0; i < 60; ++i) {
        std::string bad = good;
        const std::size_t at = (i * 7919) % std::min<std::size_t>(good.size(), 6000);
        if (i % 2 == 0)
            bad.insert(at, 15, static_cast<char>(255 - i));
        else
            bad[at] = static_cast<char>(bad[at] ^ (1 << i % 8));
        write_file(folder / "bad.vdb", bad);
        try {
            const VdbSurface surface = read_vdb_surface(folder / "bad.vdb");
            EXPECT_FALSE(surface.mesh.triangles.empty());
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), IoError::Kind::corrupt) << error.what();
        }
    }
}

TEST(VdbFile, SaysWhenItCannotWrite) {
    const TemporaryFolder folder;
    const Field field = make_field(bumpy_sphere(20), ball_settings());
    EXPECT_THROW(write_vdb_fields(folder / "missing" / "ball.vdb", {{{"ball", &field, {}, nullptr}}}), IoError);
}

}  // namespace
}  // namespace spindrift::collision
