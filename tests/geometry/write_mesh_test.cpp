// Meshes written and read back by our own readers.

#include "spindrift/geometry/write_mesh.h"

#include <cstring>
#include <numeric>

#include "mesh_files.h"

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::geometry {
namespace {

Mesh sample() {
    Mesh mesh = make_cylinder({0.1, 0.2, 0.3}, {0.4, 1.5, 0.6}, 1.0 / 3);
    clean(mesh);
    return mesh;
}

/// An attribute whose values are `first`, `first` + 1 / 64, and on.
Attribute counted(const Mesh& mesh, const std::string& name, int width, float first) {
    Attribute attribute{name, width, std::vector<float>(mesh.points.size() * static_cast<std::size_t>(width))};
    for (std::size_t i = 0; i < attribute.values.size(); ++i)
        attribute.values[i] = first + static_cast<float>(i) / 64;
    return attribute;
}

template <class T>
T value_at(const std::string& bytes, std::size_t place) {
    T value;
    std::memcpy(&value, bytes.data() + place, sizeof value);
    return value;
}

std::size_t data_begin(const std::string& ply) {
    return ply.find("end_header\n") + 11;
}

TEST(WriteMesh, obj_gives_back_the_same_mesh) {
    const TemporaryFolder folder;
    const Mesh mesh = sample();
    write_obj(folder / "x.obj", mesh);
    const Mesh back = read_mesh(folder / "x.obj").mesh;
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_EQ(back.uv, mesh.uv);
    ASSERT_EQ(back.points.size(), mesh.points.size());
    // The parser rounds its own way: a unit of the last place.
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        EXPECT_NEAR(length(back.points[i] - mesh.points[i]), 0, 3e-7);
}

TEST(WriteMesh, obj_has_normals_and_coordinates_of_attributes) {
    const TemporaryFolder folder;
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}};
    mesh.attributes.push_back({"N", 3, {0, 1, 0, 0, 1, 0, 0, 1, 0}});
    write_obj(folder / "x.obj", mesh);
    EXPECT_NE(read_file(folder / "x.obj").find("vn 0 1 0\nf 1//1 3//3 2//2\n"), std::string::npos);
    mesh.attributes.push_back({"uv", 2, {0, 0, 0.5f, 0, 0, 0.25f}});
    write_obj(folder / "x.obj", mesh);
    EXPECT_NE(read_file(folder / "x.obj").find("f 1/1/1 3/3/3 2/2/2\n"), std::string::npos);
    const Mesh back = read_mesh(folder / "x.obj").mesh;
    ASSERT_EQ(back.uv.size(), 1u);
    EXPECT_EQ(back.uv[0], (std::array<Uv, 3>{{{0, 0}, {0, 0.25f}, {0.5f, 0}}}));
}

TEST(WriteMesh, ply_gives_back_the_same_bits_with_points_split_at_seams) {
    const TemporaryFolder folder;
    Mesh mesh = sample();
    mesh.attributes.push_back(counted(mesh, "v", 3, 1));
    write_ply(folder / "x.ply", mesh);
    const MeshFile back = read_mesh(folder / "x.ply");
    EXPECT_EQ(back.mesh.uv, mesh.uv);
    EXPECT_GT(back.mesh.points.size(), mesh.points.size());
    EXPECT_EQ(describe_defects(back.report), "clean");
    const std::string bytes = read_file(folder / "x.ply");
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t from = mesh.triangles[t][k], to = back.mesh.triangles[t][k];
            EXPECT_EQ(back.mesh.points[to], mesh.points[from]);
            EXPECT_EQ(value_at<float>(bytes, data_begin(bytes) + to * 32 + 20), mesh.attributes[0].values[3 * from]);
        }
    }
}

TEST(WriteMesh, ply_without_texture_keeps_points_and_has_velocities) {
    const TemporaryFolder folder;
    Mesh mesh = sample();
    mesh.uv.clear();
    mesh.attributes.push_back(counted(mesh, "v", 3, 1));
    write_ply(folder / "x.ply", mesh);
    const Mesh back = read_mesh(folder / "x.ply").mesh;
    EXPECT_EQ(back.points, mesh.points);
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_TRUE(back.uv.empty());
    EXPECT_NE(read_file(folder / "x.ply").find("property float vz"), std::string::npos);
    EXPECT_THROW(write_ply(folder / "absent/x.ply", mesh), IoError);
    EXPECT_THROW(write_obj(folder / "absent/x.obj", mesh), IoError);
    EXPECT_THROW(write_glb(folder / "absent/x.glb", mesh), IoError);
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(WriteMesh, ply_names_attributes_as_programs_look_for_them) {
    const TemporaryFolder folder;
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}};
    mesh.attributes = {counted(mesh, "N", 3, 0), counted(mesh, "Cd", 3, 0),    counted(mesh, "uv", 2, 0),
                       counted(mesh, "T", 1, 5), counted(mesh, "rest", 3, 0),  counted(mesh, "q", 4, 0),
                       counted(mesh, "x", 1, 0), counted(mesh, "a b\n", 1, 0), counted(mesh, "v", 1, 0)};
    const std::vector<Sides> sides{{0, 255}};
    write_ply(folder / "x.ply", mesh, sides);
    const std::string bytes = read_file(folder / "x.ply");
    std::string expected = "element vertex 3\n";
    for (const char* name : {"x", "y", "z", "nx", "ny", "nz"})
        expected += std::string("property float ") + name + "\n";
    expected += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    for (const char* name :
         {"s", "t", "T", "rest_x", "rest_y", "rest_z", "q_0", "q_1", "q_2", "q_3", "x_", "a_b_", "v"})
        expected += std::string("property float ") + name + "\n";
    EXPECT_NE(bytes.find(expected), std::string::npos) << bytes.substr(0, data_begin(bytes));
    const std::size_t row = 19 * 4 + 3, first = data_begin(bytes);
    EXPECT_EQ(value_at<float>(bytes, first + row + 35), 5 + 1 / 64.f) << "T of the second point";
    EXPECT_EQ(bytes.size(), first + 3 * row + 15);
    EXPECT_EQ(value_at<Sides>(bytes, bytes.size() - 2), sides[0]);
    EXPECT_EQ(read_mesh(folder / "x.ply").mesh.points, mesh.points);
}

TEST(WriteMesh, ply_colors_are_bytes_on_the_curve_of_screens) {
    const TemporaryFolder folder;
    Mesh mesh;
    mesh.points.resize(2);
    mesh.attributes.push_back({"Cd", 3, {0, 1, 0.2158605f, -3, 7, std::numeric_limits<float>::quiet_NaN()}});
    write_ply(folder / "x.ply", mesh);
    const std::string bytes = read_file(folder / "x.ply");
    const auto color = [&](std::size_t i) {
        return value_at<std::array<std::uint8_t, 3>>(bytes, data_begin(bytes) + 15 * i + 12);
    };
    // 0.2158605 of the light is 0.502 on the curve, byte 128.
    EXPECT_EQ(color(0), (std::array<std::uint8_t, 3>{0, 255, 128}));
    EXPECT_EQ(color(1), (std::array<std::uint8_t, 3>{0, 255, 0}));
}

TEST(WriteMesh, glb_gives_back_the_same_bits) {
    const TemporaryFolder folder;
    Mesh mesh = sample();
    mesh.attributes = {counted(mesh, "v", 3, 1), counted(mesh, "N", 3, 1), counted(mesh, "wide", 9, 1)};
    write_glb(folder / "x.glb", mesh);
    const MeshFile split = read_mesh(folder / "x.glb");
    EXPECT_EQ(describe_defects(split.report), "clean");
    ASSERT_EQ(split.mesh.uv.size(), mesh.uv.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(split.mesh.points[split.mesh.triangles[t][k]], mesh.points[mesh.triangles[t][k]]);
            // v is turned upside down twice, each time rounded.
            EXPECT_NEAR(split.mesh.uv[t][k][1], mesh.uv[t][k][1], 1e-7);
        }
    }
    mesh.uv.clear();
    write_glb(folder / "x.glb", mesh);
    const Mesh back = read_mesh(folder / "x.glb").mesh;
    EXPECT_EQ(back.points, mesh.points);
    EXPECT_EQ(back.triangles, mesh.triangles);
    const std::string bytes = read_file(folder / "x.glb");
    EXPECT_EQ(value_at<std::uint32_t>(bytes, 8), bytes.size());
    EXPECT_NE(bytes.find("\"_V\":1"), std::string::npos);
    EXPECT_NE(bytes.find("\"_WIDE_8\":11"), std::string::npos);
}

TEST(WriteMesh, the_number_of_threads_does_not_change_a_byte) {
    const TemporaryFolder folder;
    Mesh mesh = make_sphere({0, 0, 0}, 0.5);
    mesh.uv.clear();
    mesh.attributes = {counted(mesh, "v", 3, 1), counted(mesh, "Cd", 3, 0)};
    const auto write_all = [&](const std::string& name) {
        write_ply(folder / (name + ".ply"), mesh);
        write_obj(folder / (name + ".obj"), mesh);
        write_glb(folder / (name + ".glb"), mesh);
    };
    write_all("all");
    const ThreadLimit limit(1);
    write_all("one");
    for (const char* ending : {".ply", ".obj", ".glb"})
        EXPECT_EQ(read_file(folder / (std::string("all") + ending)), read_file(folder / (std::string("one") + ending)));
}

TEST(WriteMesh, a_full_disk_is_told_and_leaves_nothing) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no full device here";
    // The device takes the place of the temporary file, so that the first write fails as on a full disk.
    const TemporaryFolder folder;
    using Write = void (*)(const std::filesystem::path&);
    const std::pair<const char*, Write> cases[] = {{"x.ply",
                                                    [](const auto& path) {
                                                        write_ply(path, make_box({{0, 0, 0}, {1, 1, 1}}));
                                                    }},
                                                   {"x.obj",
                                                    [](const auto& path) {
                                                        write_obj(path, make_box({{0, 0, 0}, {1, 1, 1}}));
                                                    }},
                                                   {"x.glb", [](const auto& path) {
                                                        write_glb(path, make_box({{0, 0, 0}, {1, 1, 1}}));
                                                    }}};
    for (const auto& [name, write] : cases) {
        const std::filesystem::path temporary = AtomicFile(folder / name).temporary();
        std::filesystem::create_symlink("/dev/full", temporary);
        try {
            write(folder / name);
            ADD_FAILURE() << name << " was written";
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), IoError::Kind::disk_full) << error.what();
        }
    }
    EXPECT_EQ(folder.file_count(), 0u);
}

}  // namespace
}  // namespace spindrift::geometry
